/** A separate Redis for a test: for outages, and for several servers on one Redis. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import type { Test } from 'tap';

/** A real redis-server on a Unix socket, whose data outlive its process. */
export interface TestRedis {
  /** What servers take as REDIS_URL. */
  readonly socket: string;
  /** The process that was started last; SIGSTOP makes it hang, SIGCONT lets it go on. */
  readonly child: ChildProcess;
  /** A client of the test's, which connects again by itself after an outage. */
  readonly client: Redis;
  /** Sends a signal and waits until the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again, on the same socket with the same data, and waits until it accepts connections. */
  restart(): Promise<void>;
}

/**
 * Starts a Redis with the append-only file on. Its process ends and its folder goes with the test.
 *
 * @param settings more arguments of redis-server, as `['--maxmemory', '1mb']`.
 */
export async function startRedis(
  t: Pick<Test, 'teardown'>,
  settings: readonly string[] = [],
): Promise<TestRedis> {
  // Not in tap's own folder: its path may be too long for a Unix socket.
  const folder = await mkdtemp(join(tmpdir(), 'platen-redis-'));
  const socket = join(folder, 'redis.sock');
  const args = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--appendonly', 'yes', ...settings];
  let process = launch(args);
  const client = new Redis(socket, { lazyConnect: true, maxRetriesPerRequest: null });
  // Failed connections are expected here.
  client.on('error', () => undefined);
  t.teardown(async () => {
    client.disconnect();
    process.child.kill('SIGKILL');
    await process.ended;
    await rm(folder, { recursive: true, force: true });
  });
  await process.ready;
  return {
    socket,
    client,
    get child() {
      return process.child;
    },
    async end(signal) {
      process.child.kill(signal);
      await process.ended;
    },
    async restart() {
      process = launch(args);
      await process.ready;
    },
  };
}

interface RedisProcess {
  readonly child: ChildProcess;
  readonly ready: Promise<unknown>;
  readonly ended: Promise<unknown>;
}

function launch(args: readonly string[]): RedisProcess {
  // The kernel ends it with the test, however the test ends.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const accepting = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (/ready to accept connections/i.test(line)) resolve();
    });
  });
  const failed = ended.then(() => Promise.reject(new Error('redis-server does not start')));
  return { child, ended, ready: Promise.race([accepting, failed]) };
}
