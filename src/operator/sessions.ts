/** Sessions of the operator. Redis has their SHA-256: every server knows them, and nobody can read them there. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OperatorToken } from '../operator-token.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { operatorKeys } from './redis-keys.ts';

/** A session ends after this time without a request… */
export const IDLE_MS = 30 * 60_000;
/** …and after this time in any case. */
export const LIFETIME_MS = 12 * 3_600_000;

const ID_BYTES = 32;
const ID = /^[A-Za-z0-9_-]{43}$/;

/** Times in milliseconds since the epoch, by the clock of Redis. */
export interface Session {
  readonly now: number;
  readonly beganAt: number;
  /** When it ends unless it is used. */
  readonly idleUntil: number;
  readonly expiresAt: number;
  /** Requests need this besides the cookie. */
  readonly csrfToken: string;
}

type Row = [] | [now: number, beganAt: number, idleUntil: number, expiresAt: number, tie: string];

export class Sessions {
  readonly #redis: RedisClient;
  readonly #token: OperatorToken;
  readonly #begin: Script;
  readonly #use: Script;

  constructor(redis: RedisClient, token: OperatorToken) {
    this.#redis = redis;
    this.#token = token;
    this.#begin = new Script(redis, luaFiles.sessionBegin);
    this.#use = new Script(redis, luaFiles.sessionUse);
  }

  /** Begins a session; the caller has checked the operator's token. @throws Error when Redis is not available. */
  async begin(): Promise<{ readonly id: string; readonly session: Session }> {
    const id = randomBytes(ID_BYTES).toString('base64url');
    const row = await this.#begin.run([keyOf(id)], [this.#token.tie(id), IDLE_MS, LIFETIME_MS]);
    const session = this.#read(id, row as Row);
    if (!session) throw new Error('a new session has disappeared');
    return { id, session };
  }

  /** The session with this id, and extends it; undefined if it has ended. @throws Error as above. */
  use(id: string): Promise<Session | undefined> {
    return this.#find(id, IDLE_MS);
  }

  /** The session with this id, without extending it; undefined if it has ended. @throws Error as above. */
  peek(id: string): Promise<Session | undefined> {
    return this.#find(id, '');
  }

  /** Ends the session, on every server. @throws Error as above. */
  async end(id: string): Promise<void> {
    if (ID.test(id)) await this.#redis.del(keyOf(id));
  }

  async #find(id: string, idleMs: number | ''): Promise<Session | undefined> {
    if (!ID.test(id)) return undefined;
    return this.#read(id, (await this.#use.run([keyOf(id)], [idleMs])) as Row);
  }

  /** A session begun with another token has ended with that token. */
  #read(id: string, row: Row): Session | undefined {
    if (row.length === 0) return undefined;
    const [now, beganAt, idleUntil, expiresAt, tie] = row;
    if (!isEqual(tie, this.#token.tie(id))) return undefined;
    const csrfToken = createHmac('sha256', id).update('csrf').digest('base64url');
    return { now, beganAt, idleUntil, expiresAt, csrfToken };
  }
}

function keyOf(id: string): string {
  return operatorKeys.session(createHash('sha256').update(id).digest('hex'));
}

/** Compares two texts in constant time. */
export function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
