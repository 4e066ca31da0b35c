/** What the benchmark says of its figures. */
import t from 'tap';
import { levelsOf } from '../../bench/levels.ts';
import { panels, type Results, report } from '../../bench/report.ts';
import { summary } from '../../bench/statistics.ts';

const use = { userMs: 1, systemMs: 0.5, pageFaults: 7 };
const times = (ms: number) => summary([ms]);

/** Results of one document at some levels. */
function resultsOf(rates: Readonly<Record<number, number>>): Results {
  return {
    machine: { cores: 2, model: 'a processor', node: 'v20' },
    libreOffice: '25.2',
    rounds: 8,
    levels: levelsOf(2),
    documents: [
      {
        ...{ name: 'one page', bytes: 1000, rounds: 8 },
        ...{ service: times(30), outsideKit: times(4), loop: times(20) },
        outsidePhases: { upload: 0.6, preflight: 0.75, delivery: 1 },
        ...{ libreofficeConvert: times(1200), unoserver: times(60), soffice: times(25) },
        levels: Object.entries(rates).map(([level, perSecond]) => ({
          ...{ level: Number(level), perSecond, times: times(Number(level) * 10) },
        })),
        queueAlone: times(70),
        perSecond: {
          ...{ loop: 50, loopsTogether: 80, libreofficeConvert: 2 },
          ...{ oneUnoserver: 16, unoservers: 30, soffices: 60 },
        },
      },
    ],
    cpu: {
      ...{
        count: 400,
        perSecond: 20,
        server: use,
        readers: use,
        redis: use,
        kit: use,
        children: use,
        client: use,
      },
      ...{ allMs: 7.5, busy: 98 },
    },
    accounting: { admission: times(0.2), settlement: times(0.2), together: times(0.4) },
    verdicts: [
      { pages: 1, ms: times(3) },
      { pages: 400, ms: times(290) },
    ],
    outputs: [{ name: 'picture of one page', ms: 80, than: 'its PDF', thanMs: 60 }],
    sandbox: { open: times(30), sandboxed: times(31), cost: 0.4 },
    memory: {
      ...{ serverMiB: 200, kitMiB: 160, kitSharedOnceMiB: 150, togetherSharedOnceMiB: 300 },
      childPrivateMiB: times(9),
    },
    start: times(1500.4),
    recovery: { idle: times(500), busy: times(800), failures: 1 },
  };
}

/** The cells of a row, without its name. */
function row(text: string, name: string): string[] {
  const line = text.split('\n').find((each) => each.startsWith(`| ${name} |`)) ?? '';
  return line
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim());
}

t.test('it holds Platen against the limit and the competitors', async (t) => {
  const text = report(resultsOf({ 1: 30, 2: 72, 4: 75, 8: 72, 16: 70 }));
  const said = (name: string) => row(text, name).join();
  t.equal(said('times the limit'), '1.5 ×');
  t.equal(said('times faster than libreoffice-convert'), '40 ×');
  t.equal(said('Platen, 2 at a time, of 2 × one loop'), '72 %');
  t.equal(said('the same, of 2 loops together'), '90 %');
  t.equal(said('Platen, 4 at a time, times libreoffice-convert'), '37.5 ×');
  t.equal(said('the same, times the better as by unoserver'), '2.5 ×');
  t.equal(said('the same, times the fewest calls'), '1.25 ×');
  t.equal(said('documents a second, of those 2 at a time'), '100 %');
  t.equal(said('99th percentile, ms'), '80');
  t.equal(said('99th percentile that the queue alone explains, ms'), '70');
});

t.test('it names every process of the CPU table, and what is around a conversion', async (t) => {
  const text = report(resultsOf({ 2: 72 }));
  t.strictSame(row(text, 'Redis'), ['1', '0.5', '1.5', '7']);
  t.match(text, /server, readers and kit together 300 MiB/);
  t.match(text, /adds 9 MiB of its own/);
  t.match(text, /ms of CPU time: 3 \(3\) for 1 page, 290 \(290\) for 400 pages\./);
  t.match(text, /to ready: 1500 \(1500 at most\) ms/);
  t.match(
    text,
    /500 \(500 at most\) ms when it was idle, 800 \(800 at most\) ms.*\(documents that failed: 1\)/,
  );
});

t.test('what was not measured at a level is left out', async (t) => {
  const text = report(resultsOf({ 1: 30, 2: 72, 8: 72 }));
  t.strictSame(row(text, '16 at a time'), ['–']);
  t.strictSame(row(text, 'Platen, 4 at a time, times libreoffice-convert'), ['–']);
  t.notMatch(text, /NaN|undefined/);
});

t.test('the plot has the limit and the times', async (t) => {
  const [throughput, latency] = panels(resultsOf({ 1: 30, 2: 72 }));
  t.equal(throughput?.limit?.y, 100);
  t.strictSame(throughput?.lines[0]?.points, [
    [1, 30],
    [2, 72],
  ]);
  t.strictSame(
    latency?.lines.map(({ points }) => points),
    [
      [
        [1, 10],
        [2, 20],
      ],
      [
        [1, 10],
        [2, 20],
      ],
    ],
  );
});
