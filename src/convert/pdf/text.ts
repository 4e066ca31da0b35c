/** Sketches the text of a PDF by LibreOffice (ISO 32000-1, 7.7.3, 8.10 and 12.7). */
import { TextSketch } from '../text/sketch.ts';
import { type CodedFont, ContentReader } from './content.ts';
import type { PdfFont } from './fonts.ts';
import type { PdfObjects } from './objects/pdf-objects.ts';
import { Reference, type Value } from './objects/values.ts';
import { contentOf, readPages } from './pages.ts';
import { readToUnicode } from './to-unicode.ts';

/** Most content of a page, and of all pages, in bytes: some thousand pages of text. */
const MAX_STREAM_BYTES = 4_194_304;
const MAX_BYTES = 16_777_216;
const MAX_CMAP_BYTES = 65_536;
/** Most pages, forms and fields of each kind. */
const MAX_OBJECTS = 20_000;

/**
 * @param fonts of the PDF.
 * @returns undefined if it is too large, or has another form.
 */
export function sketchText(pdf: PdfObjects, fonts: readonly PdfFont[]): TextSketch | undefined {
  try {
    const reader = new TextReader(pdf, readCodes(pdf, fonts));
    reader.readPages();
    reader.readForms();
    reader.readFields();
    return reader.sketch;
  } catch {
    // Only the report needs it: the PDF itself is sound.
    return undefined;
  }
}

function readCodes(pdf: PdfObjects, fonts: readonly PdfFont[]): ReadonlyMap<string, CodedFont> {
  const coded = new Map<string, CodedFont>();
  for (const { key, name, toUnicode } of fonts) {
    if (toUnicode === undefined) continue;
    const cmap = pdf.streamData(toUnicode, MAX_CMAP_BYTES);
    coded.set(key, { name, codes: readToUnicode(cmap.toString('latin1')) });
  }
  return coded;
}

class TextReader {
  readonly sketch = new TextSketch();
  readonly #pdf: PdfObjects;
  readonly #fonts: ReadonlyMap<string, CodedFont>;
  #left = MAX_BYTES;

  constructor(pdf: PdfObjects, fonts: ReadonlyMap<string, CodedFont>) {
    this.#pdf = pdf;
    this.#fonts = fonts;
  }

  readPages(): void {
    for (const page of readPages(this.#pdf, MAX_OBJECTS)) {
      const content = contentOf(this.#pdf, page, this.#limit);
      if (content) this.#read(content);
    }
  }

  /** Parts of pages that are drawn as a unit, such as half-transparent content. */
  readForms(): void {
    const pdf = this.#pdf;
    const resources = pdf.dictionary(pdf.dictionary(pdf.catalog['/Pages'])['/Resources']);
    for (const object of distinct(Object.values(pdf.dictionary(resources['/XObject'])))) {
      if (pdf.dictionary(object)['/Subtype'] !== '/Form') continue;
      this.#read(pdf.streamData(object, this.#limit));
    }
  }

  /** Content of form fields. */
  readFields(): void {
    const pdf = this.#pdf;
    for (const field of distinct(pdf.array(pdf.dictionary(pdf.catalog['/AcroForm'])['/Fields']))) {
      this.sketch.break();
      this.sketch.add(pdf.text(pdf.dictionary(field)['/V']) ?? '');
    }
  }

  get #limit(): number {
    return Math.min(MAX_STREAM_BYTES, this.#left);
  }

  #read(content: Buffer): void {
    this.#left -= content.length;
    new ContentReader(content, this.#fonts, this.sketch).read();
  }
}

/** References to different objects. @throws Error if there are too many. */
function distinct(values: readonly Value[]): Reference[] {
  const references = values.filter((value) => value instanceof Reference);
  const byNumber = new Map(references.map((reference) => [reference.number, reference]));
  if (byNumber.size > MAX_OBJECTS) throw new Error('there are too many objects');
  return [...byNumber.values()];
}
