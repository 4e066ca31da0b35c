/** What load balancers and people can learn without a key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError } from './support/assertions.ts';
import { isAlive, nextKit, redisOf } from './support/processes.ts';
import { type Answer, convert, get, send } from './support/requests.ts';

const root = join(import.meta.dirname, '../..');

function json(t: Test, answer: Answer, path: string): Record<string, unknown> {
  t.equal(answer.status, 200, path);
  t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8', path);
  t.match(answer.headers.get('x-request-id'), /^req_[0-9a-f]{32}$/, path);
  return JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>;
}

async function startingKit(server: Server): Promise<number> {
  let pid: number | undefined;
  await until('the kit starts', async () => {
    pid = (await server.processes()).find(({ command }) => command.includes('platen-kit'))?.pid;
    return pid !== undefined;
  });
  return Number(pid);
}

/** A server whose kit is stopped while it starts. */
async function launch(): Promise<{ server: Server; kit: number }> {
  for (;;) {
    const server = await Server.launch({ env: { HEALTH_INTERVAL_MS: '600000' } });
    const kit = await startingKit(server);
    process.kill(kit, 'SIGSTOP');
    if ((await get(server, '/health/ready')).status === 503) return { server, kit };
    // On a busy machine the kit may be ready before it is found.
    server.process.kill('SIGKILL');
    await server.ended();
  }
}

const { server, kit: stoppedKit } = await launch();

t.test('while it starts it lives, and is not ready', async (t) => {
  t.strictSame(json(t, await get(server, '/health/live'), 'live'), { status: 'ok' });
  for (const path of ['/health', '/v1/health', '/health/ready']) {
    const { message } = isError(t, await get(server, path), 'SERVICE_UNAVAILABLE', 503, path);
    t.match(message, 'starting', path);
  }
  isError(t, await send(server, '/v1/public/convert'), 'SERVICE_UNAVAILABLE');
  process.kill(stoppedKit, 'SIGCONT');
  await server.logged('ready');
});

t.test('ready and healthy', async (t) => {
  t.strictSame(json(t, await get(server, '/health/ready'), 'ready'), { status: 'ok' });
  for (const path of ['/health', '/v1/health']) {
    const { lastConversionAt, ...rest } = json(t, await get(server, path), path);
    t.strictSame(rest, { status: 'ok' }, path);
    t.ok(Date.now() - Date.parse(String(lastConversionAt)) < 60_000, path);
  }
  t.equal((await send(server, '/health', { method: 'HEAD' })).status, 200);
});

t.test('health requests cause no conversion', async (t) => {
  const conversions = () => server.log.filter(({ msg }) => msg === 'child started').length;
  const before = conversions();
  const answers = await Promise.all(Array.from({ length: 50 }, () => get(server, '/health')));
  const bodies = answers.map((answer) => String(answer.body));
  t.equal(new Set(bodies).size, 1, 'the proof is the same for all');
  t.equal(conversions(), before);
});

t.test('about the service', async (t) => {
  const info = json(t, await get(server, '/v1'), '/v1');
  t.strictSame(json(t, await get(server, '/v1/info'), '/v1/info'), info);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  t.match(info, {
    name: 'Platen',
    version,
    description: String,
    limits: {
      maxFileBytes: 26_214_400,
      publicMaxFileBytes: 5_242_880,
      publicPerHour: 20,
      publicPerSecond: 2,
      conversionTimeoutSeconds: 60,
      maxCombinedFiles: 50,
      maxCombinedBytes: 104_857_600,
    },
    documentation: Object,
  });
  const endpoints = info.endpoints as { method: string; path: string; auth: boolean }[];
  t.match(
    endpoints.find(({ path }) => path === '/v1/convert'),
    { method: 'POST', auth: true },
  );
  for (const { method, path, auth } of endpoints) {
    const answer = await send(server, path, { method });
    t.not(answer.status, 404, `${method} ${path} exists`);
    t.not(answer.status, 405, `${method} ${path} is right`);
    t.equal(answer.status === 401, auth, `${method} ${path} says whether it wants a key`);
  }
});

t.test('without a kit it is neither ready nor healthy, each time that it dies', async (t) => {
  const killed: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const kit = await nextKit(server, ...killed);
    process.kill(kit, 'SIGKILL');
    killed.push(kit);
    await until('the outage shows', async () => (await get(server, '/health')).status === 503);
    for (const path of ['/health', '/v1/health', '/health/ready']) {
      const answer = await get(server, path);
      if (answer.status === 503) isError(t, answer, 'SERVICE_UNAVAILABLE', 503, path);
    }
  }
  await until('it recovers', async () => (await get(server, '/health')).status === 200);
  t.ok(isAlive(await nextKit(server, ...killed)), 'with another kit');
});

t.test('without Redis it is neither ready nor healthy', async (t) => {
  const redis = redisOf(server);
  process.kill(redis, 'SIGSTOP');
  try {
    for (const path of ['/health', '/v1/health', '/health/ready']) {
      const { message } = isError(t, await get(server, path), 'SERVICE_UNAVAILABLE', 503, path);
      t.match(message, 'Redis', path);
    }
    t.equal((await get(server, '/health/live')).status, 200);
  } finally {
    process.kill(redis, 'SIGCONT');
  }
  await until('it recovers', async () => (await get(server, '/health')).status === 200);
});

t.test('its own Redis is restarted when it dies', async (t) => {
  const { key } = await server.createKey();
  const redis = redisOf(server);
  process.kill(redis, 'SIGKILL');
  await until('it recovers', async () => {
    const { status } = await convert(server, key, Buffer.from('no document'));
    return status === 400 && redisOf(server) !== redis;
  });
  await until('it is healthy', async () => (await get(server, '/health')).status === 200);
  t.ok(isAlive(redisOf(server)));
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
