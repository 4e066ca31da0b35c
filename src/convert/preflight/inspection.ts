/** Reading an upload: what it is, whether it keeps to the limits, and what to change in it before it is converted. */
import { closeSync, constants, openSync, truncateSync } from 'node:fs';
import type { DocumentType } from '../../document-types.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { KeptParts } from '../document/kept-parts.ts';
import { lastResortsOf } from '../document/last-resorts.ts';
import { foreignFile, HEAD_BYTES } from '../package/foreign-file.ts';
import { refuseForeignPackage } from '../package/foreign-package.ts';
import type { Allowance } from '../package/limits.ts';
import { requireDocument } from '../package/main-part.ts';
import { Package } from '../package/package.ts';
import { encrypted } from '../package/refusal.ts';
import type { StoredParts } from '../package/stored-parts.ts';
import type { WordPagination } from '../pagination/word-pages.ts';
import { checkContents } from './contents.ts';
import { PrintView } from './print-view.ts';

export interface InspectionOptions {
  /** Whether the pages of Word are asked for. */
  readonly wantsPages?: boolean | undefined;
  /** What was looked at of it while it arrived. */
  readonly arrived?: StoredParts | undefined;
  /** Names of the fonts that documents find, in lower case; undefined where nobody knows. */
  readonly fonts?: ReadonlySet<string> | undefined;
  /** The version of LibreOffice that the document is for; undefined where it is not known. */
  readonly libreOffice?: string | undefined;
}

const LOCAL_FILE_HEADER = Buffer.from('PK\x03\x04', 'latin1');

/**
 * Checks the file at `path` in bounded memory, and puts its print view in its place where that is another. What it is
 * comes before what is wrong with it.
 *
 * @param accepted the types of documents that are let through.
 * @returns the parts that the metadata is read from, and what is known of the pages of Word.
 * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE` or `PASSWORD_PROTECTED`
 * @throws TooHeavy when the allowance is for a light package and this is none.
 */
export async function inspect(
  path: string,
  allowance: Allowance,
  accepted: readonly DocumentType[],
  { wantsPages = false, arrived, fonts, libreOffice }: InspectionOptions = {},
): Promise<{ readonly kept: KeptParts; readonly wordPages: WordPagination }> {
  allowance.check();
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const reader = TailReader.over(fd);
    const head = await reader.read(0, HEAD_BYTES);
    if (!head.subarray(0, LOCAL_FILE_HEADER.length).equals(LOCAL_FILE_HEADER)) {
      throw await foreignFile(head, reader, accepted);
    }
    const opened = await Package.open(reader, allowance, arrived);
    await refuseForeignPackage(opened, accepted);
    for (const entry of opened.entries.values()) if (entry.isEncrypted()) throw encrypted();
    const view = new PrintView();
    const kept = new KeptParts(await requireDocument(opened, accepted));
    await checkContents(opened, view, kept.mainPart, kept);
    const resorts = lastResortsOf(kept, fonts);
    const options = { wantsPages, resorts, libreOffice };
    const { isChanged, wordPages } = await view.apply(opened, kept, path, options);
    kept.rewrites = [...view.rewrites];
    kept.insertedPdfs = view.insertedPdfs;
    // The engine looks for the end of the archive in the last half kilobyte only.
    if (!isChanged && opened.paddingBytes > 0) truncateSync(path, opened.archiveBytes);
    return { kept, wordPages };
  } finally {
    closeSync(fd);
  }
}
