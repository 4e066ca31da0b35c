/** Sends invitations by e-mail. */
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { Mailer } from '../mail/mailer.ts';
import type { RedisClient } from '../redis/connect.ts';
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
  return new InvitationMail(redis, realm, new Mailer({ url, from, log }), origin);
}

export class InvitationMail {
  readonly #redis: RedisClient;
  readonly #realm: Realm;
  readonly #mailer: Mailer;
  readonly #origin: string;

  /** @param origin of the realm's pages. */
  constructor(redis: RedisClient, realm: Realm, mailer: Mailer, origin: string) {
    this.#redis = redis;
    this.#realm = realm;
    this.#mailer = mailer;
    this.#origin = origin;
  }

  /** @returns whether the mail server accepted it. @throws Error when Redis is not available. */
  async send(
    { id, name }: { readonly id: string; readonly name: string },
    invitation: NewInvitation<string>,
  ): Promise<boolean> {
    const { email, role, member, token } = invitation;
    const day = new Date().toISOString().slice(0, 10);
    const counted = this.#redis.multi();
    const key = this.#realm.keys.mails(id, day);
    counted.incr(key).expire(key, DAY_SECONDS);
    const [[error, count] = []] = (await counted.exec()) ?? [];
    if (error) throw error;
    if (Number(count) > MAILS_PER_DAY) return false;
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
}
