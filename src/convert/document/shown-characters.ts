/** The characters beyond ASCII that a document shows; every font has ASCII. */
import type { Styles } from './styles.ts';

const AMPERSAND = 0x26;
const NUMBER_SIGN = 0x23;
const ASCII_END = 0x80;
const UNICODE_END = 0x11_0000;
/** End of the first plane, which has nearly all characters of text. */
const PLANE_END = 0x1_0000;
const WORD_BITS = 32;
/** Limit of reported characters; real documents stay below. */
const MAX_CHARACTERS = 20_000;

export class ShownCharacters {
  readonly #styles: Styles;
  /** One bit per code point of the first plane. */
  readonly #bits = new Uint32Array(PLANE_END / WORD_BITS);
  /** How many words of the bit set may have bits. */
  #words = 0;
  readonly #others = new Set<number>();

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /**
   * Adds the characters of text in these styles, unless they hide it.
   *
   * @param start of the text in the part, with unresolved references.
   */
  add(xml: string, start: number, end: number, runStyle: string, paragraphStyle: string): void {
    const first = firstBeyondAscii(xml, start, end);
    if (first === end) return;
    const paragraph = this.#styles.paragraphStyle(paragraphStyle);
    if (this.#styles.isHidden(runStyle) || this.#styles.isHidden(paragraph)) return;
    for (let at = first; at < end; at += 1) {
      const code = xml.charCodeAt(at);
      if (code === AMPERSAND) {
        this.#note(referencedBy(xml.slice(at, Math.min(end, at + 12))));
      } else if (code >= ASCII_END) {
        const point = xml.codePointAt(at) ?? 0;
        this.#note(point);
        if (point > 0xffff) at += 1;
      }
    }
  }

  /** In ascending order. */
  get codePoints(): number[] {
    const points: number[] = [];
    for (let word = 0; word < this.#words; word += 1) {
      for (let bits = this.#bits[word] ?? 0; bits !== 0; bits &= bits - 1) {
        points.push(word * WORD_BITS + WORD_BITS - 1 - Math.clz32(bits & -bits));
      }
    }
    return [...points, ...[...this.#others].sort((a, b) => a - b)].slice(0, MAX_CHARACTERS);
  }

  #note(point: number): void {
    if (point < ASCII_END || point >= UNICODE_END) return;
    if (point >= PLANE_END) {
      if (this.#others.size < MAX_CHARACTERS) this.#others.add(point);
      return;
    }
    const word = Math.floor(point / WORD_BITS);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (point % WORD_BITS));
    this.#words = Math.max(this.#words, word + 1);
  }
}

/** Position of a character beyond ASCII, or of a reference that may be one. */
function firstBeyondAscii(xml: string, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const code = xml.charCodeAt(at);
    if (code >= ASCII_END || (code === AMPERSAND && xml.charCodeAt(at + 1) === NUMBER_SIGN)) return at;
  }
  return end;
}

/** The code point of a character reference (XML 1.0, 4.1) at the start of the text; 0 if there is none. */
function referencedBy(text: string): number {
  const [, hexadecimal, decimal] = /^&#(?:x([0-9a-f]{1,8})|(\d{1,8}));/i.exec(text) ?? [];
  return hexadecimal === undefined ? Number(decimal ?? 0) : Number.parseInt(hexadecimal, 16);
}
