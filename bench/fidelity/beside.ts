/** Each document by plain soffice and with `layout=engine`, beside the default: what Platen changes, and what that costs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../src/cli/compare/words.ts';
import type { BenchService } from '../service.ts';
import { convertBySoffice } from '../soffice.ts';
import { compareLayout, type Layout } from './layout.ts';
import type { Pair } from './pairs.ts';
import { type DocumentResult, meanOf, percent } from './results.ts';

/** By how much of Word's words a layout may be worse, as a share. */
const SLACK = 0.02;

/** What a way to convert makes of a document. */
export interface Beside extends Pick<Layout, 'flow' | 'place'> {
  readonly pages: Layout['pages'];
  /** Processor time in the engine, in milliseconds; undefined for plain soffice. */
  readonly cpuMs?: number | undefined;
}

const ways = ['plain soffice', 'layout=engine', 'default'] as const;
type Way = (typeof ways)[number];

interface BesideResult {
  readonly name: string;
  /** Without those that made no PDF. */
  readonly ways: Readonly<Partial<Record<Way, Beside>>>;
}

/**
 * Converts each measured document in the two other ways. The PDFs are `soffice.pdf` and `engine.pdf` in its folder, beside Word's.
 *
 * @throws Error if a PDF cannot be read.
 */
export async function measureBeside(
  pairs: readonly Pair[],
  documents: readonly DocumentResult[],
  service: BenchService,
  folder: string,
): Promise<BesideResult[]> {
  const results: BesideResult[] = [];
  for (const { name, pages, flow, place, account } of documents) {
    const pair = pairs.find((each) => each.name === name);
    if (!pair) continue;
    const word = await readText(join(folder, name, 'word.pdf'));
    const compared = async (file: string, pdf: Buffer): Promise<Beside> => {
      const path = join(folder, name, file);
      await writeFile(path, pdf);
      const layout = compareLayout(word, await readText(path));
      return { pages: layout.pages, flow: layout.flow, place: layout.place };
    };
    const content = await readFile(pair.docx);
    const plain = await madeBy(() => convertBySoffice(pair.docx));
    const engine = await madeBy(() => service.pdf(content, { layout: 'engine' }));
    results.push({
      name,
      ways: {
        ...(plain && { 'plain soffice': await compared('soffice.pdf', plain) }),
        ...(engine && {
          'layout=engine': {
            ...(await compared('engine.pdf', engine.pdf)),
            cpuMs: (await service.account(engine.requestId)).cpuMs,
          },
        }),
        default: { pages, flow, place, cpuMs: account.cpuMs },
      },
    });
  }
  return results;
}

/** What a way makes. @returns undefined if it fails. */
async function madeBy<T>(way: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await way();
  } catch (error) {
    console.error((error as Error).message);
    return undefined;
  }
}

/** A row per document and their means, and the documents that are by default worse than in another way. */
export function besideReport(results: readonly BesideResult[]): string {
  const width = Math.max('overall (000)'.length, ...results.map(({ name }) => name.length));
  const row = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(28))].join('  ').trimEnd();
  const shares = (pages: string, { flow, place }: Pick<Beside, 'flow' | 'place'>, cpuMs: string) =>
    [pages, percent(flow), percent(place), cpuMs].map((cell) => cell.padStart(6)).join(' ');
  const ofDocument = (one: Beside | undefined) =>
    one ? shares(pagesOf(one), one, one.cpuMs?.toFixed(0) ?? '') : 'failed';
  const ofAll = (way: Way) => {
    const all = results.flatMap(({ ways }) => ways[way] ?? []);
    const mean = (figure: (one: Beside) => number) => meanOf(all.map(figure));
    const same = percent(mean(({ pages }) => Number(pages.same)));
    const figures = { flow: mean(({ flow }) => flow), place: mean(({ place }) => place) };
    const timed = all.flatMap(({ cpuMs }) => cpuMs ?? []);
    return shares(same, figures, timed.length > 0 ? meanOf(timed).toFixed(0) : '');
  };
  const worse = (way: Way) => results.filter(({ ways }) => isWorse(ways.default, ways[way]));
  const named = (way: Way) =>
    `worse than ${way}: ${
      worse(way)
        .map(({ name }) => name)
        .join(', ') || 'none'
    }`;
  return [
    'pages, flow, place, and milliseconds of CPU in the engine:',
    '',
    row('document', ways),
    ...results.map(({ name, ways: of }) =>
      row(
        name,
        ways.map((way) => ofDocument(of[way])),
      ),
    ),
    row(`overall (${results.length})`, ways.map(ofAll)),
    '',
    ...(['plain soffice', 'layout=engine'] as const).map(named),
  ].join('\n');
}

/** Whether a layout has another page count than Word's where the other has the same, or fewer words on their page or in their place. */
export function isWorse(one: Beside | undefined, other: Beside | undefined): boolean {
  if (!one || !other) return false;
  if (!one.pages.same && other.pages.same) return true;
  return other.flow - one.flow > SLACK || other.place - one.place > SLACK;
}

function pagesOf({ pages: { ours, word, same } }: Beside): string {
  return same ? String(ours) : `${ours}/${word}`;
}
