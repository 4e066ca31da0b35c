/** Folders, logs and a real Redis for tests; all of it goes with the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { connectRedis, type RedisClient } from '../../src/redis/connect.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from '../../src/redis/embedded.ts';
import type { Log } from '../../src/system/log.ts';

/** A folder under the system's temporary one: a Unix socket in tap's own would have too long a path. */
export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A log that keeps its messages. */
export function recordingLog(): { log: Log; messages: string[] } {
  const messages: string[] = [];
  const write = (_fields: unknown, message?: unknown) => {
    messages.push(String(message));
  };
  return { log: { debug: () => {}, info: write, warn: write, error: write }, messages };
}

/** A log for tests that do not look at it. */
export const { log } = recordingLog();

/**
 * An empty database for the test, in the Redis of the run (scripts/test.mjs) or, where a file runs alone, in one of its
 * own. It is for tests that ask Redis for nothing that its other users would notice.
 *
 * @returns its address, as in REDIS_URL.
 */
export async function redisDatabase(t: Test): Promise<string> {
  const shared = process.env.TEST_REDIS;
  if (shared === undefined) return (await startRedis(t)).server.socketPath;
  const counter = new Redis(shared);
  const target = `${shared}?db=${await counter.incr('databases')}`;
  counter.disconnect();
  return target;
}

/** A patient client of a database of the test's own. */
export async function redisClient(t: Test): Promise<Redis> {
  return patientClient(t, { socketPath: await redisDatabase(t) });
}

/** An embedded Redis of the test's own, and a client of it: for tests that end it, stop it, set it, or change what its users may do. */
export async function startRedis(t: Test): Promise<{ server: EmbeddedRedis; client: Redis }> {
  const folder = await temporaryFolder(t);
  const server = await startEmbeddedRedis({ folder, log });
  t.teardown(() => server.stop());
  const { client, close } = await connectRedis({ target: server.socketPath, log });
  t.teardown(close);
  // Behind a socket there is no cluster.
  return { server, client: client as Redis };
}

/**
 * A client that waits for Redis, however busy the machine is: for tests of what Redis keeps, where the service's own
 * would give up within the second.
 */
export function patientClient(t: Test, server: Pick<EmbeddedRedis, 'socketPath'>): Redis {
  const client = new Redis(server.socketPath);
  t.teardown(() => client.disconnect());
  return client;
}

/** Resolves at the client's next event of this name; unlike events.once it does not mind errors before it. */
export function nextEvent(client: RedisClient, name: 'ready' | 'reconnecting'): Promise<void> {
  return new Promise((resolve) => client.once(name, () => resolve()));
}
