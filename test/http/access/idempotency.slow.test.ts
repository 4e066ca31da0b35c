/** Conversions that are repeated under an Idempotency-Key, with two servers on one Redis. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { PlatenError } from '../../../src/errors.ts';
import { hasRateLimit, isDelivered, isError } from '../../e2e/support/assertions.ts';
import { writePlans } from '../../e2e/support/plans.ts';
import { type Answer, convert, type SendOptions, send } from '../../e2e/support/requests.ts';
import { patientClient } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { awayFromTheHoursEnd } from '../../support/hours-end.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const plans = { roomy: { perHour: 1_000 }, single: { perMonth: 1 } };
const env = { PLANS_FILE: await writePlans(t.testdir({}), plans), PUBLIC_PER_SECOND: '100' };
const first = await Service.start(t, { env });
const second = await Service.start(t, { env, redis: first.redis });
const redis = patientClient(t, { socketPath: first.redis });
const letter = docx({ paragraphs: ['A letter.'] });
const report = docx({ paragraphs: ['A report.'] });

async function createKey(account: string, environment: 'live' | 'test' = 'live'): Promise<string> {
  return (await first.createKey({ account, environment })).key;
}

for (const plan of ['roomy', 'single']) {
  await first.createAccount(plan, plan);
}
const [key, tester, single] = await Promise.all([
  createKey('roomy'),
  createKey('roomy', 'test'),
  createKey('single'),
]);
await awayFromTheHoursEnd();
const month = new Date().toISOString().slice(0, 7);
/** Conversions of the account that must be on its bill so far. */
let billed = 0;

/** Converts under an idempotency key. */
function under(name: string, service: Service, key: string, document: Buffer, options: SendOptions = {}) {
  return convert(service, key, document, { ...options, headers: { 'idempotency-key': name } });
}

/** The same, as a client that waits for its first request to be over. */
async function retried(name: string, service: Service, key: string, document: Buffer): Promise<Answer> {
  let answer: Answer | undefined;
  await until('the first is over', async () => {
    answer = await under(name, service, key, document);
    return answer.status !== 409;
  });
  return answer as Answer;
}

interface Usage {
  readonly conversions: { readonly used: number };
  readonly days: readonly { readonly conversions: number; readonly failures: object }[];
}

async function usage(key: string): Promise<Usage> {
  const { body } = await send(first, '/v1/usage', { method: 'GET', key });
  return JSON.parse(body.toString('utf8')) as Usage;
}

/** Asserts what the account has used, once nothing is reserved: so many more than before. */
async function isBilled(t: Test, more: number): Promise<void> {
  billed += more;
  await until('all is settled', async () => (await redis.zcard('platen:{roomy}:live:reservations')) === 0);
  const { conversions, days } = await usage(key);
  t.equal(conversions.used, billed, 'use');
  t.equal(
    days.reduce((sum, day) => sum + day.conversions, 0),
    billed,
    'sum of the days',
  );
  t.equal(await redis.xlen(`platen:{roomy}:ledger:${month}`), billed, 'ledger');
}

t.test('the same key and document is billed once, whichever server it is sent to', async (t) => {
  const name = randomUUID();
  const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');
  const original = await under(name, first, key, letter);
  isDelivered(t, original);
  t.equal(isReplay(original), null);
  for (const [written, server] of [
    [name, second],
    [`"${name}"`, first],
  ] as const) {
    const repeated = await retried(written, server, key, letter);
    isDelivered(t, repeated);
    t.equal(isReplay(repeated), 'true');
  }
  const headers = { 'idempotency-key': name };
  await until('it has another file name', async () => {
    const body = form(letter, 'another name.docx');
    return (await send(second, '/v1/convert', { key, headers, body })).status === 200;
  });
  await isBilled(t, 1);
  isDelivered(t, await under(randomUUID(), first, key, letter));
  await isBilled(t, 1);
});

t.test('IDEMPOTENCY_KEY_REUSED: another document', async (t) => {
  const name = randomUUID();
  isDelivered(t, await under(name, first, key, letter));
  isError(t, await retried(name, second, key, report), 'IDEMPOTENCY_KEY_REUSED');
  isDelivered(t, await retried(name, second, key, letter));
  await isBilled(t, 1);
  t.match((await usage(key)).days, [{ failures: { IDEMPOTENCY_KEY_REUSED: 1 } }]);
});

t.test('REQUEST_IN_PROGRESS: while the first runs; once its client has left, the key is free', async (t) => {
  const name = randomUUID();
  const client = new AbortController();
  const release = first.engine.hold();
  const lost = t.rejects(under(name, first, key, letter, { signal: client.signal }));
  await until('it runs', () => first.engine.status().children.running === 1);
  const before = hasRateLimit(t, await send(first, '/v1/usage', { method: 'GET', key }));
  for (const server of [first, second]) {
    isError(t, await under(name, server, key, letter), 'REQUEST_IN_PROGRESS');
    isError(t, await under(name, server, key, report), 'REQUEST_IN_PROGRESS');
  }
  const after = hasRateLimit(t, await send(first, '/v1/usage', { method: 'GET', key }));
  t.equal(after.remaining, before.remaining - 5, 'each request counts');
  client.abort();
  await lost;
  release();
  isDelivered(t, await retried(name, second, key, letter));
  await isBilled(t, 1);
});

t.test('of concurrent requests one is billed', async (t) => {
  const name = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => under(name, n % 2 === 0 ? first : second, key, letter)),
  );
  const through = answers.filter(({ status }) => status === 200);
  t.ok(through.length >= 1);
  for (const answer of answers) if (answer.status !== 200) isError(t, answer, 'REQUEST_IN_PROGRESS');
  await isBilled(t, 1);
});

t.test('a conversion that failed releases its key', async (t) => {
  const name = randomUUID();
  first.engine.failure = new PlatenError('CORRUPTED_FILE');
  isError(t, await under(name, first, key, letter), 'CORRUPTED_FILE');
  first.engine.failure = undefined;
  isDelivered(t, await retried(name, second, key, letter));
  await isBilled(t, 1);
});

t.test('a repetition succeeds when the quota is used up', async (t) => {
  const name = randomUUID();
  isDelivered(t, await under(name, first, single, letter));
  isError(t, await convert(second, single, letter), 'QUOTA_EXCEEDED');
  isError(t, await under(randomUUID(), second, single, letter), 'QUOTA_EXCEEDED');
  isDelivered(t, await retried(name, second, single, letter));
  t.equal((await usage(single)).conversions.used, 1);
});

t.test('a test key has the same answers', async (t) => {
  const name = randomUUID();
  isDelivered(t, await under(name, first, tester, letter));
  isError(t, await retried(name, second, tester, report), 'IDEMPOTENCY_KEY_REUSED');
  isDelivered(t, await retried(name, second, tester, letter));
  await until('it is counted', async () => (await usage(tester)).conversions.used === 1);
});

t.test('INVALID_PARAMETER: malformed keys; the public endpoint ignores them', async (t) => {
  for (const name of ['', 'two words', 'one, two', 'k'.repeat(256), '"open']) {
    isError(t, await under(name, first, key, letter), 'INVALID_PARAMETER', 400, name);
  }
  const headers = { 'idempotency-key': 'two words' };
  isDelivered(t, await convert(first, undefined, letter, { headers }));
});
