/** The bill of one conversion, from its admission to its end. */
import { type ErrorCode, PlatenError } from '../errors.ts';
import type { Billing } from './billing.ts';
import type { PdfFigures, Reservation } from './reservation.ts';

/**
 * It ends once: it is settled when the PDF is made and before any of it is sent, or it is released.
 *
 * Settling comes before the first byte, not before the last one, so that nothing of the bill is in the stream: size
 * and duration are known by then, and it takes one round trip to Redis (0.24 ms). So whoever has a PDF was billed for it, and
 * whoever was billed had a PDF made. A server that dies in between, or a client that leaves, loses the delivery, which
 * the same idempotency key gets again for nothing.
 */
export class Bill {
  readonly #billing: Billing;
  readonly #reservation: Reservation;
  readonly #repeats: string | undefined;
  #document: string | undefined;
  #hasEnded = false;

  /** @param repeats the document that was billed under its idempotency key before, if one was. */
  constructor(billing: Billing, reservation: Reservation, repeats?: string) {
    this.#billing = billing;
    this.#reservation = reservation;
    this.#repeats = repeats;
  }

  /**
   * To be called when the document is known.
   *
   * @param document the same text for the same bytes and options, and for no others.
   * @throws PlatenError `IDEMPOTENCY_KEY_REUSED` when another one was billed under the idempotency key.
   */
  identify(document: string): void {
    if (this.#reservation.idempotencyKey === undefined) return;
    this.#document = document;
    if (this.#repeats !== undefined && this.#repeats !== document) {
      throw new PlatenError('IDEMPOTENCY_KEY_REUSED');
    }
  }

  /**
   * To be called when the PDF is made, before it is sent. A repetition is not billed. Resolves when Redis has counted
   * it or cannot be told, and never rejects: the client gets its PDF either way.
   */
  async settle(figures: PdfFigures): Promise<void> {
    if (this.#repeats !== undefined || this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#billing.settle(this.#reservation, { ...figures, document: this.#document });
  }

  /**
   * To be called when the answer has ended: releases what was not settled.
   *
   * @param failure the code that the client was answered with, if any.
   */
  async end(failure: ErrorCode | undefined): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#billing.release(this.#reservation, failure);
  }
}
