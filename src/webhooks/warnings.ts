/**
 * Warns accounts that the quota is nearly used up and that keys expire; by e-mail also that endpoints were disabled. Each
 * warning is sent once, or again if a server died while it sent it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { monthEnd, monthOf } from '../accounts/billing/months.ts';
import { limitKeys } from '../accounts/billing/redis-keys.ts';
import type { MonthUse } from '../accounts/billing/settlement.ts';
import { inBatches } from '../accounts/keys/batches.ts';
import { type Account, isHeld, type KeyRecord } from '../accounts/keys/records.ts';
import type { KeyStore } from '../accounts/keys/store.ts';
import { withOwnLimits } from '../accounts/plans/own-limits.ts';
import type { Plans } from '../accounts/plans/plans.ts';
import { Chore } from '../redis/chore.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import { webhookKeys } from './redis-keys.ts';
import type { Claim, WarningMails } from './warning-mails.ts';
import { type EndpointWarning, endpointsText, keysText, quotaText } from './warning-texts.ts';
import type { WebhookEvent, WebhookOwner } from './webhook.ts';
import type { Webhooks } from './webhooks.ts';

const QUOTA_PERCENTS = [80, 100] as const;
/** Days before a key expires. */
const KEY_DAYS = [7, 1] as const;
const DAY_MS = 86_400_000;
/** Longer than the cause lasts: a month, the last days of a key. */
const QUOTA_KEPT_MS = 40 * DAY_MS;
const KEY_KEPT_MS = 8 * DAY_MS;
/** How often one server looks for causes, and how often each server tries to be that one. */
const LOOK_MS = 3_600_000;
const TRY_MS = 600_000;
/** Endpoints that were disabled earlier get no e-mail; the time covers looks that failed. */
const ENDPOINT_TOLD_MS = DAY_MS;
/** How long stopping waits for messages that are being sent. */
const CLOSE_MS = 5_000;
/** For so long conversions of an account are counted before its quota is looked at, as that costs Redis as much as counting. */
const TOGETHER_MS = 1_000;
const LATER = 'warnings are told later';
/** Most keys that one look warns of. */
const MAX_KEYS = 1_000;

interface WarningsOptions {
  readonly redis: RedisClient;
  readonly webhooks: Webhooks;
  readonly keys: KeyStore;
  readonly plans: Plans;
  /** Undefined if the service sends no e-mail. */
  readonly mails?: WarningMails | undefined;
  readonly log: Log;
}

export class Warnings {
  readonly #options: WarningsOptions;
  readonly #chore: Chore;
  #isClosed = false;
  /** Whose quotas are looked at next, by account and month. */
  readonly #counted = new Map<string, MonthUse>();
  #next: NodeJS.Timeout | undefined;
  readonly #running = new Set<Promise<unknown>>();

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

  /** Looks for causes from time to time. Never rejects. */
  start(): void {
    this.#chore.start();
  }

  /** To be called when a conversion was counted; warns a second later. If that fails, {@link look} makes up for it. */
  counted(use: MonthUse): void {
    // Test keys have no quota.
    if (this.#isClosed || use.environment !== 'live') return;
    const name = `${use.account} ${use.month}`;
    // Answers of Redis may overtake each other.
    if ((this.#counted.get(name)?.used ?? 0) < use.used) this.#counted.set(name, use);
    this.#next ??= setTimeout(() => this.#warnOfCounted(), TOGETHER_MS).unref();
  }

  /** Does not wait for a mail server that does not answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#warnOfCounted();
    const ended = async () => {
      await this.#chore.close();
      while (this.#running.size > 0) await Promise.all(this.#running);
    };
    const patience = new AbortController();
    await Promise.race([
      ended().finally(() => patience.abort()),
      delay(CLOSE_MS, undefined, { signal: patience.signal }).catch(() => {}),
    ]);
  }

  /** Sends all warnings that are due. @throws Error if Redis failed. */
  async look(now = Date.now()): Promise<void> {
    const { redis } = this.#options;
    const month = monthOf(now);
    for (const account of await redis.smembers(webhookKeys.accounts)) {
      if (this.#isClosed) return;
      const used = await redis.hget(limitKeys.months(account, 'live'), `used:${month}`);
      await this.warnOfQuota({ account, environment: 'live', month, used: Number(used ?? 0) }, true);
      await this.#warnOfEndpoints(account, now);
    }
    await this.#warnOfKeys(now);
  }

  /** @param isLook whether failed e-mail is tried again. @throws Error if Redis failed. */
  async warnOfQuota({ account, environment, month, used }: MonthUse, isLook = false): Promise<void> {
    if (used === 0) return;
    const { keys, plans, mails } = this.#options;
    const owner = await keys.getAccount(account);
    const plan = owner && plans.get(owner.plan);
    const quota = plan ? withOwnLimits(plan, owner.ownLimits, Date.now()).perMonth : null;
    if (!owner || quota === null) return;
    for (const percent of QUOTA_PERCENTS.filter((each) => used * 100 >= quota * each)) {
      const renewsAt = new Date(monthEnd(month)).toISOString();
      const data = { month, percent, used, quota, renewsAt };
      const event = {
        type: 'quota.warning',
        cause: `${month} ${percent}`,
        at: Date.now(),
        data: { ...data, link: `/v1/usage?month=${month}` },
      } as const;
      const claim = await this.#tell({ account, environment }, event, QUOTA_KEPT_MS, data, isLook);
      if (claim) await mails?.send(owner, [claim], (source) => quotaText(source, data));
    }
  }

  #warnOfCounted(): void {
    clearTimeout(this.#next);
    this.#next = undefined;
    const uses = [...this.#counted.values()];
    this.#counted.clear();
    this.#follow(inBatches(uses, (use) => this.warnOfQuota(use)));
  }

  async #warnOfKeys(now: number): Promise<void> {
    const { keys, mails } = this.#options;
    const expiring = await keys.expiring.page(new Date(now + Math.max(...KEY_DAYS) * DAY_MS), MAX_KEYS);
    const owners = new Map<string, Account | undefined>();
    const claims = new Map<string, Claim<KeyRecord>[]>();
    for (const key of expiring.keys) {
      const { account } = key;
      if (!owners.has(account)) owners.set(account, await keys.getAccount(account));
      // Its keys are refused now. After it is resumed, it gets the warnings that are still true.
      const owner = owners.get(account);
      if (!owner || isHeld(owner)) continue;
      const claim = await this.#warnOfKey(key, now);
      if (claim) claims.set(account, [...(claims.get(account) ?? []), claim]);
    }
    for (const [account, claimed] of claims) {
      await mails?.send({ id: account, name: owners.get(account)?.name ?? account }, claimed, keysText);
    }
  }

  async #warnOfKey(key: KeyRecord, now: number): Promise<Claim<KeyRecord> | undefined> {
    const { account, environment, id, name, display, expiresAt } = key;
    const left = Date.parse(String(expiresAt)) - now;
    const days = KEY_DAYS.findLast((each) => left <= each * DAY_MS);
    if (days === undefined) return undefined;
    const data = { id, name, display, environment, days, expiresAt };
    const event = { type: 'key.expiring', cause: `${id} ${days}`, at: now, data } as const;
    return this.#tell({ account, environment }, event, KEY_KEPT_MS, key, true);
  }

  /** Only by e-mail: a disabled endpoint gets no messages. */
  async #warnOfEndpoints(account: string, now: number): Promise<void> {
    const { keys, webhooks, mails } = this.#options;
    if (!mails || !(await mails.isWanted(account))) return;
    const owner = await keys.getAccount(account);
    if (!owner || isHeld(owner)) return;
    const claims: Claim<EndpointWarning>[] = [];
    for (const environment of ['live', 'test'] as const) {
      const endpoints = await webhooks.endpoints.list({ account, environment });
      for (const { id, url, disabledReason: reason, disabledAt: at } of endpoints) {
        // Nobody is told what they did themselves.
        if (at === null || reason === null || now - at > ENDPOINT_TOLD_MS) continue;
        const claim = await mails.claim(
          {
            owner: { account, environment },
            type: 'endpoint.disabled',
            cause: `${id} ${at}`,
            keptMs: 2 * ENDPOINT_TOLD_MS,
            data: { id, environment, url, reason, at },
          },
          true,
        );
        if (claim) claims.push(claim);
      }
    }
    await mails.send(owner, claims, endpointsText);
  }

  /**
   * Sends messages to endpoints, once.
   *
   * @param isLook whether to claim warnings whose e-mail failed.
   * @returns what this server must send by e-mail now.
   */
  async #tell<Data>(
    owner: WebhookOwner,
    event: WebhookEvent,
    keptMs: number,
    data: Data,
    isLook: boolean,
  ): Promise<Claim<Data> | undefined> {
    const { webhooks, mails } = this.#options;
    const { type, cause } = event;
    const warning = { owner, type, cause, keptMs, data };
    let claim: Claim<Data> | undefined;
    const isNew = await webhooks.tellOnce(owner, event, keptMs, async () => {
      claim = await mails?.claim(warning, true);
    });
    return isNew || !isLook ? claim : mails?.claim(warning, false);
  }

  #follow(run: Promise<unknown>): void {
    const running: Promise<unknown> = run
      .catch((error: Error) => this.#options.log.debug({ cause: error.message }, LATER))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
