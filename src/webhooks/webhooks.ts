/** Sends events to endpoints, at least once. The message id is the same in each repetition. */
import { createHash, randomUUID } from 'node:crypto';
import { inBatches } from '../accounts/keys/batches.ts';
import type { RedisClient } from '../redis/connect.ts';
import { DELIVERY_KEPT_MS, Deliveries, type WholeDelivery } from './deliveries.ts';
import { DeliveryQueue, type NewlyQueued, type QueuedDelivery } from './delivery-queue.ts';
import { Endpoints } from './endpoints.ts';
import { webhookKeys } from './redis-keys.ts';
import { sampleData } from './samples.ts';
import {
  type Delivery,
  type DeliveryRef,
  type EndpointRef,
  eventTypes,
  type JobUrl,
  messageBody,
  messageId,
  type WebhookEvent,
  type WebhookOwner,
} from './webhook.ts';

/** Where a message goes. */
interface Target {
  readonly id: string;
  /** URL of a job's webhook. */
  readonly url?: string;
}

/** How long a message to the URL of a job is found by its id: as long as it is kept after ten days of attempts. */
const FOUND_MS = 10 * 86_400_000 + DELIVERY_KEPT_MS;

export class Webhooks {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly queue: DeliveryQueue;
  readonly #redis: RedisClient;

  constructor(redis: RedisClient) {
    this.#redis = redis;
    this.endpoints = new Endpoints(redis);
    this.deliveries = new Deliveries(redis);
    this.queue = new DeliveryQueue(redis);
  }

  /**
   * Sends an event to the endpoints that want it, and to the URL of its job. If repeated, it is the same message.
   *
   * @throws Error if Redis failed: some may have got it.
   */
  async tell(owner: WebhookOwner, event: WebhookEvent, jobUrl?: JobUrl): Promise<void> {
    const endpoints = await this.endpoints.list(owner);
    const wanting = endpoints.filter(({ enabled, events }) => enabled && events.includes(event.type));
    const targets: Target[] = wanting.map(({ id }) => ({ id }));
    if (jobUrl) targets.push({ id: jobUrl.job, url: jobUrl.url });
    await this.#send(owner, event, targets);
  }

  /**
   * Sends an event once, though its cause may be noticed again.
   *
   * @param keptMs how long it is remembered, in milliseconds.
   * @param also what else is done about it, before it is remembered.
   * @returns whether it was new.
   * @throws Error if Redis failed.
   */
  async tellOnce(
    owner: WebhookOwner,
    event: WebhookEvent,
    keptMs: number,
    also?: () => Promise<void>,
  ): Promise<boolean> {
    const mark = webhookKeys.told(owner.account, owner.environment, messageId(owner, event));
    if ((await this.#redis.exists(mark)) === 1) return false;
    await this.tell(owner, event);
    await also?.();
    await this.#redis.set(mark, '1', 'PX', keptMs);
    return true;
  }

  /**
   * Sends a test to an endpoint, or a sample of an event, whatever events it wants.
   *
   * @returns the id of the message.
   */
  async test({ id, ...owner }: EndpointRef, sample?: (typeof eventTypes)[number]): Promise<string> {
    const at = Date.now();
    const data = sample ? sampleData(sample, owner.environment, at) : { webhook: id };
    return this.#send(owner, { type: sample ?? 'webhook.test', cause: randomUUID(), at, data }, [{ id }]);
  }

  /** Sends a message again. @returns whether it is known. */
  async repeat(name: DeliveryRef): Promise<boolean> {
    const latest = await this.deliveries.latest(name);
    if (!latest) return false;
    const run = latest.run + 1;
    // The entry first: a run without one would never be sent, and the entry of the run before is dropped.
    await this.queue.add([{ ...queued(name, run, latest.url), waiting: 0 }]);
    return this.deliveries.repeat(name, run);
  }

  /** Removes messages with this cause; those that wait are not sent. */
  async forget(owner: WebhookOwner, cause: string): Promise<void> {
    const { targets, messages } = await this.#about(owner, cause);
    await this.deliveries.forget(owner, targets, messages);
    const { account, environment } = owner;
    await inBatches(messages, (id) => this.#redis.del(webhookKeys.messageJob(account, environment, id)));
  }

  /** Messages with a cause, to endpoints and to the URL of the job with this id; the newest first. */
  async told(owner: WebhookOwner, cause: string): Promise<(Delivery & Pick<DeliveryRef, 'target'>)[]> {
    const { targets, messages } = await this.#about(owner, cause);
    const names = targets.flatMap((target) => messages.map((id) => ({ ...owner, target, id })));
    const found = await inBatches(names, async (name) => {
      const delivery = await this.deliveries.find(name);
      return delivery && { ...delivery, target: name.target };
    });
    return found.filter((each) => each !== undefined).sort((a, b) => b.createdAt - a.createdAt);
  }

  /** A message on its way to each of its targets, with what was sent and what came back; the newest first. */
  async message(owner: WebhookOwner, id: string): Promise<(WholeDelivery & Pick<DeliveryRef, 'target'>)[]> {
    const { account, environment } = owner;
    const endpoints = await this.endpoints.list(owner);
    const job = await this.#redis.get(webhookKeys.messageJob(account, environment, id));
    const targets = [...endpoints.map((endpoint) => endpoint.id), ...(job === null ? [] : [job])];
    const found = await inBatches(targets, async (target) => {
      const delivery = await this.deliveries.findWhole({ ...owner, target, id });
      return delivery && { ...delivery, target };
    });
    return found.filter((each) => each !== undefined).sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Takes waiting messages for an endpoint or a job's URL out of the queue. */
  async drop(target: EndpointRef): Promise<void> {
    await this.queue.remove(await this.deliveries.waiting(target));
  }

  /** Stops all messages to endpoints of an owner who is removed. @returns how many there were. */
  async removeAll(owner: WebhookOwner): Promise<number> {
    const endpoints = await this.endpoints.list(owner);
    for (const { id } of endpoints) await this.drop({ ...owner, id });
    return endpoints.length + (await this.endpoints.forgetAccount(owner.account));
  }

  /** The client stays open. */
  async close(): Promise<void> {
    await this.queue.close();
  }

  /** Messages with a cause, and their possible targets. */
  async #about(owner: WebhookOwner, cause: string) {
    const endpoints = await this.endpoints.list(owner);
    return {
      targets: [cause, ...endpoints.map(({ id }) => id)],
      messages: eventTypes.map((type) => messageId(owner, { type, cause })),
    };
  }

  async #send(owner: WebhookOwner, event: WebhookEvent, targets: readonly Target[]): Promise<string> {
    const id = messageId(owner, event);
    const body = messageBody(event);
    const { account, environment } = owner;
    const deliveries: NewlyQueued[] = [];
    for (const { id: target, url } of targets) {
      const name = { account, environment, target, id };
      const { type, trace } = event;
      if (url !== undefined) {
        const found = webhookKeys.messageJob(account, environment, id);
        await this.#redis.set(found, target, 'PX', FOUND_MS);
      }
      const waiting = await this.deliveries.add({ ...name, type, body, url, trace });
      deliveries.push({ ...queued(name, 1, url), waiting });
    }
    // Also those that exist: the process that added them may have died before it queued them.
    if (deliveries.length > 0) await this.queue.add(deliveries);
    return id;
  }
}

/** @param url of a job; all URLs on one server share a lane. */
function queued(name: DeliveryRef, run: number, url: string | undefined): QueuedDelivery {
  const server =
    url &&
    createHash('sha256')
      .update(`${name.account} ${new URL(url).origin}`)
      .digest('hex');
  return { ...name, run, lane: server ?? name.target };
}
