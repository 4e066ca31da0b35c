/** Billing: reports the end of conversions to Redis, and counts those that Redis did not confirm. */

import { ReplyError } from 'ioredis';
import type { ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PdfFigures, Reservation } from './reservation.ts';
import type { Settlement } from './settlement.ts';

/** Number of events since the start. */
export interface BillingCounts {
  /** Conversions that Redis counted, including those with test keys. */
  settled: number;
  /** Released reservations. */
  released: number;
  /** Reservations that could not be released, and expire by themselves. */
  expiring: number;
  /** Conversions that Redis did not confirm; their clients get their PDFs all the same. */
  unbilled: number;
}

export class Billing {
  readonly #settlement: Settlement;
  readonly #log: Log;
  readonly #running = new Set<Promise<void>>();
  readonly #counts: BillingCounts = { settled: 0, released: 0, expiring: 0, unbilled: 0 };

  constructor(settlement: Settlement, log: Log) {
    this.#settlement = settlement;
    this.#log = log;
  }

  get counts(): Readonly<BillingCounts> {
    return this.#counts;
  }

  /**
   * Counts a conversion whose PDF is made. Never rejects. If Redis does not confirm it, everything needed to bill by
   * hand is logged, and nothing is tried again. A command that timed out may still run once Redis recovers, and then
   * counts the conversion once.
   */
  settle(reservation: Reservation, figures: PdfFigures): Promise<void> {
    return this.#track(async () => {
      try {
        await this.#settlement.settle(reservation, figures);
        this.#counts.settled++;
      } catch (error) {
        this.#counts.unbilled++;
        const { requestId, key, at } = reservation;
        const { document: _, ...sizes } = figures;
        const { account, id, environment } = key;
        const entry = { account, key: id, environment, at: new Date(at).toISOString(), ...sizes };
        const cause = (error as Error).message;
        this.#log.error({ reqId: requestId, ...entry, cause }, 'a conversion is not known to be billed');
        // Redis answered that it will not (it is full): it can still give the reservation and the idempotency key back.
        if (error instanceof ReplyError) await this.release(reservation, undefined);
      }
    });
  }

  /**
   * Releases the reservation of a conversion without a PDF, or of a repetition. Never rejects; without Redis the
   * reservation expires by itself. May be called even if the reservation may not exist: Redis runs both commands in
   * order.
   *
   * @param failure the code of the answer; undefined if there was none or the client left.
   */
  release(reservation: Reservation, failure: ErrorCode | undefined): Promise<void> {
    return this.#track(async () => {
      try {
        await this.#settlement.release(reservation, failure);
        this.#counts.released++;
      } catch (error) {
        this.#counts.expiring++;
        const cause = (error as Error).message;
        this.#log.debug({ reqId: reservation.requestId, cause }, 'a reservation is left to expire');
      }
    });
  }

  /** Resolves when all reports have been answered, or have failed. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #track(task: () => Promise<void>): Promise<void> {
    const running = task().finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }
}
