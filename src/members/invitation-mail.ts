/** Sends invitations by e-mail. */
import type { Config } from '../config.ts';
import { Mailer } from '../outbound/mail/mailer.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import { invitationLink } from './link.ts';
import type { NewInvitation } from './member.ts';
import type { Realm } from './realm.ts';

/** Messages that one account may cause in a day (UTC): an owner must not be able to send mass mail. */
export const MAILS_PER_DAY = 100;
const DAY_SECONDS = 86_400;

/**
 * @param mail undefined if the service sends no e-mail.
 * @param dashboardUrl the origin of the dashboard.
 */
export function invitationMail(
  redis: RedisClient,
  realm: Realm,
  { mail, dashboardUrl }: Pick<Config, 'mail' | 'dashboardUrl'>,
  log: Log,
): InvitationMail | undefined {
  if (!mail) return undefined;
  const { url, from, publicUrl } = mail;
  const origin = realm.noun === 'operator' ? (dashboardUrl ?? publicUrl) : publicUrl;
  return new InvitationMail(redis, realm, { mailer: new Mailer({ url, from, log }), origin, log });
}

export class InvitationMail {
  readonly #redis: RedisClient;
  readonly #realm: Realm;
  readonly #mailer: Mailer;
  readonly #origin: string;
  readonly #log: Log;

  /** @param origin of the realm's pages. */
  constructor(
    redis: RedisClient,
    realm: Realm,
    { mailer, origin, log }: { mailer: Mailer; origin: string; log: Log },
  ) {
    this.#redis = redis;
    this.#realm = realm;
    this.#mailer = mailer;
    this.#origin = origin;
    this.#log = log;
  }

  /** @returns whether the mail server accepted it; false if it could not be counted. */
  async send(
    { id, name }: { readonly id: string; readonly name: string },
    invitation: NewInvitation<string>,
  ): Promise<boolean> {
    const { email, role, member, token } = invitation;
    if (!(await this.#isCounted(id))) return false;
    const place = this.#realm.pages.slice(1);
    const link = invitationLink(this.#realm, token, this.#origin, null);
    return this.#mailer.send({
      to: email,
      subject:
        member === null ? `${name} invites you to its ${place}` : `A new link to the ${place} of ${name}`,
      text: [
        member === null
          ? `${name} invites you to its ${place} as ${role}.`
          : `With this link you make a new passkey for the ${place} of ${name}. It replaces all your passkeys.`,
        `Open it within seven days; it works once:\n\n${link}`,
        'Do not pass it on. If you did not expect this message, ignore it.',
        '',
      ].join('\n\n'),
    });
  }

  /** Counts a message of an account. @returns false if that failed, or it may send no more today. */
  async #isCounted(account: string): Promise<boolean> {
    const day = new Date().toISOString().slice(0, 10);
    const key = this.#realm.keys.mails(account, day);
    try {
      const results = await this.#redis.multi().incr(key).expire(key, DAY_SECONDS).exec();
      const [[error, count] = []] = results ?? [];
      if (error) throw error;
      return Number(count) <= MAILS_PER_DAY;
    } catch (error) {
      this.#log.error({ err: error, account }, 'an invitation was not sent, as it could not be counted');
      return false;
    }
  }
}
