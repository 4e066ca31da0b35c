/** Delivers messages, in the one process that connects to addresses that clients choose. */
import { type Outbound, OutboundError, type PostAnswer } from '../outbound/outbound.ts';
import type { RedisClient } from '../redis/connect.ts';
import { PARKED_MS, Slots } from '../redis/slots.ts';
import { openWorker, retrySettings, untilDone } from '../redis/work-queue.ts';
import type { Log } from '../system/log.ts';
import { beginTrace, SpanKind } from '../telemetry/trace.ts';
import { Deliveries, type EndedAttempt, type PendingDelivery } from './deliveries.ts';
import {
  DELIVERIES,
  type DeliveryEntry,
  DeliveryQueue,
  LATER,
  PREFIX,
  type QueuedDelivery,
} from './delivery-queue.ts';
import { Endpoints } from './endpoints.ts';
import { signedHeaders } from './secrets.ts';
import { type Attempt, isEndpointId } from './webhook.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** Overridden in tests. Times in milliseconds. */
export interface DeliveryOptions {
  /** Waits after each failed attempt; after the last attempt the delivery has failed. */
  readonly retryDelaysMs: readonly number[];
  /** Longest time that `Retry-After` may ask for. */
  readonly maxRetryAfterMs: number;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** How long an endpoint may fail before it is disabled. */
  readonly maxFailingMs: number;
  /** Deliveries at a time: of this process, of an account, and of an endpoint; see {@link Slots}. */
  readonly concurrency: number;
  readonly perAccount: number;
  readonly perEndpoint: number;
  /** Shortest time that a delivery waits for its endpoint, unless a delivery of this process ends. */
  readonly parkedMs: number;
  /** Interval of checks for deliveries of processes that died. */
  readonly stalledCheckMs: number;
}

const deliveryDefaults: DeliveryOptions = {
  retryDelaysMs: [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
  ],
  maxRetryAfterMs: 24 * HOUR_MS,
  timeoutMs: 15 * SECOND_MS,
  maxFailingMs: 120 * HOUR_MS,
  concurrency: 100,
  perAccount: 20,
  perEndpoint: 5,
  parkedMs: PARKED_MS,
  stalledCheckMs: 4 * SECOND_MS,
};

/** Statuses of errors (RFC 9110, section 15). */
const FIRST_ERROR = 400;
/** How long a process keeps a delivery without renewing it. */
const LOCK_MS = 9_000;
/** Largest random delay, as a share, so that not all come at once. */
const JITTER = 0.2;

/**
 * Delivers until it is closed.
 *
 * @returns `close` waits for running deliveries.
 * @throws Error if Redis does not answer.
 */
export async function openDeliveries(
  redis: RedisClient,
  log: Log,
  outbound: Outbound,
  options: Partial<DeliveryOptions> = {},
): Promise<{ close(): Promise<void> }> {
  const { DelayedError, Worker } = await import('../redis/bullmq.ts');
  const settings = { ...deliveryDefaults, ...options };
  const queue = new DeliveryQueue(redis);
  const delivering = new Delivering(redis, log, outbound, queue, settings);
  const slots = new Slots({
    places: settings.concurrency,
    bounds: { account: settings.perAccount, endpoint: settings.perEndpoint },
    parkedMs: settings.parkedMs,
    parkedPriority: LATER,
    promote: (id) => queue.promote(id),
  });
  const work = async (entry: DeliveryEntry, token?: string) => {
    const nextAt = await slots.run(entry, token, lanesOf(entry.data), () => delivering.attempt(entry.data));
    if (nextAt === undefined) return;
    if (entry.priority < LATER) await entry.changePriority({ priority: LATER });
    await entry.moveToDelayed(nextAt, token);
    throw new DelayedError();
  };
  const { close } = await openWorker<QueuedDelivery>(redis, log, (connection) => {
    return new Worker<QueuedDelivery>(DELIVERIES, work, {
      connection,
      prefix: PREFIX,
      concurrency: settings.concurrency,
      // Retried however many processes die.
      maxStalledCount: untilDone.attempts,
      lockDuration: LOCK_MS,
      stalledInterval: settings.stalledCheckMs,
      settings: retrySettings,
    });
  });
  return {
    async close() {
      await close({ isPatient: true });
      slots.close();
      await queue.close();
    },
  };
}

class Delivering {
  readonly #log: Log;
  readonly #outbound: Outbound;
  readonly #options: DeliveryOptions;
  readonly #queue: DeliveryQueue;
  readonly #deliveries: Deliveries;
  readonly #endpoints: Endpoints;

  constructor(
    redis: RedisClient,
    log: Log,
    outbound: Outbound,
    queue: DeliveryQueue,
    options: DeliveryOptions,
  ) {
    this.#log = log;
    this.#outbound = outbound;
    this.#options = options;
    this.#queue = queue;
    this.#deliveries = new Deliveries(redis);
    this.#endpoints = new Endpoints(redis);
  }

  /**
   * @returns when it is due again, in milliseconds since the epoch; undefined: never.
   * @throws Error if the queue is to try again: Redis or this machine failed.
   */
  async attempt(entry: QueuedDelivery): Promise<number | undefined> {
    const { run } = entry;
    const pending = await this.#deliveries.pending(entry, run);
    if (!pending) return undefined;
    const { step, nextAttemptAt } = pending;
    // The process that attempted it died before it had told the queue when it is due.
    if (step > 0 && nextAttemptAt > Date.now() + SECOND_MS) return nextAttemptAt;
    const destination = await this.#destination(entry, pending.url);
    if (!destination) {
      const ended = {
        attempt: undefined,
        answer: '',
        outcome: 'failed',
        nextAt: undefined,
        url: '',
      } as const;
      await this.#end(entry, ended);
      return undefined;
    }
    const { url } = destination;
    const { attempt, answer, retryAfter, traceId } = await this.#post(entry, pending, destination);
    const outcome = outcomeOf(attempt);
    const nextAt = outcome === 'failed' ? this.#nextAt(step, retryAfter) : undefined;
    return this.#end(entry, { attempt, answer, outcome, nextAt, url }, traceId);
  }

  /** Undefined if the endpoint is gone or disabled. */
  async #destination({ account, environment, target }: QueuedDelivery, url: string | undefined) {
    if (isEndpointId(target)) return this.#endpoints.destination({ account, environment, id: target });
    return url && { url, secrets: await this.#endpoints.defaultSecrets({ account, environment }) };
  }

  /**
   * Its span has no address: that is the customer's, and may be a secret.
   *
   * @throws Error for a failure of this machine, which is no attempt: the queue tries again.
   */
  async #post(
    { account, target, id }: QueuedDelivery,
    { body, step, trace: carrier }: PendingDelivery,
    { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  ) {
    const at = new Date();
    const started = performance.now();
    const trace = beginTrace('webhook attempt', {
      carrier,
      kind: SpanKind.CLIENT,
      from: started,
      attributes: {
        'http.request.method': 'POST',
        'http.request.resend_count': step === 0 ? undefined : step,
        'platen.account': account,
        'platen.webhook': target,
        'platen.message': id,
      },
    });
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(secrets, id, at, body),
      ...trace.carrier(),
    };
    let answer: PostAnswer | undefined;
    let failure: Attempt['failure'] = null;
    try {
      answer = await this.#outbound.post(url, headers, body, this.#options.timeoutMs);
    } catch (error) {
      if (!(error instanceof OutboundError)) {
        const { message: cause } = error as Error;
        this.#log.warn({ message: id, cause }, 'a webhook could not be sent');
        trace.end({}, cause);
        throw error;
      }
      failure = error.failure;
    }
    const ended = performance.now();
    const status = answer?.status ?? null;
    const isError = status !== null && status >= FIRST_ERROR;
    trace.end(
      { 'http.response.status_code': status ?? undefined },
      failure ?? (isError ? `${status}` : undefined),
      ended,
    );
    const durationMs = Math.round(ended - started);
    const attempt: Attempt = { at: at.getTime(), status, failure, durationMs };
    return { attempt, answer: answer?.body ?? '', retryAfter: answer?.retryAfter, traceId: trace.id };
  }

  async #end(entry: QueuedDelivery, ended: EndedAttempt, traceId?: string): Promise<number | undefined> {
    const { account, target, id, run } = entry;
    const { attempt, nextAt } = ended;
    const state = await this.#deliveries.end(entry, run, ended, this.#options.maxFailingMs);
    const about = { account, webhook: target, message: id };
    const isPending = state === 'pending' && nextAt !== undefined;
    if (attempt) {
      const { status, failure, durationMs: ms } = attempt;
      const traced = traceId !== undefined && { traceId };
      this.#log.info({ ...about, state, status, failure, ms, ...traced }, 'webhook');
      const outcome = isPending ? 'failed' : state === 'delivered' ? 'delivered' : 'abandoned';
      // Counting is not worth another attempt.
      await this.#queue.count(outcome).catch(() => {});
    }
    if (state === 'disabled') this.#log.warn({ account, webhook: target }, 'a webhook endpoint was disabled');
    return isPending ? nextAt : undefined;
  }

  /** @param step how many attempts have failed before. */
  #nextAt(step: number, retryAfter: string | undefined): number | undefined {
    const planned = this.#options.retryDelaysMs[step];
    if (planned === undefined) return undefined;
    const now = Date.now();
    const asked = Math.min(retryAfterMs(retryAfter, now), this.#options.maxRetryAfterMs);
    return Math.round(now + Math.max(planned, asked) * (1 + Math.random() * JITTER));
  }
}

function lanesOf({ account, lane }: QueuedDelivery): string[] {
  return [`account ${account}`, `endpoint ${lane}`];
}

function outcomeOf({ status }: Attempt): EndedAttempt['outcome'] {
  if (status === 410) return 'gone';
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'failed';
}

/** Seconds, or a date (RFC 9110, section 10.2.3); 0 if it is neither. */
function retryAfterMs(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * SECOND_MS : Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
