/** Expands the files in docker/fonts/widths to one width per character. */

/** In most fonts these are wider than their base letter: their caron is an apostrophe. */
const BESIDE = new Set(['\u010f', '\u013e', '\u0165']); // ď ľ ť
/** Latin letters with accents. */
const ACCENTED = [
  [0xc0, 0x17f],
  [0x1e00, 0x1eff],
];

/**
 * @param {Record<string, number>} widths by character or range of characters ("가-힣")
 * @returns {Record<string, number>} by character; those with accents, where nothing else is said, as their letters
 */
export function everyWidth(widths) {
  const each = Object.fromEntries(Object.entries(widths).flatMap(([key, width]) => inRange(key, width)));
  return { ...accented(each), ...each };
}

/**
 * @param {string} key
 * @param {number} width
 * @returns {[string, number][]}
 */
function inRange(key, width) {
  const [first = '', dash, last] = [...key];
  if (dash === undefined || last === undefined) return [[key, width]];
  return between(first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0).map((character) => [character, width]);
}

/**
 * @param {readonly string[]} ranges "U+0590-05FF"
 * @returns {string[]} the characters in them
 */
export function charactersIn(ranges) {
  return ranges.flatMap((range) => {
    const [first = 0, last = first] = range
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return between(first, last);
  });
}

/**
 * @param {Record<string, string>} signs "U+E12C" by character
 * @returns {[string, string][]} the characters, each with the one that it looks like
 */
export function signsIn(signs) {
  return Object.entries(signs).map(([sign, like]) => [sign, charactersIn([like])[0] ?? sign]);
}

/** @param {Record<string, number>} widths */
function accented(widths) {
  const letters = ACCENTED.flatMap(([first = 0, last = 0]) => between(first, last));
  return Object.fromEntries(
    letters.flatMap((letter) => {
      const [base = '', ...marks] = letter.normalize('NFD');
      const width = widths[base];
      return marks.length === 0 || width === undefined || BESIDE.has(letter) ? [] : [[letter, width]];
    }),
  );
}

/**
 * @param {number} first
 * @param {number} last
 * @returns {string[]} the characters from the first to the last
 */
function between(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
}
