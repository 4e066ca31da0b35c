/**
 * A server under load, on a Redis Cluster whose masters are replaced by their replicas: the one with the data of the account and the
 * one with the queues of jobs are killed, hang, and are replaced on purpose.
 *
 * FAILOVERS says how often each happens.
 */
import t from 'tap';
import { startRedisCluster } from '../e2e/support/redis-cluster.ts';
import { until } from '../support/until.ts';
import { FailoverTrial } from './support/failover.ts';

const FAILOVERS = Number(process.env.FAILOVERS ?? 3);

const cluster = await startRedisCluster(t, { replicas: 1 });
const trial = await FailoverTrial.start(t, cluster);

const failovers = [
  { name: 'the master of the account is killed', key: `{${trial.account}}`, begin: 'SIGKILL' },
  { name: 'the master of the queues is killed', key: '{jobs}', begin: 'SIGKILL' },
  { name: 'the master of the account hangs', key: `{${trial.account}}`, begin: 'SIGSTOP' },
  { name: 'the master of the queues hangs', key: '{jobs}', begin: 'SIGSTOP' },
  { name: 'the master of the account is replaced on purpose', key: `{${trial.account}}`, begin: 'command' },
  { name: 'the master of the queues is replaced on purpose', key: '{jobs}', begin: 'command' },
] as const;

for (let n = 1; n <= FAILOVERS; n++) {
  for (const { name, key, begin } of failovers) {
    t.test(`${name} ${n}`, async (t) => {
      await cluster.restored();
      const master = await cluster.masterOf(key);
      await trial.survive(t, {
        name,
        begin: () => (begin === 'command' ? cluster.failOver(master) : master.signal(begin)),
        over: () => until('it is replaced', async () => (await cluster.masterOf(key, master)) !== master),
        mend: async () => {
          if (begin === 'SIGKILL') await master.restart();
          if (begin === 'SIGSTOP') await master.signal('SIGCONT');
        },
      });
    });
  }
}

t.test('the server ends cleanly, and each PDF is billed', (t) => trial.end(t));
