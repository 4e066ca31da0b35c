/**
 * The poison memory: a document that has just exhausted its budget, took too long to read, or crashed the engine twice, is
 * refused for a while, for the account (or the public client) that sent it. It is in Redis, so that all servers share it.
 */
import { PlatenError } from '../errors.ts';
import type { Sender } from '../queue/sender.ts';
import type { RedisClient } from '../redis/connect.ts';
import type { Log } from '../system/log.ts';
import { afterRunning } from '../system/running-time.ts';

/** Longest wait for Redis, in milliseconds; without an answer the document is tried. */
const PATIENCE_MS = 100;
/** The reason that is remembered of a document that took too long to read. */
const READING = 'reading';
/** Weights of failures; {@link POISON} is enough to refuse. Other failures are not the document's fault. */
const weights: ReadonlyMap<string | undefined, number> = new Map([
  ['time', 2],
  [READING, 2],
  ['cpu', 2],
  ['memory', 2],
  ['file', 2],
  ['crash', 1],
  // Two kits died in a row; the cause may have been another document, or the operator.
  ['kit', 1],
]);
const POISON = 2;

const descriptions: Readonly<Record<string, string>> = {
  time: 'took longer than a conversion may last',
  [READING]: 'took too long to read',
  cpu: 'needed more processor time than a conversion may use',
  memory: 'needed more memory than a conversion may use',
  file: 'wrote more than a conversion may write',
};
const CRASHED = 'crashed the conversion more than once';

interface PoisonMemoryOptions {
  /** Seconds for which a document is remembered after its last failure. */
  readonly seconds: number;
  readonly log: Log;
}

/** A document and its sender: the key of the memory. */
export interface SentDocument {
  readonly sender: Sender;
  /** SHA-256 of its bytes, in hexadecimal; undefined if it is not to be remembered. */
  readonly sha256: string | undefined;
  /** Options that may cost more; each set of them is remembered separately. See workOf. */
  readonly work?: string | undefined;
}

export class PoisonMemory {
  readonly #redis: RedisClient;
  readonly #options: PoisonMemoryOptions;
  #refusals = 0;
  #remembered = 0;

  constructor(redis: RedisClient, options: PoisonMemoryOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  /** Number of refused documents so far. */
  get refusals(): number {
    return this.#refusals;
  }

  /** Number of recorded failures so far. */
  get remembered(): number {
    return this.#remembered;
  }

  /** The refusal for the document; undefined if it may be tried, or if Redis does not answer in time. Never rejects. */
  async find(document: SentDocument): Promise<PlatenError | undefined> {
    const key = this.#key(document);
    if (key === undefined) return undefined;
    const [weight, reason] = await this.#orNothing(this.#redis.hmget(key, 'weight', 'reason'), []);
    return Number(weight ?? 0) < POISON ? undefined : this.#refusal(reason ?? '');
  }

  /** Counts a refusal of {@link find} that was sent as the answer. */
  countRefusal(): void {
    this.#refusals++;
  }

  /** Records a failure that is the document's fault. Never rejects. */
  async remember(document: SentDocument, failure: unknown): Promise<void> {
    const reason = reasonOf(failure);
    const weight = weights.get(reason);
    const key = this.#key(document);
    if (key === undefined || weight === undefined || reason === undefined) return;
    this.#remembered++;
    const { seconds } = this.#options;
    const notes = this.#redis
      .multi()
      .hincrby(key, 'weight', weight)
      .hset(key, 'reason', reason)
      .expire(key, seconds);
    await this.#orNothing(notes.exec(), null);
  }

  /** All keys of an account share the memory. */
  #key({ sender, sha256, work }: SentDocument): string | undefined {
    if (sha256 === undefined || sender.class === 'probe') return undefined;
    const conversion = work ? `${sha256}:${work}` : sha256;
    return sender.class === 'public'
      ? `platen:public:poison:${sender.network}:${conversion}`
      : `platen:{${sender.account}}:poison:${conversion}`;
  }

  #refusal(reason: string): PlatenError {
    const minutes = Math.ceil(this.#options.seconds / 60);
    return new PlatenError(reason === READING ? 'CORRUPTED_FILE' : 'CONVERSION_FAILED', {
      message:
        `This document ${descriptions[reason] ?? CRASHED} a moment ago, so it was not tried again. ` +
        `Simplify it, or retry in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      cause: `remembered: ${reason}`,
      reason: 'poison',
    });
  }

  /** A conversion does not fail because this memory does. */
  async #orNothing<T>(answer: Promise<T>, nothing: T): Promise<T> {
    let cancel = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      cancel = afterRunning(PATIENCE_MS, () => reject(new Error('Redis is too slow')));
    });
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      this.#options.log.warn({ reason: String(error) }, 'the list of poisoned documents cannot be read');
      return nothing;
    } finally {
      cancel();
    }
  }
}

function reasonOf(failure: unknown): string | undefined {
  if (!(failure instanceof PlatenError)) return undefined;
  if (failure.code === 'CONVERSION_FAILED') return failure.reason;
  return failure.code === 'CORRUPTED_FILE' && failure.reason === 'time' ? READING : undefined;
}
