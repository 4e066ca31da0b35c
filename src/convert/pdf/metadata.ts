/**
 * The metadata of a PDF/A or PDF/UA (XMP) and its information dictionary, which also says who made it and when. PDF/A-1
 * requires that both agree (ISO 19005-1, 6.7.3). LibreOffice writes `&` in XMP as `&amp;amp;`, and dates of its own.
 */
import type { FacturxProfile } from '../../shared/options/conversion-options.ts';
import { declareInvoice } from './facturx.ts';
import type { PdfObjects } from './objects/pdf-objects.ts';
import { type Dictionary, PdfString, Reference } from './objects/values.ts';

/** Text before each property's value in XMP, by its key in the dictionary. */
const properties: Readonly<Record<string, RegExp>> = {
  Title: /(<dc:title>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">)[^<]*/,
  Author: /(<dc:creator>\s*<rdf:Seq>\s*<rdf:li>)[^<]*/,
  Subject: /(<dc:description>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">)[^<]*/,
  Keywords: /(<pdf:Keywords>)[^<]*/,
};
/** Creation, modification and metadata dates, which are all the same. */
const OWN_DATES = /(<xmp:(?:Create|Modify|Metadata)Date>)[^<]*/g;
const KEYWORDS = /\/Keywords\s*<FEFF[0-9A-Fa-f]*>/;
/** Longest XMP that is read, in bytes: a title may have as many as a part of a document. */
const MAX_XMP_BYTES = 4_194_304;
/** What LibreOffice writes for a document that it finds no date in. */
const NO_DATE = /0000-00-00T00:00:00Z/g;

/**
 * The information dictionary with these keywords: LibreOffice makes each word one. Unchanged if it has none; PDF/A-4 has no
 * such dictionary.
 *
 * @returns its text, by number.
 * @throws Error saying what is missing or broken.
 */
export function withKeywords(pdf: PdfObjects, keywords: string): Map<number, string> {
  const info = pdf.trailer['/Info'];
  if (!(info instanceof Reference)) return new Map();
  const { text } = pdf.source(info.number);
  const hexadecimal = Buffer.from(keywords, 'utf16le').swap16().toString('hex').toUpperCase();
  return new Map([[info.number, text.replace(KEYWORDS, `/Keywords<FEFF${hexadecimal}>`)]]);
}

/** The metadata, with a character for each byte. @throws Error saying what is missing or broken. */
export function xmpOf(pdf: PdfObjects): string {
  return pdf.streamData(pdf.catalog['/Metadata'], MAX_XMP_BYTES).toString('latin1');
}

/** What the metadata say, and the PDF by LibreOffice does not. */
export interface Additions {
  /** Keywords, if they are not those of the information dictionary. */
  readonly keywords?: string | undefined;
  /** The profile of the invoice in the PDF. */
  readonly facturx?: FacturxProfile | undefined;
}

/**
 * The corrected metadata, if they need correction.
 *
 * @param additions what is to be in them besides.
 * @returns the text of their object, by number.
 * @throws Error saying what is missing or broken.
 */
export function matchingMetadata(
  pdf: PdfObjects,
  { keywords, facturx }: Additions = {},
): Map<number, string> {
  const old = xmpOf(pdf);
  // PDF/A-4 has none (ISO 19005-4, 6.1.3).
  const info = pdf.trailer['/Info'] === undefined ? undefined : pdf.dictionary(pdf.trailer['/Info']);
  let xmp = Buffer.from(old, 'latin1').toString('utf8');
  for (const [key, place] of Object.entries(properties)) {
    const own = info && pdf.text(info[`/${key}`]);
    const value = key === 'Keywords' ? (keywords ?? own) : own;
    if (value !== undefined) xmp = xmp.replace(place, (_, before) => before + xmlEscaped(value));
  }
  if (info !== undefined) {
    const made = isoDate(creationDate(info));
    xmp = xmp.replace(OWN_DATES, (_, before) => before + made).replace(NO_DATE, made);
  }
  if (facturx !== undefined) xmp = declareInvoice(xmp, facturx);
  const changed = Buffer.from(xmp, 'utf8').toString('latin1');
  const metadata = pdf.catalog['/Metadata'];
  if (changed === old || !(metadata instanceof Reference)) return new Map();
  const { number } = metadata;
  const dictionary = `<</Type/Metadata/Subtype/XML/Length ${changed.length}>>`;
  return new Map([[number, `${number} 0 obj\n${dictionary}\nstream\n${changed}\nendstream\n`]]);
}

/** When the PDF was made, by its information dictionary. LibreOffice writes an apostrophe too many behind it. */
export function creationDate(info: Dictionary): string {
  const date = info['/CreationDate'];
  const found = date instanceof PdfString && /^D:\d{14}(?:Z|[+-]\d\d'\d\d)/.exec(date.bytes);
  if (!found) throw new Error('the PDF has no /CreationDate');
  return found[0];
}

/** A PDF date (ISO 32000-1, 7.9.4) in the form of XMP, ISO 8601. */
function isoDate(date: string): string {
  return date
    .replace(/^D:(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6')
    .replace(/([+-]..)'(..)$/, '$1:$2');
}

/** A value as the text of an element. */
export function xmlEscaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
