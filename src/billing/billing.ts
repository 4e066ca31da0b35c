/** Billing: every PDF that was delivered is counted once, and no other. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Delivered, Journal } from './journal.ts';
import type { Reservation } from './reservation.ts';
import type { Settlement } from './settlement.ts';

/** Between two attempts to settle what Redis could not be told of. */
const RETRY_MS = 500;
/** How long a server that ends tries to settle the rest. */
const CLOSE_TIMEOUT_MS = 3_000;
/** Requests that were refused in an outage and are remembered. */
const MAX_BACKLOG = 10_000;

/** How often what happened since the start. */
export interface BillingCounts {
  /** Deliveries that Redis counted, those of test keys included. */
  settled: number;
  /** Reservations that were given back. */
  released: number;
  /** Attempts that failed and are made again. */
  repeated: number;
  /** Reservations that are left to expire by themselves. */
  expiring: number;
  /** Deliveries that could not be noted in the journal. */
  unjournalled: number;
}

export class Billing {
  readonly #settlement: Settlement;
  readonly #journal: Journal;
  readonly #log: Log;
  /** What Redis has to be told of again, by request: deliveries, and admissions that may have happened. */
  readonly #backlog = new Map<string, () => Promise<void>>();
  readonly #running = new Set<Promise<void>>();
  #repeating: Promise<void> | undefined;
  readonly #closed = new AbortController();
  readonly #counts: BillingCounts = { settled: 0, released: 0, repeated: 0, expiring: 0, unjournalled: 0 };

  private constructor(settlement: Settlement, journal: Journal, log: Log) {
    this.#settlement = settlement;
    this.#journal = journal;
    this.#log = log;
  }

  /**
   * Opens the journal, and begins to settle what dead servers left in it.
   *
   * @param folder folder of the journals of all servers that share the data folder.
   * @throws OperatorError when the folder cannot be used.
   */
  static async open(folder: string, settlement: Settlement, log: Log): Promise<Billing> {
    const { journal, inherited } = await Journal.open(folder, log);
    const billing = new Billing(settlement, journal, log);
    if (inherited.length > 0) log.info({ deliveries: inherited.length }, 'settling what a dead server left');
    for (const delivered of inherited) billing.#settleLater(delivered);
    return billing;
  }

  /** How much Redis has to be told of again. */
  get backlog(): number {
    return this.#backlog.size;
  }

  /** Deliveries in the journal that Redis is not known to have. */
  get unsettled(): number {
    return this.#journal.unsettled;
  }

  get counts(): Readonly<BillingCounts> {
    return this.#counts;
  }

  /** To be called just before the last bytes of a PDF are handed to the connection: from here on it is billed. */
  handOver(delivered: Delivered): void {
    try {
      this.#journal.append(delivered);
    } catch (error) {
      this.#counts.unjournalled++;
      // The client gets its PDF, and Redis is told as soon as it has it.
      this.#log.error({ err: error }, 'a delivery could not be noted in the journal');
    }
  }

  /** What was handed over did not reach the connection, or not yet. */
  takeBack(requestId: string): void {
    try {
      this.#journal.withdraw(requestId);
    } catch (error) {
      this.#log.error({ err: error, reqId: requestId }, 'a delivery could not be withdrawn from the journal');
    }
  }

  /** The PDF was handed over whole: counts it, now or as soon as Redis is back. */
  settle(delivered: Delivered): Promise<void> {
    return this.#track(
      this.#settle(delivered).catch((error: Error) => {
        const { requestId } = delivered.reservation;
        this.#counts.repeated++;
        this.#log.warn({ reqId: requestId, cause: error.message }, 'the settlement will be repeated');
        this.#settleLater(delivered);
      }),
    );
  }

  /**
   * The PDF was not delivered: releases its reservation. Without Redis the reservation expires by itself.
   *
   * @param failure the code that the client was answered with; undefined where the client left.
   */
  release(reservation: Reservation, failure: ErrorCode | undefined): Promise<void> {
    return this.#track(
      this.#release(reservation, failure).catch((error: Error) => {
        const { requestId } = reservation;
        this.#counts.expiring++;
        this.#log.warn({ reqId: requestId, cause: error.message }, 'a reservation is left to expire');
      }),
    );
  }

  /**
   * Redis did not answer whether a conversion was admitted, and its client was refused: releases what may be
   * reserved once Redis answers again. Of very many at once some are left to expire.
   */
  releaseLater(reservation: Reservation): void {
    if (this.#backlog.size >= MAX_BACKLOG) {
      this.#counts.expiring++;
      return;
    }
    this.#later(reservation.requestId, async () => {
      await this.#settlement.release(reservation, undefined);
      this.#counts.released++;
    });
  }

  /** Settles what is left, for 3 s at most; the rest stays in the journal. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    const limit = setTimeout(() => this.#closed.abort(), CLOSE_TIMEOUT_MS);
    await this.#repeating;
    clearTimeout(limit);
    this.#closed.abort();
    const deliveries = await this.#journal.close();
    if (deliveries > 0) this.#log.warn({ deliveries }, 'deliveries stay in the journal');
  }

  async #settle({ reservation, delivery }: Delivered): Promise<void> {
    await this.#settlement.settle(reservation, delivery);
    this.#journal.settled(reservation.requestId);
    this.#counts.settled++;
  }

  async #release(reservation: Reservation, failure: ErrorCode | undefined): Promise<void> {
    this.takeBack(reservation.requestId);
    await this.#settlement.release(reservation, failure);
    this.#counts.released++;
  }

  #settleLater(delivered: Delivered): void {
    this.#later(delivered.reservation.requestId, () => this.#settle(delivered));
  }

  #later(requestId: string, task: () => Promise<void>): void {
    this.#backlog.set(requestId, task);
    this.#repeat();
  }

  /** Works off the backlog in the background. */
  #repeat(): void {
    if (this.#backlog.size === 0 || this.#closed.signal.aborted) return;
    this.#repeating ??= this.#workOff().finally(() => {
      this.#repeating = undefined;
      // One may have come between the last look and here.
      this.#repeat();
    });
  }

  async #workOff(): Promise<void> {
    const { signal } = this.#closed;
    while (this.#backlog.size > 0 && !signal.aborted) {
      for (const [requestId, task] of this.#backlog) {
        const done = await task().then(
          () => true,
          (error: Error) => {
            this.#counts.repeated++;
            this.#log.debug({ reqId: requestId, cause: error.message }, 'the settlement failed again');
            return false;
          },
        );
        this.#backlog.delete(requestId);
        if (done && !signal.aborted) continue;
        // To the end of the queue: one that cannot be settled keeps no other from it.
        if (!done) this.#backlog.set(requestId, task);
        break;
      }
      if (this.#backlog.size > 0) await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Keeps count of what runs, so that nothing is cut off when the server ends. */
  #track(task: Promise<void>): Promise<void> {
    this.#running.add(task);
    return task.finally(() => this.#running.delete(task));
  }
}
