/** Webhooks as data. */
import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../accounts/keys/format.ts';
import type { Maker } from '../accounts/keys/maker.ts';
import type { OutboundFailure } from '../outbound/outbound.ts';
import type { Carrier } from '../telemetry/trace.ts';

/** Events that an endpoint can get. */
export const eventTypes = [
  'job.completed',
  'job.canceled',
  'job.expired',
  'quota.warning',
  'key.expiring',
] as const;
/** `webhook.test` goes only to the endpoint that is tested. */
export type EventType = (typeof eventTypes)[number] | 'webhook.test';

/** Endpoints of an account in each environment. */
export const MAX_ENDPOINTS = 20;

/** An account has separate webhooks for live keys and for test keys. */
export interface WebhookOwner {
  readonly account: string;
  readonly environment: Environment;
}

/** Identifies an endpoint. */
export interface EndpointRef extends WebhookOwner {
  readonly id: string;
}

/** `gone`: it answered 410. `failing`: it failed for days. Null: it is enabled, or its account disabled it. */
export type DisabledReason = 'gone' | 'failing' | 'operator' | null;

/** Times in milliseconds since the epoch. */
export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly description: string;
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason;
  readonly disabledAt: number | null;
  /** Since when every attempt failed; null: the last one succeeded. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  /** Null: an earlier version made it. */
  readonly madeBy: Maker | null;
}

/** Something that happened. */
export interface WebhookEvent {
  readonly type: EventType;
  /** Text that is unique among events of this type and owner, so that a repeated event is the same message. */
  readonly cause: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** What the spans of its deliveries are inside of. */
  readonly trace?: Carrier | undefined;
}

/** A URL that was sent with a job. */
export interface JobUrl {
  readonly job: string;
  readonly url: string;
}

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Identifies a message on its way to one endpoint. */
export interface DeliveryRef extends WebhookOwner {
  /** Id of an endpoint, or of the job whose URL it is. */
  readonly target: string;
  /** Id of the message. */
  readonly id: string;
}

/** One attempt to deliver. */
export interface Attempt {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** Of the answer; null: there was none. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: OutboundFailure | null;
  readonly durationMs: number;
}

/** Times in milliseconds since the epoch. */
export interface Delivery {
  readonly id: string;
  readonly type: EventType;
  readonly state: DeliveryState;
  readonly createdAt: number;
  /** Null unless it is pending. */
  readonly nextAttemptAt: number | null;
  /** The last ones, the oldest first. */
  readonly attempts: readonly Attempt[];
}

const ENDPOINT_ID = /^wh_[0-9a-f]{32}$/;
const MESSAGE_ID = /^msg_[0-9a-f]{32}$/;

export function newEndpointId(): string {
  return `wh_${randomBytes(16).toString('hex')}`;
}

export function isEndpointId(text: string): boolean {
  return ENDPOINT_ID.test(text);
}

export function isMessageId(text: string): boolean {
  return MESSAGE_ID.test(text);
}

/** The id of an event's message: the same for the same cause. */
export function messageId(
  { account, environment }: WebhookOwner,
  { type, cause }: { readonly type: string; readonly cause: string },
): string {
  const text = [account, environment, type, cause].join('\0');
  return `msg_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The body of an event's message. */
export function messageBody({ type, at, data }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
