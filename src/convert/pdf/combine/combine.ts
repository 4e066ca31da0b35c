/** Makes one PDF of many that the engine wrote (ISO 32000-1), and keeps what they have: tags, links, fields, files. */
import type { PdfaLevel } from '../../../options/pdfa.ts';
import type { Attached } from '../attachments.ts';

/** A PDF that becomes a part of the whole. */
export interface CombinedPart {
  /** Of the PDF. */
  readonly path: string;
  /** The file name of its document, for errors and the names of form fields. */
  readonly name: string;
  /** Its bookmark: the document's title, else its file name. */
  readonly title: string;
}

/** What the whole says of itself. */
export interface CombineOptions {
  /** Of the whole; by default that of the first part. */
  readonly title?: string | undefined;
  /** Level of PDF/A that each part has, and the whole is to have. */
  readonly pdfa: PdfaLevel | undefined;
  /** Whether each part is PDF/UA, and the whole is to be. */
  readonly pdfua: boolean;
  /** Whether there is a bookmark for each part, above those of the part. True by default. */
  readonly bookmarks?: boolean | undefined;
  /** The language of the whole. By default that of the parts, if it is the same; of PDF/UA, else the first part's. */
  readonly lang?: string | undefined;
  /** What is to be attached to the whole, perhaps as an invoice. */
  readonly attached?: Attached | undefined;
}

/** What was made. */
export interface CombinedPdf {
  readonly pages: number;
  /** Of each part, counted from 1. */
  readonly firstPages: readonly number[];
}

/**
 * Writes one PDF of many.
 *
 * Time and memory are linear: streams are copied in pieces, and no more than one part's tables are in memory. The same parts
 * and options give the same bytes.
 *
 * @param out path of the PDF to write, which must not exist; it does not exist either if this fails.
 * @throws Error saying what is wrong with which part, or what could not be written.
 */
export function combinePdfs(
  _parts: readonly CombinedPart[],
  _out: string,
  _options: CombineOptions,
): CombinedPdf {
  throw new Error('not yet');
}
