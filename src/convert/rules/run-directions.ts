/**
 * Text of the other direction than its paragraph's: Word lays out a run by its mark of right-to-left script (`w:rtl`, ISO/IEC 29500-1,
 * 17.3.2.30), with all of its digits and punctuation. LibreOffice decides by character (UAX #9), so that the dash of "4-" changes
 * sides in a paragraph from right to left, and the number of a Hebrew heading in one from left to right. Marks of direction around
 * such text keep it together.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { withoutReferences } from '../document/markup.ts';
import type { Styles } from '../document/styles.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

const LEFT_TO_RIGHT_MARK = '&#x200E;';
const RIGHT_TO_LEFT_MARK = '&#x200F;';
const elements = ['p', 'pStyle', 'bidi', 'r', 'rPr', 'rStyle', 'rtl', 't'];
/** Letters of right-to-left scripts, their digits, and marks of direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const RIGHT_TO_LEFT_LETTER = /(?=\p{L})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;
/** Letters of other scripts, and marks of direction. */
const LEFT_TO_RIGHT =
  /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff])\p{L}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** In XML, and no byte of other characters. */
const SPACE = /[\t\n\r ]/;

/** The part with such marks, in linear time. */
export function withWordsDirections(xml: Bytes, styles: Styles): Bytes {
  return new ParagraphReader(xml, styles).walk().edited();
}

/** Adjacent text of one direction, which is not that of its paragraph. */
interface Stretch {
  /** Where its first and its last character stand that is no space. */
  readonly start: number;
  end: number;
  /** Whether these have no direction of their own: punctuation, and digits in text from right to left. */
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
    if (!this.#isRun || !paragraph) return;
    const isMarked = this.#isMarked(paragraph);
    if (isMarked === this.#isBidi(paragraph)) this.#finish(paragraph);
    else addText(paragraph, this.xml, start, end, isMarked);
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
    const text = this.#isBidi(paragraph) ? LEFT_TO_RIGHT_MARK : RIGHT_TO_LEFT_MARK;
    for (const at of [stretch.start, stretch.end]) this.edits.push({ start: at, end: at, text });
  }
}

function addText(
  paragraph: Paragraph,
  xml: string,
  start: number,
  end: number,
  isRightToLeft: boolean,
): void {
  let [first, last] = [start, end];
  while (first < last && SPACE.test(xml.charAt(first))) first += 1;
  while (last > first && SPACE.test(xml.charAt(last - 1))) last -= 1;
  if (first === last) return;
  const text = withoutReferences(fromBytes(xml.slice(first, last)));
  const directed = isRightToLeft ? RIGHT_TO_LEFT_LETTER : LETTER_OR_DIGIT;
  const isOpen = (at: number) => !directed.test(String.fromCodePoint(text.codePointAt(at) ?? 0));
  const closes = isOpen(text.length - 1);
  paragraph.stretch ??= {
    start: first,
    end: last,
    opens: isOpen(0),
    closes,
    hasLetters: false,
    hasOthers: false,
  };
  const { stretch } = paragraph;
  [stretch.end, stretch.closes] = [last, closes];
  stretch.hasLetters ||= directed.test(text);
  stretch.hasOthers ||= (isRightToLeft ? LEFT_TO_RIGHT : RIGHT_TO_LEFT).test(text);
}
