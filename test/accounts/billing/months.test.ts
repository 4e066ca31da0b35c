import t from 'tap';
import { isMonth, keptMonths, monthEnd, monthOf } from '../../../src/accounts/billing/months.ts';

t.test('what is a month', async (t) => {
  for (const text of ['2026-01', '2026-12', '0001-10']) t.equal(isMonth(text), true, text);
  for (const text of ['2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ' 2026-01', '2026-01\n', '']) {
    t.equal(isMonth(text), false, text);
  }
});

t.test('the month of a moment', async (t) => {
  t.equal(monthOf(Date.parse('2026-11-30T23:59:59.999Z')), '2026-11');
  t.equal(monthOf(Date.parse('2026-12-01T00:00:00Z')), '2026-12');
});

t.test('the end of a month', async (t) => {
  const end = (month: string) => new Date(monthEnd(month)).toISOString();
  t.equal(end('2026-11'), '2026-12-01T00:00:00.000Z');
  t.equal(end('2026-12'), '2027-01-01T00:00:00.000Z');
  t.equal(end('2024-02'), '2024-03-01T00:00:00.000Z');
  t.equal(end('0050-12'), '0051-01-01T00:00:00.000Z');
});

t.test('the months that are kept: 400 days after their end', async (t) => {
  const kept = keptMonths(Date.parse('2026-11-05T00:00:00Z'));
  t.same([kept[0], kept[1], kept.at(-1), kept.length], ['2026-11', '2026-10', '2025-10', 14]);
  t.equal(keptMonths(Date.parse('2026-11-04T23:59:59Z')).at(-1), '2025-09');
});
