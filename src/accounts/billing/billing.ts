/** Billing: reports the end of conversions to Redis, and counts those that Redis did not confirm. */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ReplyError } from 'ioredis';
import type { ErrorCode } from '../../errors.ts';
import { LONGEST_FAILOVER_MS } from '../../redis/connect.ts';
import type { Log } from '../../system/log.ts';
import { LateReleases } from './late-releases.ts';
import { describeBill, type PdfFigures, type Reservation } from './reservation.ts';
import type { Settlement } from './settlement.ts';

const TRY_AGAIN_MS = 1_000;

/** Number of events since the start. */
interface BillingCounts {
  /** Conversions that Redis counted, including those with test keys. */
  settled: number;
  /** Released reservations. */
  released: number;
  /** Reservations that could not be released, and expire by themselves. */
  expiring: number;
  /** Settlements that failed at first, and were tried again. */
  retried: number;
  /** Conversions that Redis did not confirm; their clients get their PDFs all the same. */
  unbilled: number;
}

export class Billing {
  readonly #settlement: Settlement;
  readonly #log: Log;
  readonly #patienceMs: number;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #releases: LateReleases;
  readonly #counts: BillingCounts = { settled: 0, released: 0, expiring: 0, retried: 0, unbilled: 0 };

  /** @param patienceMs for how long settlements are tried again, in milliseconds. */
  constructor(settlement: Settlement, log: Log, patienceMs = LONGEST_FAILOVER_MS) {
    this.#settlement = settlement;
    this.#releases = new LateReleases(settlement, (end) => {
      if (end === 'released') this.#counts.released++;
      if (end === 'unanswered') this.#counts.expiring++;
    });
    this.#log = log;
    this.#patienceMs = patienceMs;
    // Every settlement that waits listens.
    setMaxListeners(0, this.#closing.signal);
  }

  get counts(): Readonly<BillingCounts> {
    return this.#counts;
  }

  /**
   * Counts a conversion whose PDF is made. Resolves when Redis has confirmed it or the first try has failed; never rejects. After
   * a failure all that is needed to bill by hand is logged, and it is tried again for a minute: however often it runs, a
   * conversion counts once. A command that timed out may still run once Redis recovers.
   */
  settle(reservation: Reservation, figures: PdfFigures): Promise<void> {
    return this.#track(async () => {
      const failure = await this.#trySettling(reservation, figures);
      if (!failure) return;
      this.#counts.retried++;
      const line = { ...describeBill(reservation, figures), cause: failure.message };
      this.#log.warn(line, 'a settlement is tried again');
      void this.#track(() => this.#settleLater(reservation, figures));
    });
  }

  async #settleLater(reservation: Reservation, figures: PdfFigures): Promise<void> {
    const { signal } = this.#closing;
    const end = performance.now() + this.#patienceMs;
    for (;;) {
      await delay(TRY_AGAIN_MS, undefined, { signal }).catch(() => {});
      const isLast = signal.aborted || performance.now() > end;
      const failure = await this.#trySettling(reservation, figures);
      if (!failure) return;
      if (!isLast) continue;
      this.#counts.unbilled++;
      const line = { ...describeBill(reservation, figures), cause: failure.message };
      this.#log.error(line, 'a conversion is not known to be billed');
      // Redis answered that it will not (it is full): it can still give the reservation and the idempotency key back.
      if (failure instanceof ReplyError) await this.release(reservation, undefined);
      return;
    }
  }

  /** @returns why it failed. */
  async #trySettling(reservation: Reservation, figures: PdfFigures): Promise<Error | undefined> {
    try {
      await this.#settlement.settle(reservation, figures);
      this.#counts.settled++;
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  /**
   * Releases the reservation of a conversion without a PDF, or of a repetition. Never rejects; what Redis does not answer is
   * tried again once it does.
   *
   * @param failure the code of the answer; undefined if the client left.
   */
  release(reservation: Reservation, failure: ErrorCode | undefined): Promise<void> {
    return this.#track(() => this.#releases.release({ reservation, failure, isEarly: false }));
  }

  /**
   * Releases what an admission that Redis did not answer may have reserved, or may still reserve once Redis recovers. Never
   * rejects.
   */
  abandon(reservation: Reservation): Promise<void> {
    return this.#track(() => this.#releases.release({ reservation, failure: undefined, isEarly: true }));
  }

  /** Resolves when all reports have been answered, or have failed: those that wait are tried a last time. */
  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#releases.close();
  }

  #track(task: () => Promise<void>): Promise<void> {
    const running = task().finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }
}
