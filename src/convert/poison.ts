/**
 * A memory for poison: a document that has just run out of its budget, or crashed the engine twice, is not tried
 * again for a while, for the account (or the public client) that sent it. It is in Redis, so that all servers share it.
 */
import type { PdfaLevel } from '../engine/pdfa.ts';
import { PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Sender } from '../queue/sender.ts';
import type { RedisClient } from '../redis/connect.ts';
import { afterRunning } from '../system/running-time.ts';

/** A document is worth no longer a wait for Redis, in milliseconds: without an answer it is tried. */
const PATIENCE_MS = 100;
/** How bad a failure is; {@link POISON} is enough. Failures of other kinds are not the document's. */
const weights: ReadonlyMap<string | undefined, number> = new Map([
  ['time', 2],
  ['cpu', 2],
  ['memory', 2],
  ['file', 2],
  ['crash', 1],
  // Two kits, one after the other; what ended them may have been another document, or the operator.
  ['kit', 1],
]);
const POISON = 2;

const descriptions: Readonly<Record<string, string>> = {
  time: 'took longer than a conversion may last',
  cpu: 'needed more processor time than a conversion may use',
  memory: 'needed more memory than a conversion may use',
  file: 'wrote more than a conversion may write',
};
const CRASHED = 'crashed the conversion more than once';

export interface PoisonMemoryOptions {
  /** How long a document is remembered after its last failure, in seconds. */
  readonly seconds: number;
  readonly log: Log;
}

/** A document of a sender: what is remembered. */
export interface SentDocument {
  readonly sender: Sender;
  /** Of its bytes, in hexadecimal; undefined for one that is not to be remembered. */
  readonly sha256: string | undefined;
  /** As PDF/A it may cost more, so what is remembered of that says nothing of any other PDF of it. */
  readonly pdfa?: PdfaLevel | undefined;
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

  /** How many documents were refused so far. */
  get refusals(): number {
    return this.#refusals;
  }

  /** How many failures were noted so far. */
  get remembered(): number {
    return this.#remembered;
  }

  /**
   * The refusal that the document has coming; undefined where it may be tried, and where Redis does not tell in time.
   * Never rejects.
   */
  async find(document: SentDocument): Promise<PlatenError | undefined> {
    const key = this.#key(document);
    if (key === undefined) return undefined;
    const [weight, reason] = await this.#orNothing(this.#redis.hmget(key, 'weight', 'reason'), []);
    return Number(weight ?? 0) < POISON ? undefined : this.#refusal(reason ?? '');
  }

  /** Counts a refusal that {@link find} gave and that is the answer. */
  countRefusal(): void {
    this.#refusals++;
  }

  /** Notes how a document failed, where it is the document's doing. Never rejects. */
  async remember(document: SentDocument, failure: unknown): Promise<void> {
    const failed = failure instanceof PlatenError && failure.code === 'CONVERSION_FAILED';
    const reason = failed ? failure.reason : undefined;
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

  /** All of an account's keys share what is remembered, as the service failed them all. */
  #key({ sender, sha256, pdfa }: SentDocument): string | undefined {
    if (sha256 === undefined || sender.class === 'probe') return undefined;
    const conversion = pdfa === undefined ? sha256 : `${sha256}:pdfa-${pdfa}`;
    return sender.class === 'public'
      ? `platen:public:poison:${sender.network}:${conversion}`
      : `platen:{${sender.account}}:poison:${conversion}`;
  }

  #refusal(reason: string): PlatenError {
    const minutes = Math.ceil(this.#options.seconds / 60);
    return new PlatenError('CONVERSION_FAILED', {
      message:
        `This document ${descriptions[reason] ?? CRASHED} a moment ago, so it was not tried again. ` +
        `Simplify it, or retry in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      cause: `remembered: ${reason}`,
      reason: 'poison',
    });
  }

  /** A conversion does not fail for want of this memory. */
  async #orNothing<T>(answer: Promise<T>, nothing: T): Promise<T> {
    let cancel = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      cancel = afterRunning(PATIENCE_MS, () => reject(new Error('Redis is too slow')));
    });
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      this.#options.log.warn({ reason: String(error) }, 'the memory for poison cannot be asked');
      return nothing;
    } finally {
      cancel();
    }
  }
}
