/** What the whole says of itself: its information dictionary and XMP, of what the parts say. */
import type { FacturxProfile } from '../../../shared/options/conversion-options.ts';
import { declareInvoice } from '../facturx.ts';
import { xmlEscaped } from '../metadata.ts';
import type { PdfObjects } from '../objects/pdf-objects.ts';
import { type Dictionary, PdfString, type Value } from '../objects/values.ts';

const MAX_XMP_BYTES = 1_048_576;
/** What a PDF says in its information dictionary, with the whole's title. */
const COMMON = ['Author', 'Subject', 'Keywords', 'Creator', 'Producer'] as const;
/** Descriptions in XMP by LibreOffice that are made anew; others say which standards the PDF keeps. */
const OWN =
  /[ \t]*<rdf:Description rdf:about="" xmlns:(?:dc|pdf|xmp)="[^"]*">[\s\S]*?<\/rdf:Description>\n?/g;
const DATE = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:([+-]\d\d)'(\d\d))?/;

/** What parts say, and the whole will. */
export interface Metadata {
  title: string | undefined;
  /** What is the same in all parts, by key. */
  common: Map<(typeof COMMON)[number], string>;
  /** The latest, in milliseconds since the epoch; undefined if no part has a date. */
  created: number | undefined;
  /** Of the first part. */
  xmp: string | undefined;
}

/** What a part says. @throws Error if its metadata cannot be read. */
export function metadataOf(pdf: PdfObjects): Metadata {
  const info = pdf.dictionary(pdf.trailer['/Info']);
  const common: Metadata['common'] = new Map();
  for (const key of COMMON) {
    const value = pdf.text(info[`/${key}`]);
    if (value !== undefined) common.set(key, value);
  }
  const stream = pdf.stream(pdf.catalog['/Metadata']);
  const xmp = stream && pdf.data(stream, MAX_XMP_BYTES).toString('utf8');
  return { title: pdf.text(info['/Title']), common, created: timeOf(pdf.text(info['/CreationDate'])), xmp };
}

/** Keeps what both say; the first one's title and XMP. */
export function merged(first: Metadata, other: Metadata): Metadata {
  const common = new Map([...first.common].filter(([key, value]) => other.common.get(key) === value));
  const created = Math.max(
    first.created ?? Number.NEGATIVE_INFINITY,
    other.created ?? Number.NEGATIVE_INFINITY,
  );
  return { ...first, common, created: Number.isFinite(created) ? created : undefined };
}

/** The date as a string of a PDF. */
export function pdfDate(time: number): string {
  return `D:${new Date(time)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '')}`;
}

/** The information dictionary. */
export function informationOf({ title, common, created }: Metadata): Dictionary {
  const entries: [string, Value][] = [...common].map(([key, text]) => [`/${key}`, PdfString.of(text)]);
  if (title !== undefined) entries.unshift(['/Title', PdfString.of(title)]);
  if (created !== undefined) entries.push(['/CreationDate', new PdfString(pdfDate(created))]);
  return Object.fromEntries(entries);
}

/** The XMP; undefined if the first part has none. @param version of the PDF. */
export function xmpOf(
  { title, common, created, xmp }: Metadata,
  version: string,
  facturx: FacturxProfile | undefined,
): Buffer | undefined {
  if (xmp === undefined) return undefined;
  const date = created === undefined ? undefined : new Date(created).toISOString().replace(/\.\d+Z$/, 'Z');
  const text = (tag: string, value: string | undefined, [before, after] = ['', '']) =>
    value === undefined ? [] : [`   <${tag}>${before}${xmlEscaped(value)}${after}</${tag}>`];
  const alternatives: [string, string] = ['<rdf:Alt><rdf:li xml:lang="x-default">', '</rdf:li></rdf:Alt>'];
  const list: [string, string] = ['<rdf:Seq><rdf:li>', '</rdf:li></rdf:Seq>'];
  const descriptions = [
    ...description('dc', 'http://purl.org/dc/elements/1.1/', [
      '   <dc:format>application/pdf</dc:format>',
      ...text('dc:date', date, list),
      ...text('dc:title', title, alternatives),
      ...text('dc:creator', common.get('Author'), list),
      ...text('dc:description', common.get('Subject'), alternatives),
    ]),
    ...description('pdf', 'http://ns.adobe.com/pdf/1.3/', [
      ...text('pdf:Producer', common.get('Producer')),
      ...text('pdf:Keywords', common.get('Keywords')),
      `   <pdf:PDFVersion>${version}</pdf:PDFVersion>`,
    ]),
    ...description('xmp', 'http://ns.adobe.com/xap/1.0/', [
      ...text('xmp:CreatorTool', common.get('Creator')),
      ...['CreateDate', 'ModifyDate', 'MetadataDate'].flatMap((name) => text(`xmp:${name}`, date)),
    ]),
  ];
  const rest = xmp.replace(OWN, '');
  const end = rest.lastIndexOf('</rdf:RDF>');
  if (end < 0) throw new Error('the metadata are no RDF');
  const lineStart = rest.lastIndexOf('\n', end) + 1;
  const whole = `${rest.slice(0, lineStart)}${descriptions.join('\n')}\n${rest.slice(lineStart)}`;
  return Buffer.from(facturx === undefined ? whole : declareInvoice(whole, facturx), 'utf8');
}

function description(prefix: string, namespace: string, lines: readonly string[]): string[] {
  return [
    `  <rdf:Description rdf:about="" xmlns:${prefix}="${namespace}">`,
    ...lines,
    '  </rdf:Description>',
  ];
}

/** Of a PDF date (ISO 32000-1, 7.9.4), in milliseconds since the epoch. */
function timeOf(date: string | undefined): number | undefined {
  const found = date === undefined ? null : DATE.exec(date);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = found;
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time) ? undefined : time;
}
