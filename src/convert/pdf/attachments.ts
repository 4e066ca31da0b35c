/** Files embedded in a PDF (ISO 32000-1, 7.11.4) and associated with it (ISO 19005-3, 6.8 and annex E). */
import {
  type Attachment,
  FACTURX_NAME,
  type FacturxProfile,
  type Relationship,
} from '../../shared/options/conversion-options.ts';
import { facturxRelationship } from './facturx.ts';
import { creationDate } from './metadata.ts';
import type { PdfObjects } from './objects/pdf-objects.ts';
import type { NewObject } from './replace-objects.ts';

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
 * The catalogue with the attachments, and their objects, for `replaceObjects`. Nothing depends on the time: the files have
 * the date of the PDF.
 *
 * @param catalog its text.
 * @throws Error saying what is missing or broken.
 */
export function withAttachments(
  pdf: PdfObjects,
  catalog: string,
  attached: Attached,
): { readonly catalog: string; readonly objects: [number, object: NewObject][] } {
  if ('/Names' in pdf.catalog || '/AF' in pdf.catalog) {
    throw new Error('the PDF has attachments or a name tree already');
  }
  const date = creationDate(pdf.dictionary(pdf.trailer['/Info']));
  const files = attachedFiles(attached, pdf.size, `(${date})`);
  const all = files.map(({ specification }) => `${specification} 0 R`).join(' ');
  const tree = files.map(({ name, specification }) => `${unicode(name)} ${specification} 0 R`).join(' ');
  const end = catalog.lastIndexOf('>>');
  const entries = `/AF[${all}]/Names<</EmbeddedFiles<</Names[${tree}]>>>>`;
  return {
    catalog: `${catalog.slice(0, end)}${entries}${catalog.slice(end)}`,
    objects: files.flatMap(({ objects }) => objects),
  };
}

/** A file in a PDF. */
interface AttachedFile {
  readonly name: string;
  /** The number of the object that describes it. */
  readonly specification: number;
  /** Its {@link OBJECTS_OF_FILE}. */
  readonly objects: readonly [number: number, object: NewObject][];
}

/** Objects of each attached file. */
export const OBJECTS_OF_FILE = 2;

/**
 * The objects of the attachments.
 *
 * @param first number; they have this and the following ones.
 * @param date of the files, as a string of a PDF.
 */
export function attachedFiles(
  { attachments, open, relationship, facturx }: Attached,
  first: number,
  date: string,
): AttachedFile[] {
  return attachments.map(({ name, path, bytes, md5, ...others }, index) => {
    const isInvoice = facturx !== undefined && name === FACTURX_NAME;
    const type = isInvoice ? 'text/xml' : others.type;
    const meaning = relationship ?? (isInvoice ? facturxRelationship(facturx) : 'Supplement');
    const stream = first + OBJECTS_OF_FILE * index;
    const specification = stream + 1;
    const parameters = `/Params<</Size ${bytes}/ModDate${date}/CheckSum<${md5}>>>`;
    const dictionary = `<</Type/EmbeddedFile/Subtype/${pdfName(type)}${parameters}/Length ${bytes}>>`;
    const head = `${stream} 0 obj\n${dictionary}\nstream\n`;
    const content = `/EF<</F ${stream} 0 R/UF ${stream} 0 R>>`;
    const names = `/F${ascii(name)}/UF${unicode(name)}`;
    const description = `<</Type/Filespec${names}/AFRelationship/${meaning}${content}>>`;
    return {
      name,
      specification,
      objects: [
        [stream, { head, open: () => open(path), bytes, tail: '\nendstream\n' }],
        [specification, `${specification} 0 obj\n${description}\n`],
      ],
    };
  });
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
