/** What the report says of causes and times. */
import t from 'tap';
import { causesOf, isPoor } from '../../bench/fidelity/causes.ts';
import { type DocumentResult, overall, overallHalves } from '../../bench/fidelity/results.ts';
import { textReport } from '../../bench/fidelity/text-report.ts';
import { timesOf, timesReport } from '../../bench/fidelity/times.ts';

const poor: DocumentResult = {
  name: 'poor',
  pages: { word: 3, ours: 3, same: true },
  words: 100,
  found: 95,
  flow: 0.8,
  place: 0.5,
  offUpOrDown: 0.2,
  offSideways: 0.1,
  similarity: 0.5,
  letters: 1,
  likeness: [],
  fonts: { wanted: [], word: [], ours: [] },
  missingGlyphs: [{ font: 'F', count: 4, characters: 'x' }],
  divergence: {
    firstPage: { page: 2, line: 40, text: 'Some text', lines: 2, of: 41, ours: [3] },
    firstDrift: { page: 1, line: 7, text: 'A heading', points: -7.25 },
  },
  account: {
    pagination: { by: 'engine', reason: 'same-pages' },
    fonts: [
      { name: 'Calibri', used: 'Carlito', metricsCompatible: true },
      { name: 'Tw Cen MT', used: null, metricsCompatible: false },
      { name: 'Gelasio', used: 'Gelasio', metricsCompatible: true },
    ],
    warnings: [
      { code: 'UNTAGGED', message: 'It has no tags.' },
      { code: 'FONT_SUBSTITUTED', message: 'Said already.' },
    ],
    rewrites: ['stored-fields'],
    cpuMs: 1,
    attempts: 1,
  },
};
const good: DocumentResult = { ...poor, name: 'good', flow: 0.9, missingGlyphs: [] };

t.test('causes of what differs', async (t) => {
  t.strictSame(causesOf(poor), [
    ['lost', 'not found 5.0 %, on another page 15.0 %, too far up or down 20.0 %, too far to a side 10.0 %'],
    ['layout', 'engine (same-pages)'],
    ['rewrites', 'stored-fields'],
    ['stand-ins', 'Tw Cen MT: not known; 1 with the same metrics'],
    ['warning', 'It has no tags.'],
    ['first page', '2: 2 of its 41 lines are on our page 3, from line 40: "Some text"'],
    ['first drift', 'page 1, line 7, is 7.3 points higher: "A heading"'],
  ]);
  t.ok(isPoor(poor));
  t.notOk(isPoor(good));
  t.ok(isPoor({ ...good, pages: { word: 3, ours: 4, same: false } }));
});

t.test('causes are printed where a document is poor', async (t) => {
  const documents = [good, poor];
  const report = textReport({
    libreOffice: '25.2',
    at: '2026-01-01T00:00:00.000Z',
    overall: overall(documents),
    halves: overallHalves(documents),
    documents,
    leftOut: [{ name: 'old', reason: 'It is old' }],
    failures: [{ name: 'broken', error: 'It is broken' }],
  });
  t.match(report, /^document +pages +flow +place +likeness +letters +no glyph$/m);
  t.match(report, /^overall \(2\) +100\.0 % +85\.0 % +50\.0 % +50\.0 % +100\.0 % +4$/m);
  t.match(report, /^poor:\n {2}lost +not found/m);
  t.match(report, / {2}no glyph +4 in F, such as x\n/);
  t.notMatch(report, /^good:/m);
  t.match(report, /^left out: old: It is old$/m);
  t.match(report, /^failed: broken: It is broken$/m);
});

t.test('times are over all rounds, the difference over documents', async (t) => {
  const samples = [
    { engine: [100, 120, 110], auto: [110, 132, 121] },
    { engine: [10, 10, 10], auto: [20, 20, 20] },
    { engine: [50, 50, 50], auto: [60, 60, 60] },
  ];
  const { more, ...times } = timesOf('engine: same-pages', samples);
  t.strictSame(times, {
    pagination: 'engine: same-pages',
    documents: 3,
    engine: { median: 50, p95: 120 },
    auto: { median: 60, p95: 132 },
  });
  t.equal(more.toFixed(6), '0.200000');
  t.match(timesReport([{ ...times, more }]), /^engine: same-pages +3 +50 +120 +60 +132 +20\.0 %$/m);
});
