/** Redis behind Sentinels: its address, and connections that go where the master is. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { blockingClient, connectRedis, type RedisClient } from '../../src/redis/connect.ts';
import { readSentinelUrl } from '../../src/redis/sentinel.ts';
import { runAlone } from '../cli/support.ts';
import { reservePorts } from '../e2e/support/ports.ts';
import { type RedisNode, RedisNodes } from '../e2e/support/redis-nodes.ts';
import { startRedisSentinel } from '../e2e/support/redis-sentinel.ts';
import { until } from '../support/until.ts';
import { log, recordingLog } from './support.ts';

/** A way to a port of this machine that can be closed. */
class Relay {
  readonly #to: number;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((near) => {
    const far = connect(this.#to, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  port = 0;

  private constructor(to: number) {
    this.#to = to;
  }

  static async start(t: Test, to: number): Promise<Relay> {
    const relay = new Relay(to);
    await relay.open();
    t.teardown(() => relay.close());
    return relay;
  }

  async open(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

t.test('its address', async (t) => {
  t.strictSame(readSentinelUrl('redis+sentinel://one/main'), {
    sentinels: [{ host: 'one', port: 26_379 }],
    name: 'main',
    db: 0,
  });
  t.strictSame(
    readSentinelUrl(
      'rediss+sentinel://user:p%40ss:word@one:1,[::1]:2,10.0.0.3/my%2Fmain/7?sentinelUsername=u&sentinelPassword=a%2Bb',
    ),
    {
      sentinels: [
        { host: 'one', port: 1 },
        { host: '::1', port: 2 },
        { host: '10.0.0.3', port: 26_379 },
      ],
      name: 'my/main',
      db: 7,
      username: 'user',
      password: 'p@ss:word',
      sentinelUsername: 'u',
      sentinelPassword: 'a+b',
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    },
  );
  t.match(readSentinelUrl('redis+sentinel://:secret@one/main'), { username: undefined, password: 'secret' });
});

t.test('what is wrong with another form is said, without any part of it', async (t) => {
  const forms = {
    'names no Sentinel': ['/main', 'user:hunter2@/main'],
    'Sentinel 1 is not host:port or host': ['one:0/main', 'one:65536/main', 'one:hunter2/main'],
    'Sentinel 2 is not host:port or host': ['one,,two/main'],
    'lacks the name of the master': ['one:1', 'one:1/', 'one//1'],
    'the database, after the name of the master, is not a number': ['one/main/zero', 'one/main/'],
    'something after the database': ['one/main/1/2'],
    'a parameter other than sentinelUsername and sentinelPassword, or a &': [
      'one/main?password=hunter2',
      'one/main?sentinelPassword=a&hunter2',
    ],
    'the same parameter twice': ['one/main?sentinelPassword=a&sentinelPassword=hunter2'],
    'has a # that is not percent-encoded': ['one/main#0', 'one/main?sentinelPassword=a#hunter2'],
    'one of @ / ? # that is not': [
      'user:hunter2/@one/main',
      'user:a/hunter2@one/main',
      'user:a?hunter2@one/main',
      'user:a#hunter2@one/main',
      'user:a@hunter2@one/main',
    ],
    'the name of the master has a %': ['one/%'],
    'the user has a %': ['a%:hunter2@one/main'],
    'the password has a %': [':hunter2%@one/main'],
  };
  for (const [mistake, places] of Object.entries(forms)) {
    for (const place of places) {
      const target = `redis+sentinel://${place}`;
      const error = await connectRedis({ target, log }).catch((error: Error) => error);
      t.match(error, { name: 'OperatorError', message: /^REDIS_URL is not valid: .*Use redis\+sentinel:/ });
      t.ok(String(error).includes(mistake), `${place}: ${error}`);
      t.notMatch(String(error), /hunter2/);
    }
  }
});

/** Redis behind Sentinels. `target` names three of them: one that is gone, one that a test may stop, and one that answers. */
async function withSentinels(t: Test) {
  const redis = await startRedisSentinel(t);
  const [gone = 0] = await reservePorts(t, 1);
  const [well, hung] = redis.sentinels as [RedisNode, RedisNode];
  const target = redis.url.replace(
    /@[^/]+/,
    `@127.0.0.1:${gone},127.0.0.1:${hung.port},127.0.0.1:${well.port}`,
  );
  return { redis, gone, well, hung, target };
}

const portOf = async (client: RedisClient) =>
  Number(/tcp_port:(\d+)/.exec(await (client as Redis).info('server'))?.[1]);
/** Whether it is connected to the Redis at this port. */
const isAt = async (client: RedisClient, port: number) => (await portOf(client).catch(() => 0)) === port;

/** What ioredis prints itself. */
const printed: unknown[] = [];
t.intercept(console, 'error', { value: (...args: unknown[]) => printed.push(args) });

// Most of their time these tests wait, for a failover or a time limit.
t.jobs = 4;

t.test('a Sentinel that is gone and one that hangs are passed over', { buffered: true }, async (t) => {
  const { redis, hung, target } = await withSentinels(t);
  await hung.signal('SIGSTOP');
  const { client, close } = await connectRedis({ target, log });
  t.teardown(close);
  t.equal(await portOf(client), (await redis.master()).port);
  await hung.signal('SIGCONT');
});

t.test('connections move while the former master still takes writes', { buffered: true }, async (t) => {
  const { redis, target } = await withSentinels(t);
  const { log, messages } = recordingLog();
  const masters: unknown[] = [];
  const info = (fields: object, message?: string) => {
    if ('master' in fields) masters.push(fields.master);
    log.info(fields, message);
  };
  const { client, close } = await connectRedis({ target, log: { ...log, info } });
  t.teardown(close);
  const blocking = await blockingClient(client);
  t.teardown(() => blocking.disconnect());
  const former = await redis.master();
  // It ends with the connection.
  const waits = (blocking as Redis).bzpopmin('platen:nothing', 0).catch((error: Error) => error);
  const switched = redis.switched();
  await redis.failOver();
  await switched;
  const { port } = await redis.master();
  t.not(port, former.port);
  for (const each of [client, blocking]) await until('it moves', () => isAt(each, port));
  t.match(await redis.client(former).info('replication'), /role:master/);
  t.type(await waits, Error);
  t.equal(await client.set('platen:written', '1'), 'OK');
  t.ok(messages.includes('Redis is away') && messages.at(-1) === 'Redis is back');
  t.strictSame(
    [masters[0], masters.at(-1)],
    [former, { port }].map((master) => `127.0.0.1:${master.port}`),
  );
});

t.test(
  'connections move when they hear of a Sentinel again, and come back when one answers',
  { buffered: true },
  async (t) => {
    const { redis, well } = await withSentinels(t);
    // The others, of which ioredis hears from the first one, say nothing.
    for (const other of redis.sentinels.slice(1)) await other.signal('SIGSTOP');
    const relay = await Relay.start(t, well.port);
    const only = redis.url.replace(/@[^/]+/, `@127.0.0.1:${relay.port}`);
    const { client, close } = await connectRedis({ target: only, log });
    t.teardown(close);
    const former = await redis.master();
    relay.close();
    const switched = redis.switched();
    await redis.failOver();
    await switched;
    const { port } = await redis.master();
    t.equal(await portOf(client), former.port, 'nobody has told it');
    await relay.open();
    await until('it moves', () => isAt(client, port));
    t.match(await redis.client(former).info('replication'), /role:master/);

    relay.close();
    const unanswered = once(client, 'sentinelError');
    (client as Redis).disconnect(true);
    await unanswered;
    await once(client, 'sentinelError');
    t.equal(client.status, 'connecting');
    await relay.open();
    await until('it is back', () => isAt(client, port));
    for (const other of redis.sentinels.slice(1)) await other.signal('SIGCONT');
  },
);

t.test('connections that look for the master during a failover come back', { buffered: true }, async (t) => {
  const { redis, hung, target } = await withSentinels(t);
  // They wait half a second for the one that hangs, each time that it is named.
  await hung.signal('SIGSTOP');
  const targets = [1, 2, 3, 4, 5, 6].map((times) =>
    target.replace('@', `@${`127.0.0.1:${hung.port},`.repeat(times)}`),
  );
  const connections = await Promise.all(targets.map((target) => connectRedis({ target, log })));
  for (const { close } of connections) t.teardown(close);
  const master = await redis.master();
  const switched = redis.switched();
  await master.signal('SIGKILL');
  await switched;
  for (const { client } of connections) {
    // On a busy machine another one may follow.
    await until('it is back', async () => isAt(client, (await redis.master()).port));
  }
  await hung.signal('SIGCONT');
  await master.restart();
});

t.test('errors say who refuses, without a password', { buffered: true }, async (t) => {
  const { redis, gone } = await withSentinels(t);
  const [sentinel] = redis.sentinels;
  const at = `127.0.0.1:${sentinel?.port}`;
  const one = redis.url.replace(/@[^/]+/, `@${at}`);
  const master = await redis.master();
  const mistakes = {
    [`the Sentinel at ${at} does not know a master named other`]: one.replace('/platen?', '/other?'),
    [`the Sentinel at ${at} refuses the user or the password, sentinelUsername and sentinelPassword in REDIS_URL`]: `${one}wrong`,
    [`the Sentinel at ${at} requires a password: set sentinelUsername and`]: one.replace(/\?.*/, ''),
    'Redis refuses the user or the password, user:password@ in REDIS_URL': one.replace('@', 'wrong@'),
    'Redis requires a password: set user:password@ in REDIS_URL': one.replace(/[^/]+@/, ''),
    [`the Sentinel at 127.0.0.1:${gone} cannot be reached`]: one.replace(at, `127.0.0.1:${gone}`),
    [`127.0.0.1:${master.port} is not a Sentinel`]: redis.url
      .replace(/.*@[^/]+/, `redis+sentinel://127.0.0.1:${master.port}`)
      .replace(/sentinelPassword=.*/, 'sentinelPassword=platen%3Asecret%40%2F'),
    [`redis://${at} is a Sentinel: name it in REDIS_URL as redis+sentinel://`]: `redis://:sentinel%2Bsecret@${at}`,
  };
  const failures = Object.entries(mistakes).map(async ([reason, target]) => {
    const error = await connectRedis({ target, log }).catch((error: Error) => error);
    t.match(error, { name: 'OperatorError' });
    t.ok(String(error).includes(reason), `${error}`);
    t.notMatch(String(error), /secret/);
  });
  await Promise.all(failures);
});

t.test('Sentinel and Redis with TLS, from a command', async (t) => {
  const nodes = await RedisNodes.open(t);
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => join(nodes.folder, name)) as [
    string,
    string,
  ];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ]);
  const [port, sentinelPort] = (await reservePorts(t, 2)) as [number, number];
  const settings = (tlsPort: number): Readonly<Record<string, string>> => ({
    port: '0',
    'tls-port': String(tlsPort),
    'tls-cert-file': certificate,
    'tls-key-file': key,
    'tls-ca-cert-file': certificate,
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
    bind: '127.0.0.1',
    dir: nodes.folder,
  });
  await nodes.run(
    port,
    Object.entries(settings(port)).flatMap(([name, value]) => [`--${name}`, value]),
  );
  const file = join(nodes.folder, 'sentinel.conf');
  const lines = Object.entries(settings(sentinelPort)).map(([name, value]) => `${name} ${value}`);
  await writeFile(file, [...lines, `sentinel monitor main 127.0.0.1 ${port} 1`, ''].join('\n'));
  await nodes.run(sentinelPort, [file, '--sentinel']);
  const env = {
    REDIS_URL: `rediss+sentinel://127.0.0.1:${sentinelPort}/main/3`,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  t.match(await runAlone(env, 'accounts', 'create', '--id', 'acme', '--name', 'Acme', '--plan', 'pro'), {
    code: 0,
  });
  const client = new Redis({ port, host: '127.0.0.1', db: 3, tls: { rejectUnauthorized: false } });
  t.teardown(() => client.disconnect());
  t.ok((await client.keys('*acme*')).length > 0, 'in the database that it names');
});

t.test('ioredis itself prints nothing', async (t) => t.strictSame(printed, []));
