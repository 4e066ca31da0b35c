/** The recent requests of accounts, on a real Redis whose clock the test sets. */
import { once } from 'node:events';
import t from 'tap';
import { operatorKeys } from '../../src/operator/redis-keys.ts';
import { KEPT_MS, KEPT_REQUESTS, RecentRequests, type RequestRecord } from '../../src/operator/requests.ts';
import { log } from '../redis/support.ts';
import { startClockedRedis } from '../support/clocked-redis.ts';

const redis = await startClockedRedis(t);
const client = await redis.connect();
t.beforeEach(async () => {
  redis.setClock(Date.now());
  await client.flushall();
});

const idOf = (number: number) => `req_${number.toString(16).padStart(32, '0')}`;

function request(number: number, fields: Partial<RequestRecord> = {}): RequestRecord {
  return {
    requestId: idOf(number),
    at: new Date().toISOString(),
    account: 'acme',
    key: 'key_1',
    environment: 'live',
    method: 'POST',
    route: '/v1/convert',
    status: 200,
    outcome: 'success',
    reason: null,
    pages: 3,
    bytesIn: 1_000,
    bytesOut: 2_000,
    durationMs: 52.4,
    uploadMs: 4.1,
    queueMs: 0.2,
    convertMs: 38.9,
    ...fields,
  };
}

async function kept(requests: readonly RequestRecord[]): Promise<RecentRequests> {
  const recent = new RecentRequests(client, log);
  for (const each of requests) recent.record(each);
  await recent.flush();
  return recent;
}

t.test('a request is kept whole, in the list of its account and by its id', async (t) => {
  const refused = request(2, {
    ...{
      status: 429,
      outcome: 'RATE_LIMIT_EXCEEDED',
      reason: 'hour',
      pages: null,
      bytesIn: null,
      bytesOut: null,
    },
    ...{ uploadMs: null, queueMs: null, convertMs: null },
  });
  const left = request(3, { status: null, outcome: 'client_left', account: 'other' });
  const delivered = request(1);
  const recent = await kept([delivered, refused, left]);
  t.strictSame(await recent.list('acme', undefined, 10), { requests: [refused, delivered], next: null });
  t.strictSame(await recent.find(idOf(2)), refused);
  t.strictSame(await recent.find(idOf(3)), left);
  t.equal(await recent.find(idOf(4)), undefined);
  t.strictSame(await recent.list('nobody', undefined, 10), { requests: [], next: null });
});

t.test('pages, and those of one outcome', async (t) => {
  const all = Array.from({ length: 7 }, (_, i) =>
    request(i, i % 2 ? { outcome: 'OVERLOADED', status: 503 } : {}),
  );
  const recent = await kept(all);
  const collected: string[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    if (next !== undefined) t.ok(RecentRequests.isCursor(next));
    const page = await recent.list('acme', next, 3);
    collected.push(...page.requests.map(({ requestId }) => requestId));
    ({ next } = page);
  }
  t.strictSame(collected, [6, 5, 4, 3, 2, 1, 0].map(idOf));
  const failed = await recent.list('acme', undefined, 2, ({ outcome }) => outcome !== 'success');
  t.strictSame(
    failed.requests.map(({ requestId }) => requestId),
    [5, 3].map(idOf),
  );
  t.ok(failed.next);
  const rest = await recent.list('acme', failed.next ?? '', 2, ({ outcome }) => outcome !== 'success');
  t.match(rest, { requests: [{ requestId: idOf(1) }], next: null });
});

t.test('an account has the last thousand, and nothing is left of the others', async (t) => {
  const recent = await kept(Array.from({ length: KEPT_REQUESTS + 250 }, (_, i) => request(i)));
  await recent.close();
  t.equal((await recent.list('acme', undefined, 2_000)).requests.length, KEPT_REQUESTS);
  t.equal(await recent.find(idOf(249)), undefined);
  t.equal((await recent.find(idOf(250)))?.requestId, idOf(250));
  t.equal(await client.dbsize(), KEPT_REQUESTS + 1, 'one place for each, and the list');
});

t.test('after seven days a request is gone, however few there are', async (t) => {
  const start = Date.now() - KEPT_MS - 60_000;
  redis.setClock(start);
  const recent = await kept([request(1)]);
  redis.setClock(start + KEPT_MS - 1);
  await kept([request(2)]);
  redis.setClock(start + KEPT_MS + 1_001);
  await kept([request(3)]);
  t.strictSame(
    (await recent.list('acme', undefined, 10)).requests.map(({ requestId }) => requestId),
    [3, 2].map(idOf),
  );
  t.equal(await recent.find(idOf(1)), undefined);
  t.equal(await client.xlen(operatorKeys.requests('acme')), 2);
  redis.setClock(start + 3 * KEPT_MS);
  t.strictSame(await client.keys('*'), []);
});

t.test('an outage of Redis fails nobody, and what happened in it is kept', async (t) => {
  const away = await redis.connect();
  const recent = new RecentRequests(away, log);
  const gone = once(away, 'end');
  away.disconnect();
  await gone;
  for (let i = 0; i < 12_000; i++) recent.record(request(i, { account: `acct-${i % 20}` }));
  await recent.flush();
  await away.connect();
  await recent.close();
  t.equal(await recent.find(idOf(1_999)), undefined, 'a server does not keep them without a bound');
  t.equal((await recent.find(idOf(2_000)))?.account, 'acct-0');
  t.equal((await recent.find(idOf(11_999)))?.account, 'acct-19');
});
