/**
 * Removes accounts whose grace period is over, with all their data (GDPR, article 17). Ledger rows stay, without the names of
 * account and key. One server runs a pass each hour; if it dies, the next pass continues. An account is gone after a pass that
 * finds nothing of it, so data that another server wrote during a pass is removed, too.
 */
import { renameLedger } from '../accounts/billing/rename-ledger.ts';
import { AccountRemoval } from '../accounts/keys/account-removal.ts';
import { redisKeys } from '../accounts/keys/redis-keys.ts';
import type { KeyStore } from '../accounts/keys/store.ts';
import { HeldAccounts } from '../jobs/held-accounts.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { Chore } from '../redis/chore.ts';
import type { RedisClient } from '../redis/connect.ts';
import { scanNames } from '../redis/scan.ts';
import type { Log } from '../system/log.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Audit } from './audit.ts';
import type { RecentRequests } from './requests.ts';

/**
 * The word after the hash tag in an account's keys, `platen:{ACCOUNT}:…`: all keys with these words are removed. Code that stores
 * new data of accounts adds its word here; data under other tags, to {@link RemovalOptions.others}. Words of queues and of the
 * audit must not be here: an account may be called like their tags.
 */
const ownedWords: ReadonlySet<string> = new Set([
  'key',
  'keys-by-end',
  'rotations',
  'windows',
  'live',
  'test',
  'requests',
  'poison',
  'members',
  'sessions',
  'mails',
]);
const LEDGER = 'ledger';
const OF_ACCOUNT = /^platen:\{([^}]+)\}:([^:]+)(?::(.*))?$/;

const EVERY_MS = 3_600_000;
const TRY_MS = 600_000;
/** Names per step of the scan. */
const SCANNED = 1_000;

interface RemovalOptions {
  readonly redis: RedisClient;
  readonly keys: KeyStore;
  /** Undefined where there are none. */
  readonly jobs: Jobs | undefined;
  readonly webhooks: Webhooks;
  readonly requests: RecentRequests;
  readonly audit: Audit;
  readonly log: Log;
  /** Further data of accounts, without their hash tag. Each function removes it and returns how much there was. */
  readonly others?: readonly ((account: string) => Promise<number>)[];
}

export class Removal {
  readonly #options: RemovalOptions;
  readonly #accounts: AccountRemoval;
  readonly #chore: Chore;

  constructor(options: RemovalOptions) {
    this.#options = options;
    this.#accounts = new AccountRemoval(options.redis, options.keys);
    this.#chore = new Chore({
      ...options,
      failed: 'accounts are removed later',
      mark: redisKeys.removalPass,
      everyMs: EVERY_MS,
      tryMs: TRY_MS,
      run: (signal) => this.pass(signal),
    });
  }

  /** Makes passes from time to time. Never rejects. */
  start(): void {
    this.#chore.start();
  }

  /** Stops after the current step. */
  close(): Promise<void> {
    return this.#chore.close();
  }

  /** Makes one pass. The next pass repeats what failed for an account. @throws Error if Redis failed. */
  async pass(signal: AbortSignal): Promise<void> {
    const due = await this.#accounts.begin(Date.now());
    if (due.size === 0) return;
    const removed = new Map([...due.keys()].map((account) => [account, 0]));
    for (const account of due.keys()) {
      if (signal.aborted) return;
      await this.#removeElsewhere(account).then(
        (count) => removed.set(account, count),
        (error: Error) => {
          // Its records stay for the next pass.
          due.delete(account);
          removed.delete(account);
          this.#options.log.warn({ account, cause: error.message }, 'an account could not be removed yet');
        },
      );
    }
    await this.#scan(async (name, account, word, rest) => {
      const alias = due.get(account);
      if (alias === undefined || (word !== LEDGER && !ownedWords.has(word))) return;
      if (word === LEDGER) await this.#moveLedger(account, rest, alias);
      else await this.#options.redis.unlink(name);
      removed.set(account, (removed.get(account) ?? 0) + 1);
    }, signal);
    if (signal.aborted) return;
    for (const [account, count] of removed) if (count === 0) await this.#end(account, due.get(account) ?? '');
  }

  /** Removes data under other hash tags, and data that needs records that the scan removes. @returns how much there was. */
  async #removeElsewhere(account: string): Promise<number> {
    const { redis, jobs, webhooks, requests, audit, others = [] } = this.#options;
    let removed = 0;
    for (const environment of ['live', 'test'] as const) {
      const owner = { account, environment };
      // Messages first: once a job is removed, its messages are unknown, and stay in the queue until their turn.
      removed += await webhooks.removeAll(owner);
      removed += (await jobs?.removeAll(owner)) ?? 0;
    }
    removed += await requests.removePlaces(account);
    removed += await audit.removeAccount(account);
    removed += await this.#accounts.removeIndexes(account);
    await new HeldAccounts(redis).set(account, false);
    for (const remove of others) removed += await remove(account);
    return removed;
  }

  async #moveLedger(account: string, month: string, alias: string): Promise<void> {
    const { redis } = this.#options;
    // The export asks for the ledgers of all accounts of this list.
    await redis.sadd(redisKeys.accounts, alias);
    await renameLedger(redis, account, month, alias);
  }

  async #end(account: string, alias: string): Promise<void> {
    const { audit, log } = this.#options;
    await audit.record({ by: 'service', who: '-' }, 'account.removed', { details: { ledger: alias } });
    await this.#accounts.end(account);
    log.info({ ledger: alias }, 'an account was removed');
  }

  /** Visits the names of all keys of accounts, in small steps. */
  async #scan(
    show: (name: string, account: string, word: string, rest: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const names of scanNames(this.#options.redis, 'platen:{*', SCANNED)) {
      if (signal.aborted) return;
      for (const name of names) {
        const [, account, word, rest = ''] = OF_ACCOUNT.exec(name) ?? [];
        if (account !== undefined && word !== undefined) await show(name, account, word, rest);
      }
    }
  }
}
