/** The longest word of a cell, which Word does not break at the end of a line, and its longest line where none is broken. */
import { EAST_ASIAN, kindsOf } from '../document/characters.ts';
import type { TextWidth } from './text-widths.ts';

/** Word begins a new line behind these: hyphens, dashes, and blanks that are no text. */
const ENDS: ReadonlySet<string> = new Set(['-', '\u2010', '\u2013', '\u2014', '\u00ad', '\u200b']);
/** They are seen only where a line ends. */
const UNSEEN: ReadonlySet<string> = new Set(['\u00ad', '\u200b']);
const ASCII_END = '\x80';
const NO_BREAK_SPACE = '\u00a0';
/** What stands in for a width that is not known, in sizes of the font, and a tab, in twips. */
const USUAL_LETTER = 0.55;
const TAB = 720;

export class CellWords {
  /** In twips. */
  longest = 0;
  /** Some of the words are narrower, as their letters are kerned. */
  isKerned = false;
  /** In twips, estimated where a width is not known. */
  longestLine = 0;
  /** Whether all words have a known width. */
  isKnown = true;
  #line = 0;
  /** Of the open word; `undefined` from a character on whose width is not known. */
  #width: number | undefined = 0;
  /** Of what stands beside the words of the open paragraph. */
  #indentation = 0;

  beginParagraph(indentation: number): void {
    this.endLine();
    this.#indentation = indentation;
  }

  /** Goes on with a word, or begins one. */
  add(text: string, width: TextWidth): void {
    this.isKerned ||= width.isKerned;
    for (const character of text) {
      const isEastAsian = isOfEastAsia(character);
      const known = knownWidth(character, width);
      this.#line += known ?? usualWidth(isEastAsian, width);
      if (isBlank(character)) this.endWord();
      else {
        if (isEastAsian) this.endWord();
        this.#grow(known);
        if (ENDS.has(character)) this.endWord();
      }
    }
  }

  /** Goes on with something whose width is not known, but for an estimate. */
  addUnknown(text: string, width: TextWidth): void {
    for (const character of text)
      this.#line += knownWidth(character, width) ?? usualWidth(isOfEastAsia(character), width);
    this.#width = undefined;
    this.isKnown = false;
  }

  /** Goes on with a picture, which is a word. */
  addPicture(width: number): void {
    this.endWord();
    this.#grow(width);
    this.#line += width;
    this.endWord();
  }

  /** Goes on with a table inside of the cell, which is as wide as this if nothing else decides. */
  addTable(width: number): void {
    this.endLine();
    this.longestLine = Math.max(this.longestLine, width);
    this.isKnown = false;
  }

  addTab(): void {
    this.endWord();
    this.#line += TAB;
  }

  endLine(): void {
    this.endWord();
    if (this.#line > 0) this.longestLine = Math.max(this.longestLine, this.#line + this.#indentation);
    this.#line = 0;
  }

  endWord(): void {
    const width = this.#width ?? 0;
    if (width > 0) this.longest = Math.max(this.longest, width + this.#indentation);
    this.#width = 0;
  }

  #grow(by: number | undefined): void {
    this.#width = by === undefined || this.#width === undefined ? undefined : this.#width + by;
    this.isKnown &&= by !== undefined;
  }
}

function isBlank(character: string): boolean {
  return character < ASCII_END ? character <= ' ' : /\s/.test(character) && character !== NO_BREAK_SPACE;
}

function isOfEastAsia(character: string): boolean {
  return character >= ASCII_END && (kindsOf(character, 0, character.length) & EAST_ASIAN) !== 0;
}

function knownWidth(character: string, width: TextWidth): number | undefined {
  return UNSEEN.has(character) ? 0 : width.of(character.codePointAt(0) ?? 0);
}

function usualWidth(isEastAsian: boolean, { em }: TextWidth): number {
  return em * (isEastAsian ? 1 : USUAL_LETTER);
}
