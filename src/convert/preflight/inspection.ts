/** Reads an upload: its type, its limits, and how to change it before the conversion. */
import { closeSync, constants, openSync } from 'node:fs';
import type { DocumentType } from '../../shared/document-types.ts';
import type { ConversionOptions } from '../../shared/options/conversion-options.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { KeptParts } from '../document/kept-parts.ts';
import { lastResortsOf } from '../document/last-resorts.ts';
import type { MarkedCells } from '../document/marked-cells.ts';
import { foreignFile, HEAD_BYTES } from '../package/foreign-file.ts';
import { refuseForeignPackage } from '../package/foreign-package.ts';
import type { Allowance } from '../package/limits.ts';
import { requireDocument } from '../package/main-part.ts';
import { Package } from '../package/package.ts';
import { encrypted } from '../package/refusal.ts';
import type { WordPagination } from '../pagination/word-pages.ts';
import type { FieldNotes } from '../rules/stored-fields.ts';
import { checkContents } from './contents.ts';
import { PrintView, type ShownOptions } from './print-view.ts';
import type { Properties } from './properties.ts';

interface InspectionOptions {
  /** Whose page breaks are requested. */
  readonly layout?: ConversionOptions['layout'];
  /** Names of the installed fonts and stand-ins, in lower case; undefined if unknown. */
  readonly fonts?: ReadonlySet<string> | undefined;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice?: string | undefined;
  /** Replace the document's; none by default. */
  readonly properties?: Properties | undefined;
  readonly shown?: ShownOptions | undefined;
}

const LOCAL_FILE_HEADER = Buffer.from('PK\x03\x04', 'latin1');

/**
 * Checks the file at `path` in bounded memory, and writes its print view to `target`. A wrong type is reported before other
 * faults.
 *
 * @param accepted types of documents.
 * @returns the parts that the metadata is read from, Word's page starts, and what its fields and cells need.
 * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE`, `PASSWORD_PROTECTED`; `SERVICE_UNAVAILABLE` if there is no room.
 */
export async function inspect(
  path: string,
  target: string,
  allowance: Allowance,
  accepted: readonly DocumentType[],
  { layout, fonts, libreOffice, properties, shown }: InspectionOptions = {},
): Promise<{
  readonly kept: KeptParts;
  readonly wordPages: WordPagination;
  readonly fields: Pick<FieldNotes, 'fillsIndexes' | 'hasPageFields'>;
  readonly markedCells: readonly MarkedCells[];
}> {
  allowance.check();
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const reader = TailReader.over(fd);
    const head = reader.read(0, HEAD_BYTES);
    if (!head.subarray(0, LOCAL_FILE_HEADER.length).equals(LOCAL_FILE_HEADER)) {
      throw foreignFile(head, reader, accepted);
    }
    const opened = await Package.open(reader, allowance);
    await refuseForeignPackage(opened, accepted);
    for (const entry of opened.entries.values()) if (entry.isEncrypted()) throw encrypted();
    const view = new PrintView(shown);
    const kept = new KeptParts(await requireDocument(opened, accepted));
    await checkContents(opened, view, kept.mainPart, kept);
    const resorts = lastResortsOf(kept, fonts);
    const options = { layout, resorts, libreOffice, properties };
    const wordPages = await view.write(opened, kept, target, options);
    kept.rewrites = [...view.rewrites];
    kept.inserted = view.inserted;
    kept.missing = view.missing;
    return { kept, wordPages, fields: view.fields, markedCells: view.markedCells };
  } finally {
    closeSync(fd);
  }
}
