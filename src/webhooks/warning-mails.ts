/**
 * Warnings by e-mail, to the contact addresses of accounts that want them. Several servers may notice a cause; one of them
 * sends one message. A message that the mail server did not accept is tried again at later looks, a few times; so is one
 * whose server died. If it died after the mail server had accepted it, the message comes twice.
 */
import type { Account } from '../accounts/keys/records.ts';
import type { MailSettings } from '../config.ts';
import { Mailer } from '../outbound/mail/mailer.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import type { ContactStore } from './contacts.ts';
import { webhookKeys } from './redis-keys.ts';
import type { TextSource } from './warning-texts.ts';
import { messageId, type WebhookOwner } from './webhook.ts';

/** Addresses that may get warnings of one account in a day (UTC): an owner must not be able to send mass mail. */
export const ADDRESSES_PER_DAY = 100;
const DAY_SECONDS = 86_400;
/** How often a message is tried. */
const TRIES = 3;
/** Messages at a time, and how long a mail server is left alone after it did not answer. The rest waits for the next look. */
const MAX_SENDING = 10;
const AWAY_MS = 60_000;
/** How long others leave a warning to the server that sends it; shorter than the time between two looks that did not fail. */
const LEASE_MS = 5 * 60_000;
const SENT = 'sent';
const FAILED = /^failed (\d+)$/;

/** A warning that only this server sends now, until its lease ends. */
export interface Claim<Data> {
  /** Its key in Redis. */
  readonly mark: string;
  /** Earlier tries. */
  readonly tries: number;
  readonly data: Data;
}

interface Warning<Data> {
  readonly owner: WebhookOwner;
  readonly type: string;
  /** As in an event. */
  readonly cause: string;
  /** How long the warning is remembered, in milliseconds. */
  readonly keptMs: number;
  readonly data: Data;
}

interface WarningMailsOptions {
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

  /** Whether the account wants warnings. @throws Error if Redis failed. */
  async isWanted(account: string): Promise<boolean> {
    const { addresses, warnings } = await this.#options.contacts.read(account);
    return warnings && addresses.length > 0;
  }

  /**
   * @param isNew whether its cause is new; otherwise it is claimed only if it was claimed before, and not sent.
   * @returns undefined if nobody wants it, or another server has or had it.
   * @throws Error if Redis failed.
   */
  async claim<Data>(
    { owner, type, cause, keptMs, data }: Warning<Data>,
    isNew: boolean,
  ): Promise<Claim<Data> | undefined> {
    const { redis } = this.#options;
    const mark = webhookKeys.mailed(owner.account, owner.environment, messageId(owner, { type, cause }));
    const known = await redis.get(mark);
    if (known === null ? !isNew : triesOf(known) === undefined) return undefined;
    if (!(await this.isWanted(owner.account))) return undefined;
    // Before the lease: if this server dies, later looks know it by its mark.
    if (known === null) await redis.set(mark, failed(0), 'PX', keptMs, 'NX');
    const lease = webhookKeys.mailing(mark);
    if ((await redis.set(lease, '1', 'PX', LEASE_MS, 'NX')) === null) return undefined;
    // Another server may have sent it before this one got the lease.
    const tries = triesOf(await redis.get(mark));
    if (tries !== undefined) return { mark, tries, data };
    await redis.del(lease);
    return undefined;
  }

  /** Sends one message about all data. @throws Error if Redis failed. */
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
      if (to.length === 0) {
        await this.#end(claims);
        return;
      }
      if (!(await this.#isAllowed(id, to.length))) {
        log.warn({ account: id }, 'a warning was not sent: the account has reached its daily limit');
        await this.#end(claims);
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
      if (outcome === 'away') this.#awayUntil = performance.now() + AWAY_MS;
      await (outcome === 'sent' ? this.#end(claims) : this.#leave(claims, 1));
    } finally {
      this.#sending--;
    }
  }

  /** Leaves it to the next look, unless it was tried often enough. */
  async #leave(claims: readonly Claim<unknown>[], tries: number): Promise<void> {
    for (const claim of claims) {
      const all = claim.tries + tries;
      await this.#giveBack(claim, all < TRIES ? failed(all) : SENT);
    }
  }

  /** Nobody sends it again. */
  async #end(claims: readonly Claim<unknown>[]): Promise<void> {
    for (const claim of claims) await this.#giveBack(claim, SENT);
  }

  async #giveBack({ mark }: Claim<unknown>, state: string): Promise<void> {
    const { redis } = this.#options;
    await redis.set(mark, state, 'KEEPTTL', 'XX');
    await redis.del(webhookKeys.mailing(mark));
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

const failed = (tries: number): string => `failed ${tries}`;

/** Earlier tries of a warning that is still to be sent. */
function triesOf(mark: string | null): number | undefined {
  const [, tries] = FAILED.exec(mark ?? '') ?? [];
  return tries === undefined ? undefined : Number(tries);
}
