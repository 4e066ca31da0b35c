/** Recognises packages that are not Office files: OpenDocument, EPUB, Apple's, plain archives. */
import type { DocumentType } from '../../shared/document-types.ts';
import type { Package } from './package.ts';
import { document, type ForeignFormat, invalidType, other } from './refusal.ts';

export const CONTENT_TYPES = '[Content_Types].xml';

const MIME_TYPE_LIMIT = 256;

/** Formats that declare themselves in an entry `mimetype` (OpenDocument 1.3 part 2, 3.3; EPUB OCF 4.2). */
const mimeTypes: readonly (readonly [string, ForeignFormat])[] = [
  ['application/vnd.oasis.opendocument.text', document('an OpenDocument text (.odt)')],
  ['application/vnd.oasis.opendocument.spreadsheet', other('an OpenDocument spreadsheet (.ods)')],
  ['application/vnd.oasis.opendocument.presentation', other('an OpenDocument presentation (.odp)')],
  ['application/vnd.oasis.opendocument', other('an OpenDocument file')],
  ['application/epub+zip', other('an e-book (.epub)')],
];

/**
 * Refuses a package of another family.
 *
 * @throws PlatenError INVALID_FILE_TYPE, which names the format.
 */
export async function refuseForeignPackage(
  opened: Package,
  accepted: readonly DocumentType[],
): Promise<void> {
  const mimeType = opened.entry('mimetype');
  if (mimeType && !mimeType.isEncrypted()) {
    const declared = (await opened.read(mimeType, MIME_TYPE_LIMIT)).toString('latin1');
    const known = mimeTypes.find(([prefix]) => declared.startsWith(prefix));
    if (known) throw invalidType(known[1](accepted));
  }
  if (opened.entry(CONTENT_TYPES)) return;
  const apple = opened.entry('Index/Document.iwa') ?? opened.entry('index.zip');
  const what = apple ? document('an Apple iWork document') : other('a ZIP archive');
  throw invalidType(what(accepted));
}
