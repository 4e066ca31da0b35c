/** One redis-server process, from start to end. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { OperatorError } from '../errors.ts';
import { redisServerScript } from '../paths.ts';
import type { Log } from '../system/log.ts';

/** Time until the first answer, which includes loading the append-only file. A failed start is noticed at once. */
const START_TIMEOUT_MS = 30_000;
/** Time to end after SIGTERM before SIGKILL. */
const STOP_TIMEOUT_MS = 5_000;
/** Lines of output kept to explain why the process ended. */
const KEPT_LINES = 5;

/** The script's descriptor of the pipe that ends with its parent. */
const GUARD_FD = 4;

interface RedisProcessOptions {
  /** Where it keeps its append-only file. */
  readonly folder: string;
  readonly socketPath: string;
  /** The folder's lock: a descriptor that it inherits and keeps open. */
  readonly lockFd: number;
  readonly log: Log;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

export interface RedisProcess {
  readonly pid: number;
  /** Resolves with the reason once the process is gone; never rejects. */
  readonly exited: Promise<string>;
  /** SIGTERM, after 5 s SIGKILL; resolves when the process is gone. Idempotent. */
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts redis-server and waits until it answers and has loaded its data.
 *
 * @throws OperatorError that says why it did not start, with its last output.
 */
export async function startRedisProcess(options: RedisProcessOptions): Promise<RedisProcess> {
  const { folder, socketPath, lockFd, log, signal } = options;
  const command = ['sh', redisServerScript, String(process.pid), ...serverArguments(folder, socketPath)];
  const args = ['--pdeathsig', 'TERM', ...command];
  const child = spawn('setpriv', args, {
    // A session of its own: Ctrl-C in the terminal reaches Platen only, which then stops Redis.
    detached: true,
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe', lockFd, 'pipe'],
  }) as Child;
  const exited = watch(child, log);
  const stop = () => terminate(child, exited);

  const startUp = new AbortController();
  const limits = AbortSignal.any([signal, startUp.signal]);
  try {
    const failure = await Promise.race([
      answers(socketPath, limits),
      exited,
      delay(START_TIMEOUT_MS, `no answer within ${START_TIMEOUT_MS / 1000} s`, { signal: limits }),
    ]);
    if (failure !== undefined) throw new OperatorError(`the embedded Redis did not start: ${failure}`);
  } catch (error) {
    await stop();
    throw error;
  } finally {
    startUp.abort();
  }
  // A process that answered has a pid.
  return { pid: child.pid as number, exited, stop };
}

function serverArguments(folder: string, socketPath: string): string[] {
  const settings: Record<string, string> = {
    port: '0',
    unixsocket: socketPath,
    unixsocketperm: '700',
    dir: folder,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    // A full Redis must refuse writes instead of dropping keys or counters.
    'maxmemory-policy': 'noeviction',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Resolves with undefined when the server is ready for commands; otherwise not before `signal` aborts. */
function answers(socketPath: string, signal: AbortSignal): Promise<undefined> {
  const probe = new Redis(socketPath, { retryStrategy: () => 50, maxRetriesPerRequest: 0 });
  return new Promise((resolve, reject) => {
    probe.on('error', () => {});
    probe.once('ready', () => resolve(undefined));
    const abort = () => {
      probe.disconnect();
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Follows the process's output and resolves with the reason of its end. */
function watch(child: Child, log: Log): Promise<string> {
  const lines: string[] = [];
  // Without descriptors there are none, and 'error' follows.
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      log.debug({ line }, 'redis-server');
      if (line.trim() !== '') lines.push(line.trim());
      if (lines.length > KEPT_LINES) lines.shift();
    });
  }
  const closed = new Promise((resolve) => child.once('close', resolve));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`${error.message}: apt-get install util-linux`));
    child.once('exit', async (code, signal) => {
      // Its guard normally ends with it.
      child.stdio[GUARD_FD]?.destroy();
      // Its last output may still be in the pipe, and a child of it may keep the pipe open.
      await Promise.race([closed, delay(500, undefined, { ref: false })]);
      if (code === 127)
        resolve('redis-server is not installed: apt-get install redis-server, or set REDIS_URL');
      else resolve(`${signal ?? `exit code ${code}`}${lines.length > 0 ? `: ${lines.join(' | ')}` : ''}`);
    });
  });
}

async function terminate(child: Child, exited: Promise<string>): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.kill('SIGTERM');
  const late = new AbortController();
  const kill = delay(STOP_TIMEOUT_MS, undefined, { signal: late.signal }).then(
    // The process group, so that a rewrite of the append-only file ends too.
    () => killGroup(pid),
    () => {},
  );
  await exited;
  late.abort();
  await kill;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
