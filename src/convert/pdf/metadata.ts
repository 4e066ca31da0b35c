/**
 * The metadata of a PDF/A or PDF/UA (XMP) and its information dictionary, which also says who made it and when. PDF/A-1
 * requires that both agree (ISO 19005-1, 6.7.3). LibreOffice writes `&` in XMP as `&amp;amp;`, and dates of its own.
 */
import type { FacturxProfile } from '../../shared/options/conversion-options.ts';
import { declareInvoice } from './facturx.ts';
import { type PdfStructure, readObject, reference, streamOf } from './structure.ts';

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
const INFORMATION = /\/Info\b/;
/** What LibreOffice writes for a document that it finds no date in. */
const NO_DATE = /0000-00-00T00:00:00Z/g;

/**
 * The information dictionary with these keywords: LibreOffice makes each word one. Unchanged if it has none; PDF/A-4 has no
 * such dictionary.
 *
 * @returns by number, as {@link readObject} returns objects.
 * @throws Error saying what is missing or broken.
 */
export function withKeywords(structure: PdfStructure, keywords: string): Map<number, string> {
  if (!INFORMATION.test(structure.trailer)) return new Map();
  const number = reference(structure.trailer, 'Info');
  const info = readObject(structure, number);
  const hexadecimal = Buffer.from(keywords, 'utf16le').swap16().toString('hex').toUpperCase();
  return new Map([[number, info.replace(KEYWORDS, `/Keywords<FEFF${hexadecimal}>`)]]);
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
 * @returns by number, as {@link readObject} returns objects.
 * @throws Error saying what is missing or broken.
 */
export function matchingMetadata(
  structure: PdfStructure,
  { keywords, facturx }: Additions = {},
): Map<number, string> {
  const number = reference(structure.catalog, 'Metadata');
  const object = readObject(structure, number);
  const stream = streamOf(object);
  if (!stream) throw new Error('the metadata are not a stream');
  const old = object.slice(stream.start, stream.end);
  // PDF/A-4 has none (ISO 19005-4, 6.1.3).
  const info = INFORMATION.test(structure.trailer)
    ? readObject(structure, reference(structure.trailer, 'Info'))
    : undefined;
  let xmp = Buffer.from(old, 'latin1').toString('utf8');
  for (const [key, place] of Object.entries(properties)) {
    const own = info && text(info, key);
    const value = key === 'Keywords' ? (keywords ?? own) : own;
    if (value !== undefined) xmp = xmp.replace(place, (_, before) => before + xmlEscaped(value));
  }
  if (info !== undefined) {
    const made = date(info, 'CreationDate');
    xmp = xmp.replace(OWN_DATES, (_, before) => before + made).replace(NO_DATE, made);
  }
  if (facturx !== undefined) xmp = declareInvoice(xmp, facturx);
  const changed = Buffer.from(xmp, 'utf8').toString('latin1');
  if (changed === old) return new Map();
  const dictionary = `<</Type/Metadata/Subtype/XML/Length ${changed.length}>>`;
  return new Map([[number, `${number} 0 obj\n${dictionary}\nstream\n${changed}\nendstream\n`]]);
}

/** A text string by LibreOffice: hexadecimal UTF-16 with a byte order mark. */
function text(dictionary: string, key: string): string | undefined {
  const hexadecimal = new RegExp(`/${key}\\s*<FEFF([0-9A-Fa-f]*)>`).exec(dictionary)?.[1];
  return hexadecimal === undefined ? undefined : Buffer.from(hexadecimal, 'hex').swap16().toString('utf16le');
}

/** Converts a PDF date (ISO 32000-1, 7.9.4) to the form of XMP, ISO 8601. */
function date(dictionary: string, key: string): string {
  const form = `/${key}\\s*\\(D:(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(?:Z|([+-]\\d\\d)'(\\d\\d))`;
  const found = new RegExp(form).exec(dictionary);
  if (!found) throw new Error(`the PDF has no /${key}`);
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = found;
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}

/** A value as the text of an element. */
export function xmlEscaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
