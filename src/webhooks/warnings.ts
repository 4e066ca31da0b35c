/** Warns accounts: of a quota that is nearly used up, of keys that expire. Each warning is told once. */
import { monthEnd } from '../billing/months.ts';
import { limitKeys } from '../billing/redis-keys.ts';
import type { MonthUse } from '../billing/settlement.ts';
import type { KeyRecord } from '../keys/records.ts';
import type { KeyStore } from '../keys/store.ts';
import type { Log } from '../log.ts';
import { withOwnLimits } from '../plans/own-limits.ts';
import type { Plans } from '../plans/plans.ts';
import { Chore } from '../redis/chore.ts';
import type { RedisClient } from '../redis/connect.ts';
import { webhookKeys } from './redis-keys.ts';
import type { Webhooks } from './webhooks.ts';

const QUOTA_PERCENTS = [80, 100] as const;
/** Before a key expires. */
const KEY_DAYS = [7, 1] as const;
const DAY_MS = 86_400_000;
/** Longer than what causes it lasts: a month, the last days of a key. */
const QUOTA_KEPT_MS = 40 * DAY_MS;
const KEY_KEPT_MS = 8 * DAY_MS;
/** How often one of the servers looks, and how often each tries to be the one. */
const LOOK_MS = 3_600_000;
const TRY_MS = 600_000;
const LATER = 'warnings are told later';
/** Keys that one look warns of. */
const MAX_KEYS = 1_000;

export interface WarningsOptions {
  readonly redis: RedisClient;
  readonly webhooks: Webhooks;
  readonly keys: KeyStore;
  readonly plans: Plans;
  readonly log: Log;
}

export class Warnings {
  readonly #options: WarningsOptions;
  readonly #chore: Chore;
  #isClosed = false;
  readonly #running = new Set<Promise<void>>();

  constructor(options: WarningsOptions) {
    this.#options = options;
    this.#chore = new Chore({
      ...options,
      failed: LATER,
      mark: webhookKeys.look,
      everyMs: LOOK_MS,
      tryMs: TRY_MS,
      run: () => this.look(),
    });
  }

  /** Looks from time to time whether there is something to warn of. Never rejects. */
  start(): void {
    this.#chore.start();
  }

  /** A conversion was counted. What fails of it, {@link look} does. */
  counted(use: MonthUse): void {
    if (!this.#isClosed) this.#follow(this.warnOfQuota(use));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#chore.close();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Tells what is to be told and was not. @throws Error if Redis failed. */
  async look(now = Date.now()): Promise<void> {
    const { redis, keys } = this.#options;
    const month = new Date(now).toISOString().slice(0, 7);
    for (const account of await redis.smembers(webhookKeys.accounts)) {
      const used = await redis.hget(limitKeys.months(account, 'live'), `used:${month}`);
      await this.warnOfQuota({ account, environment: 'live', month, used: Number(used ?? 0) });
    }
    const expiring = await keys.expiring.page(new Date(now + Math.max(...KEY_DAYS) * DAY_MS), MAX_KEYS);
    for (const key of expiring.keys) await this.#warnOfKey(key, now);
  }

  /** @throws Error if Redis failed. */
  async warnOfQuota({ account, environment, month, used }: MonthUse): Promise<void> {
    // Test keys have no quota.
    if (environment !== 'live' || used === 0) return;
    const { keys, plans, webhooks } = this.#options;
    const owner = await keys.getAccount(account);
    const plan = owner && plans.get(owner.plan);
    const quota = plan ? withOwnLimits(plan, owner.ownLimits, Date.now()).perMonth : null;
    if (quota === null) return;
    for (const percent of QUOTA_PERCENTS.filter((each) => used * 100 >= quota * each)) {
      const renewsAt = new Date(monthEnd(month)).toISOString();
      const event = {
        type: 'quota.warning',
        cause: `${month} ${percent}`,
        at: Date.now(),
        data: { month, percent, used, quota, renewsAt, link: `/v1/usage?month=${month}` },
      } as const;
      await webhooks.tellOnce({ account, environment }, event, QUOTA_KEPT_MS);
    }
  }

  async #warnOfKey(
    { account, environment, id, name, display, expiresAt }: KeyRecord,
    now: number,
  ): Promise<void> {
    const left = Date.parse(String(expiresAt)) - now;
    const days = KEY_DAYS.findLast((each) => left <= each * DAY_MS);
    if (days === undefined) return;
    const data = { id, name, display, environment, days, expiresAt };
    const event = { type: 'key.expiring', cause: `${id} ${days}`, at: now, data } as const;
    await this.#options.webhooks.tellOnce({ account, environment }, event, KEY_KEPT_MS);
  }

  #follow(run: Promise<void>): void {
    const running = run
      .catch((error: Error) => this.#options.log.debug({ cause: error.message }, LATER))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
