/** What an account is told of its use, and what its bill says: on the API and on the command line. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { convert, filePartHead, formEnd, openUpload, send } from '../../e2e/support/requests.ts';
import * as documents from '../../support/documents.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

interface Usage {
  readonly account: string;
  readonly plan: string;
  readonly environment: string;
  readonly month: string;
  readonly conversions: { readonly used: number; readonly quota: number | null; readonly renewsAt: string };
  readonly windows: {
    readonly name: string;
    readonly limit: number;
    readonly remaining: number;
    readonly resetsAt: string;
  }[];
  readonly days: {
    readonly date: string;
    readonly conversions: number;
    readonly pages: number;
    readonly bytesIn: number;
    readonly bytesOut: number;
    readonly failures: Readonly<Record<string, number>>;
  }[];
  readonly keys: readonly {
    readonly key: string;
    readonly name: string;
    readonly display: string;
    readonly conversions: number;
    readonly pages: number;
  }[];
}

interface Entry {
  readonly requestId: string;
  readonly account: string;
  readonly key: string;
  readonly pages: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly durationMs: number;
  readonly at: string;
}

const service = await Service.start(t, { env: { MAX_FILE_MB: '40' } });
await service.createAccount('acme', 'pro');
const createKey = (environment: 'live' | 'test') => service.createKey({ account: 'acme', environment });
const [live, tester, another] = await Promise.all([createKey('live'), createKey('test'), createKey('live')]);

await awayFromTheHoursEnd();
const now = new Date();
const today = now.toISOString().slice(0, 10);
const month = today.slice(0, 7);
const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
const ask = (key: string, query = '') => send(service, `/v1/usage${query}`, { method: 'GET', key });

async function usage(key: string, query = ''): Promise<Usage> {
  const { status, body } = await ask(key, query);
  t.equal(status, 200, `usage${query}`);
  return JSON.parse(body.toString('utf8')) as Usage;
}

/** The expected ledger entries of the live key; filled as PDFs are made. */
const billed: Omit<Entry, 'durationMs' | 'at'>[] = [];

async function bill(t: Test, document: Buffer, pages: number): Promise<void> {
  service.engine.texts = Array.from({ length: pages }, () => '');
  const answer = await convert(service, live.key, document);
  isDelivered(t, answer, pages);
  const requestId = String(answer.headers.get('x-request-id'));
  const sizes = { bytesIn: document.length, bytesOut: answer.body.length };
  billed.push({ requestId, account: 'acme', key: live.id, pages, ...sizes });
}

const sum = (name: 'pages' | 'bytesIn' | 'bytesOut') =>
  billed.reduce((total, entry) => total + entry[name], 0);

/** Asserts that exactly what was delivered is counted and billed. */
async function isBilled(t: Test, failures: Readonly<Record<string, number>>): Promise<void> {
  const day = {
    date: today,
    conversions: billed.length,
    pages: sum('pages'),
    bytesIn: sum('bytesIn'),
    bytesOut: sum('bytesOut'),
    failures,
  };
  const count = async () => Object.values((await usage(live.key)).days[0]?.failures ?? {});
  const total = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  // Failures are counted when the client has its answer already.
  await until('all is settled', async () => total(await count()) >= total(Object.values(failures)));
  const { conversions, days, keys } = await usage(live.key);
  t.strictSame(days, [day]);
  t.match(keys, [{ key: live.id, conversions: day.conversions, pages: day.pages }]);
  t.equal(conversions.used, billed.length);
  const others = await usage(another.key);
  t.equal(others.conversions.used, billed.length);
  t.strictSame(others.keys, [], 'nothing of other keys');
}

t.test('an account that has used nothing', async (t) => {
  const { windows, ...rest } = await usage(live.key);
  t.strictSame(rest, {
    account: 'acme',
    plan: 'pro',
    environment: 'live',
    month,
    conversions: { used: 0, quota: 100_000, renewsAt: nextMonth.toISOString() },
    days: [],
    keys: [],
  });
  t.match(windows, [
    { name: 'second', limit: 100, remaining: 99 },
    { name: 'hour', limit: 1_000, remaining: 999 },
    { name: 'day', limit: 10_000, remaining: 9_999 },
  ]);
  t.equal(windows.length, 3);
  const hour = Math.ceil(now.getTime() / 3_600_000) * 3_600_000;
  t.equal(windows[1]?.resetsAt, new Date(hour).toISOString());
  t.equal(windows[2]?.resetsAt, new Date(Date.parse(today) + 86_400_000).toISOString());
});

t.test('conversions, and failures by their code', async (t) => {
  await bill(t, documents.docx(), 1);
  await bill(t, documents.docx({ pages: 3 }), 3);
  for (const build of [documents.truncatedDocx, documents.docxWithDuplicateEntries]) {
    isError(t, await convert(service, live.key, build()), 'CORRUPTED_FILE');
  }
  isError(t, await convert(service, live.key, documents.png()), 'INVALID_FILE_TYPE');
  await isBilled(t, { CORRUPTED_FILE: 2, INVALID_FILE_TYPE: 1 });
});

t.test('a client that leaves before it has its PDF is not billed', async (t) => {
  const left = () => service.log.filter(({ msg, clientLeft }) => msg === 'request' && clientLeft).length;
  const client = new AbortController();
  const release = service.engine.hold();
  const answer = convert(service, live.key, documents.docx(), { signal: client.signal });
  await until('it is converted', () => service.engine.status().children.running === 1);
  client.abort();
  await t.rejects(answer, { name: 'AbortError' });
  await until('the service has seen it leave', () => left() === 1);
  release();
});

t.test('a client that leaves in the middle of its PDF is billed: it was made', async (t) => {
  const document = documents.docx();
  service.engine.texts = ['x'.repeat(10_000_000)];
  const contentLength = filePartHead.length + document.length + formEnd.length;
  const request = openUpload(service, '/v1/convert', { key: live.key, contentLength });
  request.end(Buffer.concat([filePartHead, document, formEnd]));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  t.equal(response.statusCode, 200);
  const bytesOut = Number(response.headers['content-length']);
  t.ok(bytesOut > 5_000_000, 'more than the connection holds');
  const requestId = String(response.headers['x-request-id']);
  const pages = Number(response.headers['x-conversion-pages']);
  const sizes = { bytesIn: document.length, bytesOut };
  billed.push({ requestId, account: 'acme', key: live.id, pages, ...sizes });
  response.destroy();
});

t.test('conversions without a PDF are in no figure', async (t) => {
  await bill(t, documents.docx({ paragraphs: ['The last one.'] }), 1);
  await isBilled(t, { CORRUPTED_FILE: 2, INVALID_FILE_TYPE: 1 });
});

t.test('a test key has figures of its own, and no bill', async (t) => {
  isDelivered(t, await convert(service, tester.key, documents.docx()));
  isError(t, await convert(service, tester.key, documents.rtf()), 'INVALID_FILE_TYPE');
  await until('both are counted', async () => {
    const [day] = (await usage(tester.key)).days;
    return day?.conversions === 1 && day.failures.INVALID_FILE_TYPE === 1;
  });
  const { environment, conversions, windows, days, keys } = await usage(tester.key);
  t.match({ environment, conversions }, { environment: 'test', conversions: { used: 1, quota: null } });
  t.match(windows, [
    { name: 'second', limit: 50 },
    { name: 'hour', limit: 100 },
  ]);
  t.equal(windows.length, 2);
  t.match(days, [{ date: today, conversions: 1, pages: 1, failures: { INVALID_FILE_TYPE: 1 } }]);
  t.match(keys, [{ key: tester.id, name: String, display: /^svc_test_sk_…/, conversions: 1, pages: 1 }]);
  t.equal(keys.length, 1, 'not the live one');
  await isBilled(t, { CORRUPTED_FILE: 2, INVALID_FILE_TYPE: 1 });
});

t.test('another month', async (t) => {
  const { windows, ...rest } = await usage(live.key, '?month=2024-02');
  t.strictSame(rest, {
    account: 'acme',
    plan: 'pro',
    environment: 'live',
    month: '2024-02',
    conversions: { used: 0, quota: 100_000, renewsAt: '2024-03-01T00:00:00.000Z' },
    days: [],
    keys: [],
  });
  t.equal(windows.length, 3);
  const named = await usage(live.key, `?month=${month}`);
  t.strictSame(named.days, (await usage(live.key)).days);
});

t.test('INVALID_PARAMETER: no month', async (t) => {
  const months = ['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', 'now', '', '2026-01%0A'];
  for (const text of months) {
    isError(t, await ask(live.key, `?month=${text}`), 'INVALID_PARAMETER', 400, text);
  }
  const twice = await ask(live.key, '?month=2026-01&month=2026-02');
  isError(t, twice, 'INVALID_PARAMETER', 400, 'two months');
});

t.test('usage show says the same', async (t) => {
  // The window of a second has moved on.
  const withoutSecond = ({ windows, ...rest }: Usage) => ({
    ...rest,
    windows: windows.filter(({ name }) => name !== 'second'),
  });
  for (const [query, options] of [
    ['', []],
    ['?month=2024-02', ['--month', '2024-02']],
  ] as const) {
    const told = withoutSecond(await usage(live.key, query));
    t.strictSame(withoutSecond(await service.cli<Usage>('usage', 'show', 'acme', ...options)), told, query);
  }
});

t.test('usage export has a row for each PDF of a live key', async (t) => {
  const columns = ['requestId', 'account', 'key', 'pages', 'bytesIn', 'bytesOut', 'durationMs', 'at'];
  const exported = (...options: string[]) => service.cliText('usage', 'export', '--month', month, ...options);
  const [csv, jsonLines, json] = await Promise.all([
    exported('--format', 'csv'),
    exported('--format', 'jsonl'),
    service.cli<Entry[]>('usage', 'export', '--month', month),
  ]);

  const lines = jsonLines.trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  t.equal(jsonLines, lines.map((line) => `${line}\n`).join(''));
  t.strictSame(
    entries.map(({ durationMs, at, ...entry }) => {
      t.ok(Number.isInteger(durationMs) && durationMs > 0, 'whole milliseconds');
      t.equal(new Date(at).toISOString(), at);
      t.ok(at.startsWith(today));
      return entry;
    }),
    billed,
    'in the order of their delivery',
  );
  for (const entry of entries) t.strictSame(Object.keys(entry), columns);
  t.strictSame(json, entries, 'one document of JSON');
  const rows = entries.map((entry) => Object.values(entry).join(','));
  t.strictSame(csv, [columns.join(','), ...rows, ''].join('\n'));
  t.equal(entries.length, (await usage(live.key)).conversions.used, 'the sum is the counter');
});

t.test('INTERNAL_ERROR: a damaged record does not lead to a wrong answer', async (t) => {
  await service.createAccount('damaged', 'pro');
  const { key } = await service.createKey({ account: 'damaged' });
  const redis = new Redis(service.redis);
  t.teardown(() => redis.disconnect());
  const ask = () => send(service, `/v1/usage?month=${month}`, { method: 'GET', key });
  t.equal((await ask()).status, 200, 'it is well before');
  const days = `platen:{damaged}:live:days:${month}`;
  const day = today.slice(8);
  const damages: readonly (readonly [string, string, string])[] = [
    [days, `${day}:pages`, 'many'],
    [days, `${day}:bytesIn`, '-1'],
    [days, `${day}:bytesOut`, '1.5'],
    [days, `${day}:conversions`, ''],
    [days, `${day}:failures:CORRUPTED_FILE`, 'Infinity'],
    ['platen:{damaged}:live:months', `used:${month}`, 'all of them'],
  ];
  for (const [record, field, value] of damages) {
    await redis.hset(record, field, value);
    const answer = await ask();
    const { message, requestId } = isError(t, answer, 'INTERNAL_ERROR', 500, field);
    t.match(message, /went wrong on our side. Retry, and contact support with the requestId/);
    t.notMatch(answer.body.toString('utf8'), /platen:|damaged|many|Infinity|pages/, `${field}: no detail`);
    const line = await service.logged(message, (about) => about.reqId === requestId);
    t.match(line, { level: 50, code: 'INTERNAL_ERROR' }, `${field}: an error for the operator`);
    t.ok(String(line.cause).includes(`${record} is damaged: ${field}`), `${field}: where the damage is`);
    await redis.hdel(record, field);
  }
  t.equal((await ask()).status, 200, 'and after');
  await redis.hset(days, `${day}:pages`, 'many');
  const shown = service.cli('usage', 'show', 'damaged', '--month', month);
  await t.rejects(shown, { message: `${days} is damaged: ${day}:pages` }, 'the command line says where');
});
