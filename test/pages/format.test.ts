/** Figures as the pages show them. */
import t from 'tap';
import { count, formatBytes, formatMilliseconds, formatWait } from '../../src/pages/format.ts';

t.test('sizes', async (t) => {
  const sizes = [0, 1, 1_023, 1_024, 1_025, 1_047_552, 1_047_553, 1_048_576, 1_048_577, 26_214_400];
  t.strictSame(sizes.map(formatBytes), [
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1 kB',
    '2 kB',
    '1023 kB',
    '1.0 MB',
    '1.0 MB',
    '1.1 MB',
    '25.0 MB',
  ]);
});

t.test('times', async (t) => {
  t.strictSame([0, 0.6, 999.4, 999.5, 1_249].map(formatMilliseconds), [
    '0 ms',
    '1 ms',
    '999 ms',
    '1.0 s',
    '1.2 s',
  ]);
  t.strictSame([1, 2, 99, 100, 3_600, 6_001, 172_800, 172_801].map(formatWait), [
    '1 second',
    '2 seconds',
    '99 seconds',
    '2 minutes',
    '60 minutes',
    '2 hours',
    '48 hours',
    '3 days',
  ]);
});

t.test('numbers of things', async (t) => {
  t.strictSame(
    [1, 2].map((number) => count(number, 'page')),
    ['1 page', '2 pages'],
  );
});
