/**
 * Numbers of lines (`w:lnNumType`, ISO/IEC 29500-1, 17.6.8), which a section has or not. In LibreOffice the whole document has them as
 * soon as one section does. So the paragraphs of the others say that their lines have none (17.3.1.35).
 */
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { Remembered } from '../document/remembered.ts';
import type { Bytes } from '../text/bytes.ts';

/** Where the properties of a paragraph are, or the place for them. */
interface Place {
  start: number;
  end: number;
  /** It is an empty element; then this is where its tag ends. */
  readonly isEmpty: boolean;
}

const NUMBERS = 'lnNumType';
/** What has no numbers anyway is passed over. */
const told = { elements: ['p', 'pPr', 'sectPr', NUMBERS], passesOver: ['tbl', ...drawings] };

/** The main part with numbers of lines in the sections alone that have them, in linear time. */
export function withOwnLineNumbers(xml: Bytes): Bytes {
  return new NumberReader(xml, told).walk().edited();
}

class NumberReader extends BodyWalk {
  /** The paragraphs of sections without numbers. */
  readonly #bare: Place[] = [];
  #hasNumbers = false;
  #paragraph: Place | undefined;
  /** The paragraphs of the section so far. */
  #own: Place[] = [];
  /** Whether the section whose properties were read has numbers; undefined within a section. */
  #isNumbered: boolean | undefined;

  override open(element: Element): void {
    const { local, isEmpty, start, end } = element;
    if (local === 'p') {
      const paragraph = { start: isEmpty ? end - '/>'.length : end, end, isEmpty };
      this.#own.push(paragraph);
      if (!isEmpty) this.#paragraph = paragraph;
    } else if (local === 'pPr' && this.#paragraph) Object.assign(this.#paragraph, { start, end });
    else if (local === 'sectPr') {
      this.#isNumbered = false;
      if (isEmpty && !this.#paragraph) this.#endSection();
    } else if (local === NUMBERS) {
      const step = element.value('countBy');
      this.#isNumbered = step !== undefined && step !== '0';
    }
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (local === 'pPr' && this.#paragraph) this.#paragraph.end = end;
    else if (local === 'p') {
      this.#paragraph = undefined;
      this.#endSection();
    } else if (local === 'sectPr' && !this.#paragraph) this.#endSection();
  }

  /** At the end of the paragraph, or of the body, that has the properties of a section. */
  #endSection(): void {
    if (this.#isNumbered === undefined) return;
    if (this.#isNumbered) this.#hasNumbers = true;
    else for (const place of this.#own) this.#bare.push(place);
    this.#own = [];
    this.#isNumbered = undefined;
  }

  override edited(): string {
    const written = new Remembered<string>();
    for (const { start, end, isEmpty } of this.#hasNumbers ? this.#bare : []) {
      const place = { start: isEmpty ? end : start, end };
      const text = written.of(this.xml.slice(place.start, end), () => {
        const properties = this.propertiesAt(place);
        properties?.set('suppressLineNumbers');
        return properties?.toString() ?? '';
      });
      if (text !== '') this.edits.push({ start, end, text: isEmpty ? `>${text}</${this.w}p>` : text });
    }
    return super.edited();
  }
}
