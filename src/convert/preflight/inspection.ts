/** Reads an upload: its type, its limits, and how to change it before the conversion. */
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
import type { Properties } from './properties.ts';

export interface InspectionOptions {
  /** Whether Word's page breaks are requested. */
  readonly wantsPages?: boolean | undefined;
  /** The parts that were checked while they arrived. */
  readonly arrived?: StoredParts | undefined;
  /** Names of the installed fonts and stand-ins, in lower case; undefined if unknown. */
  readonly fonts?: ReadonlySet<string> | undefined;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice?: string | undefined;
  /** Replace the document's; none by default. */
  readonly properties?: Properties | undefined;
}

const LOCAL_FILE_HEADER = Buffer.from('PK\x03\x04', 'latin1');

/**
 * Checks the file at `path` in bounded memory, and replaces it by its print view if that differs. A wrong type is
 * reported before other faults.
 *
 * @param accepted types of documents.
 * @returns the parts that the metadata is read from, and Word's page starts.
 * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE` or `PASSWORD_PROTECTED`
 * @throws TooHeavy if the allowance is for a light package and this is a heavy one.
 */
export async function inspect(
  path: string,
  allowance: Allowance,
  accepted: readonly DocumentType[],
  { wantsPages = false, arrived, fonts, libreOffice, properties }: InspectionOptions = {},
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
    const options = { wantsPages, resorts, libreOffice, properties };
    const { isChanged, wordPages } = await view.apply(opened, kept, path, options);
    kept.rewrites = [...view.rewrites];
    kept.insertedPdfs = view.insertedPdfs;
    // The engine searches only the last half kilobyte for the end of the archive.
    if (!isChanged && opened.paddingBytes > 0) truncateSync(path, opened.archiveBytes);
    return { kept, wordPages };
  } finally {
    closeSync(fd);
  }
}
