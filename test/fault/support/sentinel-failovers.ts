/** The ways in which a Redis that Sentinels look after gets another master. */
import type { TestSentinels } from '../../e2e/support/redis-sentinel.ts';
import { until } from '../../support/until.ts';
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

/** Documents whose bills only the master has. */
const LOST = 3;

const prepareLag: Prepare = async (redis) => {
  const master = await redis.master();
  const client = redis.client(master);
  const bills = async () => {
    const ledgers = await client.keys('platen:{*}:ledger:*');
    const lengths = await Promise.all(ledgers.map((ledger) => client.xlen(ledger)));
    return lengths.reduce((sum, length) => sum + length, 0);
  };
  return {
    name: 'the master is killed before its replicas have all',
    begin: async () => {
      await client.set('all:before', 'is:replicated');
      await client.wait(2, 5_000);
      const known = await bills();
      await client.acl('SETUSER', 'replica', 'off');
      await client.call('CLIENT', 'KILL', 'TYPE', 'replica');
      await until('only the master has the last bills', async () => (await bills()) >= known + LOST);
      await master.signal('SIGKILL');
    },
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

export const sentinelFailovers = {
  kill: prepareKill,
  lag: prepareLag,
  hang: prepareHang,
  command: prepareCommand,
};
