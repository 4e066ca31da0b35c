/**
 * The metadata of a PDF/A (XMP), and the information dictionary, which says of the PDF as well who made it and when.
 * PDF/A-1 wants both to say the same (ISO 19005-1, 6.7.3), and every part wants dates in the form of dates. LibreOffice 7.4
 * writes `&` in XMP as `&amp;amp;`, and declares PDF/A-1a. 25.2 writes the date of the document there, or zeros where it has
 * none.
 */
import { type PdfStructure, readObject, reference, streamOf } from './structure.ts';

/** What stands in front of each property's value in XMP, by its key in the dictionary. */
const properties: Readonly<Record<string, RegExp>> = {
  Title: /(<dc:title>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">)[^<]*/,
  Author: /(<dc:creator>\s*<rdf:Seq>\s*<rdf:li>)[^<]*/,
  Subject: /(<dc:description>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">)[^<]*/,
  Keywords: /(<pdf:Keywords>)[^<]*/,
};
/** All levels here are B. */
const CONFORMANCE = /(<pdfaid:conformance>)[^<]*/;
/** When the PDF was made, changed and described: all at once. */
const OWN_DATES = /(<xmp:(?:Create|Modify|Metadata)Date>)[^<]*/g;
const NO_DATE = /0000-00-00T00:00:00Z/g;

/**
 * The metadata as they have to be, unless they are so.
 *
 * @returns by number, as {@link readObject} gives objects.
 * @throws Error saying what is missing or broken.
 */
export async function matchingMetadata(structure: PdfStructure): Promise<Map<number, string>> {
  const number = reference(structure.catalog, 'Metadata');
  const object = await readObject(structure, number);
  const stream = streamOf(object);
  if (!stream) throw new Error('the metadata are no stream');
  const old = object.slice(stream.start, stream.end);
  const info = await readObject(structure, reference(structure.trailer, 'Info'));
  let xmp = Buffer.from(old, 'latin1').toString('utf8');
  for (const [key, place] of Object.entries(properties)) {
    const value = text(info, key);
    if (value !== undefined) xmp = xmp.replace(place, (_, before) => before + escaped(value));
  }
  const made = date(info, 'CreationDate');
  xmp = xmp
    .replace(OWN_DATES, (_, before) => before + made)
    .replace(NO_DATE, made)
    .replace(CONFORMANCE, '$1B');
  const changed = Buffer.from(xmp, 'utf8').toString('latin1');
  if (changed === old) return new Map();
  const dictionary = `<</Type/Metadata/Subtype/XML/Length ${changed.length}>>`;
  return new Map([[number, `${number} 0 obj\n${dictionary}\nstream\n${changed}\nendstream\n`]]);
}

/** A text that LibreOffice wrote: UTF-16 in hexadecimal, with a mark at its start. */
function text(dictionary: string, key: string): string | undefined {
  const hexadecimal = new RegExp(`/${key}\\s*<FEFF([0-9A-Fa-f]*)>`).exec(dictionary)?.[1];
  return hexadecimal === undefined ? undefined : Buffer.from(hexadecimal, 'hex').swap16().toString('utf16le');
}

/** A date (ISO 32000-1, 7.9.4) in the form of XMP, which is that of ISO 8601. */
function date(dictionary: string, key: string): string {
  const form = `/${key}\\s*\\(D:(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(?:Z|([+-]\\d\\d)'(\\d\\d))`;
  const found = new RegExp(form).exec(dictionary);
  if (!found) throw new Error(`the PDF has no /${key}`);
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = found;
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
