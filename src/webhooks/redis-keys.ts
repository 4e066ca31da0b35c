/** Redis keys of webhooks. All have the account as their hash tag, so that one script may use them. */
import type { Environment } from '../accounts/keys/format.ts';

export const webhookKeys = {
  /** Set: accounts that have, or had, endpoints or contact addresses. */
  accounts: 'platen:webhooks:accounts',
  /** String: exists for some time after a server looked for warnings. */
  look: 'platen:webhooks:look',
  /** Sorted set: ids of endpoints, by creation, in ms. */
  endpoints: (account: string, environment: Environment) => `platen:{${account}}:${environment}:webhooks`,
  /** Hash: an endpoint; see endpoints.ts. */
  endpoint: (account: string, environment: Environment, id: string) =>
    `platen:{${account}}:${environment}:webhook:${id}`,
  /** Hash: the secret of URLs that are sent with a job, `secret` and `formers`; see secrets.ts. */
  secret: (account: string, environment: Environment) => `platen:{${account}}:${environment}:webhook-secret`,
  /** Sorted set: ids of messages to an endpoint or to a job's URL, by creation, in ms. */
  deliveries: (account: string, environment: Environment, target: string) =>
    `platen:{${account}}:${environment}:webhook:${target}:deliveries`,
  /** Sorted set: ids of messages to be delivered, by creation or repetition, in ms. */
  pending: (account: string, environment: Environment, target: string) =>
    `platen:{${account}}:${environment}:webhook:${target}:pending`,
  /** Hash: the delivery of a message; see deliveries.ts. */
  delivery: (account: string, environment: Environment, target: string, message: string) =>
    `platen:{${account}}:${environment}:webhook:${target}:deliveries:${message}`,
  /** String: id of the job whose URL gets the message. It expires. */
  messageJob: (account: string, environment: Environment, message: string) =>
    `platen:{${account}}:${environment}:webhook-message:${message}`,
  /** String: exists for some time after the message was queued for all endpoints. */
  told: (account: string, environment: Environment, message: string) =>
    `platen:{${account}}:${environment}:webhook-told:${message}`,
  /** String: a warning by e-mail, "failed TRIES" until it is sent or given up, then "sent". It expires with its cause. */
  mailed: (account: string, environment: Environment, message: string) =>
    `platen:{${account}}:${environment}:warning-mail:${message}`,
  /** String: exists for some time while a server sends the warning with this `mailed` key. */
  mailing: (mailed: string) => `${mailed}:lease`,
  /** String: number of addresses that got warnings of an account on a day. It expires with the day. */
  mails: (account: string, day: string) => `platen:{${account}}:mails:warnings:${day}`,
} as const;
