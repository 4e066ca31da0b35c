/** Which font of a run each character is shown in. */

/** Kinds of characters, as bits of a set. */
export const LATIN = 1;
export const OTHER_ALPHABET = 2;
export const EAST_ASIAN = 4;
export const COMPLEX = 8;

/**
 * The kinds of the characters from `start` to `end`. White space, and punctuation that takes the surrounding font,
 * have no kind.
 */
export function kindsOf(text: string, start: number, end: number): number {
  let kinds = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      if (code > 0x20) kinds |= LATIN;
    } else {
      kinds |= kindOf(code);
    }
  }
  return kinds;
}

function kindOf(code: number): number {
  if (code <= 0xbf) return 0;
  if (code < 0x590) return OTHER_ALPHABET;
  if (code < 0x10a0) return COMPLEX;
  if (code >= 0x1100 && code < 0x1200) return EAST_ASIAN;
  if (code >= 0x1780 && code < 0x18b0) return COMPLEX;
  if (code < 0x2000) return OTHER_ALPHABET;
  // General punctuation up to geometric shapes: no kind.
  if (code < 0x2c00) return 0;
  if (code < 0x2e80) return OTHER_ALPHABET;
  if (code < 0xd800) return EAST_ASIAN;
  // Surrogates: ideographs of plane 2 are East Asian; emoji have their own fonts.
  if (code < 0xe000) return code >= 0xd840 && code < 0xd880 ? EAST_ASIAN : 0;
  if (code >= 0xf900 && code < 0xfb00) return EAST_ASIAN;
  if (code >= 0xfb1d && code < 0xfe00) return COMPLEX;
  if (code >= 0xfe30 && code < 0xfe50) return EAST_ASIAN;
  if (code >= 0xfe70 && code < 0xfeff) return COMPLEX;
  if (code >= 0xff00) return code < 0xfff0 ? EAST_ASIAN : 0;
  return OTHER_ALPHABET;
}
