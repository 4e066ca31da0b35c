/** A server on a Redis that is not its own, and what it does while that is away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { convert, get, send } from './support/requests.ts';

/** An outage is told within a second; the rest is for a slow machine. */
const ANSWER_MS = 2_000;

const folder = await mkdtemp(join(tmpdir(), 'platen-redis-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const socket = join(folder, 'redis.sock');

async function startRedis() {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--appendonly', 'yes'];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve();
    });
  });
  await Promise.race([ready, ended.then(() => Promise.reject(new Error('redis-server does not start')))]);
  return {
    child,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
    },
  };
}

let redis = await startRedis();
const server = await Server.start({
  env: { REDIS_URL: socket, PUBLIC_PER_HOUR: '10000', PUBLIC_PER_SECOND: '10000' },
});
const { key } = await server.createKey();

/** Asserts that nobody gets in and nobody waits long. */
async function isUnavailable(t: Test, what: string): Promise<void> {
  const requests = {
    [`${what}, with a key`]: send(server, '/v1/convert', { key, signal: AbortSignal.timeout(ANSWER_MS) }),
    [`${what}, without`]: send(server, '/v1/public/convert', { signal: AbortSignal.timeout(ANSWER_MS) }),
    [`${what}, health`]: get(server, '/health'),
    [`${what}, ready`]: get(server, '/health/ready'),
  };
  for (const [name, answer] of Object.entries(requests)) {
    isError(t, await answer, 'SERVICE_UNAVAILABLE', 503, name);
  }
  t.equal((await get(server, '/health/live')).status, 200, `${what}, the process lives`);
  isError(t, await send(server, '/v1/convert', { key: 'svc_live_sk_mistyped' }), 'INVALID_API_KEY');
}

const recovered = () =>
  until('it recovers', async () => {
    const answers = [await send(server, '/v1/convert', { key }), await get(server, '/health')];
    return answers.map(({ status }) => status).join() === '400,200';
  });

t.test('it works', async (t) => {
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.notOk(
    server.log.some(({ msg }) => msg === 'embedded Redis started'),
    'no Redis of its own',
  );
});

t.test('SERVICE_UNAVAILABLE: Redis was killed, and comes back', async (t) => {
  await redis.end('SIGKILL');
  await isUnavailable(t, 'killed');
  redis = await startRedis();
  await recovered();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('SERVICE_UNAVAILABLE: Redis hangs, and goes on', async (t) => {
  redis.child.kill('SIGSTOP');
  await isUnavailable(t, 'hanging');
  redis.child.kill('SIGCONT');
  await recovered();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('the server ends cleanly, and leaves Redis alone', async (t) => {
  await endsCleanly(t, server);
  t.equal(redis.child.exitCode, null);
  await redis.end('SIGTERM');
});
