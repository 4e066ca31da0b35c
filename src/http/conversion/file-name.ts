/** File names that clients send, and the name that the PDF is offered under. */
import { encodeExtended } from 'content-disposition';
import { type Format, formats } from '../../shared/options/conversion-options.ts';

const MAX_LENGTH = 150;
/** Longest name that is kept, in characters. */
const MAX_NAME = 255;
/** In place of the document's name: of several documents in one PDF without a title of its own. */
export const COMBINED_NAME = 'combined.docx';

/**
 * Content-Disposition (RFC 6266) for the result of an uploaded file.
 *
 * @param uploadName the file name of the upload as the client sent it: any text at all, or none.
 */
export function resultDisposition(uploadName: string | undefined, format: Format): string {
  const name = resultName(uploadName, format);
  const ascii = asciiFallback(name, format);
  // Between quotes whatever the name, for programs that look for them.
  const attachment = `attachment; filename="${ascii}"`;
  return ascii === name ? attachment : `${attachment}; filename*=${encodeExtended(name)}`;
}

/** The name of the result of an uploaded file. */
export function resultName(uploadName: string | undefined, format: Format): string {
  return `${baseName(uploadName ?? '')}.${formats[format].extension}`;
}

/** The name as the job shows it; null for none. */
export function shownName(fileName: string | undefined): string | null {
  const name = [...fileNameOf(fileName ?? '')].slice(0, MAX_NAME).join('');
  return name === '' ? null : name;
}

/** The last part of a path, without control characters, lone surrogates, and what no file name has everywhere. */
export function fileNameOf(uploadName: string): string {
  const last = uploadName.toWellFormed().split(/[/\\]/).pop() ?? '';
  return (
    last
      // How forms write what would end the name (WHATWG HTML, multipart/form-data encoding algorithm).
      .replaceAll(/%(22|0A|0D)/gi, '')
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>:|?*\uFFFD]/gu, '')
      .trim()
  );
}

/** Without its extension, and bounded. */
function baseName(uploadName: string): string {
  const clean = fileNameOf(uploadName).replace(/\.[^.]*$/, '');
  const bounded = [...clean].slice(0, MAX_LENGTH).join('').trim();
  return /^\.*$/.test(bounded) ? 'document' : bounded;
}

/**
 * The name with what is not printable ASCII replaced, and what has a meaning in a header or a path, as `／` and `℀` are written with
 * a slash; accents are dropped where letters have them.
 */
function asciiFallback(name: string, format: Format): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const ascii = plain.replaceAll(/[^\x20-\x7e]|["%<>:|?*/\\]/gu, '_');
  return /^_*\.\w+$/.test(ascii) ? resultName(undefined, format) : ascii;
}
