/** A server on a Redis that is not its own, and what it does while that is in trouble. */
import { symlink, unlink } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { billedIds } from './support/operator.ts';
import { atRest } from './support/processes.ts';
import { startRedis } from './support/redis.ts';
import { answerTo, convert, filePartHead, formEnd, get, openUpload, send } from './support/requests.ts';
import { startSlowProxy } from './support/slow-proxy.ts';

/** An outage is reported within a second, and its end within two; the rest is for a slow machine. */
const ANSWER_MS = 2_000;
const RECOVERY_MS = 8_000;

const redis = await startRedis(t);
const proxy = await startSlowProxy(t, redis.socket);
/** The socket that the server connects to: a link to that of Redis, later to that of the proxy. */
const REDIS_URL = `${redis.socket}.link`;
await symlink(redis.socket, REDIS_URL);
const server = await Server.start({
  env: { REDIS_URL, PUBLIC_PER_HOUR: '10000', PUBLIC_PER_SECOND: '10000' },
});
const { key, account } = await server.createKey();
/** The requests that got their PDFs, and were billed. */
const delivered: (string | null)[] = [];

async function converts(t: Test): Promise<void> {
  const answer = await convert(server, key, docx());
  await isPdf(t, answer, 'Hello from Platen.');
  delivered.push(answer.headers.get('x-request-id'));
}

/** Asserts that nobody gets in and nobody waits long. */
async function isUnavailable(t: Test, what: string): Promise<void> {
  const soon = () => AbortSignal.timeout(ANSWER_MS);
  const requests = {
    'with a key': send(server, '/v1/convert', { key, signal: soon() }),
    without: send(server, '/v1/public/convert', { signal: soon() }),
    usage: send(server, '/v1/usage', { method: 'GET', key, signal: soon() }),
    rotation: send(server, '/v1/keys/rotate', { key, signal: soon() }),
    health: send(server, '/health', { method: 'GET', signal: soon() }),
    ready: send(server, '/health/ready', { method: 'GET', signal: soon() }),
  };
  for (const [name, answer] of Object.entries(requests)) {
    isError(t, await answer, 'SERVICE_UNAVAILABLE', 503, `${what}, ${name}`);
  }
  t.equal((await get(server, '/health/live')).status, 200, `${what}, the process lives`);
  isError(t, await send(server, '/v1/convert', { key: 'svc_live_sk_mistyped' }), 'INVALID_API_KEY');
}

const notReady = () =>
  until('it is not ready', async () => (await get(server, '/health/ready')).status === 503);

const recovered = () =>
  until(
    'it recovers',
    async () => {
      const answers = [await send(server, '/v1/convert', { key }), await get(server, '/health')];
      return answers.map(({ status }) => status).join() === '400,200';
    },
    RECOVERY_MS,
  );

interface Usage {
  readonly conversions: { readonly used: number };
  readonly days: readonly { readonly conversions: number }[];
}

async function readUsage(): Promise<Usage> {
  const { body } = await send(server, '/v1/usage', { method: 'GET', key });
  return JSON.parse(body.toString('utf8')) as Usage;
}

/** Asserts that all PDFs that were delivered so far are counted, once. */
async function isCounted(t: Test): Promise<void> {
  // What Redis did not confirm is tried again.
  const billed = () => billedIds(server, account);
  await until('all is billed', async () => (await billed()).length >= delivered.length);
  const ids = await billed();
  t.strictSame(ids, delivered.toSorted(), 'the bill has them, each once');
  const { conversions, days } = await readUsage();
  t.equal(conversions.used, ids.length, 'use');
  t.equal(
    days.reduce((sum, day) => sum + day.conversions, 0),
    ids.length,
    'sum of the days',
  );
}

t.test('it works', async (t) => {
  await converts(t);
  t.notOk(
    server.log.some(({ msg }) => msg === 'embedded Redis started'),
    'no Redis of its own',
  );
  await isCounted(t);
});

interface Trouble {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

const troubles: Readonly<Record<string, Trouble>> = {
  killed: { begin: () => redis.end('SIGKILL'), end: () => redis.restart() },
  hanging: {
    begin: async () => redis.child.kill('SIGSTOP'),
    end: async () => redis.child.kill('SIGCONT'),
  },
  'a replica': {
    begin: () => redis.client.replicaof('127.0.0.1', 1),
    end: () => redis.client.replicaof('NO', 'ONE'),
  },
  full: {
    begin: () => redis.client.config('SET', 'maxmemory', 1),
    end: () => redis.client.config('SET', 'maxmemory', 0),
  },
};

for (const [state, { begin, end }] of Object.entries(troubles)) {
  t.test(`SERVICE_UNAVAILABLE: Redis is ${state}, and well again`, async (t) => {
    await begin();
    // A successful write to Redis counts as current for half a second.
    await notReady();
    await isUnavailable(t, state);
    await end();
    await recovered();
    await converts(t);
    await isCounted(t);
  });
}

for (const [state, { begin, end }] of Object.entries(troubles)) {
  t.test(`a PDF that is made while Redis is ${state} is delivered, and billed when it is well`, async (t) => {
    // The folder of an earlier document would be taken for that of this one.
    await atRest(server);
    const document = docx();
    const contentLength = filePartHead.length + document.length + formEnd.length;
    const request = openUpload(server, '/v1/convert', { key, contentLength });
    const answer = answerTo(request);
    request.write(filePartHead);
    await until('it is admitted', async () => (await server.jobs()).length === 1);
    await begin();
    request.write(document);
    request.end(formEnd);
    const { headers, ...rest } = await answer;
    await isPdf(t, { headers, ...rest }, 'Hello from Platen.');
    const requestId = headers.get('x-request-id');
    await server.logged('a settlement is tried again', ({ reqId }) => reqId === requestId);
    delivered.push(requestId);
    await end();
    await recovered();
    await isCounted(t);
  });
}

t.test('Redis is slow, but not too slow', async (t) => {
  await unlink(REDIS_URL);
  await symlink(proxy.socket, REDIS_URL);
  await redis.client.client('KILL', 'TYPE', 'NORMAL');
  await recovered();
  // A sixth of what the service waits: the rest is for a busy machine.
  proxy.delayMs = 150;
  const before = proxy.delayed;
  await converts(t);
  t.ok(proxy.delayed > before, 'it asked the slow one');
  t.equal((await get(server, '/health')).status, 200);
  await isCounted(t);
});

t.test('SERVICE_UNAVAILABLE: Redis is too slow, and quick again', async (t) => {
  proxy.delayMs = 3_000;
  await isUnavailable(t, 'slow');
  proxy.delayMs = 0;
  await recovered();
  await converts(t);
  await isCounted(t);
});

t.test('Redis has forgotten the scripts', async (t) => {
  await redis.client.script('FLUSH');
  await converts(t);
  await isCounted(t);
});

t.test('the server ends cleanly, and leaves Redis alone', async (t) => {
  await endsCleanly(t, server);
  t.equal(redis.child.exitCode, null);
});
