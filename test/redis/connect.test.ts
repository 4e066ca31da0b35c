import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { connectRedis, type RedisClient } from '../../src/redis/connect.ts';
import { until } from '../support/until.ts';
import { log, nextEvent, recordingLog, startRedis, temporaryFolder } from './support.ts';

t.test('a Redis that goes away is logged once and used again when it is back', async (t) => {
  const { server } = await startRedis(t);
  const { log, messages } = recordingLog();
  const { client, close } = await connectRedis({ target: server.socketPath, log });
  t.teardown(close);
  await client.set('kept', 'yes');
  for (const outage of [1, 2]) {
    const away = nextEvent(client, 'reconnecting');
    const back = nextEvent(client, 'ready');
    process.kill(await processId(client), 'SIGKILL');
    await away;
    await t.rejects(client.get('kept'), Error, `a command fails in outage ${outage}`);
    await back;
    t.equal(await client.get('kept'), 'yes');
  }
  t.same(messages, ['Redis is away', 'Redis is back', 'Redis is away', 'Redis is back']);
});

/** The redis-server behind the client, which may be back before its owner has noticed. */
async function processId(client: RedisClient): Promise<number> {
  return Number(/process_id:(\d+)/.exec(await client.info('server'))?.[1]);
}

t.test('a Redis that hangs fails commands, and its connection is replaced', async (t) => {
  const { server, client } = await startRedis(t);
  const { pid } = server;
  t.teardown(() => process.kill(pid, 'SIGCONT'));
  const replaced = nextEvent(client, 'reconnecting');
  process.kill(pid, 'SIGSTOP');
  await t.rejects(client.get('x'), { message: 'Command timed out' });
  await replaced;
  await t.rejects(client.get('x'), Error, 'without a connection as well');
  const back = nextEvent(client, 'ready');
  process.kill(pid, 'SIGCONT');
  await back;
  t.equal(await client.get('x'), null);
});

t.test('a Redis that has become a replica is left: its address may lead to another', async (t) => {
  const { client } = await startRedis(t);
  await client.replicaof('127.0.0.1', 1);
  const refusals = {
    'a command': () => client.set('x', 1),
    'a script': () => client.eval("return redis.call('SET', KEYS[1], 1)", 1, 'x'),
    'a script, in the words of Redis 6': () =>
      client.eval("return redis.error_reply('ERR Error running script: @user_script: 1: -READONLY You')", 0),
  };
  for (const [name, refused] of Object.entries(refusals)) {
    const left = nextEvent(client, 'reconnecting');
    const back = nextEvent(client, 'ready');
    await t.rejects(refused(), { message: /READONLY/ }, name);
    await left;
    await back;
  }
});

t.test('commands in flight when Redis dies fail, and do not run later', async (t) => {
  const { server, client } = await startRedis(t);
  await client.set('count', 0);
  process.kill(server.pid, 'SIGSTOP');
  const back = nextEvent(client, 'ready');
  const inFlight = client.incr('count');
  process.kill(server.pid, 'SIGKILL');
  await t.rejects(inFlight);
  await back;
  t.equal(await client.get('count'), '0');
});

t.test('a Redis that cannot be reached ends the wait with its reason and no password', async (t) => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  t.teardown(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const { log, messages } = recordingLog();
  const missing = join(await temporaryFolder(t), 'redis.sock');
  const fail = (target: string) =>
    connectRedis({ target, log }).then(
      ({ close }) => close(),
      (error) => error,
    );

  const [hung, absent] = await Promise.all([fail(`redis://user:secret@127.0.0.1:${port}`), fail(missing)]);
  t.match(hung, { name: 'OperatorError', message: `redis://127.0.0.1:${port} cannot be reached` });
  t.match(absent, { name: 'OperatorError', message: /cannot be reached: .*ENOENT/ });
  t.notMatch(`${hung.message} ${messages.join()}`, /secret/);
});

t.test('a URL that is none is refused at once, without its password', async (t) => {
  for (const place of ['host:99999', 'host/main', 'host/1/2']) {
    const target = `redis://user:secret@${place}`;
    const error = await connectRedis({ target, log }).catch((error) => error);
    t.match(error, { name: 'OperatorError', message: /REDIS_URL is not a valid URL/ });
    t.notMatch(error.message, /secret/);
  }
});

t.test('a database that Redis does not have is refused', async (t) => {
  const { server, client } = await startRedis(t);
  const { close } = await connectRedis({ target: `${server.socketPath}?db=15`, log });
  t.teardown(close);
  await t.rejects(connectRedis({ target: `${server.socketPath}?db=16`, log }), {
    name: 'OperatorError',
    message: /has no database 16: ERR DB index is out of range/,
  });
  await until('its connection is closed', async () =>
    /connected_clients:2\r/.test(await client.info('clients')),
  );
});
