/** A real redis-server with a clock that the test sets. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import type { Test } from 'tap';
import { connectRedis } from '../../src/redis/connect.ts';
import { log, patientClient, temporaryFolder } from '../redis/support.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('clock.c', import.meta.url));

export interface ClockedRedis {
  /** A client of its own, configured as in the service. */
  connect(): Promise<Redis>;
  /** A client that waits for Redis, however busy the machine is. */
  connectPatiently(): Redis;
  /** Sets the clock of Redis, which then stands still. @param at milliseconds since the epoch. */
  setClock(at: number): void;
}

/** Starts it without persistence on a Unix socket in a new folder. It ends with the test, even if the test crashes. */
export async function startClockedRedis(t: Test): Promise<ClockedRedis> {
  const folder = await temporaryFolder(t);
  const library = join(folder, 'clock.so');
  await run('gcc', ['-Wall', '-Wextra', '-O1', '-shared', '-fPIC', '-o', library, source]);

  const clock = openSync(join(folder, 'clock'), 'wx+');
  t.teardown(() => closeSync(clock));
  const setClock = (at: number) => {
    // One aligned word: Redis reads the old time or the new one, never half of each.
    writeSync(clock, new BigInt64Array([BigInt(at) * 1_000n]), 0, 8, 0);
  };
  setClock(Date.now());

  const target = join(folder, 'redis.sock');
  const settings = [
    '--port',
    '0',
    '--unixsocket',
    target,
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  // The kernel ends it with the test. `env` is there because setpriv must keep the real clock.
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', 'env', `LD_PRELOAD=${library}`, `CLOCK_FILE=${join(folder, 'clock')}`],
      ...['redis-server', ...settings],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  // Otherwise a client would complain of the missing socket.
  for await (const line of createInterface(child.stdout)) if (/ready to accept/i.test(line)) break;

  return {
    setClock,
    async connect() {
      const { client, close } = await connectRedis({ target, log });
      t.teardown(close);
      // A socket never leads to a cluster.
      return client as Redis;
    },
    connectPatiently: () => patientClient(t, { socketPath: target }),
  };
}
