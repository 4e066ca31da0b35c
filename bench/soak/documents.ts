/** The documents of a day: small ones come often, each comes at least once. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  docx,
  encryptedDocx,
  imageDocx,
  malformedDocx,
  rtf,
  slowDocx,
  truncatedDocx,
} from '../../test/support/documents.ts';
import type { Chance } from './random.ts';

/** Beside the checkout; see test/e2e/corpus.test.ts. */
const CORPUS = resolve(import.meta.dirname, '../../../shared/corpus');
const INDEX = 'index.tsv';

export interface DayDocument {
  readonly name: string;
  readonly content: Buffer;
  /** How it ends: `PDF` or the code of an error; undefined: the first answer says it for all others. */
  readonly expected: string | undefined;
}

/**
 * Those of a folder, with an index that says what to expect of each or without one; else the corpus beside the checkout; else
 * built ones.
 */
export async function readDocuments(folder: string | undefined): Promise<DayDocument[]> {
  const source = folder ?? (existsSync(CORPUS) ? CORPUS : undefined);
  if (source === undefined) return builtDocuments();
  const known = await convertible(source);
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.docx')).sort();
  if (names.length === 0) throw new Error(`there is no .docx in ${source}`);
  return Promise.all(
    names.map(async (name) => ({
      name,
      content: await readFile(join(source, name)),
      expected: known.has(name) ? 'PDF' : undefined,
    })),
  );
}

/** The files that a cold soffice converts, by their last column. Of the others, some are mended before LibreOffice reads them. */
async function convertible(folder: string): Promise<ReadonlySet<string>> {
  if (!existsSync(join(folder, INDEX))) return new Set();
  const [, ...rows] = (await readFile(join(folder, INDEX), 'utf8')).trim().split('\n');
  const fields = rows.map((row) => row.split('\t'));
  return new Set(fields.filter((each) => each.at(-1) === 'converts').map(([name = '']) => name));
}

function builtDocuments(): DayDocument[] {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
  const pdfs = [1, 1, 2, 3, 5, 10, 30].map((pages, n) => ({
    name: `${pages} pages, ${n}`,
    content: docx({ pages, paragraphs: Array.from({ length: n * 3 }, () => text) }),
    expected: 'PDF',
  }));
  return [
    ...pdfs,
    { name: 'pictures', content: imageDocx(3, 200), expected: 'PDF' },
    { name: 'page breaks', content: slowDocx(-5_700), expected: 'PDF' },
    { name: 'malformed', content: malformedDocx(), expected: 'CORRUPTED_FILE' },
    { name: 'truncated', content: truncatedDocx(), expected: 'CORRUPTED_FILE' },
    { name: 'encrypted', content: encryptedDocx(), expected: 'PASSWORD_PROTECTED' },
    { name: 'another format', content: rtf(), expected: 'INVALID_FILE_TYPE' },
  ];
}

/** Deals documents: first each once, in random order, then at random, smaller ones more often. */
export class Deck {
  readonly #chance: Chance;
  readonly #documents: readonly DayDocument[];
  readonly #first: DayDocument[];
  /** Up to which number, from 0 up to 1, a document is chosen. */
  readonly #upTo: readonly number[];

  constructor(documents: readonly DayDocument[], chance: Chance) {
    this.#chance = chance;
    this.#documents = documents;
    this.#first = chance.shuffled(documents);
    const weights = documents.map(({ content }) => 1 / Math.max(1, content.length));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    let sum = 0;
    this.#upTo = weights.map((weight) => {
      sum += weight / all;
      return sum;
    });
  }

  next(): DayDocument {
    const first = this.#first.pop();
    if (first) return first;
    const number = this.#chance.next();
    const index = this.#upTo.findIndex((upTo) => number < upTo);
    return (this.#documents[index] ?? this.#documents.at(-1)) as DayDocument;
  }
}
