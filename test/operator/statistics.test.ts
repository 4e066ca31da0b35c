/** Figures of conversions, on a real Redis. */
import { once } from 'node:events';
import t from 'tap';
import { bucketOf, quantile } from '../../src/operator/histogram.ts';
import { Statistics } from '../../src/operator/statistics.ts';
import { log, startRedis } from '../redis/support.ts';
import { until } from '../support/until.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());
const now = Date.now();
const MINUTE = 60_000;

t.test('the shares of a histogram lie between the bounds of their buckets', (t) => {
  const times = Array.from({ length: 1_000 }, (_, i) => i / 4);
  const counts = new Map<number, number>();
  for (const time of times) counts.set(bucketOf(time), (counts.get(bucketOf(time)) ?? 0) + 1);
  for (const share of [0.05, 0.5, 0.95, 0.99, 1]) {
    const exact = share * 250;
    const estimate = quantile(counts, share) ?? 0;
    t.ok(Math.abs(estimate - exact) <= exact * 0.1 + 1, `${share}: ${estimate} for ${exact}`);
  }
  t.equal(quantile(new Map(), 0.5), undefined);
  t.equal(quantile(new Map([[bucketOf(1e9), 3]]), 0.5), 100_000, 'beyond the last bound nobody knows');
  t.end();
});

t.test('what every server did, by the minute and by the quarter of an hour', async (t) => {
  const [one, other] = [new Statistics(client, log), new Statistics(client, log)];
  const delivered = { outcome: 'success', queueMs: 0.2, convertMs: 38 };
  const refused = { outcome: 'RATE_LIMIT_EXCEEDED', queueMs: undefined, convertMs: undefined };
  one.record(delivered, now);
  one.record(delivered, now);
  other.record({ ...delivered, convertMs: 900 }, now);
  other.record(refused, now - MINUTE);
  other.record(delivered, now - 59 * MINUTE);
  other.record(delivered, now - 60 * MINUTE);
  other.record(delivered, now - 24 * 60 * MINUTE);
  await Promise.all([one.close(), other.close()]);
  const { lastHour, lastDay } = await one.read(now);
  t.match([lastHour.stepSeconds, lastHour.steps.length], [60, 60]);
  t.match([lastDay.stepSeconds, lastDay.steps.length], [900, 96]);
  t.strictSame(lastHour.total.outcomes, { success: 4, RATE_LIMIT_EXCEEDED: 1 });
  t.equal(lastHour.total.conversions, 4);
  t.equal(lastDay.total.conversions, 5, 'those of a day ago have gone');
  const at = new Date(Math.floor(now / MINUTE) * MINUTE).toISOString();
  const newest = lastHour.steps.at(-1);
  t.match(newest, { at, conversions: 3, outcomes: { success: 3 } });
  t.ok(newest?.convertMs && newest.convertMs.p50 <= 40 && newest.convertMs.p95 > 500);
  t.match(lastHour.steps.at(-2), {
    conversions: 0,
    queueMs: null,
    convertMs: null,
    outcomes: { RATE_LIMIT_EXCEEDED: 1 },
  });
  t.match(lastHour.steps[0], { conversions: 1 });
  t.match(lastHour.steps[1], { conversions: 0, queueMs: null, convertMs: null, outcomes: {} });
});

t.test('every key expires, and their number does not grow with the traffic', async (t) => {
  const statistics = new Statistics(client, log);
  for (let i = 0; i < 1_000; i++)
    statistics.record({ outcome: 'success', queueMs: i, convertMs: i * 100 }, now);
  await statistics.close();
  const keys = await client.keys('*');
  t.equal(keys.length, 3, 'two steps, and what this server wrote last');
  for (const key of keys) {
    const left = await client.ttl(key);
    t.ok(left > 3_000 && left < 26 * 3_600, `${key} ${left}`);
    if (!key.includes(':writer:')) t.ok((await client.hlen(key)) < 90);
  }
});

t.test('what happened while Redis was away is there afterwards', async (t) => {
  const { client: away } = await startRedis(t);
  const statistics = new Statistics(away, log);
  const gone = once(away, 'end');
  away.disconnect();
  await gone;
  statistics.record({ outcome: 'SERVICE_UNAVAILABLE', queueMs: undefined, convertMs: undefined }, now);
  await statistics.flush();
  await t.rejects(statistics.read(now));
  await away.connect();
  statistics.record({ outcome: 'SERVICE_UNAVAILABLE', queueMs: undefined, convertMs: undefined }, now);
  await statistics.close();
  t.strictSame((await statistics.read(now)).lastHour.total.outcomes, { SERVICE_UNAVAILABLE: 2 });
});

t.test('figures that Redis stored without a timely answer count once', async (t) => {
  const statistics = new Statistics(client, log);
  const outcome = { outcome: 'success', queueMs: undefined, convertMs: undefined };
  statistics.record(outcome, now);
  // Longer than a command waits: it is done all the same.
  await client.client('PAUSE', 1_200, 'WRITE');
  await statistics.flush();
  statistics.record(outcome, now);
  await until('both are there', async () => {
    await statistics.flush();
    return (await statistics.read(now)).lastHour.total.conversions > 1;
  });
  await statistics.close();
  const { lastHour, lastDay } = await statistics.read(now);
  t.strictSame([lastHour.total.outcomes, lastDay.total.outcomes], [{ success: 2 }, { success: 2 }]);
});
