/** The BullMQ queue that distributes deliveries among the egress processes. It holds ids; the records are in deliveries.ts. */
import type { Job as Entry } from 'bullmq';
import { inBatches } from '../accounts/keys/batches.ts';
import type { RedisClient } from '../redis/connect.ts';
import { openQueue, promote, untilDone, type WorkQueue } from '../redis/work-queue.ts';
import type { DeliveryRef } from './webhook.ts';

/** One hash tag for all keys, so that scripts may use them in a Redis Cluster. */
export const PREFIX = 'platen:{webhooks}';
export const DELIVERIES = 'deliveries';
/** Priority of deliveries that were tried or waited before: new ones go first. */
export const LATER = 100_000;
/** Hash: number of attempts by outcome. */
const COUNTS = `${PREFIX}:counts`;

/** How an attempt ended: `failed` is tried again, `abandoned` is not. */
const attemptOutcomes = ['delivered', 'failed', 'abandoned'] as const;
type AttemptOutcome = (typeof attemptOutcomes)[number];

/** A delivery in the queue. */
export interface QueuedDelivery extends DeliveryRef {
  /** Grows when the message is sent again; only the latest entry counts. */
  readonly run: number;
  /** Deliveries in one lane go to one endpoint, or to one server. */
  readonly lane: string;
}

export type DeliveryEntry = Entry<QueuedDelivery>;

/** A delivery that is to be queued. */
export interface NewlyQueued extends QueuedDelivery {
  /** How many wait for its endpoint. */
  readonly waiting: number;
}

/** How many deliveries there are in the queue. */
interface WaitingDeliveries {
  /** Due now, or running. */
  readonly due: number;
  /** Due later. */
  readonly delayed: number;
}

/** Adds to the queue and reads from it; fails as fast as its client. */
export class DeliveryQueue {
  readonly #redis: RedisClient;
  #queue: Promise<WorkQueue<QueuedDelivery>> | undefined;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** Queues deliveries; queued ones stay as they are. Those whose endpoint has the fewest waiting go first. */
  async add(deliveries: readonly NewlyQueued[]): Promise<void> {
    const queue = await this.#opened();
    await queue.addBulk(
      deliveries.map(({ waiting, ...delivery }) => {
        const priority = Math.min(Math.max(waiting, 1), LATER - 1);
        const opts = { jobId: entryId(delivery), priority, ...untilDone };
        return { name: DELIVERIES, data: delivery, opts };
      }),
    );
  }

  /** Takes deliveries out of the queue. A running one stays, and finds no record. */
  async remove(deliveries: readonly Omit<QueuedDelivery, 'lane'>[]): Promise<void> {
    const queue = await this.#opened();
    await inBatches(deliveries, (delivery) => queue.remove(entryId(delivery)));
  }

  /** As {@link promote}. */
  async promote(id: string): Promise<boolean> {
    return promote(await this.#opened(), id);
  }

  async waiting(): Promise<WaitingDeliveries> {
    const queue = await this.#opened();
    const {
      prioritized = 0,
      waiting = 0,
      active = 0,
      delayed = 0,
    } = await queue.getJobCounts('prioritized', 'waiting', 'active', 'delayed');
    return { due: prioritized + waiting + active, delayed };
  }

  /** Counts an attempt. */
  async count(outcome: AttemptOutcome): Promise<void> {
    await this.#redis.hincrby(COUNTS, outcome, 1);
  }

  /** Attempts of all processes, by outcome. */
  async counts(): Promise<Record<AttemptOutcome, number>> {
    const counts = await this.#redis.hmget(COUNTS, ...attemptOutcomes);
    return Object.fromEntries(
      attemptOutcomes.map((outcome, index) => [outcome, Number(counts[index] ?? 0)]),
    ) as Record<AttemptOutcome, number>;
  }

  /** The client stays open. */
  async close(): Promise<void> {
    await (await this.#queue?.catch(() => undefined))?.close();
  }

  /** Opens the queue when it is first needed. */
  #opened(): Promise<WorkQueue<QueuedDelivery>> {
    this.#queue ??= openQueue<QueuedDelivery>(this.#redis, PREFIX, DELIVERIES);
    return this.#queue;
  }
}

function entryId({ target, id, run }: Omit<QueuedDelivery, 'lane'>): string {
  return `${target}.${id}.${run}`;
}
