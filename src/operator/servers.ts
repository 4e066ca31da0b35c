/** The servers on this Redis. Each gives a sign of life with its state; without signs it is forgotten. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { RedisClient } from '../redis/connect.ts';
import { operatorKeys } from './redis-keys.ts';

/** How often a server gives a sign, and how long one holds. */
export const BEAT_MS = 5_000;
const HOLDS_MS = 16_000;

/** How a server is. */
export interface ServerState {
  /** When it said so, and when it started: ISO 8601, by its clock. */
  readonly at: string;
  readonly startedAt: string;
  readonly version: string;
  /** Where it listens; null before, or if it is a socket. */
  readonly port: number | null;
  readonly phase: 'starting' | 'ready' | 'draining';
  readonly status: 'ok' | 'unavailable';
  readonly problem: string | null;
  readonly libreOffice: string | null;
  /** Documents that it converts, and at most. */
  readonly running: number;
  readonly workers: number;
  /** Documents that wait, and at most. */
  readonly waiting: number;
  readonly limit: number;
  readonly residentBytes: number;
}

interface ServerSummary extends ServerState {
  readonly id: string;
  readonly host: string;
  /** Whether it is this server. */
  readonly isThis: boolean;
}

export class Servers {
  readonly #redis: RedisClient;
  readonly #id = randomUUID();

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Gives a sign of life. @throws Error if Redis failed. */
  async beat(state: ServerState): Promise<void> {
    const text = JSON.stringify({ ...state, host: hostname() });
    await this.#redis.set(operatorKeys.server(this.#id), text, 'PX', HOLDS_MS);
    await this.#redis.sadd(operatorKeys.servers, this.#id);
  }

  /** This server ends. @throws Error if Redis failed. */
  async leave(): Promise<void> {
    await this.#redis.srem(operatorKeys.servers, this.#id);
    await this.#redis.del(operatorKeys.server(this.#id));
  }

  /** Those that live, the oldest first; forgets the others. @throws Error if Redis failed. */
  async list(): Promise<ServerSummary[]> {
    const ids = await this.#redis.smembers(operatorKeys.servers);
    if (ids.length === 0) return [];
    const states = await this.#redis.mget(...ids.map((id) => operatorKeys.server(id)));
    const gone = ids.filter((_, index) => states[index] === null);
    if (gone.length > 0) await this.#redis.srem(operatorKeys.servers, ...gone);
    const servers = ids.flatMap((id, index) => {
      const text = states[index];
      return typeof text === 'string'
        ? [{ id, isThis: id === this.#id, ...JSON.parse(text) } as ServerSummary]
        : [];
    });
    return servers.sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.id.localeCompare(b.id));
  }

  /** Where a server on this machine listens; null if none says so. @throws Error if Redis failed. */
  async portHere(): Promise<number | null> {
    const here = (await this.list()).filter(({ host, port = null }) => host === hostname() && port !== null);
    return here.at(-1)?.port ?? null;
  }
}
