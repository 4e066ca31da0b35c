/**
 * node --import=tsx bench/replication.ts: how many settlements that Redis confirmed its next master lacks, as replication is
 * asynchronous. As many servers as SERVERS (10) settle PER_SECOND (200) conversions a second. Ends the master FAILOVERS (10) times in
 * each way, and compares the ledger of the replica that takes over with what was confirmed. Servers settle again what is lost: see
 * src/billing/checked-settlement.ts.
 */
import { createServer, type Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { limitKeys } from '../src/billing/redis-keys.ts';
import { Settlement } from '../src/billing/settlement.ts';
import { connectRedis, type RedisConnection } from '../src/redis/connect.ts';
import { reservePorts } from '../test/e2e/support/ports.ts';
import { type RedisNode, RedisNodes } from '../test/e2e/support/redis-nodes.ts';
import { startRedisSentinel } from '../test/e2e/support/redis-sentinel.ts';
import { until } from '../test/support/until.ts';

const PER_SECOND = Number(process.env.PER_SECOND ?? 200);
const SERVERS = Number(process.env.SERVERS ?? 10);
const FAILOVERS = Number(process.env.FAILOVERS ?? 10);
const TICK_MS = 5;
/** Time of load before the end, partly random, so that it comes at any moment between two commands. */
const [LEAST_LOAD_MS, MORE_LOAD_MS] = [300, 200];
/** How long a master continues after it is cut off from its replica. */
const CUT_OFF_MS = 5_000;
/** From the end of a master to that of the test, or until its replica takes over: Sentinels need that long to notice it. */
const NOTICE_MS = 1_000;

const log = pino({ level: 'fatal' });
const at = Date.now();
const month = new Date(at).toISOString().slice(0, 7);
const figures = { pages: 1, bytesIn: 10_000, bytesOut: 20_000, durationMs: 50 };
const account = 'bench';

/** What a failover lost. */
interface Loss {
  readonly confirmed: number;
  readonly lost: number;
}

/** Settlements at a steady pace, on a connection for each server, as the service's. */
class Load {
  /** Ids of those that were confirmed. */
  readonly #confirmed = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  readonly #close: () => void;
  #sent = 0;

  private constructor(servers: readonly RedisConnection[]) {
    const settlements = servers.map(({ client }) => new Settlement(client));
    const begun = performance.now();
    this.#close = () => {
      for (const { close } of servers) close();
    };
    this.#timer = setInterval(() => {
      while (this.#sent < ((performance.now() - begun) / 1_000) * PER_SECOND) {
        const requestId = `req_${Math.random()}_${this.#sent++}`;
        const key = { account, id: 'key_bench', environment: 'live' } as const;
        settlements[this.#sent % SERVERS]?.settle({ requestId, key, at }, figures).then(
          () => this.#confirmed.add(requestId),
          () => {},
        );
      }
    }, TICK_MS);
  }

  static async start(target: string): Promise<Load> {
    return new Load(await Promise.all(Array.from({ length: SERVERS }, () => connectRedis({ target, log }))));
  }

  /** Compares what was confirmed with the ledger of the next master. */
  async loss(next: Redis): Promise<Loss> {
    this.stop();
    const rows = await next.xrange(limitKeys.ledger(account, month), '-', '+');
    const ids = new Set(rows.map(([, fields]) => fields[fields.indexOf('requestId') + 1]));
    const lost = [...this.#confirmed].filter((id) => !ids.has(id));
    return { confirmed: this.#confirmed.size, lost: lost.length };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#close();
  }
}

/** Open resources of a failover, to be closed at the end. */
class Cleanup {
  readonly #steps: (() => unknown)[] = [];
  teardown(step: () => unknown): void {
    this.#steps.unshift(step);
  }
  async run(): Promise<void> {
    for (const step of this.#steps) await step();
  }
}

/** A link with a delay, until it is cut: then nothing arrives any more, as after the loss of a machine. */
async function openLink(
  cleanup: Cleanup,
  target: number,
  delayMs: number,
): Promise<{ port: number; cut(): void }> {
  let isCut = false;
  const sockets: Socket[] = [];
  const [port = 0] = await reservePorts(cleanup, 1);
  const server: Server = createServer((near) => {
    const far = new Socket().connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.push(from.setNoDelay());
      from.on('data', (chunk) => {
        const pass = () => !isCut && to.write(chunk);
        if (delayMs === 0) pass();
        else setTimeout(pass, delayMs);
      });
      from.on('error', () => {}).on('close', () => !isCut && to.destroy());
    }
  }).listen(port, '127.0.0.1');
  cleanup.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port,
    cut() {
      isCut = true;
    },
  };
}

interface Pair {
  /** Of a link between master and replica, one way, in milliseconds; undefined: they share a machine. */
  readonly linkMs?: number;
  /** Whether the link is cut long before the master ends. */
  readonly isCutOff?: boolean;
  readonly settings?: readonly string[];
}

/** A master ends, and its replica takes over. */
async function losePair({ linkMs, isCutOff = false, settings = [] }: Pair): Promise<Loss> {
  const cleanup = new Cleanup();
  try {
    const nodes = await RedisNodes.open(cleanup);
    const [masterPort = 0, replicaPort = 0] = await reservePorts(cleanup, 2);
    const start = (port: number): Promise<RedisNode> =>
      nodes.start(port, ['--appendonly', 'yes', '--repl-diskless-sync-delay', '0', ...settings]);
    const master = await start(masterPort);
    await start(replicaPort);
    const link = linkMs === undefined ? undefined : await openLink(cleanup, masterPort, linkMs);
    const replica = new Redis(replicaPort);
    cleanup.teardown(() => replica.disconnect());
    await replica.replicaof('127.0.0.1', link?.port ?? masterPort);
    const observer = new Redis(masterPort, { retryStrategy: () => null });
    cleanup.teardown(() => observer.disconnect());
    // After the initial synchronisation, a master sends nothing for a moment, and may still refuse writes for lack of a replica.
    await until('it replicates', async () => {
      await observer.set('sent', 1).catch(() => {});
      return (await replica.get('sent')) !== null;
    });
    const load = await Load.start(`redis://127.0.0.1:${masterPort}`);
    await delay(LEAST_LOAD_MS + Math.random() * MORE_LOAD_MS);
    link?.cut();
    if (isCutOff) await delay(CUT_OFF_MS);
    await master.signal('SIGKILL');
    await delay(NOTICE_MS);
    await replica.replicaof('NO', 'ONE');
    return await load.loss(replica);
  } finally {
    await cleanup.run();
  }
}

/** Sentinels replace a master that lives. */
async function failOver(pauseMs: number): Promise<Loss> {
  const cleanup = new Cleanup();
  try {
    const redis = await startRedisSentinel(cleanup);
    const load = await Load.start(redis.url);
    await delay(LEAST_LOAD_MS + Math.random() * MORE_LOAD_MS);
    const switched = redis.switched();
    if (pauseMs > 0) await redis.client(await redis.master()).client('PAUSE', pauseMs, 'WRITE');
    await redis.failOver();
    await switched;
    await delay(NOTICE_MS);
    return await load.loss(redis.client(await redis.master()));
  } finally {
    await cleanup.run();
  }
}

const ways: Readonly<Record<string, () => Promise<Loss>>> = {
  'the process is killed': () => losePair({}),
  'the machine is lost, 1 ms from the replica': () => losePair({ linkMs: 1 }),
  'the machine is lost, 10 ms from the replica': () => losePair({ linkMs: 10 }),
  [`the master is cut off for ${CUT_OFF_MS / 1_000} s`]: () => losePair({ linkMs: 1, isCutOff: true }),
  'the same, min-replicas-to-write 1, min-replicas-max-lag 2': () =>
    losePair({
      linkMs: 1,
      isCutOff: true,
      settings: ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '2'],
    }),
  'SENTINEL FAILOVER': () => failOver(0),
  'CLIENT PAUSE 5000 WRITE, SENTINEL FAILOVER': () => failOver(5_000),
};

console.log(`${PER_SECOND} settlements a second by ${SERVERS} servers, ${FAILOVERS} failovers each.\n`);
console.log('| failover | confirmed | lost | most in one | the same, as time |\n|---|---|---|---|---|');
const wanted = process.argv[2];
for (const [name, once] of Object.entries(ways)) {
  if (wanted !== undefined && !name.includes(wanted)) continue;
  const losses: Loss[] = [];
  for (let n = 0; n < FAILOVERS; n++) losses.push(await once());
  const sum = (value: (loss: Loss) => number) => losses.reduce((total, loss) => total + value(loss), 0);
  const most = Math.max(...losses.map(({ lost }) => lost));
  const cells = [name, sum(({ confirmed }) => confirmed), sum(({ lost }) => lost), most];
  console.log(`| ${[...cells, `${Math.round((most / PER_SECOND) * 1_000)} ms`].join(' | ')} |`);
}
