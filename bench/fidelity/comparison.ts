/** Compares two runs of the fidelity benchmark. */
import { readFile } from 'node:fs/promises';
import {
  type DocumentResult,
  type FidelityResults,
  missingGlyphCount,
  type Overall,
  overall,
  overallHalves,
  percent,
} from './results.ts';

/** Least change of a share: a tenth of a per cent, the precision of the reports. */
const SMALLEST_SHARE = 0.0005;

type Verdict = 'better' | 'worse' | 'other';

/** A figure of a document, or of all. */
interface Change {
  readonly figure: string;
  readonly before: string;
  readonly after: string;
  /** `other`: different, but as far from Word as before. */
  readonly verdict: Verdict;
}

/** @throws Error if the file is not JSON of this benchmark */
export async function readResults(path: string): Promise<FidelityResults> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read: ${error.code}`, { cause: error });
  });
  try {
    const results = JSON.parse(text) as FidelityResults;
    // Reads the figures of all documents, so that a malformed list fails here.
    overall(results.documents);
    return results;
  } catch (error) {
    throw new Error(`${path} is no results.json of npm run bench:fidelity`, { cause: error });
  }
}

/** What got better and worse, overall (over the documents that both runs measured) and per document. */
export function compareRuns(before: FidelityResults, after: FidelityResults): string {
  const [inBefore, inAfter] = [byName(before), byName(after)];
  const names = [...inAfter.keys()].filter((name) => inBefore.has(name));
  const of = (documents: Map<string, DocumentResult>) => names.flatMap((name) => documents.get(name) ?? []);
  const [halvesBefore, halvesAfter] = [overallHalves(of(inBefore)), overallHalves(of(inAfter))];
  const changes = names.map((name) => ({
    name,
    changes: documentChanges(inBefore.get(name), inAfter.get(name)),
  }));
  const count = (verdict: Verdict) =>
    changes.filter((document) => document.changes.some((change) => change.verdict === verdict)).length;
  return [
    `before: LibreOffice ${before.libreOffice}, ${before.at}`,
    `after:  LibreOffice ${after.libreOffice}, ${after.at}`,
    '',
    `overall (${names.length} documents in both; something better in ${count('better')}, worse in ${count('worse')}):`,
    ...lines(overallChanges(overall(of(inBefore)), overall(of(inAfter)))),
    ...(['tune', 'believe'] as const).flatMap((half) => [
      `${half} (${halvesAfter[half].documents}):`,
      ...lines(overallChanges(halvesBefore[half], halvesAfter[half])),
    ]),
    ...changes
      .filter(({ changes }) => changes.length > 0)
      .flatMap(({ name, changes }) => [`${name}:`, ...lines(changes)]),
    ...only(inBefore, inAfter, 'only before'),
    ...only(inAfter, inBefore, 'only after'),
  ].join('\n');
}

function byName({ documents }: FidelityResults): Map<string, DocumentResult> {
  return new Map(documents.map((document) => [document.name, document]));
}

function documentChanges(before: DocumentResult | undefined, after: DocumentResult | undefined): Change[] {
  if (!before || !after) return [];
  const offBy = ({ pages }: DocumentResult) => Math.abs(pages.ours - pages.word);
  return [
    ...change('pages', before.pages.ours, after.pages.ours, String, offBy(before) - offBy(after)),
    ...shareChanges(before, after),
    ...change('no glyph', missingGlyphCount(before), missingGlyphCount(after), String),
  ];
}

function overallChanges(before: Overall, after: Overall): Change[] {
  return [
    ...change('pages', before.pages, after.pages, percent, after.pages - before.pages),
    ...shareChanges(before, after),
    ...change('no glyph', before.missingGlyphs, after.missingGlyphs, String),
  ];
}

type Shares = Pick<Overall, 'flow' | 'place' | 'similarity' | 'letters'>;

function shareChanges(before: Shares, after: Shares): Change[] {
  return (['flow', 'place', 'similarity', 'letters'] as const).flatMap((key) => {
    const gain = after[key] - before[key];
    const figure = key === 'similarity' ? 'likeness' : key;
    // Results of earlier versions lack some.
    return Math.abs(gain) >= SMALLEST_SHARE ? change(figure, before[key], after[key], percent, gain) : [];
  });
}

/** @param gain above 0 if it got better; without it, less is better. */
function change(
  figure: string,
  before: number,
  after: number,
  text: (value: number) => string,
  gain: number = before - after,
): Change[] {
  const verdict = gain > 0 ? 'better' : gain < 0 ? 'worse' : 'other';
  return before === after ? [] : [{ figure, before: text(before), after: text(after), verdict }];
}

function lines(changes: readonly Change[]): string[] {
  if (changes.length === 0) return ['  nothing changed'];
  return changes.map(
    ({ figure, before, after, verdict }) =>
      `  ${verdict.padEnd(6)}  ${figure.padEnd(8)}  ${before.padStart(7)} -> ${after.padStart(7)}`,
  );
}

function only(these: Map<string, unknown>, those: Map<string, unknown>, title: string): string[] {
  const names = [...these.keys()].filter((name) => !those.has(name));
  return names.length === 0 ? [] : [`${title}: ${names.join(', ')}`];
}
