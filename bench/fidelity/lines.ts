/** The visible lines of a PDF. */
import { middleOf, type PdfText, type Word } from '../../src/cli/compare/words.ts';

export interface Line {
  /** Page and line on the page, from the top, both counted from 1. */
  readonly page: number;
  readonly number: number;
  /** From left to right. */
  readonly words: readonly Word[];
}

/** Page numbers, and phrases with page numbers and counts. */
const NUMBER = /^[\p{Nd}\p{P}]+$/u;
const MAX_SHOWN = 40;

/** In page order, from top to bottom: words with middles less than half their height apart are in one line. */
export function linesOf({ words }: PdfText): Line[] {
  const pages = new Map<number, Word[]>();
  for (const word of words) {
    const known = pages.get(word.page);
    if (known) known.push(word);
    else pages.set(word.page, [word]);
  }
  return [...pages].flatMap(([page, words]) =>
    rowsOf(words).map((row, index) => ({
      page,
      number: index + 1,
      words: row.sort((one, other) => one.xMin - other.xMin),
    })),
  );
}

function rowsOf(words: Word[]): Word[][] {
  const rows: Word[][] = [];
  let first: Word | undefined;
  for (const word of words.sort((one, other) => middleOf(one) - middleOf(other))) {
    const row = rows.at(-1);
    if (row && first && middleOf(word) - middleOf(first) < (first.yMax - first.yMin) / 2) {
      row.push(word);
    } else {
      rows.push([word]);
      first = word;
    }
  }
  return rows;
}

/**
 * Without headers, footers and other repeated lines: lines at the same height on another page that differ only in
 * numbers. They would pin text that has moved to another page.
 */
export function withoutRunningLines(lines: readonly Line[]): Line[] {
  const pages = new Map<string, Set<number>>();
  const keyOf = ({ words }: Line) => {
    const height = Math.round(words[0] ? middleOf(words[0]) : 0);
    return `${height} ${words.map(({ text }) => (NUMBER.test(text) ? '#' : text)).join(' ')}`;
  };
  for (const line of lines) pages.set(keyOf(line), (pages.get(keyOf(line)) ?? new Set()).add(line.page));
  return lines.filter((line) => (pages.get(keyOf(line))?.size ?? 0) < 2);
}

/** Its first words, for searching. */
export function beginningOf({ words }: Line): string {
  let text = '';
  let end: number | undefined;
  for (const { text: word, xMin, xMax } of words) {
    // Characters of scripts without blanks touch each other.
    text += end === undefined || xMin - end < 1 ? word : ` ${word}`;
    end = xMax;
  }
  return [...text.replace(/\p{C}/gu, '')].slice(0, MAX_SHOWN).join('');
}
