/** The ways in which a Redis that Sentinels look after gets another master. */
import type { TestSentinels } from '../../e2e/support/redis-sentinel.ts';
import type { Failover } from './failover.ts';

/** As long as the configuration of the Sentinels allows a failover to take. */
const PAUSE_MS = 5_000;

type Prepare = (redis: TestSentinels) => Promise<Failover>;

const prepareKill: Prepare = async (redis) => {
  const master = await redis.master();
  return {
    name: 'the master is killed',
    begin: () => master.signal('SIGKILL'),
    over: () => redis.switched(),
    mend: () => master.restart(),
  };
};

const prepareHang: Prepare = async (redis) => {
  const master = await redis.master();
  return {
    name: 'the master hangs',
    begin: () => master.signal('SIGSTOP'),
    over: () => redis.switched(),
    mend: () => master.signal('SIGCONT'),
  };
};

const prepareCommand: Prepare = async (redis) => {
  const client = redis.client(await redis.master());
  return {
    name: 'the master is replaced on purpose',
    // As docs/operators.md says: what it took meanwhile would be lost.
    begin: async () => {
      await client.client('PAUSE', PAUSE_MS, 'WRITE');
      await redis.failOver();
    },
    over: () => redis.switched(),
    mend: async () => {},
  };
};

export const sentinelFailovers = { kill: prepareKill, hang: prepareHang, command: prepareCommand };
