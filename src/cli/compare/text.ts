/** Compares the words of two PDFs, page by page. */
import type { TextDifference } from './finding.ts';
import type { PdfText, Word } from './words.ts';

const MAX_EXAMPLES = 10;
const MAX_EXAMPLE = 40;

/** @returns undefined if each page has the same words, in whatever order. */
export function compareText(from: PdfText, to: PdfText): TextDifference | undefined {
  const onPage = ({ page, text }: Word) => `${page} ${text}`;
  const anywhere = ({ text }: Word) => text;
  const elsewhereFrom = without(from.words, to.words, onPage);
  const elsewhereTo = without(to.words, from.words, onPage);
  const onlyFrom = without(elsewhereFrom, elsewhereTo, anywhere);
  const onlyTo = without(elsewhereTo, elsewhereFrom, anywhere);
  if (elsewhereFrom.length === 0 && elsewhereTo.length === 0) return undefined;
  return {
    onlyFrom: onlyFrom.length,
    onlyTo: onlyTo.length,
    moved: elsewhereFrom.length - onlyFrom.length,
    examples: { onlyFrom: examplesOf(onlyFrom), onlyTo: examplesOf(onlyTo) },
  };
}

/** The words that remain after each of the others has cancelled one with the same key. */
function without(words: readonly Word[], others: readonly Word[], keyOf: (word: Word) => string): Word[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return words.filter((word) => {
    const key = keyOf(word);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}

const examplesOf = (words: readonly Word[]): string[] =>
  words
    .slice(0, MAX_EXAMPLES)
    .map(({ text }) => [...text.replace(/\p{C}/gu, '')].slice(0, MAX_EXAMPLE).join(''));
