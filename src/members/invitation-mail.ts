/** Sends invitations by e-mail. */
import type { MailSettings } from '../config.ts';
import type { Log } from '../log.ts';
import { Mailer } from '../mail/mailer.ts';
import type { RedisClient } from '../redis/connect.ts';
import { invitationLink } from './link.ts';
import type { NewInvitation } from './member.ts';
import { memberKeys } from './redis-keys.ts';

/** Messages that one account may cause in a day (UTC): whoever is an owner must not send to the whole world. */
export const MAILS_PER_DAY = 100;
const DAY_SECONDS = 86_400;

/** @param settings undefined where nothing sends e-mail. */
export function invitationMail(
  redis: RedisClient,
  settings: MailSettings | undefined,
  log: Log,
): InvitationMail | undefined {
  if (!settings) return undefined;
  const { url, from, publicUrl } = settings;
  return new InvitationMail(redis, new Mailer({ url, from, log }), publicUrl);
}

export class InvitationMail {
  readonly #redis: RedisClient;
  readonly #mailer: Mailer;
  readonly #publicUrl: string;

  constructor(redis: RedisClient, mailer: Mailer, publicUrl: string) {
    this.#redis = redis;
    this.#mailer = mailer;
    this.#publicUrl = publicUrl;
  }

  /** @returns whether the mail server took it. @throws Error when Redis is not available. */
  async send(
    { id, name }: { readonly id: string; readonly name: string },
    invitation: NewInvitation,
  ): Promise<boolean> {
    const { email, role, member, token } = invitation;
    const day = new Date().toISOString().slice(0, 10);
    const counted = this.#redis.multi();
    counted.incr(memberKeys.mails(id, day)).expire(memberKeys.mails(id, day), DAY_SECONDS);
    const [[error, count] = []] = (await counted.exec()) ?? [];
    if (error) throw error;
    if (Number(count) > MAILS_PER_DAY) return false;
    const link = invitationLink(token, this.#publicUrl, null);
    return this.#mailer.send({
      to: email,
      subject:
        member === null ? `${name} invites you to its console` : `A new link to the console of ${name}`,
      text: [
        member === null
          ? `${name} invites you to its console as ${role}.`
          : `With this link you make a new passkey for the console of ${name}. It replaces those that you have.`,
        `Open it within seven days; it works once:\n\n${link}`,
        'Pass it on to nobody. If you expected no such message, ignore it.',
        '',
      ].join('\n\n'),
    });
  }
}
