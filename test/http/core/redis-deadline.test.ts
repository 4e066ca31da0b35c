import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { deadlineFromNow, orUnavailable } from '../../../src/http/core/redis-deadline.ts';
import { redisWaits } from '../../../src/redis/connect.ts';
import { send } from '../../e2e/support/requests.ts';
import { startRedis } from '../../redis/support.ts';
import { Service } from '../../support/service.ts';

const within = (ms: number) => deadlineFromNow(ms);

/** Blocks this process, as if the machine gave it no time. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

t.test('what Redis does not answer by then is unavailable', async (t) => {
  const { server, client } = await startRedis(t);
  t.teardown(() => process.kill(server.pid, 'SIGCONT'));
  process.kill(server.pid, 'SIGSTOP');
  const answer = client.get('x');
  await t.rejects(orUnavailable(answer, within(50)), { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  await t.rejects(orUnavailable(answer, within(-1)), { code: 'SERVICE_UNAVAILABLE' });
  await t.rejects(answer);
});

t.test('what it answered while this process stood still is taken', async (t) => {
  const { client } = await startRedis(t);
  const answer = orUnavailable(client.set('x', 'y'), within(200));
  standStill(600);
  t.equal(await answer, 'OK');
});

t.test('a late event loop is no outage, however often it is late', async (t) => {
  const { client } = await startRedis(t);
  const deadline = within(redisWaits.requestMs);
  for (const value of ['x', 'y']) {
    const answer = orUnavailable(client.set('x', value), deadline);
    standStill(redisWaits.commandMs + 100);
    t.equal(await answer, 'OK');
  }
});

t.test('what a request waits for counts together', async (t) => {
  const deadline = within(100);
  const wait = async () => {
    for (let asked = 0; asked < 1_000; asked++) await orUnavailable(delay(10), deadline);
  };
  await t.rejects(wait(), { code: 'SERVICE_UNAVAILABLE' });
});

t.test('a service whose requests wait longer has the answer of a Redis that paused', async (t) => {
  const { server, client } = await startRedis(t);
  const waits = { requestMs: 60_000, commandMs: 60_000, silenceMs: 60_000 };
  const service = await Service.start(t, { redis: server.socketPath, waits });
  const { key } = await service.createKey();
  await client.client('PAUSE', redisWaits.silenceMs + 100, 'ALL');
  t.equal((await send(service, '/v1/usage', { method: 'GET', key })).status, 200);
});
