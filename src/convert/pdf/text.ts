/** Sketches the text of a PDF by LibreOffice (ISO 32000-1, 7.7.3, 8.10 and 12.7). */
import { TextSketch } from '../text/sketch.ts';
import { type CodedFont, ContentReader } from './content.ts';
import type { PdfFont } from './fonts.ts';
import { arrayIn, readPages, references } from './pages.ts';
import { readStream } from './streams.ts';
import { type PdfStructure, readObject, readObjectStart, reference } from './structure.ts';
import { readToUnicode, utf16 } from './to-unicode.ts';

/** Most content of a page, and of all pages: some thousand pages of text. */
const MAX_STREAM_BYTES = 4_194_304;
const MAX_BYTES = 16_777_216;
const MAX_CMAP_BYTES = 65_536;
const MAX_OBJECTS = 20_000;
const OBJECT_START_BYTES = 256;

/**
 * @param fonts of the PDF.
 * @returns undefined if it is too large, or has another form.
 */
export function sketchText(structure: PdfStructure, fonts: readonly PdfFont[]): TextSketch | undefined {
  try {
    const reader = new TextReader(structure, readCodes(structure, fonts));
    reader.readPages();
    reader.readForms();
    reader.readFields();
    return reader.sketch;
  } catch {
    // Only the report needs it: the PDF itself is sound.
    return undefined;
  }
}

function readCodes(structure: PdfStructure, fonts: readonly PdfFont[]): ReadonlyMap<string, CodedFont> {
  const coded = new Map<string, CodedFont>();
  for (const { key, name, toUnicode } of fonts) {
    if (toUnicode === undefined) continue;
    const cmap = readStream(structure, toUnicode, MAX_CMAP_BYTES);
    coded.set(key, { name, codes: readToUnicode(cmap.toString('latin1')) });
  }
  return coded;
}

class TextReader {
  readonly sketch = new TextSketch();
  readonly #structure: PdfStructure;
  readonly #fonts: ReadonlyMap<string, CodedFont>;
  #objects = 0;
  #bytes = 0;

  constructor(structure: PdfStructure, fonts: ReadonlyMap<string, CodedFont>) {
    this.#structure = structure;
    this.#fonts = fonts;
  }

  readPages(): void {
    for (const { text } of readPages(this.#structure, MAX_OBJECTS)) {
      if (/\/Contents\s/.test(text)) this.#readContent(reference(text, 'Contents'));
    }
  }

  /** Parts of pages that are drawn as a unit, such as half-transparent content. */
  readForms(): void {
    const pages = this.#object(reference(this.#structure.catalog, 'Pages'));
    const resources = this.#object(reference(pages, 'Resources'));
    if (!/\/XObject\b/.test(resources)) return;
    for (const number of references(this.#dictionary(resources, 'XObject'))) {
      this.#countObject();
      const { text } = readObjectStart(this.#structure, number, OBJECT_START_BYTES);
      if (/\/Subtype\s*\/Form\b/.test(text)) this.#readContent(number);
    }
  }

  /** Content of form fields. */
  readFields(): void {
    const { catalog } = this.#structure;
    if (!/\/AcroForm\b/.test(catalog)) return;
    const form = this.#dictionary(catalog, 'AcroForm');
    for (const number of references(arrayIn(form, /\/Fields\s*\[/) ?? '')) {
      const value = /\/V\s*<feff([0-9a-f]*)>/i.exec(this.#object(number))?.[1];
      this.sketch.break();
      if (value !== undefined) this.sketch.add(utf16(value));
    }
  }

  #readContent(number: number): void {
    this.#countObject();
    const bytes = readStream(this.#structure, number, Math.min(MAX_STREAM_BYTES, MAX_BYTES - this.#bytes));
    this.#bytes += bytes.length;
    new ContentReader(bytes, this.#fonts, this.sketch).read();
  }

  #object(number: number): string {
    this.#countObject();
    return readObject(this.#structure, number);
  }

  /** A dictionary inside another one, or an object. */
  #dictionary(outer: string, key: string): string {
    const inner = new RegExp(`/${key}\\s*<<([\\s\\S]*)`).exec(outer)?.[1];
    return inner ?? this.#object(reference(outer, key));
  }

  #countObject(): void {
    this.#objects += 1;
    if (this.#objects > MAX_OBJECTS) throw new Error('there are too many objects');
  }
}
