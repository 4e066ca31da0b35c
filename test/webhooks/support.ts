/** Webhooks on a real Redis, delivered to a real server, with short times. */
import type { Redis } from 'ioredis';
import type { Test } from 'tap';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { type DeliveryOptions, openDeliveries } from '../../src/webhooks/deliver.ts';
import type { EndpointSettings } from '../../src/webhooks/endpoints.ts';
import type { WebhookEvent } from '../../src/webhooks/webhook.ts';
import { Webhooks } from '../../src/webhooks/webhooks.ts';
import { recordingLog, redisDatabase } from '../redis/support.ts';
import { plainOutbound } from '../support/plain-outbound.ts';
import { Receiver } from '../support/receiver.ts';

export const owner = { account: 'acme', environment: 'live' } as const;

const MINUTE_MS = 60_000;

interface World {
  readonly redis: Redis;
  readonly webhooks: Webhooks;
  readonly receiver: Receiver;
  readonly messages: string[];
  /** Begins to deliver. */
  deliver(options?: Partial<DeliveryOptions>, outbound?: Outbound): Promise<{ close(): Promise<void> }>;
  /** Adds an endpoint of the receiver. */
  endpoint(path: string, settings?: Partial<EndpointSettings>): Promise<{ id: string; secret: string }>;
}

export async function testWebhooks(t: Test): Promise<World> {
  const { log, messages } = recordingLog();
  const waits = { requestMs: MINUTE_MS, commandMs: MINUTE_MS, silenceMs: 2 * MINUTE_MS };
  const { client, close } = await connectRedis({ target: await redisDatabase(t), log, waits });
  t.teardown(close);
  // One database is no cluster.
  const redis = client as Redis;
  const webhooks = new Webhooks(redis);
  t.teardown(() => webhooks.close());
  const receiver = await Receiver.start(t);
  return {
    redis,
    webhooks,
    receiver,
    messages,
    async deliver(options = {}, outbound = plainOutbound) {
      const deliveries = await openDeliveries(redis, log, outbound, options);
      t.teardown(() => deliveries.close());
      return deliveries;
    },
    async endpoint(path, settings = {}) {
      const events = ['job.completed', 'quota.warning'] as const;
      const usual = { url: receiver.url(path), events, description: '', enabled: true };
      const added = await webhooks.endpoints.add(owner, { ...usual, ...settings });
      if (!added) throw new Error('too many endpoints');
      return added;
    },
  };
}

export function event(cause: string, data: WebhookEvent['data'] = { id: cause }): WebhookEvent {
  return { type: 'job.completed', cause, at: Date.now(), data };
}
