/** Reservations of conversions and how they end. */
import type { KeyLocation } from '../keys/locate.ts';

/** A conversion that was admitted. */
export interface Reservation {
  readonly requestId: string;
  readonly key: KeyLocation;
  /** Time of admission by the clock of Redis, in milliseconds since the epoch. Its month is billed. */
  readonly at: number;
  /** For a request with an idempotency key: see idempotency.ts. */
  readonly idempotencyKey?: string | undefined;
}

/** Figures of the PDF for the bill. Sizes in bytes. */
export interface PdfFigures {
  readonly pages: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** From the request's header to the settlement, in milliseconds; of a job's file, from the start of its conversion to its PDF. */
  readonly durationMs: number;
  /** Of a PDF of several documents: each of them, in order; undefined for one document. */
  readonly documents?: readonly DocumentFigures[] | undefined;
  /** The document and its options; required with an idempotency key. */
  readonly document?: string | undefined;
}

/** One of the documents of a PDF. */
interface DocumentFigures {
  readonly pages: number;
  /** Size in bytes. */
  readonly bytesIn: number;
}

/** All that a bill by hand needs, for the log. */
export function describeBill({ requestId, key, at }: Reservation, figures: PdfFigures) {
  const { document: _, ...sizes } = figures;
  const { account, id, environment } = key;
  return { reqId: requestId, account, key: id, environment, at: new Date(at).toISOString(), ...sizes };
}
