/**
 * npm run bench:scale: what many servers cost their one Redis and their HAProxy. Prints JSON, and takes about ten minutes.
 *
 * 1. Fleet: SERVERS (50) processes with an engine that only waits, as long as the documents of scale/documents.json took, behind
 *    docker/haproxy.cfg on one Redis; 1,000 accounts of ten keys. Costs of a start, of a server that idles, of its health checks, of
 *    a conversion (ROUNDS rounds, medians) and of a file of a job. Two cores carry a small part of the load of so many machines, and
 *    a Redis that waits for each command spends more on it: so the commands of conversions are also sent again, as fast as it can.
 * 2. Kept: bytes of a conversion that stay in Redis.
 * 3. Admissions: a Redis alone with 1,000 accounts of each number of KEYS (10,1000), if the memory is there. KEYS=10000 has to be
 *    asked for: the ten million keys take 11 GB, and making them up to twenty minutes where a first touch of memory is slow.
 * 4. Cluster: a few servers on three nodes, and how the work spreads.
 * 5. Model: what follows for ten and for fifty machines.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { hashKey } from '../src/accounts/keys/format.ts';
import { redisKeys } from '../src/accounts/keys/redis-keys.ts';
import { reservePorts } from '../test/e2e/support/ports.ts';
import { startRedis } from '../test/e2e/support/redis.ts';
import { startRedisCluster } from '../test/e2e/support/redis-cluster.ts';
import { until } from '../test/support/until.ts';
import { onePage } from './documents.ts';
import { runClients } from './parallel.ts';
import { kibibytes, useOf } from './processes.ts';
import { type ClientKey, makeAccounts } from './scale/accounts.ts';
import { measureAdmissions } from './scale/admissions.ts';
import { type Fleet, type Scope, startFleet, startFleetBalancer } from './scale/fleet.ts';
import { measureKept } from './scale/kept.ts';
import { Clients, formOf } from './scale/load.ts';
import { modelOf } from './scale/model.ts';
import {
  type Cost,
  costOf,
  kindOf,
  memoryByKind,
  type Reading,
  readRedis,
  recordCommands,
  without,
} from './scale/redis-use.ts';
import { measureReplay } from './scale/replay.ts';
import type { MeasuredDocument } from './scale/times.ts';
import type { WaitingEngineOptions } from './scale/waiting-engine.ts';
import { BenchService } from './service.ts';
import { median, round, summary } from './statistics.ts';

const SERVERS = Number(process.env.SERVERS ?? 50);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DOCUMENTS = Number(process.env.DOCUMENTS ?? 2_000);
const ACCOUNTS = 1_000;
const KEYS_EACH = 10;
const CLIENTS = 24;
const IDLE_MS = 20_000;
const JOBS = 10;
const FILES_A_JOB = 50;
/** Accounts whose conversions are recorded, and sent again. */
const RECORDED = 10;
const REPLAYED = 20_000;
const MANY_KEYS = (process.env.KEYS ?? '10,1000').split(',').map(Number);
/** Includes Redis' overhead; measured below. */
const BYTES_A_KEY = 1_500;
const CLUSTER_SERVERS = 5;
const CLUSTER_DOCUMENTS = 1_000;
const LONGEST_MS = 300_000;

const closers: (() => unknown)[] = [];
const scope: Scope = { teardown: (close) => void closers.unshift(close) };
try {
  const folder = await mkdtemp(join(tmpdir(), 'platen-scale-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const documents = JSON.parse(
    await readFile(new URL('scale/documents.json', import.meta.url), 'utf8'),
  ) as MeasuredDocument[];
  const engine = await makeEngine(folder, documents);
  const fleet = await measureFleet(folder, engine);
  // Printed at once, as later steps may fail.
  console.error(JSON.stringify({ fleet }));
  const admissions = [];
  for (const keysEach of MANY_KEYS) {
    const needed = ACCOUNTS * keysEach * BYTES_A_KEY;
    const free = 1024 * kibibytes(await readFile('/proc/meminfo', 'utf8'), 'MemAvailable');
    if (needed > free) console.error(`${keysEach} keys an account do not fit into memory, and are left out`);
    else admissions.push(await measureAdmissions(scope, { accounts: ACCOUNTS, keysEach }));
  }
  // In a folder of its own, as the first balancer still has its socket in the other.
  console.error(JSON.stringify({ admissions }));
  const cluster = await measureCluster(await mkdtemp(join(folder, 'cluster-')), engine);
  const measured = { fleet, admissions, cluster, documents: figuresOf(documents) };
  const machine = { cores: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
  console.log(JSON.stringify({ machine, ...measured, model: modelOf(measured) }, null, 2));
} finally {
  for (const close of closers) await close();
}

/** The waits, and the PDF that the real engine makes of the document that all clients send. */
async function makeEngine(
  folder: string,
  documents: readonly MeasuredDocument[],
): Promise<WaitingEngineOptions> {
  const service = await BenchService.start();
  try {
    const { pdf: content } = await service.pdf(onePage().content);
    const pdf = join(folder, 'document.pdf');
    await writeFile(pdf, content);
    return { pdf, pages: 1, times: documents.map(({ engineMs }) => engineMs) };
  } finally {
    await service.stop();
  }
}

function figuresOf(documents: readonly MeasuredDocument[]) {
  const of = (value: (document: MeasuredDocument) => number) => {
    const values = documents.map(value);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    return { median: round(median(values)), mean: round(mean) };
  };
  return {
    count: documents.length,
    engineMs: of(({ engineMs }) => engineMs),
    bytesIn: of(({ bytesIn }) => bytesIn),
    bytesOut: of(({ bytesOut }) => bytesOut),
  };
}

async function measureFleet(folder: string, engine: WaitingEngineOptions) {
  const [port = 0] = await reservePorts(scope, 1);
  // Over TCP, as from other machines.
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--maxmemory-policy', 'noeviction'];
  await startRedis(scope, settings);
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url);
  scope.teardown(() => redis.disconnect());
  const keys = await makeAccounts(redis, { accounts: ACCOUNTS, keysEach: KEYS_EACH });
  // Without the pass over all keys that one server makes every 30 days: it is not a cost of a start.
  await redis.set(redisKeys.retentionPass, '1');
  const empty = await readRedis(redis);
  const fleet = await startFleet(scope, {
    ...{ count: SERVERS, redis: url, folder, engine, objects: join(folder, 'objects') },
  });
  const started = await readRedis(redis);

  const idle = await costOfIdling(redis);
  const balancer = await startFleetBalancer(scope, folder, fleet);
  const clients = new Clients(balancer.socketPath);
  scope.teardown(() => clients.close());
  const form = formOf(onePage().content);
  const convert = () => clients.convert(form, any(keys).key);
  await untilAllServe(fleet, convert);
  const checked = await costOfIdling(redis);

  const rounds: (Cost & Load)[] = [];
  const before = await memoryByKind(redis);
  const first = await fleet.documents();
  for (let n = 0; n < ROUNDS; n++) {
    rounds.push(await costOfLoad(redis, fleet, { balancer: balancer.pid, idle: checked, convert }));
  }
  const share = (await fleet.documents()).map((each, index) => each - (first[index] ?? 0));
  const after = await memoryByKind(redis);
  // Keys of different accounts.
  const recorded = [];
  for (let n = 0; n < RECORDED; n++) {
    const { account, key } = keys[n * KEYS_EACH] as ClientKey;
    const commands = await commandsOf(redis, { account, key }, () => clients.convert(form, key));
    recorded.push({ account, commands });
  }
  const job = await costOfJobs(redis, keys, clients, checked);
  const result = {
    servers: SERVERS,
    connectionsAServer: round((started.connections - empty.connections) / SERVERS),
    residentMegabytesAServer: round((await residentBytes(fleet)) / SERVERS / 1_048_576),
    start: costOf(empty, started, SERVERS),
    idleSecondOfAServer: idle,
    /** With the checks of HAProxy, one a second. */
    checkedSecondOfAServer: checked,
    conversion: medians(rounds),
    rounds: rounds.map(({ perSecond, cpuMicroseconds }) => ({ perSecond, cpuMicroseconds })),
    refusals: clients.refusals,
    documentsOfAServer: { least: Math.min(...share), most: Math.max(...share) },
    commandsOfAConversion: recorded[0]?.commands.map(
      ([name = '', ...args]) => `${name.toLowerCase()} ${kindOf(args.find(isKey) ?? '')}`,
    ),
    replay: await measureReplay(redis, url, recorded, REPLAYED),
    memoryOfAConversion: difference(before, after, ROUNDS * DOCUMENTS),
    fileOfAJob: job,
    kept: await measureKept(redis),
  };
  clients.close();
  await fleet.stop();
  return result;
}

function serverSeconds(before: Reading, after: Reading): number {
  return (SERVERS * (after.at - before.at)) / 1000;
}

/** For a server and a second. */
async function costOfIdling(redis: Redis): Promise<Cost> {
  const before = await readRedis(redis);
  await delay(IDLE_MS);
  const after = await readRedis(redis);
  return costOf(before, after, serverSeconds(before, after));
}

/** Until the balancer has found all servers. */
async function untilAllServe(fleet: Fleet, convert: () => Promise<unknown>): Promise<void> {
  const first = await fleet.documents();
  await until(
    'all servers serve',
    async () => {
      await runClients(convert, CLIENTS, 2 * SERVERS);
      return (await fleet.documents()).every((each, index) => each > (first[index] ?? 0));
    },
    LONGEST_MS,
  );
}

/** Of a round. CPU times in milliseconds for a conversion. */
interface Load {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly balancerCpuMs: number;
  readonly serverCpuMs: number;
  readonly redisBusyPercent: number;
}

/** @param load process id of the balancer, and the idle cost of a server per second, which is subtracted. */
async function costOfLoad(
  redis: Redis,
  fleet: Fleet,
  load: { readonly balancer: number; readonly idle: Cost; readonly convert: () => Promise<unknown> },
): Promise<Cost & Load> {
  const { balancer, idle, convert } = load;
  const uses = () => Promise.all([cpuMsOf([balancer]), cpuMsOf(fleet.pids)]);
  const before = await readRedis(redis);
  const [balancerBefore, serversBefore] = await uses();
  const { times, perSecond } = await runClients(convert, CLIENTS, DOCUMENTS);
  const [balancerAfter, serversAfter] = await uses();
  const loaded = await readRedis(redis);
  // Requests and statistics are written within a second.
  await delay(1_500);
  const after = await readRedis(redis);
  const { median: medianMs, p95: p95Ms } = summary(times);
  return {
    ...without(costOf(before, after, DOCUMENTS), idle, serverSeconds(before, after) / DOCUMENTS),
    ...{ perSecond: round(perSecond), medianMs, p95Ms },
    balancerCpuMs: round((balancerAfter - balancerBefore) / DOCUMENTS),
    serverCpuMs: round((serversAfter - serversBefore) / DOCUMENTS),
    redisBusyPercent: round((100 * (loaded.cpuMs - before.cpuMs)) / (loaded.at - before.at)),
  };
}

async function cpuMsOf(pids: readonly number[]): Promise<number> {
  const uses = await Promise.all(pids.map(useOf));
  return uses.reduce((sum, { own }) => sum + own.userMs + own.systemMs, 0);
}

async function residentBytes({ pids }: Fleet): Promise<number> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8')));
  return 1024 * texts.reduce((sum, text) => sum + kibibytes(text, 'Pss'), 0);
}

/** The commands of one conversion on its own. */
async function commandsOf(
  redis: Redis,
  { account, key }: ClientKey,
  convert: () => Promise<unknown>,
): Promise<string[][]> {
  const hash = hashKey(key);
  const belongs = (args: readonly string[]) =>
    args.some((arg) => arg.includes(`{${account}}`) || arg.includes(hash) || arg.startsWith(`${account} `));
  const record = async () => {
    await convert();
    await delay(1_500);
  };
  return recordCommands(redis, record, belongs);
}

function isKey(text: string): boolean {
  return text.startsWith('platen:');
}

/** For a file of a job, from its upload to the end of the job; without what idling costs meanwhile. */
async function costOfJobs(redis: Redis, keys: readonly ClientKey[], clients: Clients, idle: Cost) {
  const form = formOf(onePage().content, FILES_A_JOB);
  const owners = Array.from({ length: JOBS }, (_, n) => keys[n * KEYS_EACH]?.key ?? '');
  const before = await readRedis(redis);
  const jobs = await Promise.all(owners.map(async (key) => ({ key, id: await clients.take(form, key) })));
  for (const { id, key } of jobs) {
    await until('a job', async () => (await clients.succeeded(id, key)) === FILES_A_JOB, LONGEST_MS);
  }
  const after = await readRedis(redis);
  const files = JOBS * FILES_A_JOB;
  return {
    files,
    seconds: round((after.at - before.at) / 1000),
    ...without(costOf(before, after, files), idle, serverSeconds(before, after) / files),
  };
}

/** Bytes for a conversion, of kinds that grew. */
function difference(
  before: Awaited<ReturnType<typeof memoryByKind>>,
  after: Awaited<ReturnType<typeof memoryByKind>>,
  count: number,
) {
  const grown = [...after].map(([kind, { keys, bytes }]) => {
    const former = before.get(kind);
    return {
      kind,
      bytes: round((bytes - (former?.bytes ?? 0)) / count),
      keys: round((keys - (former?.keys ?? 0)) / count),
    };
  });
  return grown.filter(({ bytes }) => bytes >= 1).sort((a, b) => b.bytes - a.bytes);
}

/** Median of each figure. */
function medians<T extends { readonly [K in keyof T]: number }>(rounds: readonly T[]): T {
  const names = Object.keys(rounds[0] ?? {}) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((each) => each[name]))])) as T;
}

/** How commands and CPU time of conversions spread over three nodes. */
async function measureCluster(folder: string, engine: WaitingEngineOptions) {
  const { url } = await startRedisCluster(scope);
  const cluster = new Cluster([url]);
  scope.teardown(() => cluster.disconnect());
  const keys = await makeAccounts(cluster, { accounts: 200, keysEach: 1 });
  const fleet = await startFleet(scope, {
    ...{ count: CLUSTER_SERVERS, redis: url, folder, engine, objects: join(folder, 'objects') },
  });
  const balancer = await startFleetBalancer(scope, folder, fleet);
  const clients = new Clients(balancer.socketPath);
  scope.teardown(() => clients.close());
  const form = formOf(onePage().content);
  const convert = () => clients.convert(form, any(keys).key);
  await untilAllServe(fleet, convert);
  const nodes = cluster.nodes('master');
  const read = () => Promise.all(nodes.map(readRedis));
  const before = await read();
  await runClients(convert, CLIENTS, CLUSTER_DOCUMENTS);
  await delay(1_500);
  const after = await read();
  const costs = after.map((each, index) => costOf(before[index] ?? each, each, CLUSTER_DOCUMENTS));
  const all = (of: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0);
  const result = {
    servers: CLUSTER_SERVERS,
    cpuMicroseconds: round(all(({ cpuMicroseconds }) => cpuMicroseconds)),
    nodes: costs.map(({ cpuMicroseconds, commands, scripts }) => ({ cpuMicroseconds, commands, scripts })),
    cpuPercentByNode: costs.map((cost) =>
      round((100 * cost.cpuMicroseconds) / all(({ cpuMicroseconds }) => cpuMicroseconds)),
    ),
    connectionsANode: after.map(({ connections }) => connections),
  };
  clients.close();
  await fleet.stop();
  return result;
}

function any<T>(of: readonly T[]): T {
  return of[Math.floor(Math.random() * of.length)] as T;
}
