/** Messages to endpoints in Redis: their bodies until they are delivered, and the attempts. */
import { inBatches } from '../accounts/keys/batches.ts';
import { luaFiles } from '../paths.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import type { Carrier } from '../telemetry/trace.ts';
import { webhookKeys } from './redis-keys.ts';
import type {
  Attempt,
  Delivery,
  DeliveryRef,
  DeliveryState,
  EndpointRef,
  EventType,
  WebhookOwner,
} from './webhook.ts';

/** How many deliveries of an endpoint are listed (the newest), and how long each is kept after its last attempt. */
export const KEPT_DELIVERIES = 200;
export const DELIVERY_KEPT_MS = 7 * 86_400_000;
/**
 * Most messages that may wait for an endpoint, and most bytes if all were as large as the new one. Further ones fail at once,
 * so that a dead endpoint does not fill Redis. In the worst case they take 60 MB, if the largest (20 kB) come first and 2 kB come back.
 */
const MAX_PENDING = 10_000;
const MAX_PENDING_BYTES = 10_000_000;
/** After so long without a failure, `failingSince` starts anew; longer than the time between two attempts. */
const PAUSE_MS = 2 * 86_400_000;
/** The last attempts of a delivery that are kept. */
const KEPT_ATTEMPTS = 20;

/** A message to one target. */
interface NewDelivery extends DeliveryRef {
  readonly type: EventType;
  readonly body: string;
  /** URL of a job's webhook. */
  readonly url?: string | undefined;
  /** What its spans are inside of. */
  readonly trace?: Carrier | undefined;
}

/** What the next attempt needs. */
export interface PendingDelivery {
  readonly body: string;
  /** URL of a job's webhook. */
  readonly url: string | undefined;
  /** How many attempts of this run have failed. */
  readonly step: number;
  /** In milliseconds since the epoch. */
  readonly nextAttemptAt: number;
  /** What its spans are inside of. */
  readonly trace: Carrier | undefined;
}

export interface EndedAttempt {
  /** Undefined: no attempt was made. */
  readonly attempt: Attempt | undefined;
  /** The beginning of the body that came back; may be empty. */
  readonly answer: string;
  /** `gone`: no attempt may follow. */
  readonly outcome: 'delivered' | 'failed' | 'gone';
  /** In milliseconds since the epoch; undefined: there is none. */
  readonly nextAt: number | undefined;
  readonly url: string;
}

export interface WholeDelivery extends Delivery {
  /** What was sent. */
  readonly body: string;
  /** The beginning of the body that came back last; null: none did yet. */
  readonly answer: string | null;
}

export class Deliveries {
  readonly #redis: RedisClient;
  readonly #most: { readonly messages: number; readonly bytes: number };
  readonly #add: Script;
  readonly #repeat: Script;
  readonly #end: Script;

  /** @param most limits per endpoint. */
  constructor(redis: RedisClient, most = { messages: MAX_PENDING, bytes: MAX_PENDING_BYTES }) {
    this.#redis = redis;
    this.#most = most;
    this.#add = new Script(redis, luaFiles.addDelivery);
    this.#repeat = new Script(redis, luaFiles.repeatDelivery);
    this.#end = new Script(redis, luaFiles.endAttempt);
  }

  /** Adds a delivery, unless it exists. @returns how many wait for the endpoint now. */
  async add({ type, body, url, trace, ...name }: NewDelivery): Promise<number> {
    const optional = { ...(url !== undefined && { url }), ...(trace && { trace: JSON.stringify(trace) }) };
    const fields = { type, body, ...optional };
    const { messages, bytes } = this.#most;
    const waiting = await this.#add.run(namesOf(name), [
      name.id,
      KEPT_DELIVERIES,
      DELIVERY_KEPT_MS,
      Math.min(messages, Math.floor(bytes / Buffer.byteLength(body))),
      ...Object.entries(fields).flat(),
    ]);
    return Number(waiting);
  }

  /** The latest run, and the URL of a job's webhook; undefined if there is no such delivery. */
  async latest(
    name: DeliveryRef,
  ): Promise<{ readonly run: number; readonly url: string | undefined } | undefined> {
    const [run, url] = await this.#redis.hmget(recordOf(name), 'run', 'url');
    return run == null ? undefined : { run: Number(run), url: url ?? undefined };
  }

  /** Starts its attempts again, as a run that has an entry in the queue. @returns whether there is such a delivery. */
  async repeat(name: DeliveryRef, run: number): Promise<boolean> {
    return (await this.#repeat.run(namesOf(name), [DELIVERY_KEPT_MS, run])) === 1;
  }

  /** Undefined if this run does not, or no longer, deliver it. A run that only the queue knows begins. */
  async pending(name: DeliveryRef, run: number): Promise<PendingDelivery | undefined> {
    const fields = ['state', 'run', 'step', 'nextAttemptAt', 'body', 'url', 'trace'];
    const [state, known, step, next, body, url, trace] = await this.#redis.hmget(recordOf(name), ...fields);
    if (known != null && Number(known) < run) {
      return (await this.repeat(name, run)) ? this.pending(name, run) : undefined;
    }
    if (state !== 'pending' || Number(known) !== run || body == null) return undefined;
    return {
      body,
      url: url ?? undefined,
      step: Number(step),
      nextAttemptAt: Number(next),
      trace: trace == null ? undefined : JSON.parse(trace),
    };
  }

  /**
   * Stores the result of an attempt.
   *
   * @param maxFailingMs how long an endpoint may fail before it is disabled.
   * @returns the delivery's state; `disabled` if it failed and disabled the endpoint.
   */
  async end(
    name: DeliveryRef,
    run: number,
    { attempt, answer, outcome, nextAt, url }: EndedAttempt,
    maxFailingMs: number,
  ): Promise<DeliveryState | 'disabled'> {
    const endpoint = webhookKeys.endpoint(name.account, name.environment, name.target);
    return (await this.#end.run(
      [...namesOf(name), endpoint],
      [
        name.id,
        run,
        attempt === undefined ? '' : JSON.stringify(attempt),
        outcome,
        nextAt ?? '',
        KEPT_ATTEMPTS,
        DELIVERY_KEPT_MS,
        url,
        maxFailingMs,
        PAUSE_MS,
        answer,
      ],
    )) as DeliveryState | 'disabled';
  }

  async find(name: DeliveryRef): Promise<Delivery | undefined> {
    const fields = await this.#redis.hgetall(recordOf(name));
    return fields.id === undefined ? undefined : readDelivery(fields);
  }

  /** With what was sent, and what came back. */
  async findWhole(name: DeliveryRef): Promise<WholeDelivery | undefined> {
    const fields = await this.#redis.hgetall(recordOf(name));
    if (fields.id === undefined) return undefined;
    const { body = '', answer = null } = fields;
    return { ...readDelivery(fields), body, answer };
  }

  /** Deliveries to an endpoint, or to a job's URL; the newest first. */
  async list({ account, environment, id: target }: EndpointRef, limit: number): Promise<Delivery[]> {
    const names = webhookKeys.deliveries(account, environment, target);
    const ids = await this.#redis.zrange(names, '0', `${limit - 1}`, 'REV');
    const found = await Promise.all(ids.map((id) => this.find({ account, environment, target, id })));
    return found.filter((delivery) => delivery !== undefined);
  }

  /** Deliveries that wait for an endpoint, or for a job's URL. */
  async waiting({
    account,
    environment,
    id: target,
  }: EndpointRef): Promise<(DeliveryRef & { run: number })[]> {
    const ids = await this.#redis.zrange(webhookKeys.pending(account, environment, target), 0, '-1');
    return inBatches(ids, async (id) => {
      const name = { account, environment, target, id };
      return { ...name, run: Number(await this.#redis.hget(recordOf(name), 'run')) };
    });
  }

  /** Removes messages to these targets; those that wait are not sent. */
  async forget(
    { account, environment }: WebhookOwner,
    targets: readonly string[],
    messages: readonly string[],
  ): Promise<void> {
    for (const target of targets) {
      const names = messages.map((id) => webhookKeys.delivery(account, environment, target, id));
      const removed = this.#redis.del(...names);
      await Promise.all([
        removed,
        this.#redis.zrem(webhookKeys.deliveries(account, environment, target), ...messages),
        this.#redis.zrem(webhookKeys.pending(account, environment, target), ...messages),
      ]);
    }
  }
}

/** Keys that all scripts take. */
function namesOf(name: DeliveryRef): string[] {
  const { account, environment, target } = name;
  const list = webhookKeys.deliveries(account, environment, target);
  return [list, recordOf(name), webhookKeys.pending(account, environment, target)];
}

function recordOf({ account, environment, target, id }: DeliveryRef): string {
  return webhookKeys.delivery(account, environment, target, id);
}

function readDelivery(fields: Readonly<Record<string, string>>): Delivery {
  const last = Number(fields.attempts);
  const attempts = Array.from({ length: Math.min(last, KEPT_ATTEMPTS) }, (_, index) => {
    return fields[`attempt:${last - Math.min(last, KEPT_ATTEMPTS) + index + 1}`];
  });
  return {
    id: String(fields.id),
    type: fields.type as EventType,
    state: fields.state as DeliveryState,
    createdAt: Number(fields.createdAt),
    nextAttemptAt: fields.nextAttemptAt === undefined ? null : Number(fields.nextAttemptAt),
    attempts: attempts.filter((text) => text !== undefined).map((text) => JSON.parse(text) as Attempt),
  };
}
