import t from 'tap';
import { readCounts, windowStates } from '../../../src/accounts/limits/windows.ts';

const DAY = Date.parse('2026-11-21T00:00:00Z') / 1000;
const HOUR = DAY + 12 * 3_600;
const NOW = HOUR + 61;

t.test('counts of windows that go on', async (t) => {
  const fields = {
    ...{ 'second:start': `${NOW}`, 'second:count': '3' },
    ...{ 'hour:start': `${HOUR}`, 'hour:count': '40' },
    ...{ 'day:start': `${DAY}`, 'day:count': '500' },
  };
  t.same(readCounts(fields, NOW), {
    second: { start: NOW, count: 3 },
    hour: { start: HOUR, count: 40 },
    day: { start: DAY, count: 500 },
  });
});

t.test('a window that has ended counts no more, one that nobody used has counted nothing', async (t) => {
  const fields = {
    ...{ 'second:start': `${NOW - 1}`, 'second:count': '3' },
    ...{ 'hour:start': `${HOUR - 3_600}`, 'hour:count': '40' },
  };
  t.same(readCounts(fields, NOW), {
    second: { start: NOW, count: 0 },
    hour: { start: HOUR, count: 0 },
    day: { start: DAY, count: 0 },
  });
});

t.test('after a step back of the clock the last window goes on', async (t) => {
  const fields = { 'hour:start': `${HOUR + 3_600}`, 'hour:count': '40' };
  t.same(readCounts(fields, NOW).hour, { start: HOUR + 3_600, count: 40 });
});

t.test('states are of the windows that are limited, and never below nothing', async (t) => {
  const counts = readCounts({ 'hour:start': `${HOUR}`, 'hour:count': '40' }, NOW);
  t.same(windowStates({ perSecond: 5, perHour: 30, perDay: null }, counts), [
    { name: 'second', limit: 5, remaining: 5, resetsAt: NOW + 1, length: 1 },
    { name: 'hour', limit: 30, remaining: 0, resetsAt: HOUR + 3_600, length: 3_600 },
  ]);
  t.same(windowStates({ perSecond: null, perHour: null, perDay: null }, counts), []);
  t.same(windowStates({ perSecond: null, perHour: null, perDay: 1 }, counts), [
    { name: 'day', limit: 1, remaining: 1, resetsAt: DAY + 86_400, length: 86_400 },
  ]);
});
