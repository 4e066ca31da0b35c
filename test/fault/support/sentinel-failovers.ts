/** The ways in which a Redis that Sentinels look after gets another master. */
import type { TestSentinels } from '../../e2e/support/redis-sentinel.ts';
import type { Failover } from './failover.ts';

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
  const master = await redis.master();
  return {
    name: 'the master is replaced on purpose',
    begin: async () => {
      // Writes during the failover would be lost.
      await redis.pause(master);
      await redis.failOver();
    },
    over: () => redis.switched(),
    mend: async () => {},
  };
};

export const sentinelFailovers = { kill: prepareKill, hang: prepareHang, command: prepareCommand };
