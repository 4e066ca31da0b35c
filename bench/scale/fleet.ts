/** Many servers on one machine, each a process with an address of its own on loopback, and the shipped HAProxy before them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { requireBanner, sourcePlaces } from '../../scripts/bundle-tests.mjs';
import { startNameServer } from '../../test/outbound/support/name-server.ts';
import { type Balancer, startBalancer } from '../../test/support/balancer.ts';
import type { WaitingEngineOptions } from './waiting-engine.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NAME = 'platen.test';
/** Servers that start at a time. */
const STARTING = 2;
const PATIENCE_MS = 60_000;

/** Registers what ends with the benchmark, or the test. */
export interface Scope {
  teardown(close: () => unknown): void;
}

/** What server.ts is told by a file. */
export interface FleetSettings {
  readonly engine: WaitingEngineOptions;
  /** Folder of the objects of jobs. */
  readonly objects: string;
}

/** What server.ts tells when it is ready. */
export interface Started {
  readonly port: number;
}

interface FleetOptions extends FleetSettings {
  readonly count: number;
  /** As in REDIS_URL. */
  readonly redis: string;
  /** For data folders; the caller removes it. */
  readonly folder: string;
  /** Further environment of the servers. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Fleet {
  readonly pids: readonly number[];
  /** Address of each server. */
  readonly addresses: readonly string[];
  /** The port of all of them. */
  readonly port: number;
  /** Documents that each server has converted, that of its own probe included. */
  documents(): Promise<number[]>;
  /** Ends all of them. Idempotent. */
  stop(): Promise<void>;
}

/** Starts servers and waits until they are ready. They end with the scope, and with this process. */
export async function startFleet(scope: Scope, options: FleetOptions): Promise<Fleet> {
  const { count, folder, engine, objects } = options;
  const program = await bundleServer();
  const settings = join(folder, 'fleet.json');
  await writeFile(settings, JSON.stringify({ engine, objects } satisfies FleetSettings));
  const addresses = Array.from({ length: count }, (_, n) => `127.0.1.${n + 1}`);
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(children.splice(0).map(end));
  };
  scope.teardown(stop);
  const start = async (address: string, port: number): Promise<number> => {
    const child = await launch(program, settings, address, port, options);
    children.push(child);
    return started(child);
  };
  // All have the port that the first one found, as behind one name.
  const port = await start(addresses[0] ?? '', 0);
  const others = addresses.slice(1);
  const startNext = async (): Promise<void> => {
    for (let address = others.shift(); address; address = others.shift()) await start(address, port);
  };
  await Promise.all(Array.from({ length: STARTING }, startNext));
  return {
    pids: children.map(({ pid }) => pid ?? 0),
    addresses,
    port,
    documents: () => Promise.all(children.map(documentsOf)),
    stop,
  };
}

/** As the build does it: from the sources it takes a server three times as long to start. */
async function bundleServer(): Promise<string> {
  const outdir = join(root, 'dist.bench');
  await build({
    entryPoints: [join(root, 'bench/scale/server.ts')],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    plugins: [sourcePlaces],
    logLevel: 'warning',
    banner: { js: requireBanner },
  });
  return join(outdir, 'server.js');
}

async function launch(
  program: string,
  settings: string,
  address: string,
  port: number,
  { folder, redis, env }: FleetOptions,
): Promise<ChildProcess> {
  const dataDir = join(folder, address);
  await mkdir(dataDir, { recursive: true });
  // The kernel ends it with this process, however that ends: without its Redis it would not end by itself.
  return spawn('setpriv', ['--pdeathsig', 'KILL', process.execPath, program, settings], {
    // Its log must not be among the results.
    stdio: ['ignore', 2, 2, 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: address,
      PORT: String(port),
      DATA_DIR: dataDir,
      REDIS_URL: redis,
      TRUST_PROXY: '127.0.0.1',
      OPERATOR_TOKEN: 'bench'.repeat(10),
      WORKERS: '2',
      EGRESS: 'external',
      LOG_LEVEL: 'error',
      // They share two cores, which real ones do not.
      MAX_EVENT_LOOP_DELAY_MS: '60000',
      ...env,
    },
  });
}

/** @returns its port. @throws Error if it ends before it is ready. */
async function started(child: ChildProcess): Promise<number> {
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`a server of the fleet ended with ${code}`);
  });
  failed.catch(() => {});
  const [message] = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) }),
    failed,
  ]);
  return (message as Started).port;
}

async function documentsOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message', { signal: AbortSignal.timeout(PATIENCE_MS) });
  child.send('documents');
  return Number((await answer)[0]);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.disconnect();
  await ended;
  clearTimeout(timer);
}

/** Starts HAProxy with docker/haproxy.cfg; in place of Docker's, a name server of our own tells the addresses. */
export async function startFleetBalancer(
  scope: Scope,
  folder: string,
  { addresses, port }: Pick<Fleet, 'addresses' | 'port'>,
): Promise<Balancer> {
  const { address: nameServer } = await startNameServer(scope, (name, family) =>
    name === NAME && family === 4 ? addresses : [],
  );
  return startBalancer(scope, { folder, servers: `${NAME}:${port}`, nameServer });
}
