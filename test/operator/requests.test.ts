/** The recent requests of accounts, on a real Redis whose clock the test sets. */
import { once } from 'node:events';
import t from 'tap';
import { operatorKeys } from '../../src/operator/redis-keys.ts';
import type { RequestListName, RequestRecord } from '../../src/operator/request-record.ts';
import { KEPT_MS, KEPT_REQUESTS } from '../../src/operator/request-writer.ts';
import { RecentRequests, type RequestWish } from '../../src/operator/requests.ts';
import { log } from '../redis/support.ts';
import { startClockedRedis } from '../support/clocked-redis.ts';
import { until } from '../support/until.ts';

const redis = await startClockedRedis(t);
const client = await redis.connect();
t.beforeEach(async () => {
  redis.setClock(Date.now());
  await client.flushall();
});

/** Of requests that say no other time: then they stand in the order in which they were kept. */
const began = new Date().toISOString();

const idOf = (number: number) => `req_${number.toString(16).padStart(32, '0')}`;

function request(number: number, fields: Partial<RequestRecord> = {}): RequestRecord {
  return {
    requestId: idOf(number),
    at: began,
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
    warnings: ['FONT_SUBSTITUTED'],
    libreOffice: '25.2.3.2',
    message: null,
    ...fields,
  };
}

async function kept(
  requests: readonly RequestRecord[],
  list: RequestListName = 'admitted',
): Promise<RecentRequests> {
  const recent = new RecentRequests(client, log);
  for (const each of requests) recent.record(each, list);
  await recent.flush();
  return recent;
}

/** The ids of all pages of this size. */
async function paged(
  recent: RecentRequests,
  wish: RequestWish,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const collected: string[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    if (next !== undefined && !RecentRequests.isCursor(next)) throw new Error(`no cursor: ${next}`);
    const page = await recent.list('acme', { ...wish, after: next });
    if (page.requests.length > wish.limit) throw new Error('too many on a page');
    collected.push(...page.requests.map(({ requestId }) => requestId));
    ({ next } = page);
    await between();
  }
  return collected;
}

t.test('what was written together stands in the order of its time', async (t) => {
  const recent = new RecentRequests(client, log);
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
  for (let i = 0; i < 6; i += 1) {
    recent.record(request(i, { at: at(i) }), i === 1 || i === 4 ? 'refused' : 'admitted');
  }
  await recent.flush();
  const { requests } = await recent.list('acme', { limit: 10 });
  t.strictSame(
    requests.map(({ requestId }) => requestId),
    [5, 4, 3, 2, 1, 0].map(idOf),
  );
});

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
  t.strictSame(await recent.list('acme', { limit: 10 }), { requests: [refused, delivered], next: null });
  t.strictSame(await recent.find(idOf(2)), refused);
  t.strictSame(await recent.find(idOf(3)), left);
  t.equal(await recent.find(idOf(4)), undefined);
  t.strictSame(await recent.list('nobody', { limit: 10 }), { requests: [], next: null });
});

t.test('pages, and those of one outcome', async (t) => {
  const all = Array.from({ length: 7 }, (_, i) =>
    request(i, i % 2 ? { outcome: 'OVERLOADED', status: 503 } : {}),
  );
  const recent = await kept(all);
  t.strictSame(await paged(recent, { limit: 3 }), [6, 5, 4, 3, 2, 1, 0].map(idOf));
  const fits = ({ outcome }: RequestRecord) => outcome !== 'success';
  const failed = await recent.list('acme', { limit: 2, fits });
  t.strictSame(
    failed.requests.map(({ requestId }) => requestId),
    [5, 3].map(idOf),
  );
  t.ok(failed.next);
  const rest = await recent.list('acme', { after: failed.next ?? '', limit: 2, fits });
  t.match(rest, { requests: [{ requestId: idOf(1) }], next: null });
});

t.test('refusals are among the others, and never in their place', async (t) => {
  const start = Date.now();
  const expected: string[] = [];
  const sameTime = (number: number) => request(number, { at: new Date(start).toISOString() });
  // Of each millisecond, which stands still, two of either kind: the lists have the same ids.
  for (let i = 0; i < 12; i += 4) {
    redis.setClock(start + i);
    await kept([sameTime(i), sameTime(i + 1)]);
    await kept([sameTime(i + 2), sameTime(i + 3)], 'refused');
    expected.unshift(...[i + 1, i + 3, i, i + 2].map(idOf));
  }
  const recent = new RecentRequests(client, log);
  redis.setClock(start + 100);
  let later = 100;
  for (const limit of [1, 2, 3, 5, 12, 13]) {
    t.strictSame(await paged(recent, { limit }), expected, `pages of ${limit}`);
  }
  const refused = [11, 10, 7, 6, 3, 2].map(idOf);
  t.strictSame(await paged(recent, { limit: 2, list: 'refused' }), refused);
  t.strictSame(
    await paged(recent, { limit: 2, list: 'admitted' }),
    expected.filter((id) => !refused.includes(id)),
  );
  t.strictSame(
    await paged(recent, { limit: 2 }, () => kept([sameTime(later++)], 'refused')),
    expected,
    'what comes while somebody reads on is on none of the later pages',
  );

  await kept(
    Array.from({ length: KEPT_REQUESTS + 500 }, (_, i) => sameTime(10_000 + i)),
    'refused',
  );
  t.strictSame(
    await paged(recent, { limit: 100, list: 'admitted' }),
    expected.filter((id) => !refused.includes(id)),
  );
  t.equal((await paged(recent, { limit: 1_000 })).length, KEPT_REQUESTS + 6);
  t.equal((await recent.find(idOf(0)))?.requestId, idOf(0));
  t.equal((await recent.find(idOf(11_499)))?.requestId, idOf(11_499));
  t.equal(await recent.find(idOf(11)), undefined);
});

t.test('no cursor of ours', (t) => {
  const no = [
    '',
    '1',
    '1-1',
    '0-0-0',
    '-1-1-0',
    '1-1-x',
    '18446744073709551616-0-0',
    '0-18446744073709551616-0',
  ];
  for (const text of no) t.notOk(RecentRequests.isCursor(text), text);
  for (const text of ['1-0-0', '0-1-1', '18446744073709551615-18446744073709551615-1']) {
    t.ok(RecentRequests.isCursor(text), text);
  }
  t.end();
});

t.test('any cursor is answered', async (t) => {
  const recent = await kept([request(1)]);
  const max = '18446744073709551615';
  for (const after of [`${max}-${max}-0`, `${max}-${max}-1`]) {
    t.equal((await recent.list('acme', { after, limit: 1 })).requests.length, 1, after);
  }
  for (const after of ['0-1-0', '0-1-1', '1-0-0', '1-0-1', '1-0-9']) {
    t.equal((await recent.list('acme', { after, limit: 1 })).requests.length, 0, after);
  }
});

t.test('an account has the last thousand, and nothing is left of the others', async (t) => {
  const recent = await kept(Array.from({ length: KEPT_REQUESTS + 250 }, (_, i) => request(i)));
  await recent.close();
  t.equal((await recent.list('acme', { limit: 2_000 })).requests.length, KEPT_REQUESTS);
  t.equal(await recent.find(idOf(249)), undefined);
  t.equal((await recent.find(idOf(250)))?.requestId, idOf(250));
  t.equal(await client.dbsize(), KEPT_REQUESTS + 2, 'one place for each, its list, and that of all');
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
    (await recent.list('acme', { limit: 10 })).requests.map(({ requestId }) => requestId),
    [3, 2].map(idOf),
  );
  t.equal(await recent.find(idOf(1)), undefined);
  t.equal(await client.xlen(operatorKeys.requests('acme', 'admitted')), 2);
  redis.setClock(start + 3 * KEPT_MS);
  t.strictSame(await client.keys('*'), []);
});

t.test('of the last millisecond that counts a request is there by its id as well', async (t) => {
  const at = Math.ceil(Date.now() / 1_000) * 1_000 + 60_000;
  redis.setClock(at);
  await kept([request(1)]);
  redis.setClock(at + KEPT_MS);
  const recent = await kept([request(2)]);
  t.equal((await recent.list('acme', { limit: 10 })).requests.length, 2);
  t.equal((await recent.find(idOf(1)))?.requestId, idOf(1));
});

t.test('an account that cannot be written keeps no other waiting', async (t) => {
  const broken = operatorKeys.requests('broken', 'admitted');
  await client.set(broken, 'no stream');
  const recent = new RecentRequests(client, log);
  for (let i = 0; i < 700; i++) recent.record(request(i, { account: i % 2 ? 'acme' : 'broken' }), 'admitted');
  await recent.flush();
  t.equal((await recent.list('acme', { limit: 1_000 })).requests.length, 350);
  await client.del(broken);
  recent.record(request(700, { account: 'broken' }), 'admitted');
  await recent.close();
  t.strictSame(
    (await recent.list('broken', { limit: 1_000 })).requests.map(({ requestId }) => requestId),
    Array.from({ length: 351 }, (_, i) => idOf(700 - 2 * i)),
    'in order',
  );
});

t.test('a request that Redis stored without a timely answer is there once', async (t) => {
  const recent = await kept([request(1)]);
  recent.record(request(2), 'admitted');
  recent.record(request(3), 'refused');
  // Until the clock goes on, which is longer than a command waits. It is done then all the same.
  await client.client('PAUSE', 1_000, 'WRITE');
  await recent.flush();
  redis.setClock(Date.now() + 2_000);
  recent.record(request(4), 'admitted');
  await until('it is written', async () => {
    await recent.flush();
    return (await recent.find(idOf(4))) !== undefined;
  });
  t.strictSame((await paged(recent, { limit: 10 })).sort(), [1, 2, 3, 4].map(idOf));
  for (const number of [2, 3]) t.equal((await recent.find(idOf(number)))?.requestId, idOf(number));
});

t.test('an outage of Redis fails nobody, and what happened in it is kept', async (t) => {
  const away = await redis.connect();
  const recent = new RecentRequests(away, log);
  const gone = once(away, 'end');
  away.disconnect();
  await gone;
  for (let i = 0; i < 12_000; i++) recent.record(request(i, { account: `acct-${i % 20}` }), 'admitted');
  await recent.flush();
  await away.connect();
  await recent.close();
  t.equal(await recent.find(idOf(1_999)), undefined, 'a server does not keep them without a bound');
  t.equal((await recent.find(idOf(2_000)))?.account, 'acct-0');
  t.equal((await recent.find(idOf(11_999)))?.account, 'acct-19');
});

t.test('all accounts in one list, until one is removed', async (t) => {
  const recent = await kept([
    request(1, { at: '2026-11-21T08:00:00.000Z' }),
    request(2, { at: '2026-11-21T08:00:01.000Z', account: 'globex' }),
    request(3, {
      at: '2026-11-21T08:00:02.000Z',
      account: 'globex',
      outcome: 'OVERLOADED',
      message: 'Later.',
    }),
  ]);
  t.teardown(() => recent.close());
  const list = async (fits?: (record: RequestRecord) => boolean) => {
    const { requests } = await recent.list(undefined, { limit: 10, fits });
    return requests.map(({ account, requestId, message }) => [account, requestId, message]);
  };
  t.same(await list(), [
    ['globex', idOf(3), 'Later.'],
    ['globex', idOf(2), null],
    ['acme', idOf(1), null],
  ]);
  t.same(await list(({ outcome }) => outcome !== 'success'), [['globex', idOf(3), 'Later.']]);
  await recent.removePlaces('globex');
  t.same(await list(), [['acme', idOf(1), null]]);
});
