/**
 * Sessions of people who have signed in: operators, and members of accounts. Redis has the SHA-256 of their ids: every
 * server knows them, and nobody can read them there.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import type { OperatorToken } from '../system/operator-token.ts';
import { operatorKeys } from './redis-keys.ts';

/** A session ends after this time without a request… */
export const IDLE_MS = 30 * 60_000;
/** …and after this time in any case. */
export const LIFETIME_MS = 12 * 3_600_000;
/** Most sessions of one subject. */
export const MAX_SESSIONS = 50;

const ID_BYTES = 32;
/** The id of a subject that has one, and the secret. */
const ID = /^(?:([a-z0-9_.-]{1,120})~)?[A-Za-z0-9_-]{43}$/;
const LISTED_DIGITS = 18;
const MAX_AGENT = 200;

/** Times in milliseconds since the epoch, by the clock of Redis. */
export interface Session {
  /** Who signed in; empty for whoever has the operator's token. */
  readonly subject: string;
  readonly now: number;
  readonly beganAt: number;
  /** When it ends unless it is used. */
  readonly idleUntil: number;
  readonly expiresAt: number;
  /** Requests need this besides the cookie. */
  readonly csrfToken: string;
}

/** A session as its owner sees it. */
interface ListedSession {
  /** Names it; it opens nothing. */
  readonly id: string;
  readonly beganAt: number;
  readonly idleUntil: number;
  readonly expiresAt: number;
  readonly address: string;
  /** The `User-Agent` of the client. */
  readonly agent: string;
}

/** Where a session begins. */
export interface Client {
  readonly address: string;
  readonly agent: string;
}

interface SessionsOptions {
  /** Name in Redis of the hash of a subject's sessions; undefined for what is no subject. */
  readonly keyOf: (subject: string) => string | undefined;
  /** Binds an id to what ends all sessions when it changes. */
  readonly tie?: (id: string, subject: string) => string;
}

type Stored = Omit<ListedSession, 'id'>;
/** What the scripts answer. */
type Answer = Stored & Pick<Session, 'now'> & { readonly tie: string };

/**
 * Sessions of operators: those that began with the token, which end when it changes, and those of operators with a name.
 *
 * @param keyOf as in the options, for operators with a name.
 */
export function operatorSessions(
  redis: RedisClient,
  token: OperatorToken,
  keyOf: SessionsOptions['keyOf'] = () => undefined,
): Sessions {
  return new Sessions(redis, {
    keyOf: (subject) => (subject === '' ? operatorKeys.sessions : keyOf(subject)),
    tie: (id, subject) => (subject === '' ? token.tie(id) : ''),
  });
}

export class Sessions {
  readonly #redis: RedisClient;
  readonly #keyOf: SessionsOptions['keyOf'];
  readonly #tie: (id: string, subject: string) => string;
  readonly #begin: Script;
  readonly #use: Script;

  constructor(redis: RedisClient, { keyOf, tie = () => '' }: SessionsOptions) {
    this.#redis = redis;
    this.#keyOf = keyOf;
    this.#tie = tie;
    this.#begin = new Script(redis, luaFiles.sessionBegin);
    this.#use = new Script(redis, luaFiles.sessionUse);
  }

  /** Begins a session; the caller knows who it is. @throws Error when Redis is not available. */
  async begin(
    subject: string,
    { address, agent }: Client,
  ): Promise<{ readonly id: string; readonly session: Session }> {
    const secret = randomBytes(ID_BYTES).toString('base64url');
    const id = subject === '' ? secret : `${subject}~${secret}`;
    const answer = await this.#begin.answer<Answer>(
      [this.#listOf(subject)],
      [
        hashOf(id),
        this.#tie(id, subject),
        IDLE_MS,
        LIFETIME_MS,
        MAX_SESSIONS,
        address,
        agent.slice(0, MAX_AGENT),
      ],
    );
    const session = this.#read(id, subject, answer);
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
    const place = this.#placeOf(id);
    if (place) await this.#redis.hdel(place.key, hashOf(id));
  }

  /** Those of a subject that have not ended, the newest first. @throws Error as above. */
  async list(subject: string): Promise<ListedSession[]> {
    const [[seconds], stored] = await Promise.all([
      this.#redis.time(),
      this.#redis.hgetall(this.#listOf(subject)),
    ]);
    return Object.entries(stored)
      .map(([hash, text]) => ({ id: listedId(hash), ...(JSON.parse(text) as Stored) }))
      .filter(({ idleUntil, expiresAt }) => Math.min(idleUntil, expiresAt) > Number(seconds) * 1_000)
      .sort((a, b) => b.beganAt - a.beganAt);
  }

  /**
   * Ends one of a subject's listed sessions.
   *
   * @param announce records in the audit that it is about to end.
   * @returns whether there was one.
   * @throws Error as above.
   */
  async endListed(subject: string, listed: string, announce?: () => Promise<void>): Promise<boolean> {
    const key = this.#listOf(subject);
    const hash = (await this.#redis.hkeys(key)).find((each) => listedId(each) === listed);
    if (hash === undefined) return false;
    await announce?.();
    return (await this.#redis.hdel(key, hash)) > 0;
  }

  /** Ends all sessions of a subject, perhaps but one. @param but the id of the one. @throws Error as above. */
  async endAll(subject: string, but?: string): Promise<void> {
    const key = this.#listOf(subject);
    const others = (await this.#redis.hkeys(key)).filter((hash) => but === undefined || hash !== hashOf(but));
    if (others.length > 0) await this.#redis.hdel(key, ...others);
  }

  /** The id by which the list of its subject has this session. */
  static listedIdOf(id: string): string {
    return listedId(hashOf(id));
  }

  #listOf(subject: string): string {
    const key = this.#keyOf(subject);
    if (key === undefined) throw new Error(`"${subject}" cannot have sessions`);
    return key;
  }

  #placeOf(id: string): { readonly key: string; readonly subject: string } | undefined {
    const [found, subject = ''] = ID.exec(id) ?? [];
    const key = found === undefined ? undefined : this.#keyOf(subject);
    return key === undefined ? undefined : { key, subject };
  }

  async #find(id: string, idleMs: number | ''): Promise<Session | undefined> {
    const place = this.#placeOf(id);
    if (!place) return undefined;
    const answer = await this.#use.answer<Answer | null>([place.key], [hashOf(id), idleMs]);
    return answer === null ? undefined : this.#read(id, place.subject, answer);
  }

  /** A session with another tie has ended with what it was tied to. */
  #read(
    id: string,
    subject: string,
    { now, beganAt, idleUntil, expiresAt, tie }: Answer,
  ): Session | undefined {
    if (!isEqual(tie, this.#tie(id, subject))) return undefined;
    const csrfToken = createHmac('sha256', id).update('csrf').digest('base64url');
    return { subject, now, beganAt, idleUntil, expiresAt, csrfToken };
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

function listedId(hash: string): string {
  return `ses_${hash.slice(0, LISTED_DIGITS)}`;
}

/** Compares two texts in constant time. */
export function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
