/**
 * A sketch of a text, to compare a document with its PDF: how often each group of three letters occurs, counted in a
 * fixed number of buckets (a count sketch). The text cannot be recovered from it. Groups are used so that a header on
 * every page does not hide lost letters elsewhere. The order within a group does not count.
 */

const BUCKET_BITS = 12;
const BUCKETS = 2 ** BUCKET_BITS;
const MOST_IN_A_BYTE = 0xff;
/** Odd multipliers without a bit pattern: the first is 2³² divided by the golden ratio. */
const FACTORS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35] as const;
const ASCII_END = 0x80;
/** All digits are equal, as a PDF may have other numbers and other shapes of digits. */
const DIGIT = 0x30;

/** Right-to-left text: a PDF may have its groups in another order. */
const RIGHT_TO_LEFT =
  /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u;

/** A sketch in the form that is sent between processes. */
export interface TextCounts {
  /** Counts of the groups per bucket. */
  readonly counts: Uint8Array | Uint32Array;
  /** Number of groups, about the number of letters. */
  readonly total: number;
}

export class TextSketch implements TextCounts {
  readonly counts = new Uint32Array(BUCKETS);
  total = 0;
  /** Number of groups that may differ from the document's, as their letters were read in another order. */
  uncertain = 0;
  /** The two previous letters, 0 if there is none. */
  #first = 0;
  #second = 0;

  /** Adds the next characters; ignores all but letters and digits. */
  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code < ASCII_END) {
        const letter = asciiLetter(code);
        if (letter !== 0) this.#addLetter(letter);
        continue;
      }
      const point = text.codePointAt(at) ?? code;
      if (point > 0xffff) at += 1;
      for (const letter of fold(point)) this.#addLetter(letter);
    }
  }

  /** Call where the following text may stand elsewhere in the PDF. */
  break(): void {
    this.#first = 0;
    this.#second = 0;
  }

  /** @param letter below 0 if it counts alone. */
  #addLetter(letter: number): void {
    if (letter < 0) {
      this.break();
      this.#count(letter, 0, 0);
      return;
    }
    const first = this.#first;
    const second = this.#second;
    this.#first = second;
    this.#second = letter;
    if (first === 0) return;
    const least = Math.min(first, second, letter);
    const most = Math.max(first, second, letter);
    this.#count(least, first + second + letter - least - most, most);
  }

  #count(least: number, middle: number, most: number): void {
    const mixed = Math.imul(least, FACTORS[0]) ^ Math.imul(middle, FACTORS[1]) ^ Math.imul(most, FACTORS[2]);
    const bucket = Math.imul(mixed ^ (mixed >>> 15), FACTORS[0]) >>> (32 - BUCKET_BITS);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.total += 1;
  }
}

/** The same counts, in bytes if they fit: those of a few pages do. */
export function packed({ counts, total }: TextCounts): TextCounts {
  return {
    counts: counts.every((count) => count <= MOST_IN_A_BYTE) ? new Uint8Array(counts) : counts,
    total,
  };
}

/** Number of groups of `document` that the PDF lacks. */
export function missingGroups(document: TextCounts, pdf: TextCounts): number {
  let missing = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    missing += Math.max(0, (document.counts[bucket] ?? 0) - (pdf.counts[bucket] ?? 0));
  }
  return missing;
}

/** In lower case; 0 for anything but letters and digits. */
function asciiLetter(code: number): number {
  if (code >= 0x61) return code <= 0x7a ? code : 0;
  if (code >= 0x41) return code <= 0x5a ? code + 0x20 : 0;
  return code >= DIGIT && code <= 0x39 ? DIGIT : 0;
}

/** Cache; no text has more than a few thousand different characters. */
const folded = new Map<number, readonly number[]>();
const MAX_FOLDED = 50_000;

/**
 * The letters as which a character is compared: without case, accents, and differences of ligature, width and
 * presentation form (Unicode Standard Annex 15, NFKD).
 */
function fold(point: number): readonly number[] {
  const known = folded.get(point);
  if (known) return known;
  const letters = [...String.fromCodePoint(point).toUpperCase().normalize('NFKD').toLowerCase()].flatMap(
    (character) => {
      if (/\p{N}/u.test(character)) return DIGIT;
      if (!/\p{L}/u.test(character)) return [];
      const letter = character.codePointAt(0) ?? 0;
      return RIGHT_TO_LEFT.test(character) ? -letter : letter;
    },
  );
  if (folded.size < MAX_FOLDED) folded.set(point, letters);
  return letters;
}
