/**
 * Where lines of text in alphabets end. Word begins a new line behind any blank, and within words behind hyphens and dashes only.
 * LibreOffice goes by UAX #14: none behind the blank of "( a" and "a :", but one within "a?b" and "a|b", and behind the "/" of a
 * word that begins a line and is longer. Characters without width (U+200B, U+2060) tell it where lines may end; no PDF has them.
 * But underlined ones, which become blanks: so links, and runs with a style, are as they were.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { attributeOf } from '../document/markup.ts';
import { type Bytes, characterLength } from '../text/bytes.ts';

const BREAK = '&#x200B;';
const NO_BREAK = '&#x2060;';
/** Characters as the bytes of a part are. */
const bytesOf = (...characters: string[]) =>
  new Set(characters.map((character) => Buffer.from(character).toString('latin1')));
const opening = bytesOf('(', '[', '{', '‚', '„');
const closing = bytesOf('!', ')', ',', '.', '/', ':', ';', '?', ']', '}');
/** LibreOffice breaks words behind them, but for quotation marks and the like. */
const breaking = bytesOf('!', '?', '|', '}', '…');
const quotes = bytesOf('"', "'", '“', '”', '’', '»', '|', '…');
/** It breaks words between these and an opening bracket. */
const beforeBrackets = bytesOf('$', '%', ')', '+', ',', '.', ':', ';', '\\', ']', '°', '€', '£');
/** Those that are not among them are no text, and stand between. */
const elements = [
  ...[
    'r',
    'rPr',
    'rStyle',
    'sz',
    't',
    'tab',
    'p',
    'proofErr',
    'bookmarkStart',
    'bookmarkEnd',
    'hyperlink',
    'u',
  ],
];
/** Documents get up to this many, some 10 MB. */
const MAX_EDITS = 50_000;
/** What stands for any letter, and for any character of East Asian text. */
const LETTER = 'a';
const BLANK = 0x20;
const AMPERSAND = 0x26;
/** By code, whether a character of ASCII is no more than a letter. */
const isPlain = Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCodePoint(code);
  return ![opening, closing, breaking, quotes, beforeBrackets, new Set(' &/')].some((set) =>
    set.has(character),
  );
});
const EAST_ASIAN = '\u3000';

/** The part with such characters, in linear time. */
export function withWordsLineBreaks(xml: Bytes): Bytes {
  return new TextReader(xml).walk().edited();
}

class TextReader extends BodyWalk {
  #keepsBlanks = false;
  /** The open properties of a run. */
  #isProperties = false;
  /** The last character of the line that is no blank, and where it ends; empty where there is none. */
  #last = '';
  #end = 0;
  #isBlankBehind = false;
  /** No blank is before the last character. */
  #isFirstWord = true;
  /** How many edits there were when the paragraph began, and whether it has East Asian text: then it stays as it is. */
  #before = 0;
  #isEastAsian = false;
  /** Whether the open run, and that of the last character, may be underlined. */
  #isLink = false;
  #isUnderlined = false;
  #isLastUnderlined = false;
  /** Size and style of the open run. */
  #size = '';
  /** Those of tabs and blanks of the paragraph that are runs of their own. */
  readonly #blankSizes = new Set<string>();

  constructor(xml: Bytes) {
    super(xml, { elements, texts: ['t'], readsAll: true, readsDeletions: true });
  }

  override open({ local, attributes, isEmpty }: Element): void {
    if (local === 'rStyle' || local === 'u') this.#isUnderlined = true;
    if (local === 't') this.#keepsBlanks = attributeOf(attributes, 'xml:space') === 'preserve';
    else if (local === 'rPr') this.#isProperties = !isEmpty;
    else if (local === 'r') [this.#size, this.#isUnderlined] = ['', this.#isLink];
    else if (local === 'hyperlink') this.#isLink = !isEmpty;
    else if (local === 'rStyle' || local === 'sz') this.#size += attributes;
    else if (local === 'p') this.#beginParagraph();
    else if (!this.#isProperties && (local === undefined || local === 'tab')) {
      this.#beginLine();
      if (local === 'tab') this.#blankSizes.add(this.#size);
    }
  }

  override close(local: string | undefined): void {
    if (local === 'hyperlink') this.#isLink = false;
    else if (local === 'rPr') this.#isProperties = false;
    else if (local === 'p') this.#beginParagraph();
  }

  override text(start: number, end: number): void {
    const { xml } = this;
    let [at, last] = [start, end];
    if (!this.#keepsBlanks) {
      while (at < last && xml[at] === ' ') at += 1;
      while (last > at && xml[last - 1] === ' ') last -= 1;
    }
    if (xml[at] === ' ' && xml.slice(at, last).trimStart() === '') this.#blankSizes.add(this.#size);
    while (at < last && !this.#isEastAsian) {
      const code = xml.charCodeAt(at);
      if (code === BLANK) {
        this.#isBlankBehind = true;
        at += 1;
      } else {
        let next = isPlain[code] ? at + 1 : endOf(xml, at, last);
        const character = isPlain[code] ? LETTER : characterAt(xml, at, next);
        // One letter behind another changes nothing.
        if (character === LETTER) while (next < last && isPlain[xml.charCodeAt(next)]) next += 1;
        this.#add(character, next);
        at = next;
      }
    }
  }

  #add(character: string, end: number): void {
    if (character === EAST_ASIAN) {
      this.edits.cut(this.#before);
      this.#isEastAsian = true;
      return;
    }
    if (this.#isBlankBehind) this.#isFirstWord = false;
    if (character === LETTER && this.#last === LETTER) {
      [this.#end, this.#isBlankBehind, this.#isLastUnderlined] = [end, false, this.#isUnderlined];
      return;
    }
    const text = this.#isBlankBehind
      ? breakBetween(this.#last, character)
      : noBreakBetween(this.#last, character, this.#isFirstWord);
    if (text !== undefined && this.#last !== '' && this.#mayChange())
      this.edits.push({ start: this.#end, end: this.#end, text });
    [this.#last, this.#end, this.#isBlankBehind] = [character, end, false];
    this.#isLastUnderlined = this.#isUnderlined;
  }

  #mayChange(): boolean {
    const { size: blanks } = this.#blankSizes;
    // Behind such a character, LibreOffice takes the height of tabs and blanks for that of text.
    const isEven = blanks === 0 || (blanks === 1 && this.#blankSizes.has(this.#size));
    return isEven && !this.#isLastUnderlined && this.edits.length < MAX_EDITS;
  }

  #beginLine(): void {
    [this.#last, this.#isBlankBehind, this.#isFirstWord] = ['', false, true];
  }

  #beginParagraph(): void {
    this.#beginLine();
    this.#blankSizes.clear();
    [this.#before, this.#isEastAsian] = [this.edits.length, false];
  }
}

/** Where LibreOffice would not break at a blank. */
function breakBetween(last: string, next: string): string | undefined {
  return opening.has(last) || closing.has(next) ? BREAK : undefined;
}

/** Where it would break a word. */
function noBreakBetween(last: string, next: string, isFirstWord: boolean): string | undefined {
  if (opening.has(next)) return breaking.has(last) || beforeBrackets.has(last) ? NO_BREAK : undefined;
  const breaks = breaking.has(last) || (last === '/' && isFirstWord);
  return breaks && !closing.has(next) && !quotes.has(next) ? NO_BREAK : undefined;
}

/** Where the character, or the reference to one, ends. */
function endOf(xml: string, at: number, last: number): number {
  const code = xml.charCodeAt(at);
  if (code >= 0x80) return Math.min(last, at + characterLength(code));
  let end = at + 1;
  if (code === AMPERSAND) while (end < last && xml[end - 1] !== ';') end += 1;
  return end;
}

function characterAt(xml: string, at: number, end: number): string {
  const code = xml.charCodeAt(at);
  if (code < 0x80) return code === AMPERSAND ? LETTER : xml.charAt(at);
  if (code >= 0xe3) return EAST_ASIAN;
  // Latin-1 and general punctuation.
  return code === 0xc2 || code === 0xe2 ? xml.slice(at, end) : LETTER;
}
