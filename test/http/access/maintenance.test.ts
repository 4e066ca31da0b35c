/** Maintenance mode: no conversions, on every service at once, and nothing else changes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { setMaintenance } from '../../../src/operations/service.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { writePlans } from '../../e2e/support/plans.ts';
import {
  answerTo,
  convert,
  filePartHead,
  formEnd,
  get,
  openUpload,
  send,
} from '../../e2e/support/requests.ts';
import { redisDatabase } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-maintenance-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const redis = await redisDatabase(t);
const env = {
  PLANS_FILE: await writePlans(folder, { twice: { perMonth: 2 } }),
  PUBLIC_PER_SECOND: '1000',
};
const servers = await Promise.all([Service.start(t, { env, redis }), Service.start(t, { env, redis })]);
const [first, second] = servers;
await first.createAccount('acme', 'twice');
const { key } = await first.createKey({ account: 'acme' });
const document = docx();

interface Maintenance {
  readonly maintenance: boolean;
  readonly since: string | null;
}

const turn = (state: 'on' | 'off') => first.cli<Maintenance>('maintenance', state);

t.test('on: no service converts, and each says so at once', async (t) => {
  // It was admitted before, and is finished.
  const contentLength = filePartHead.length + document.length + formEnd.length;
  const request = openUpload(second, '/v1/convert', { key, contentLength });
  const admitted = answerTo(request);
  request.write(filePartHead);
  await until('it is admitted', async () => (await second.jobs()).length === 1);

  const { maintenance, since } = await turn('on');
  t.equal(maintenance, true);
  t.equal((await convert(first, key, document)).headers.get('retry-after'), '60');
  t.ok(Math.abs(Date.now() - Date.parse(String(since))) < 60_000);
  t.match(await turn('on'), { maintenance, since }, 'and stays on');

  for (const service of servers) {
    for (const who of [key, undefined]) {
      const { message } = isError(t, await convert(service, who, document), 'SERVICE_UNAVAILABLE');
      t.match(message, 'under maintenance');
    }
    for (const path of ['/health', '/health/ready']) {
      const { message } = isError(t, await get(service, path), 'SERVICE_UNAVAILABLE', 503, path);
      t.match(message, 'under maintenance');
    }
    t.equal((await get(service, '/health/live')).status, 200);
    t.equal((await get(service, '/v1')).status, 200);
    const usage = await send(service, '/v1/usage', { method: 'GET', key });
    t.equal(usage.status, 200, 'what is no conversion works');
    isError(t, await send(service, '/v1/convert'), 'MISSING_AUTH');
    const broken = { key, headers: { 'content-type': 'application/json' }, body: '{' };
    isError(
      t,
      await send(service, '/v1/convert', broken),
      'SERVICE_UNAVAILABLE',
      503,
      'a body that is no form',
    );
  }

  request.write(document);
  request.end(formEnd);
  isDelivered(t, await admitted);
});

t.test('a reason and an expected end are told', async (t) => {
  const until = new Date(Date.now() + 600_000).toISOString();
  await first.perform(setMaintenance, { body: { on: true, reason: 'The database moves.', until } });
  const answer = await convert(second, undefined, document);
  const { message } = isError(t, answer, 'SERVICE_UNAVAILABLE');
  t.match(message, `under maintenance: The database moves. It is expected to end at ${until}. Wait for`);
  const seconds = Number(answer.headers.get('retry-after'));
  t.ok(seconds > 500 && seconds <= 600);
  for (const notice of [
    { reason: ' ' },
    { reason: 'x'.repeat(201) },
    { until: '2020-01-01T00:00:00.000Z' },
  ]) {
    await t.rejects(first.perform(setMaintenance, { body: { on: true, ...notice } }), {
      name: 'OperatorError',
    });
  }
});

t.test('off: all convert, and refused requests cost nothing', async (t) => {
  t.match(await turn('off'), { maintenance: false, since: null });
  for (const service of servers) {
    t.equal((await get(service, '/health')).status, 200);
    isDelivered(t, await convert(service, undefined, document));
  }
  // The second of two: nothing else was reserved or billed.
  isDelivered(t, await convert(first, key, document));
  isError(t, await convert(second, key, document), 'QUOTA_EXCEEDED');
  const month = new Date().toISOString().slice(0, 7);
  t.equal((await second.cli<unknown[]>('usage', 'export', '--month', month)).length, 2);
});
