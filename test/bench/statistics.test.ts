/** Figures of a sample. */
import t from 'tap';
import { median, percentile, summary } from '../../bench/statistics.ts';

const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);

t.test('a percentile is the value of the nearest rank', async (t) => {
  t.equal(percentile(hundred, 0.95), 95);
  t.equal(percentile(hundred, 0.99), 99);
  t.equal(percentile(hundred, 0), 1);
  t.equal(percentile(hundred, 1), 100);
  t.equal(median([3, 1, 2]), 2);
  t.throws(() => median([]), RangeError);
});

t.test('a summary has the middle, the tail and the greatest', async (t) => {
  t.strictSame(summary(hundred), { median: 50, p95: 95, p99: 99, most: 100, count: 100 });
  t.strictSame(summary([1.2345]), { median: 1.23, p95: 1.23, p99: 1.23, most: 1.23, count: 1 });
});
