/** Requests that got no answer from a Redis that hung: what it reserves for them when it wakes up is given back. */
import t from 'tap';
import { limitKeys } from '../../../src/accounts/billing/redis-keys.ts';
import { redisWaits } from '../../../src/redis/connect.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { convert } from '../../e2e/support/requests.ts';
import { patientClient, startRedis } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Requests at a time. */
const CLIENTS = 10;

t.test('no unit of the quota stays reserved for requests that got 503', async (t) => {
  const { server } = await startRedis(t);
  t.teardown(() => process.kill(server.pid, 'SIGCONT'));
  const redis = patientClient(t, server);
  const service = await Service.start(t, { redis: server.socketPath, waits: redisWaits });
  const { key, account } = await service.createKey();
  const requestsToday = async () => Number(await redis.hget(limitKeys.accountWindows(account), 'day:count'));
  // From now on Redis knows the scripts, and finds one that it was sent by name.
  t.equal((await convert(service, key, docx())).status, 200);
  await until('nothing is reserved', async () => {
    return (await redis.zcard(limitKeys.reservations(account, 'live'))) === 0;
  });
  const before = await requestsToday();

  process.kill(server.pid, 'SIGSTOP');
  let isAway = false;
  void service.logged('Redis is away').then(() => (isAway = true));
  const document = docx();
  let failed = 0;
  const ask = async () => {
    while (!isAway) {
      isError(t, await convert(service, key, document), 'SERVICE_UNAVAILABLE');
      failed++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  process.kill(server.pid, 'SIGCONT');
  await until('Redis admits some of them, and has what they reserved again', async () => {
    const isReserved = (await redis.zcard(limitKeys.reservations(account, 'live'))) > 0;
    return (await requestsToday()) > before && !isReserved;
  });
  t.comment(`${failed} requests failed, ${(await requestsToday()) - before} were admitted late`);
  const month = new Date().toISOString().slice(0, 7);
  t.match(await redis.hgetall(limitKeys.months(account, 'live')), {
    [`used:${month}`]: '1',
    [`reserved:${month}`]: '0',
  });
  t.equal(service.services.billing.counts.expiring, 0);
});
