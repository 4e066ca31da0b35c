/** What one run did better and worse than another. */
import t from 'tap';
import { compareRuns, readResults } from '../../bench/fidelity/comparison.ts';
import {
  type DocumentResult,
  type FidelityResults,
  overall,
  overallHalves,
} from '../../bench/fidelity/results.ts';

function document(name: string, figures: Partial<DocumentResult> = {}): DocumentResult {
  return {
    name,
    pages: { word: 3, ours: 3, same: true },
    words: 10,
    found: 10,
    flow: 0.5,
    place: 0.5,
    similarity: 0.5,
    letters: 0.5,
    likeness: [],
    fonts: { wanted: [], word: [], ours: [] },
    missingGlyphs: [],
    offUpOrDown: 0,
    offSideways: 0,
    divergence: {},
    account: { pagination: null, fonts: [], warnings: [], rewrites: [], cpuMs: 1, attempts: 1 },
    ...figures,
  };
}

function run(libreOffice: string, documents: DocumentResult[]): FidelityResults {
  return {
    libreOffice,
    at: '2026-01-01T00:00:00.000Z',
    overall: overall(documents),
    halves: overallHalves(documents),
    documents,
    leftOut: [],
    failures: [],
  };
}

t.test('better and worse, by document and overall', async (t) => {
  const before = run('25.2', [
    document('mixed', { missingGlyphs: [{ font: 'F', count: 4, characters: 'x' }] }),
    document('pages', { pages: { word: 3, ours: 5, same: false } }),
    document('same'),
    document('other', { pages: { word: 3, ours: 2, same: false } }),
    document('gone', { flow: 0 }),
  ]);
  const after = run('26.8', [
    document('mixed', { flow: 0.8, place: 0.2 }),
    document('pages', { pages: { word: 3, ours: 2, same: false } }),
    document('same', { similarity: 0.50001 }),
    document('other', { pages: { word: 3, ours: 4, same: false } }),
    document('new', { flow: 1 }),
  ]);
  t.equal(
    compareRuns(before, after),
    `before: LibreOffice 25.2, 2026-01-01T00:00:00.000Z
after:  LibreOffice 26.8, 2026-01-01T00:00:00.000Z

overall (4 documents in both; something better in 2, worse in 1):
  better  flow       50.0 % ->  57.5 %
  worse   place      50.0 % ->  42.5 %
  better  no glyph        4 ->       0
tune (2):
  better  flow       50.0 % ->  65.0 %
  worse   place      50.0 % ->  35.0 %
  better  no glyph        4 ->       0
believe (2):
  nothing changed
mixed:
  better  flow       50.0 % ->  80.0 %
  worse   place      50.0 % ->  20.0 %
  better  no glyph        4 ->       0
pages:
  better  pages           5 ->       2
other:
  other   pages           2 ->       4
only before: gone
only after: new`,
  );
});

t.test('only results are compared', async (t) => {
  const folder = t.testdir({
    'good.json': JSON.stringify(run('25.2', [])),
    'bad.json': '{}',
    'broken.json': '{',
  });
  t.match(await readResults(`${folder}/good.json`), { libreOffice: '25.2' });
  await t.rejects(readResults(`${folder}/bad.json`), { message: /bad.json is no results.json/ });
  await t.rejects(readResults(`${folder}/broken.json`), { message: /broken.json is no results.json/ });
  await t.rejects(readResults(`${folder}/none.json`), { message: /none.json cannot be read: ENOENT/ });
});
