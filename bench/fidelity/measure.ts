/** Measures the pairs, one after the other. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readText } from '../../src/cli/compare/words.ts';
import type { RequestedLayout } from '../../src/shared/options/conversion-options.ts';
import type { BenchService } from '../service.ts';
import { findDivergence } from './divergence.ts';
import { wantedFonts } from './docx-fonts.ts';
import { readFonts } from './fonts.ts';
import { missingGlyphs } from './glyphs.ts';
import { compareLayout, matchWords } from './layout.ts';
import { reasonToLeaveOut } from './left-out.ts';
import { comparePages, lettersOf } from './pages.ts';
import type { Pair } from './pairs.ts';
import { type DocumentResult, type Failure, type LeftOut, meanOf } from './results.ts';

/**
 * Converts each DOCX and compares its PDF with Word's. `folder` gets a folder per pair, with our PDF, `ours.pdf`,
 * Word's, `word.pdf`, and pictures of their pages. Pairs that cannot be compared are left out, failures are recorded,
 * and the others continue.
 */
export async function measurePairs(
  pairs: readonly Pair[],
  service: BenchService,
  folder: string,
  requested: RequestedLayout,
): Promise<{ documents: DocumentResult[]; leftOut: LeftOut[]; failures: Failure[] }> {
  const documents: DocumentResult[] = [];
  const leftOut: LeftOut[] = [];
  const failures: Failure[] = [];
  for (const pair of pairs) {
    try {
      const measured = await measurePair(pair, service, join(folder, pair.name), requested);
      if ('reason' in measured) leftOut.push(measured);
      else documents.push(measured);
    } catch (error) {
      failures.push({ name: pair.name, error: (error as Error).message });
    }
  }
  return { documents, leftOut, failures };
}

async function measurePair(
  { name, docx, pdf }: Pair,
  service: BenchService,
  folder: string,
  requested: RequestedLayout,
): Promise<DocumentResult | LeftOut> {
  const content = await read(docx);
  const word = join(folder, 'word.pdf');
  const ours = join(folder, 'ours.pdf');
  await mkdir(folder, { recursive: true });
  await writeFile(word, await read(pdf));
  const theirText = await readText(word);
  const { pdf: converted, requestId } = await service.pdf(content, { layout: requested });
  await writeFile(ours, converted);
  const ourText = await readText(ours);
  const reason = await reasonToLeaveOut(content, { path: word, text: theirText }, ourText);
  if (reason !== undefined) return { name, reason };
  const matches = matchWords(theirText, ourText);
  const layout = compareLayout(theirText, ourText, matches);
  const likeness = await comparePages(word, ours, layout.pages, matches, folder);
  return {
    name,
    ...layout,
    similarity: meanOf(likeness.map(({ similarity }) => similarity)),
    letters: lettersOf(likeness),
    likeness,
    fonts: {
      wanted: await wantedFonts(content),
      word: await readFonts(word),
      ours: await readFonts(ours),
    },
    missingGlyphs: await missingGlyphs(ours),
    divergence: findDivergence(theirText, ourText),
    account: await service.account(requestId),
  };
}

async function read(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${basename(path)} cannot be read: ${error.code}`, { cause: error });
  });
}
