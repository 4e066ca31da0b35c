/** Splits text of scripts without spaces, for which a word of pdftotext is a stretch of a line. */

/** Text and the box around it. */
interface Box {
  readonly text: string;
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Han, kana, bopomofo, and the punctuation and full-width forms among them. */
const CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\u30a0-\u30ff\uff01-\uff9f\uffe0-\uffe6]/u;
/** One such character, or the text between two of them. */
const PIECE = new RegExp(`${CHARACTER.source}\\p{M}*|(?:(?!${CHARACTER.source}).)+`, 'gsu');
const HANGUL = /\p{Script=Hangul}/u;
/** Half-width katakana and letters of other scripts take about half the room of a full-width character. */
const FULL_WIDTH = /^(?![\uff61-\uff9f])/u;

/**
 * Splits a word into its East Asian characters, and the text between them into words. A word with Hangul stays whole,
 * as Korean has spaces; so does one of other scripts. pdftotext gives the position of a word, not of its characters.
 * They are equally wide, so the box is divided evenly, with half as much for a letter of another script. A box higher
 * than wide has vertical text.
 */
export function cutWord<Word extends Box>(word: Word): Word[] {
  const { text, xMin, yMin, xMax, yMax } = word;
  if (!CHARACTER.test(text) || HANGUL.test(text)) return [word];
  const pieces = text.match(PIECE) ?? [];
  const widths = pieces.map(widthOf);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const runsDown = total > 1 && yMax - yMin > xMax - xMin;
  let before = 0;
  return pieces.map((piece, index) => {
    const from = before / total;
    before += widths[index] ?? 0;
    const to = before / total;
    const between = (low: number, high: number, share: number) => low + (high - low) * share;
    return runsDown
      ? { ...word, text: piece, yMin: between(yMin, yMax, from), yMax: between(yMin, yMax, to) }
      : { ...word, text: piece, xMin: between(xMin, xMax, from), xMax: between(xMin, xMax, to) };
  });
}

/** In widths of a full-width character. */
function widthOf(piece: string): number {
  return CHARACTER.test(piece) && FULL_WIDTH.test(piece) ? 1 : [...piece].length / 2;
}
