/** The audit: who did what, and when. */
import type { Log } from '../log.ts';
import type { RedisClient } from '../redis/connect.ts';
import { operatorKeys } from './redis-keys.ts';

export const auditActions = [
  'account.created',
  'account.plan-changed',
  'key.created',
  'key.revoked',
  'key.rotated',
  'maintenance.on',
  'maintenance.off',
  'session.began',
  'session.ended',
  'session.refused',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Who did it. */
export interface Actor {
  readonly by: 'cli' | 'session' | 'token' | 'key' | 'nobody';
  /** The user of the system (`cli`), the id of the key (`key`), else the address of the client. */
  readonly who: string;
}

/** What it was done to. Never has a key or a token. */
export interface AuditSubject {
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  readonly details?: Readonly<Record<string, string>>;
}

export interface AuditEntry extends Actor {
  readonly id: string;
  /** ISO 8601, by the clock of Redis. */
  readonly at: string;
  readonly action: AuditAction;
  readonly account: string | null;
  readonly key: string | null;
  readonly details: Readonly<Record<string, string>>;
}

export interface AuditPage {
  readonly entries: AuditEntry[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

const MAX_DONE = 10_000;
const MAX_FOREIGN = 1_000;
/** Behind the id of an entry of the second, as both streams may have the same one. */
const FOREIGN = '-foreign';
/** Ids of entries of the two streams; empty: the newest. */
const CURSOR = /^(\d+-\d+)?_(\d+-\d+)?$/;

type RawEntry = [id: string, fields: string[]];

export class Audit {
  readonly #redis: RedisClient;
  readonly #log: Log;

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#log = log;
  }

  /**
   * Notes what was done. It is done already, so a failure is for the log: what was made, a key that is shown once for
   * example, must not get lost.
   */
  async record(actor: Actor, action: AuditAction, subject: AuditSubject = {}): Promise<void> {
    // What customers and strangers can repeat at will must not push out what operators did.
    const isForeign = action === 'session.refused' || actor.by === 'key';
    const { account = '', key = '', details = {} } = subject;
    try {
      await this.#redis.xadd(
        isForeign ? operatorKeys.foreign : operatorKeys.audit,
        'MAXLEN',
        '=',
        isForeign ? MAX_FOREIGN : MAX_DONE,
        '*',
        ...['by', actor.by, 'who', actor.who, 'action', action],
        ...['account', account, 'key', key, 'details', JSON.stringify(details)],
      );
    } catch (error) {
      this.#log.error({ err: error, action, account, key }, 'the audit could not be written');
    }
  }

  /** Whether a text can be a cursor. */
  static isCursor(text: string): boolean {
    return CURSOR.test(text);
  }

  /**
   * Entries, newest first.
   *
   * @param after the `next` of the page before.
   */
  async list(after: string | undefined, limit: number): Promise<AuditPage> {
    const [, doneBefore = '', foreignBefore = ''] = CURSOR.exec(after ?? '') ?? [];
    const [done, foreign] = await Promise.all([
      this.#read(operatorKeys.audit, doneBefore, limit + 1),
      this.#read(operatorKeys.foreign, foreignBefore, limit + 1),
    ]);
    const merged = [
      ...done.map((entry) => ({ entry, isForeign: false })),
      ...foreign.map((entry) => ({ entry, isForeign: true })),
    ].sort((a, b) => compareIds(b.entry[0], a.entry[0]));
    const page = merged.slice(0, limit);
    const last = (isForeign: boolean) => page.findLast((each) => each.isForeign === isForeign)?.entry[0];
    const next = `${last(false) ?? doneBefore}_${last(true) ?? foreignBefore}`;
    return {
      entries: page.map(({ entry, isForeign }) => readEntry(entry, isForeign)),
      next: merged.length > limit ? next : null,
    };
  }

  async #read(stream: string, before: string, limit: number): Promise<RawEntry[]> {
    return this.#redis.xrevrange(stream, before === '' ? '+' : `(${before}`, '-', 'COUNT', limit);
  }
}

function compareIds(a: string, b: string): number {
  const [aTime = 0, aNumber = 0] = a.split('-').map(Number);
  const [bTime = 0, bNumber = 0] = b.split('-').map(Number);
  return aTime - bTime || aNumber - bNumber;
}

function readEntry([id, fields]: RawEntry, isForeign: boolean): AuditEntry {
  const pairs = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    pairs.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const text = (name: string): string => pairs.get(name) ?? '';
  return {
    id: isForeign ? id + FOREIGN : id,
    at: new Date(Number(id.split('-')[0])).toISOString(),
    by: text('by') as Actor['by'],
    who: text('who'),
    action: text('action') as AuditAction,
    account: text('account') || null,
    key: text('key') || null,
    details: JSON.parse(text('details') || '{}') as Record<string, string>,
  };
}
