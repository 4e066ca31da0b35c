/** Conversions, for tests of what becomes of them. */
import type { PdfFigures, Reservation } from '../../../src/accounts/billing/reservation.ts';
import type { KeyLocation } from '../../../src/accounts/keys/locate.ts';

export const figures: PdfFigures = { pages: 3, bytesIn: 1_000, bytesOut: 2_000, durationMs: 41.4 };

/**
 * A moment in the middle of its day, so that no test begins in one day and ends in the next, and far ahead, because
 * what is kept of a month goes in time.
 */
export const AT = Date.parse('2099-11-21T12:00:00.250Z');
export const MONTH = '2099-11';

export const liveKey: KeyLocation = { account: 'acme', id: 'key_1', environment: 'live' };

export function reservation(requestId: string, options: Partial<Reservation> = {}): Reservation {
  return { requestId, key: liveKey, at: AT, ...options };
}
