/** Measures the pairs, one after the other. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { wantedFonts } from './docx-fonts.ts';
import { readFonts } from './fonts.ts';
import { missingGlyphs } from './glyphs.ts';
import { compareLayout } from './layout.ts';
import { comparePages } from './pages.ts';
import type { Pair } from './pairs.ts';
import { type DocumentResult, type Failure, meanOf } from './results.ts';
import { readText } from './words.ts';

/** What makes the PDF of a DOCX. */
export type Convert = (docx: Buffer) => Promise<Buffer>;

/**
 * Converts each DOCX and holds its PDF against Word's. Each pair has a folder of its name in `folder`, with our PDF,
 * `ours.pdf`, Word's, `word.pdf`, and the pictures of their pages. A pair that cannot be measured is a failure; the
 * others go on.
 */
export async function measurePairs(
  pairs: readonly Pair[],
  convert: Convert,
  folder: string,
): Promise<{ documents: DocumentResult[]; failures: Failure[] }> {
  const documents: DocumentResult[] = [];
  const failures: Failure[] = [];
  for (const pair of pairs) {
    try {
      documents.push(await measurePair(pair, convert, join(folder, pair.name)));
    } catch (error) {
      failures.push({ name: pair.name, error: (error as Error).message });
    }
  }
  return { documents, failures };
}

async function measurePair(
  { name, docx, pdf }: Pair,
  convert: Convert,
  folder: string,
): Promise<DocumentResult> {
  const content = await read(docx);
  const word = join(folder, 'word.pdf');
  const ours = join(folder, 'ours.pdf');
  await mkdir(folder, { recursive: true });
  await writeFile(word, await read(pdf));
  const theirText = await readText(word);
  await writeFile(ours, await convert(content));
  const layout = compareLayout(theirText, await readText(ours));
  const likeness = await comparePages(word, ours, layout.pages, folder);
  return {
    name,
    ...layout,
    similarity: meanOf(likeness.map(({ similarity }) => similarity)),
    likeness,
    fonts: {
      wanted: await wantedFonts(content),
      word: await readFonts(word),
      ours: await readFonts(ours),
    },
    missingGlyphs: await missingGlyphs(ours),
  };
}

async function read(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${basename(path)} cannot be read: ${error.code}`, { cause: error });
  });
}
