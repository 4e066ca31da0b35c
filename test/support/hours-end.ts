/** For tests that count on one hour, day or month of the real clock. */
import { until } from './until.ts';

const MARGIN_MS = 60_000;

/** Waits where an hour, which may end a day or a month, is about to end, so that all that follows falls into one. */
export const awayFromTheHoursEnd = () =>
  until('the next hour', () => Date.now() % 3_600_000 < 3_600_000 - MARGIN_MS, 2 * MARGIN_MS);
