/** A server under load, on a Redis that Sentinels look after, whose master is killed. Other ways: redis-sentinel.soak.ts. */
import t from 'tap';
import { startRedisSentinel } from '../e2e/support/redis-sentinel.ts';
import { FailoverTrial } from './support/failover.ts';
import { sentinelFailovers } from './support/sentinel-failovers.ts';

const redis = await startRedisSentinel(t);
const trial = await FailoverTrial.start(t, redis);

t.test('the master is killed before its replicas have all', async (t) => {
  const failover = await sentinelFailovers.lag(redis);
  // It stays away: on a busy machine, the Sentinels may make it master again before it has what its successor has.
  await trial.survive(t, { ...failover, mend: async () => {} });
});

t.test('the server ends cleanly, and each PDF is billed', (t) => trial.end(t));
