/**
 * Numbers and Latin text in right-to-left paragraphs: Word lays out runs without the mark of right-to-left script (`w:rtl`, ISO/IEC
 * 29500-1, 17.3.2.30) from left to right, with all of their punctuation. LibreOffice decides by character (UAX #9), so that the dash
 * of "4-" changes sides. Marks of direction around such text keep it together.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { withoutReferences } from '../document/markup.ts';
import type { Styles } from '../document/styles.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

/** Left-to-right mark. */
const MARK = '&#x200E;';
const elements = ['p', 'pStyle', 'bidi', 'r', 'rPr', 'rStyle', 'rtl', 't'];
/** Letters of right-to-left scripts, their digits, and marks of direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** In XML, and no byte of other characters. */
const SPACE = /[\t\n\r ]/;

/** The part with such marks, in linear time. */
export function withWordsDirections(xml: Bytes, styles: Styles): Bytes {
  return new ParagraphReader(xml, styles).walk().edited();
}

/** Adjacent text from left to right. */
interface Stretch {
  /** Where its first and its last character stand that is no space. */
  readonly start: number;
  end: number;
  /** Whether these are punctuation. */
  readonly opens: boolean;
  closes: boolean;
  hasLetters: boolean;
  hasOthers: boolean;
}

interface Paragraph {
  style: string;
  isRightToLeft: boolean | undefined;
  stretch: Stretch | undefined;
}

class ParagraphReader extends BodyWalk {
  readonly #styles: Styles;
  /** Those that are open: a text box is inside one. */
  readonly #paragraphs: Paragraph[] = [];
  #run: { style: string; isRightToLeft: boolean | undefined } = { style: '', isRightToLeft: undefined };
  #isRun = false;
  #isProperties = false;

  constructor(xml: Bytes, styles: Styles) {
    super(xml, { elements, texts: ['t'], readsAll: true, readsDeletions: true });
    this.#styles = styles;
  }

  override open(element: Element): void {
    const { local, isEmpty } = element;
    const paragraph = this.#paragraphs.at(-1);
    if (local === 'p') {
      if (!isEmpty) this.#paragraphs.push({ style: '', isRightToLeft: undefined, stretch: undefined });
    } else if (!paragraph) return;
    else if (local === 'pStyle') paragraph.style = element.value() ?? '';
    else if (local === 'bidi') paragraph.isRightToLeft = element.isOn;
    else if (local === 'r') [this.#run, this.#isRun] = [{ style: '', isRightToLeft: undefined }, !isEmpty];
    else if (local === 'rStyle') this.#run.style = element.value() ?? '';
    else if (local === 'rtl') this.#run.isRightToLeft = element.isOn;
    else if (local === 'rPr') this.#isProperties = !isEmpty;
    // A tab, a break or a picture.
    else if (local === undefined && this.#isRun && !this.#isProperties) this.#finish(paragraph);
  }

  override close(local: string | undefined): void {
    if (local === 'p') {
      const paragraph = this.#paragraphs.pop();
      if (paragraph) this.#finish(paragraph);
      this.#isRun = false;
    } else if (local === 'r') this.#isRun = false;
    else if (local === 'rPr') this.#isProperties = false;
  }

  override text(start: number, end: number): void {
    const paragraph = this.#paragraphs.at(-1);
    if (!this.#isRun || !paragraph || !this.#isBidi(paragraph)) return;
    if (this.#isMarked(paragraph)) this.#finish(paragraph);
    else addText(paragraph, this.xml, start, end);
  }

  #isBidi({ style, isRightToLeft }: Paragraph): boolean {
    return isRightToLeft ?? this.#styles.isRightToLeft(this.#styles.paragraphStyle(style));
  }

  /** Whether the run is marked as of right-to-left script. */
  #isMarked(paragraph: Paragraph): boolean {
    const { style, isRightToLeft } = this.#run;
    const styles = [style, this.#styles.paragraphStyle(paragraph.style)];
    return isRightToLeft ?? styles.some((each) => this.#styles.hasRightToLeftText(each));
  }

  #finish(paragraph: Paragraph): void {
    const { stretch } = paragraph;
    paragraph.stretch = undefined;
    if (!stretch?.hasLetters || stretch.hasOthers || !(stretch.opens || stretch.closes)) return;
    for (const at of [stretch.start, stretch.end]) this.edits.push({ start: at, end: at, text: MARK });
  }
}

function addText(paragraph: Paragraph, xml: string, start: number, end: number): void {
  let [first, last] = [start, end];
  while (first < last && SPACE.test(xml.charAt(first))) first += 1;
  while (last > first && SPACE.test(xml.charAt(last - 1))) last -= 1;
  if (first === last) return;
  const text = withoutReferences(fromBytes(xml.slice(first, last)));
  const closes = !LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(text.length - 1) ?? 0));
  paragraph.stretch ??= {
    start: first,
    end: last,
    opens: !LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(0) ?? 0)),
    closes,
    hasLetters: false,
    hasOthers: false,
  };
  const { stretch } = paragraph;
  [stretch.end, stretch.closes] = [last, closes];
  stretch.hasLetters ||= LETTER_OR_DIGIT.test(text);
  stretch.hasOthers ||= RIGHT_TO_LEFT.test(text);
}
