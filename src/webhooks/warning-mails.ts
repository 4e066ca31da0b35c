/**
 * Warnings by e-mail, to the contact addresses of accounts that want it. However many servers notice something, one of them
 * writes, once. What the mail server did not take is tried again with the next looks, a few times.
 */
import type { MailSettings } from '../config.ts';
import type { Account } from '../keys/records.ts';
import type { Log } from '../log.ts';
import { Mailer } from '../mail/mailer.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { ContactStore } from './contacts.ts';
import { webhookKeys } from './redis-keys.ts';
import type { TextSource } from './warning-texts.ts';
import { messageId, type WebhookOwner } from './webhook.ts';

/** Addresses that warnings of one account go to in a day (UTC): whoever is an owner must not send to the whole world. */
export const ADDRESSES_PER_DAY = 100;
const DAY_SECONDS = 86_400;
/** How often a message is tried. */
const TRIES = 3;
/** Messages at a time, and how long a mail server that did not answer is left alone; the rest waits for the next look. */
const MAX_SENDING = 10;
const AWAY_MS = 60_000;
const SENT = 'sent';
const FAILED = /^failed (\d+)$/;

/** Something to write about, which this server alone does now. */
export interface Claim<Data> {
  /** In Redis. */
  readonly mark: string;
  /** How often it was tried before. */
  readonly tries: number;
  readonly data: Data;
}

export interface Warning<Data> {
  readonly owner: WebhookOwner;
  readonly type: string;
  /** As of an event. */
  readonly cause: string;
  /** How long it is remembered, in milliseconds. */
  readonly keptMs: number;
  readonly data: Data;
}

export interface WarningMailsOptions {
  readonly redis: RedisClient;
  readonly contacts: ContactStore;
  readonly settings: MailSettings;
  readonly log: Log;
}

export class WarningMails {
  readonly #options: WarningMailsOptions;
  readonly #mailer: Mailer;
  #sending = 0;
  /** By `performance.now()`. */
  #awayUntil = 0;

  constructor(options: WarningMailsOptions) {
    this.#options = options;
    const { settings, log } = options;
    this.#mailer = new Mailer({ url: settings.url, from: settings.from, log });
  }

  /** Whether the account wants any. @throws Error if Redis failed. */
  async isWanted(account: string): Promise<boolean> {
    const { addresses, warnings } = await this.#options.contacts.read(account);
    return warnings && addresses.length > 0;
  }

  /**
   * @param isNew whether it was just noticed; else it is claimed only if it was tried in vain.
   * @returns undefined if nobody wants it, or it is or was somebody else's.
   * @throws Error if Redis failed.
   */
  async claim<Data>(
    { owner, type, cause, keptMs, data }: Warning<Data>,
    isNew: boolean,
  ): Promise<Claim<Data> | undefined> {
    const { redis } = this.#options;
    const mark = webhookKeys.mailed(owner.account, owner.environment, messageId(owner, { type, cause }));
    if (!isNew && !FAILED.test((await redis.get(mark)) ?? '')) return undefined;
    if (!(await this.isWanted(owner.account))) return undefined;
    const former = await redis.set(mark, SENT, 'PX', keptMs, 'GET');
    if (former === null) return { mark, tries: 0, data };
    const [, tries] = FAILED.exec(former) ?? [];
    return tries === undefined ? undefined : { mark, tries: Number(tries), data };
  }

  /** Writes one message about all of it. @throws Error if Redis failed. */
  async send<Data>(
    { id, name }: Pick<Account, 'id' | 'name'>,
    claims: readonly Claim<Data>[],
    textOf: (
      source: TextSource,
      data: readonly Data[],
    ) => { readonly subject: string; readonly text: string },
  ): Promise<void> {
    if (claims.length === 0) return;
    if (this.#sending >= MAX_SENDING || performance.now() < this.#awayUntil) {
      await this.#leave(claims, 0);
      return;
    }
    this.#sending++;
    try {
      const { contacts, settings, log } = this.#options;
      const { addresses: to } = await contacts.read(id);
      if (to.length === 0) return;
      if (!(await this.#isAllowed(id, to.length))) {
        log.warn({ account: id }, 'a warning was not sent: the account has reached its daily limit');
        return;
      }
      const { publicUrl } = settings;
      const outcome = await this.#mailer.post({
        to,
        ...textOf(
          { name, publicUrl },
          claims.map(({ data }) => data),
        ),
      });
      if (outcome === 'sent') return;
      if (outcome === 'away') this.#awayUntil = performance.now() + AWAY_MS;
      await this.#leave(claims, 1);
    } finally {
      this.#sending--;
    }
  }

  /** Leaves it to the next look, unless it was tried often enough. */
  async #leave(claims: readonly Claim<unknown>[], tries: number): Promise<void> {
    const { redis } = this.#options;
    for (const { mark, tries: before } of claims) {
      if (before + tries < TRIES) await redis.set(mark, `failed ${before + tries}`, 'KEEPTTL', 'XX');
    }
  }

  async #isAllowed(account: string, count: number): Promise<boolean> {
    const mails = webhookKeys.mails(account, new Date().toISOString().slice(0, 10));
    const counted = this.#options.redis.multi();
    counted.incrby(mails, count).expire(mails, DAY_SECONDS);
    const [[error, total] = []] = (await counted.exec()) ?? [];
    if (error) throw error;
    return Number(total) <= ADDRESSES_PER_DAY;
  }
}
