/** The audit: who did what, and when. */
import { inBatches } from '../accounts/keys/batches.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import type { Log } from '../system/log.ts';
import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type AuditListName,
  type AuditSubject,
  auditLists,
  parseAuditEntry,
} from './audit-entry.ts';
import { operatorKeys } from './redis-keys.ts';
import { isStreamCursor, readStreamPage } from './stream-pages.ts';

interface AuditPage {
  readonly entries: AuditEntry[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** Which entries; all by default. */
export interface AuditFilter {
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  readonly action?: AuditAction | undefined;
  /** Part of the actor: the system user, the id of a key, an address. */
  readonly who?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** A refused attempt to act as operator. */
export interface Refusal {
  readonly action: Extract<AuditAction, 'session.refused' | 'token.refused'>;
  /** The address of the client. */
  readonly who: string;
  /** The network of the address; its refusals share an entry. */
  readonly network: string;
}

interface Bounds {
  readonly max: number;
  readonly keptMs: number;
}

const DAY_MS = 86_400_000;
/** Size and retention of each list: entries hold addresses, which are personal data. */
const bounds: Readonly<Record<AuditListName, Bounds>> = {
  done: { max: 10_000, keptMs: 400 * DAY_MS },
  customers: { max: 1_000, keptMs: 400 * DAY_MS },
  refused: { max: 1_000, keptMs: 90 * DAY_MS },
  own: { max: 1_000, keptMs: 400 * DAY_MS },
};
/** How long refusals of a network share an entry. */
const GATHER_MS = 3_600_000;

export class Audit {
  readonly #redis: RedisClient;
  readonly #log: Log;
  readonly #write: Script;
  /** Whether the last refusal could not be written. */
  #refusalFailed = false;

  constructor(redis: RedisClient, log: Log) {
    this.#redis = redis;
    this.#log = log;
    this.#write = new Script(redis, luaFiles.recordAudit);
  }

  /**
   * Records what was done. A failure is only logged, as the result, for example a key that is shown once, must not get lost.
   */
  async record(actor: Actor, action: AuditAction, subject: AuditSubject = {}): Promise<void> {
    const { account = '', key = '' } = subject;
    try {
      // What members do as often as they like is of interest to their account only.
      const isOwn = actor.by === 'member' && /^(session\.|account\.exported$)/.test(action);
      await Promise.all([
        account !== '' &&
          this.#addTo(operatorKeys.accountAudit(account), bounds.customers, actor, action, subject),
        !isOwn && this.#add(listFor(actor, action), undefined, actor, action, subject),
      ]);
    } catch (error) {
      this.#log.error({ err: error, action, account, key }, 'the audit could not be written');
    }
  }

  /**
   * Records a refusal, together with those of its network in the last hour. Anybody can cause as many as they like, so of a
   * series that cannot be written only the first is logged.
   */
  async refuse({ action, who, network }: Refusal): Promise<void> {
    try {
      const gathering = operatorKeys.auditRefusals(action, network);
      await this.#add('refused', gathering, { by: 'nobody', who }, action, {});
      this.#refusalFailed = false;
    } catch (error) {
      const level = this.#refusalFailed ? 'debug' : 'error';
      this.#refusalFailed = true;
      this.#log[level]({ err: error, action }, 'the audit could not be written');
    }
  }

  /** Whether a text can be a cursor. */
  static isCursor(text: string): boolean {
    return isStreamCursor(text);
  }

  /**
   * Entries, newest first.
   *
   * @param after the `next` of the page before.
   * @throws Error when Redis is not available.
   */
  async list(after: string | undefined, limit: number, filter: AuditFilter = {}): Promise<AuditPage> {
    const now = Date.now();
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const parts = auditLists.map((name, index) => ({
      index,
      key: operatorKeys.audit(name),
      since: now - bounds[name].keptMs,
    }));
    const page = await readStreamPage(this.#redis, parts, {
      after,
      limit,
      most: bounds.done.max,
      fits: isFiltered ? (entry) => fits(parseAuditEntry(entry), filter) : undefined,
    });
    return { entries: page.entries.map(parseAuditEntry), next: page.next };
  }

  /** Removes the entries of an account. @returns how many there were. */
  async removeAccount(account: string): Promise<number> {
    let removed = await this.#redis.unlink(operatorKeys.accountAudit(account));
    for (const list of auditLists) {
      const entries = await this.#redis.xrange(operatorKeys.audit(list), '-', '+');
      const own = entries.filter(
        ([id, fields]) => parseAuditEntry({ id, fields, stream: 0 }).account === account,
      );
      await inBatches(own, ([id]) => this.#redis.xdel(operatorKeys.audit(list), id));
      removed += own.length;
    }
    return removed;
  }

  /** What was done in or to one account, newest first. @throws Error as above. */
  async listOf(account: string, after: string | undefined, limit: number): Promise<AuditPage> {
    const { keptMs, max } = bounds.customers;
    const part = { index: 0, key: operatorKeys.accountAudit(account), since: Date.now() - keptMs };
    const page = await readStreamPage(this.#redis, [part], { after, limit, most: max });
    return { entries: page.entries.map(parseAuditEntry), next: page.next };
  }

  #add(
    list: AuditListName,
    gathering: string | undefined,
    actor: Actor,
    action: AuditAction,
    subject: AuditSubject,
  ): Promise<void> {
    return this.#addTo(operatorKeys.audit(list), bounds[list], actor, action, subject, gathering);
  }

  async #addTo(
    stream: string,
    { max, keptMs }: Bounds,
    { by, who }: Actor,
    action: AuditAction,
    { account = '', key = '', details = {} }: AuditSubject,
    gathering?: string,
  ): Promise<void> {
    await this.#write.run(
      [stream, gathering ?? stream],
      [
        ...[max, keptMs, gathering === undefined ? 0 : GATHER_MS],
        ...['by', by, 'who', who, 'action', action],
        ...['account', account, 'key', key, 'details', JSON.stringify(details)],
      ],
    );
  }
}

/** People who may change nothing must not push out others' entries by signing in again and again. */
function listFor({ by }: Actor, action: AuditAction): AuditListName {
  if (by === 'key' || by === 'member') return 'customers';
  return by === 'operator' && /^(session|passkey)\./.test(action) ? 'own' : 'done';
}

function fits(entry: AuditEntry, { account, key, action, who, from, until }: AuditFilter): boolean {
  const at = Date.parse(entry.at);
  return (
    (account === undefined || entry.account === account) &&
    (key === undefined || entry.key === key) &&
    (action === undefined || entry.action === action) &&
    (who === undefined || entry.who.toLowerCase().includes(who.toLowerCase())) &&
    (from === undefined || at >= from) &&
    (until === undefined || at < until)
  );
}
