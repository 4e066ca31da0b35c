/** The longest word of a cell: what Word does not break at the end of a line. */
import { EAST_ASIAN, kindsOf } from '../document/characters.ts';
import type { TextWidth } from './text-widths.ts';

/** Word begins a new line behind these: hyphens, dashes, and blanks that are no text. */
const ENDS: ReadonlySet<string> = new Set(['-', '\u2010', '\u2013', '\u2014', '\u00ad', '\u200b']);
/** They are seen only where a line ends. */
const UNSEEN: ReadonlySet<string> = new Set(['\u00ad', '\u200b']);
const NO_BREAK_SPACE = '\u00a0';

export class CellWords {
  /** In twips. */
  longest = 0;
  /** Some of the words are narrower, as their letters are kerned. */
  isKerned = false;
  /** Of the open word; `undefined` from a character on whose width is not known. */
  #width: number | undefined = 0;
  /** Of what stands beside the words of the open paragraph. */
  #indentation = 0;

  beginParagraph(indentation: number): void {
    this.endWord();
    this.#indentation = indentation;
  }

  /** Goes on with a word, or begins one. */
  add(text: string, width: TextWidth): void {
    this.isKerned ||= width.isKerned;
    for (const character of text) {
      if (/\s/.test(character) && character !== NO_BREAK_SPACE) this.endWord();
      else {
        if (kindsOf(character, 0, character.length) & EAST_ASIAN) this.endWord();
        if (!UNSEEN.has(character)) this.#grow(width.of(character.codePointAt(0) ?? 0));
        if (ENDS.has(character)) this.endWord();
      }
    }
  }

  /** Goes on with something whose width is not known. */
  addUnknown(): void {
    this.#width = undefined;
  }

  endWord(): void {
    const width = this.#width ?? 0;
    if (width > 0) this.longest = Math.max(this.longest, width + this.#indentation);
    this.#width = 0;
  }

  #grow(by: number | undefined): void {
    this.#width = by === undefined || this.#width === undefined ? undefined : this.#width + by;
  }
}
