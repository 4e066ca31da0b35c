/** Where our PDF first differs from Word's, to find the cause. */
import { middleOf, type PdfText, type Word } from '../../src/cli/compare/words.ts';
import { matchingBlocks } from './alignment.ts';
import { PLACE_TOLERANCE_POINTS } from './layout.ts';
import { beginningOf, type Line, linesOf, withoutRunningLines } from './lines.ts';

/** A line of Word's PDF, counted from 1, and its first words. */
interface LinePlace {
  readonly page: number;
  readonly line: number;
  readonly text: string;
}

/** Equal parts are left out. */
export interface Divergence {
  /** The first page of Word's with lines on another page of ours, beginning with `line`. */
  readonly firstPage?: LinePlace & {
    /** Number of Word's lines. */
    readonly lines: number;
    readonly of: number;
    /** Our pages with these lines. */
    readonly ours: readonly number[];
  };
  /** The first line that is on its page, but more than 6 points from its place; below 0: higher than in Word. */
  readonly firstDrift?: LinePlace & { readonly points: number };
}

/** A line of Word's that was found in our PDF: the page with most of it, and how much lower it is. */
interface FoundLine {
  readonly line: Line;
  readonly page: number;
  readonly lower: number;
}

/**
 * Ignores headers and footers.
 *
 * @throws RangeError if the words repeat too much to be aligned
 */
export function findDivergence(word: PdfText, ours: PdfText): Divergence {
  const lines = linesOf(word);
  const body = withoutRunningLines(lines);
  const matches = matchWords(bodyWords(word, body), bodyWords(ours, withoutRunningLines(linesOf(ours))));
  const found = body.flatMap((line) => findLine(line, matches) ?? []);
  const moved = found.filter(({ line, page }) => page !== line.page);
  const drifted = found.find(
    ({ line, page, lower }) => page === line.page && Math.abs(lower) > PLACE_TOLERANCE_POINTS,
  );
  const [first] = moved;
  const together = moved.filter(({ line }) => line.page === first?.line.page);
  return {
    ...(first && {
      firstPage: {
        ...placeOf(first.line),
        lines: together.length,
        of: lines.filter(({ page }) => page === first.line.page).length,
        ours: [...new Set(together.map(({ page }) => page))].sort((one, other) => one - other),
      },
    }),
    ...(drifted && { firstDrift: { ...placeOf(drifted.line), points: drifted.lower } }),
  };
}

/** In reading order. */
function bodyWords({ words }: PdfText, body: readonly Line[]): Word[] {
  const wanted = new Set(body.flatMap((line) => line.words));
  return words.filter((word) => wanted.has(word));
}

function matchWords(words: readonly Word[], ours: readonly Word[]): Map<Word, Word> {
  const texts = (list: readonly Word[]) => list.map(({ text }) => text);
  const matches = new Map<Word, Word>();
  for (const { a, b, length } of matchingBlocks(texts(words), texts(ours))) {
    for (let n = 0; n < length; n++) {
      const [word, match] = [words[a + n], ours[b + n]];
      if (word && match) matches.set(word, match);
    }
  }
  return matches;
}

/** A line with less than half on one page of ours counts as not found: a few words may belong to another line. */
function findLine(line: Line, matches: ReadonlyMap<Word, Word>): FoundLine | undefined {
  const onPages = new Map<number, number[]>();
  for (const word of line.words) {
    const match = matches.get(word);
    if (!match) continue;
    const lower = middleOf(match) - middleOf(word);
    onPages.set(match.page, [...(onPages.get(match.page) ?? []), lower]);
  }
  const [most] = [...onPages].sort(([, one], [, other]) => other.length - one.length);
  if (!most || most[1].length * 2 < line.words.length) return undefined;
  const [page, lower] = most;
  return { line, page, lower: lower.sort((one, other) => one - other)[lower.length >> 1] ?? 0 };
}

function placeOf(line: Line): LinePlace {
  return { page: line.page, line: line.number, text: beginningOf(line) };
}
