/** A server under load, on a Redis that Sentinels look after, whose master is killed. Other ways: redis-sentinel.soak.ts. */
import t from 'tap';
import { startRedisSentinel } from '../e2e/support/redis-sentinel.ts';
import { FailoverTrial } from './support/failover.ts';
import { sentinelFailovers } from './support/sentinel-failovers.ts';

const redis = await startRedisSentinel(t);
const trial = await FailoverTrial.start(t, redis);

t.test('the master is killed before its replicas have all', async (t) =>
  trial.survive(t, await sentinelFailovers.lag(redis)),
);

t.test('the server ends cleanly, and each PDF is billed', (t) => trial.end(t));
