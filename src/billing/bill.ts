/** The bill of one conversion, from its admission to the end of its answer. */
import { type ErrorCode, PlatenError } from '../errors.ts';
import type { Billing } from './billing.ts';
import type { Delivered } from './journal.ts';
import type { Delivery, Reservation } from './reservation.ts';

/**
 * Concluded once, when its answer has ended. One that repeats what was delivered under its idempotency key is never
 * billed.
 */
export class Bill {
  readonly #billing: Billing;
  readonly #reservation: Reservation;
  readonly #repeats: string | undefined;
  #document: string | undefined;
  #delivered: Delivered | undefined;
  #isNoted = false;
  #concluded = false;

  /** @param repeats the document that was delivered under its idempotency key before, if one was. */
  constructor(billing: Billing, reservation: Reservation, repeats?: string) {
    this.#billing = billing;
    this.#reservation = reservation;
    this.#repeats = repeats;
  }

  /**
   * To be called when the document is known.
   *
   * @param document the same text for the same bytes and options, and for no others.
   * @throws PlatenError `IDEMPOTENCY_KEY_REUSED` when another one was delivered under the idempotency key.
   */
  identify(document: string): void {
    if (this.#reservation.idempotencyKey === undefined) return;
    this.#document = document;
    if (this.#repeats !== undefined && this.#repeats !== document) {
      throw new PlatenError('IDEMPOTENCY_KEY_REUSED');
    }
  }

  /** To be called just before the last bytes of the PDF are handed to the connection. */
  handOver(delivery: Delivery): void {
    // The client is gone: nobody would take it out of the journal again.
    if (this.#concluded || this.#repeats !== undefined) return;
    this.#delivered = { reservation: this.#reservation, delivery: { ...delivery, document: this.#document } };
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
