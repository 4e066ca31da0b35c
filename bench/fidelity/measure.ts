/** Measures the pairs, one after the other. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { wantedFonts } from './docx-fonts.ts';
import { readFonts } from './fonts.ts';
import { missingGlyphs } from './glyphs.ts';
import { compareLayout } from './layout.ts';
import type { Pair } from './pairs.ts';
import type { DocumentResult, Failure } from './results.ts';
import { readText } from './words.ts';

/** What makes the PDF of a DOCX. */
export type Convert = (docx: Buffer) => Promise<Buffer>;

/**
 * Converts each DOCX and holds its PDF against Word's. Our PDFs stay in the folder as `NAME.pdf`. A pair that
 * cannot be measured is a failure; the others go on.
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
      documents.push(await measurePair(pair, convert, join(folder, `${pair.name}.pdf`)));
    } catch (error) {
      failures.push({ name: pair.name, error: (error as Error).message });
    }
  }
  return { documents, failures };
}

async function measurePair(
  { name, docx, pdf }: Pair,
  convert: Convert,
  ours: string,
): Promise<DocumentResult> {
  const content = await read(docx);
  await read(pdf);
  const word = await readText(pdf);
  await writeFile(ours, await convert(content));
  return {
    name,
    ...compareLayout(word, await readText(ours)),
    fonts: {
      wanted: await wantedFonts(content),
      word: await readFonts(pdf),
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
