/**
 * A server under load, on a Redis that Sentinels look after: the master is killed, hangs, and is replaced on purpose.
 *
 * FAILOVERS says how often each happens.
 */
import t from 'tap';
import { startRedisSentinel } from '../e2e/support/redis-sentinel.ts';
import { FailoverTrial } from './support/failover.ts';
import { sentinelFailovers } from './support/sentinel-failovers.ts';

const FAILOVERS = Number(process.env.FAILOVERS ?? 3);

const redis = await startRedisSentinel(t);
const trial = await FailoverTrial.start(t, redis);

for (let n = 1; n <= FAILOVERS; n++) {
  for (const [kind, prepare] of Object.entries(sentinelFailovers)) {
    t.test(`${kind} ${n}`, async (t) => {
      await redis.restored();
      await trial.survive(t, await prepare(redis));
    });
  }
}

t.test('the server ends cleanly, and each PDF is billed', (t) => trial.end(t));
