import { Redis } from 'ioredis';
import t from 'tap';
import { WriteCheck } from '../../src/redis/writable.ts';
import { until } from '../support/until.ts';
import { nextEvent, startRedis } from './support.ts';

/** Resolves when the check finds what it is asked for; an answer may be half a second old. */
async function finds(check: WriteCheck, writable: boolean): Promise<void> {
  await until(`Redis is ${writable ? '' : 'not '}writable`, () =>
    check.assertWritable().then(
      () => writable,
      () => !writable,
    ),
  );
}

t.test('a Redis that takes writes', async (t) => {
  const { client } = await startRedis(t);
  await new WriteCheck(client).assertWritable();
  const [name = ''] = await client.keys('*');
  t.ok((await client.pttl(name)) > 0, 'what it wrote goes by itself');
});

t.test('a Redis that is full, and has room again', async (t) => {
  const { client } = await startRedis(t);
  const check = new WriteCheck(client);
  await client.config('SET', 'maxmemory', '1');
  await t.rejects(check.assertWritable(), /OOM/);
  t.equal(await client.ping(), 'PONG', 'although it answers');
  await client.config('SET', 'maxmemory', '0');
  await finds(check, true);
});

t.test('a Redis that became a replica is left for the one behind its address now', async (t) => {
  const { server, client } = await startRedis(t);
  const operator = new Redis(server.socketPath);
  t.teardown(() => operator.disconnect());
  const check = new WriteCheck(client);
  await check.assertWritable();
  await operator.replicaof('127.0.0.1', 1);
  const away = nextEvent(client, 'reconnecting');
  await finds(check, false);
  await away;
  await operator.replicaof('NO', 'ONE');
  await finds(check, true);
});

t.test('a Redis that hangs or is away', async (t) => {
  const { server, client } = await startRedis(t);
  const check = new WriteCheck(client);
  const { pid } = server;
  process.kill(pid, 'SIGSTOP');
  await t.rejects(check.assertWritable(), Error);
  const away = nextEvent(client, 'reconnecting');
  const back = nextEvent(client, 'ready');
  process.kill(pid, 'SIGKILL');
  await away;
  await t.rejects(new WriteCheck(client).assertWritable(), Error);
  await back;
  await finds(check, true);
});

t.test('however many ask at once, Redis is asked once', async (t) => {
  const { client } = await startRedis(t);
  const check = new WriteCheck(client);
  await client.config('RESETSTAT');
  await Promise.all(Array.from({ length: 20 }, () => check.assertWritable()));
  t.match(await client.info('commandstats'), /cmdstat_set:calls=1,/);
});
