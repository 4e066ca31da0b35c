/** What is reserved for a conversion, and what becomes of it. */
import type { KeyLocation } from '../keys/locate.ts';

/** A conversion that was admitted. */
export interface Reservation {
  readonly requestId: string;
  readonly key: KeyLocation;
  /** When it was admitted, by the clock of Redis, in milliseconds since the epoch. Its month is billed. */
  readonly at: number;
  /** Of a request with an idempotency key: see idempotency.ts. */
  readonly idempotencyKey?: string | undefined;
}

/** The PDF that was made, as the bill has it. Sizes in bytes. */
export interface PdfFigures {
  readonly pages: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** From the head of the request to the settlement, in milliseconds. */
  readonly durationMs: number;
  /** Which document was converted, and how; needed with an idempotency key. */
  readonly document?: string | undefined;
}
