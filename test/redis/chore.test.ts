/** Work that one of several servers does. */
import t from 'tap';
import { Chore, type ChoreOptions } from '../../src/redis/chore.ts';
import { until } from '../support/until.ts';
import { log, startRedis } from './support.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());

function chore(run: ChoreOptions['run'], tryMs = 1): Chore {
  return new Chore({ redis: client, log, failed: 'later', mark: 'mark', everyMs: 600_000, tryMs, run });
}

t.test('of several servers one does it, and waits for it when it ends', async (t) => {
  const began: number[] = [];
  let isDone = false;
  const run = (server: number) => async (signal: AbortSignal) => {
    began.push(server);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    isDone = true;
  };
  const servers = [chore(run(0)), chore(run(1))];
  for (const server of servers) server.start();
  await until('one began', () => began.length > 0);
  await Promise.all(servers.map((server) => server.close()));
  t.equal(began.length, 1);
  t.ok(isDone);
  t.ok((await client.pttl('mark')) > 500_000, 'it is not due again');
});

t.test('what fails is done by whoever tries next', async (t) => {
  let tries = 0;
  const failing = chore(async () => {
    tries++;
    if (tries < 3) throw new Error('away');
  });
  failing.start();
  await until('it was tried again', () => tries === 3);
  await failing.close();
  t.equal(await client.exists('mark'), 1);
});

t.test('one that was not begun can be closed', async (t) => {
  const never = chore(async () => {
    t.fail('it ran');
  });
  await never.close();
});
