/** Secrets that sign webhooks, as in Standard Webhooks: `whsec_` and random bytes in Base64. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const RANDOM_BYTES = 32;
/** How long a replaced secret still signs: 24 hours. */
export const FORMER_KEPT_MS = 86_400_000;
/** Most old secrets that sign, so that the header stays short; beyond that, the oldest ends early. */
export const MAX_FORMERS = 4;

export function newSecret(): string {
  return `whsec_${randomBytes(RANDOM_BYTES).toString('base64')}`;
}

/** The valid secrets, the newest first, from a hash with `secret` and `formers`, each with its end in ms. */
export function signingSecrets(
  { secret, formers = '' }: Readonly<Record<string, string | undefined>>,
  now = Date.now(),
): string[] {
  const known = [...formers.matchAll(/(\S+) (\S+)/g)].filter(([, , end]) => Number(end) > now);
  return [secret, ...known.map(([, former]) => former)].filter((each) => each !== undefined);
}

/** The headers of a message. @param at when it is sent. */
export function signedHeaders(secrets: readonly string[], id: string, at: Date, body: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
