/** What a soak calls flat. */
import t from 'tap';
import { type Bound, judge, type Point, settledPart, trend } from '../../bench/soak/flatness.ts';

const bound: Bound = { name: 'memory', unit: 'MiB', perDay: 64 };
const DAY = 100_000;
/** Samples every 100 documents. */
const series = (valueAt: (documents: number) => number, samples = 300): Point[] =>
  Array.from({ length: samples }, (_, n) => [n * 100, valueAt(n * 100)] as const);

t.test('a leak of a kilobyte a document is found, under the ups and downs of a heap', async (t) => {
  const heap = (x: number) => 150 + 20 * Math.abs(Math.sin(x / 700));
  t.ok(judge(bound, series(heap), DAY).isFlat);
  const leaking = judge(
    bound,
    series((x) => heap(x) + x / 1_024),
    DAY,
  );
  t.notOk(leaking.isFlat);
  t.ok(Math.abs(leaking.growth - DAY / 1_024) < 15, String(leaking.growth));
});

t.test('what the first third builds up is no growth', async (t) => {
  const { isFlat, growth, median } = judge(
    bound,
    series((x) => Math.min(x, 9_000) / 10),
    DAY,
  );
  t.ok(isFlat);
  t.equal(growth, 0);
  t.equal(median, 900);
  t.equal(settledPart(series((x) => x))[0]?.[0], 10_000);
});

t.test('outliers, as after a restart, do not turn the trend', async (t) => {
  const points = series((x) => (x % 2_500 === 0 ? 0 : 5 + x / 1_000));
  t.ok(Math.abs(trend(points) - 0.001) < 1e-4);
});

t.test('what shrinks is flat; too few samples are not', async (t) => {
  t.ok(
    judge(
      bound,
      series((x) => 1e6 - x),
      DAY,
    ).isFlat,
  );
  t.notOk(
    judge(
      bound,
      series(() => 1, 9),
      DAY,
    ).isFlat,
  );
  t.notOk(judge(bound, [], DAY).isFlat);
});
