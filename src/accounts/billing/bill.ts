/** The bill of one conversion, from its admission to its end. */
import { createHash } from 'node:crypto';
import { type ErrorCode, PlatenError } from '../../errors.ts';
import type { Billing } from './billing.ts';
import type { PdfFigures, Reservation } from './reservation.ts';

/**
 * It ends once: it is settled when the PDF is made and before any of it is sent, or it is released. Settling before
 * the first byte costs one round trip to Redis (0.24 ms) and keeps billing out of the stream. So every delivered PDF
 * was billed, and every billed conversion made a PDF. If the server dies in between, or the client leaves, the
 * delivery is lost; a retry with the same idempotency key gets the PDF for nothing.
 */
export class Bill {
  readonly #billing: Billing;
  readonly #reservation: Reservation;
  readonly #repeats: string | undefined;
  readonly #jobDigest: string | undefined;
  #document: string | undefined;
  #hasEnded = false;
  #isHandedOver = false;
  /** How the answer has ended. */
  #ending: { readonly failure: ErrorCode | undefined } | undefined;

  /**
   * @param repeats the document that was billed under its idempotency key before, if any.
   * @param jobDigest digest of the document of the open job under the key, if any.
   */
  constructor(billing: Billing, reservation: Reservation, repeats?: string, jobDigest?: string) {
    this.#billing = billing;
    this.#reservation = reservation;
    this.#repeats = repeats;
    this.#jobDigest = jobDigest;
  }

  /**
   * Call when the document is known.
   *
   * @param document a text that is equal for the same bytes and options only.
   * @throws PlatenError `IDEMPOTENCY_KEY_REUSED` if another document was billed under the idempotency key, or has an open job.
   */
  identify(document: string): void {
    if (this.#reservation.idempotencyKey === undefined) return;
    this.#document = document;
    const isOther = this.#repeats !== undefined && this.#repeats !== document;
    const isOtherThanJob = this.#jobDigest !== undefined && this.#jobDigest !== digestOf(document);
    if (isOther || isOtherThanJob) throw new PlatenError('IDEMPOTENCY_KEY_REUSED');
  }

  /**
   * Call when the PDF is made, before it is sent. A repetition is not billed. Resolves when Redis has counted it or
   * did not answer, and never rejects: the client gets its PDF either way.
   */
  async settle(figures: PdfFigures): Promise<void> {
    if (this.#repeats !== undefined || this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#billing.settle(this.#reservation, { ...figures, document: this.#document });
  }

  /** Leaves the end to a job that is about to be taken: the end of the answer does not release the reservation. */
  handOver(): void {
    this.#isHandedOver = true;
  }

  /** The job was not taken. */
  takeBack(): void {
    this.#isHandedOver = false;
    if (this.#ending) void this.end(this.#ending.failure);
  }

  /** What is to be ended. */
  get reservation(): Reservation {
    return this.#reservation;
  }

  /** Whether its document was billed under the idempotency key before. */
  get isRepetition(): boolean {
    return this.#repeats !== undefined;
  }

  /** Its document, if it has an idempotency key. */
  get document(): string | undefined {
    return this.#document;
  }

  /**
   * Call when the answer has ended: releases the reservation if it was not settled.
   *
   * @param failure the code of the answer, if it was an error.
   */
  async end(failure: ErrorCode | undefined): Promise<void> {
    this.#ending = { failure };
    if (this.#hasEnded || this.#isHandedOver) return;
    this.#hasEnded = true;
    await this.#billing.release(this.#reservation, failure);
  }
}

/** SHA-256 of a document's text, in hexadecimal. */
export function digestOf(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}
