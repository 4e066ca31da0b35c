/** Recognises files that are not ZIP archives, so that the refusal can name the format. */
import { PlatenError } from '../../errors.ts';
import type { DocumentType } from '../../shared/document-types.ts';
import type { TailReader } from '../../system/tail-reader.ts';
import { CompoundFile } from './compound.ts';
import { PACKAGE } from './decryption.ts';
import { document, type ForeignFormat, invalidType, needsPassword, other } from './refusal.ts';

/** Number of leading bytes that are examined. */
export const HEAD_BYTES = 4_096;

/** Tab, line feed, form feed, carriage return, escape. */
const TEXT_CONTROLS: readonly number[] = [9, 10, 12, 13, 27];

/** The first bytes of a compound file (Latin-1). */
export const COMPOUND_FILE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

/** Formats by their first bytes (Latin-1). */
const signatures: readonly (readonly [string, ForeignFormat])[] = [
  ['%PDF-', () => 'This is a PDF already. Send the Word document (.docx) it was made from.'],
  ['\x89PNG\r\n', other('a PNG image')],
  ['\xff\xd8\xff', other('a JPEG image')],
  ['GIF8', other('a GIF image')],
  ['II*\0', other('a TIFF image')],
  ['MM\0*', other('a TIFF image')],
  ['RIFF', other('a WebP image or another media file')],
  ['PK\x05\x06', other('an empty ZIP archive')],
  ['PK\x07\x08', other('a split ZIP archive')],
  ['7z\xbc\xaf', other('a 7z archive')],
  ['Rar!\x1a', other('a RAR archive')],
  ['\x1f\x8b', other('a gzip archive')],
  ['MZ\x90\0', other('a program')],
  ['\x7fELF', other('a program')],
];

/** Text formats by their beginning, after white space and XML comments. */
const texts: readonly (readonly [RegExp, ForeignFormat])[] = [
  [/^\{\\rtf/, document('a Rich Text document (.rtf)')],
  [/^(<\?xml[^>]*>\s*)?(<!doctype html|<html[\s>])/i, document('an HTML page')],
  [/^(<\?[^>]*>\s*)*<office:document[\s>]/, document('a flat OpenDocument file (.fodt)')],
  [/^(<\?[^>]*>\s*)*<(pkg:package|w:wordDocument)[\s>]/, document('a Word XML document (.xml)')],
  [/^(<\?[^>]*>\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/i, other('an SVG image')],
  [/^<(\?xml|[a-z])/i, other('an XML or HTML file')],
];

/** Compound files by a name in their root. */
const compounds: readonly (readonly [string, ForeignFormat])[] = [
  ['WordDocument', document('a legacy Word document (.doc)')],
  ['Workbook', other('a legacy Excel workbook (.xls)')],
  ['Book', other('a legacy Excel workbook (.xls)')],
  ['PowerPoint Document', other('a legacy PowerPoint presentation (.ppt)')],
  ['__properties_version1.0', other('an Outlook message (.msg)')],
];

/** The refusal of a file that does not begin as a ZIP archive; `head` is its first HEAD_BYTES. */
export function foreignFile(
  head: Buffer,
  reader: TailReader,
  accepted: readonly DocumentType[],
): PlatenError {
  if (head.length === 0) return invalidType('The file is empty. Send a Word document (.docx).');
  const latin1 = head.toString('latin1');
  if (latin1.startsWith(COMPOUND_FILE)) {
    return compoundFile(CompoundFile.open(reader).names(), accepted);
  }
  const known = signatures.find(([bytes]) => latin1.startsWith(bytes));
  if (known) return invalidType(known[1](accepted));
  return textFile(head, accepted) ?? new PlatenError('INVALID_FILE_TYPE', { reason: 'not-a-document' });
}

function compoundFile(names: ReadonlySet<string>, accepted: readonly DocumentType[]): PlatenError {
  // Office stores an encrypted package in a compound file under this name ([MS-OFFCRYPTO] 2.3.4.4).
  if (names.has(PACKAGE)) return needsPassword();
  const known = compounds.find(([name]) => names.has(name));
  return invalidType((known?.[1] ?? document('a file in a legacy Office format'))(accepted));
}

function textFile(head: Buffer, accepted: readonly DocumentType[]): PlatenError | undefined {
  const text = textOf(head);
  if (text === undefined) return undefined;
  const start = text.replace(/^(\s|<!--[\s\S]*?-->)+/, '');
  const known = texts.find(([pattern]) => pattern.test(start));
  return invalidType((known?.[1] ?? document('plain text'))(accepted));
}

/** `head` as text; undefined if it is binary. */
function textOf(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  if (head.some((byte) => byte < 0x20 && !TEXT_CONTROLS.includes(byte))) return undefined;
  // Latin-1 reads everything: legacy text may be invalid UTF-8, and the head may end inside a character.
  return head.toString('latin1').replace(/^\xef\xbb\xbf/, '');
}
