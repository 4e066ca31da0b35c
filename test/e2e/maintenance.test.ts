/** Maintenance mode: no conversions, on every server at once, and nothing else changes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { writePlans } from './support/plans.ts';
import { startRedis } from './support/redis.ts';
import { answerTo, convert, filePartHead, formEnd, get, openUpload, send } from './support/requests.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-maintenance-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const redis = await startRedis(t);
const env = {
  REDIS_URL: redis.socket,
  PLANS_FILE: await writePlans(folder, { twice: { perMonth: 2 } }),
  PUBLIC_PER_SECOND: '1000',
};
const servers = await Promise.all([Server.start({ env }), Server.start({ env })]);
const [first, second] = servers;
await first.cli('accounts', 'create', '--id', 'acme', '--name', 'Acme', '--plan', 'twice');
const { key } = await first.cli<{ key: string }>(
  ...['keys', 'create', '--account', 'acme', '--name', 'test', '--env', 'live', '--type', 'sk'],
);
const document = docx();

interface Maintenance {
  readonly maintenance: boolean;
  readonly since: string | null;
}

const turn = (state: 'on' | 'off') => first.cli<Maintenance>('maintenance', state);

t.test('on: no server converts, and each says so at once', async (t) => {
  // It was admitted before, and is finished.
  const contentLength = filePartHead.length + document.length + formEnd.length;
  const request = openUpload(second, '/v1/convert', { key, contentLength });
  const admitted = answerTo(request);
  request.write(filePartHead);
  await until('it is admitted', async () => (await second.jobs()).length === 1);

  const { maintenance, since } = await turn('on');
  t.equal(maintenance, true);
  t.ok(Math.abs(Date.now() - Date.parse(String(since))) < 60_000);
  t.strictSame(await turn('on'), { maintenance, since }, 'and stays on');

  for (const server of servers) {
    for (const who of [key, undefined]) {
      const { message } = isError(t, await convert(server, who, document), 'SERVICE_UNAVAILABLE');
      t.match(message, 'under maintenance');
    }
    for (const path of ['/health', '/health/ready']) {
      const { message } = isError(t, await get(server, path), 'SERVICE_UNAVAILABLE', 503, path);
      t.match(message, 'under maintenance');
    }
    t.equal((await get(server, '/health/live')).status, 200);
    t.equal((await get(server, '/v1')).status, 200);
    const usage = await send(server, '/v1/usage', { method: 'GET', key });
    t.equal(usage.status, 200, 'what is no conversion works');
    isError(t, await send(server, '/v1/convert'), 'MISSING_AUTH');
    const broken = { key, headers: { 'content-type': 'application/json' }, body: '{' };
    isError(
      t,
      await send(server, '/v1/convert', broken),
      'SERVICE_UNAVAILABLE',
      503,
      'a body that is no form',
    );
  }

  request.write(document);
  request.end(formEnd);
  await isPdf(t, await admitted, 'Hello from Platen.');
});

t.test('off: all convert, and what was refused has cost nothing', async (t) => {
  t.strictSame(await turn('off'), { maintenance: false, since: null });
  for (const server of servers) {
    t.equal((await get(server, '/health')).status, 200);
    await isPdf(t, await convert(server, undefined, document), 'Hello from Platen.');
  }
  // The second of two: nothing else was reserved or billed.
  await isPdf(t, await convert(first, key, document), 'Hello from Platen.');
  isError(t, await convert(second, key, document), 'QUOTA_EXCEEDED');
  const month = new Date().toISOString().slice(0, 7);
  t.equal((await second.cli<unknown[]>('usage', 'export', '--month', month)).length, 2);
});

t.test('the servers end cleanly', async (t) => {
  for (const server of servers) await endsCleanly(t, server);
});
