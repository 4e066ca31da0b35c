/** Files embedded in a PDF (ISO 32000-1, 7.11.4) and associated with it (ISO 19005-3, 6.8 and annex E). */
import {
  type Attachment,
  FACTURX_NAME,
  type FacturxProfile,
  type Relationship,
} from '../../options/conversion-options.ts';
import { facturxRelationship } from './facturx.ts';
import { type NewObject, type PdfStructure, readObject, reference } from './structure.ts';

/** What is to be attached to a PDF. */
export interface Attached {
  /** By ascending names, which differ. */
  readonly attachments: readonly Attachment[];
  /** Opens an attachment by its path, for reading. */
  readonly open: (path: string) => number;
  /** Of all; by default what the invoice needs, and `Supplement` for the others. */
  readonly relationship?: Relationship | undefined;
  /** The profile of the invoice among them. */
  readonly facturx?: FacturxProfile | undefined;
}

/**
 * The catalog that has the attachments, and their objects, for `replaceObjects`. Nothing depends on the time: the files have
 * the date of the PDF.
 *
 * @param catalog the text of the document catalog.
 * @throws Error saying what is missing or broken.
 */
export function withAttachments(
  structure: PdfStructure,
  catalog: string,
  { attachments, open, relationship, facturx }: Attached,
): [number: number, object: NewObject][] {
  if (/\/(Names|AF)\b/.test(catalog)) throw new Error('the PDF has attachments or a name tree already');
  const info = readObject(structure, reference(structure.trailer, 'Info'));
  const date = creationDate(info);
  const objects: [number, NewObject][] = [];
  const files: { readonly key: string; readonly specification: string }[] = [];
  for (const { name, path, bytes, md5, ...others } of attachments) {
    const isInvoice = facturx !== undefined && name === FACTURX_NAME;
    const type = isInvoice ? 'text/xml' : others.type;
    const meaning = relationship ?? (isInvoice ? facturxRelationship(facturx) : 'Supplement');
    const stream = structure.xref.objects + objects.length;
    const parameters = `/Params<</Size ${bytes}/ModDate${date}/CheckSum<${md5}>>>`;
    const dictionary = `<</Type/EmbeddedFile/Subtype/${pdfName(type)}${parameters}/Length ${bytes}>>`;
    const head = `${stream} 0 obj\n${dictionary}\nstream\n`;
    objects.push([stream, { head, open: () => open(path), bytes, tail: '\nendstream\n' }]);
    const key = unicode(name);
    const content = `/EF<</F ${stream} 0 R/UF ${stream} 0 R>>`;
    const names = `/F${ascii(name)}/UF${key}`;
    const specification = `<</Type/Filespec${names}/AFRelationship/${meaning}${content}>>`;
    objects.push([stream + 1, `${stream + 1} 0 obj\n${specification}\n`]);
    files.push({ key, specification: `${stream + 1} 0 R` });
  }
  const all = files.map(({ specification }) => specification).join(' ');
  const tree = files.map((file) => `${file.key} ${file.specification}`).join(' ');
  const end = catalog.lastIndexOf('>>');
  const entries = `/AF[${all}]/Names<</EmbeddedFiles<</Names[${tree}]>>>>`;
  const changed = `${catalog.slice(0, end)}${entries}${catalog.slice(end)}`;
  return [[reference(structure.trailer, 'Root'), changed], ...objects];
}

/** The date of an information dictionary; LibreOffice writes an apostrophe too many behind it. */
function creationDate(info: string): string {
  const found = /\/CreationDate\s*\((D:\d{14})(?:Z|([+-]\d\d')(\d\d))/.exec(info);
  if (!found) throw new Error('the PDF has no /CreationDate');
  const [, time, hours = 'Z', minutes = ''] = found;
  return `(${time}${hours}${minutes})`;
}

/** A media type as a name: its slash and number signs escaped (ISO 32000-1, 7.3.5); all else that it may have is regular. */
function pdfName(type: string): string {
  return type.replaceAll('#', '#23').replaceAll('/', '#2F');
}

/** A text string: UTF-16 with a byte order mark. */
function unicode(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

/** A file name for readers that know no Unicode. */
function ascii(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const printable = plain.replaceAll(/[^\x20-\x7e]/gu, '_');
  return `(${printable.replaceAll(/[\\()]/g, '\\$&')})`;
}
