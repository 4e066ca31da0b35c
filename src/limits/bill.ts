/** The bill of one conversion, from its admission to the end of its answer. */
import type { ErrorCode } from '../errors.ts';
import type { Billing } from './billing.ts';
import type { Delivered } from './journal.ts';
import type { Delivery, Reservation } from './settlement.ts';

/** Concluded once, when its answer has ended. */
export class Bill {
  readonly #billing: Billing;
  readonly #reservation: Reservation;
  #delivered: Delivered | undefined;
  #isNoted = false;
  #concluded = false;

  constructor(billing: Billing, reservation: Reservation) {
    this.#billing = billing;
    this.#reservation = reservation;
  }

  /** To be called just before the last bytes of the PDF are handed to the connection. */
  handOver(delivery: Delivery): void {
    // The client is gone: nobody would take it out of the journal again.
    if (this.#concluded) return;
    this.#delivered = { reservation: this.#reservation, delivery };
    this.#note(this.#delivered);
  }

  /** The last bytes wait for a client that is slow: should this server die now, they were never delivered. */
  takeBack(): void {
    if (this.#concluded || !this.#isNoted) return;
    this.#isNoted = false;
    this.#billing.takeBack(this.#reservation.requestId);
  }

  /**
   * To be called when the answer has ended.
   *
   * @param whole whether all of it was handed to the connection.
   * @param failure the code that the client was answered with, if any.
   */
  async conclude(whole: boolean, failure: ErrorCode | undefined): Promise<void> {
    this.#concluded = true;
    if (this.#delivered && whole) {
      if (!this.#isNoted) this.#note(this.#delivered);
      await this.#billing.settle(this.#delivered);
    } else {
      await this.#billing.release(this.#reservation, failure);
    }
  }

  #note(delivered: Delivered): void {
    this.#billing.handOver(delivered);
    this.#isNoted = true;
  }
}
