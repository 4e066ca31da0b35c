/** Billing: tells Redis how conversions ended, and counts what Redis could not be told. */

import { ReplyError } from 'ioredis';
import type { ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import type { PdfFigures, Reservation } from './reservation.ts';
import type { Settlement } from './settlement.ts';

/** How often what happened since the start. */
export interface BillingCounts {
  /** Conversions that Redis counted, those of test keys included. */
  settled: number;
  /** Reservations that were given back. */
  released: number;
  /** Reservations that could not be given back, and expire by themselves. */
  expiring: number;
  /** Conversions that Redis is not known to have counted: their clients get their PDFs all the same. */
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
   * The PDF is made: counts it. Never rejects; what Redis cannot be told is logged, with all that a bill by hand needs,
   * and not tried again. A command that timed out may still run once Redis recovers, and then counts the conversion
   * once.
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
   * There is no PDF, or it was billed before: releases the reservation. Never rejects; without Redis the reservation
   * expires by itself. To be called for one that may not have been made as well: Redis does both in their order.
   *
   * @param failure the code that the client was answered with; undefined where there was none or the client left.
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

  /** Resolves when Redis has been told of all that ended, or is known not to answer. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #track(task: () => Promise<void>): Promise<void> {
    const running = task().finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }
}
