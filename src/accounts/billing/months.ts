/** Calendar months in UTC, as `YYYY-MM`. */

/** Retention of a month's figures and ledger after its end: 400 days, in seconds. */
export const KEPT_SECONDS = 400 * 86_400;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function isMonth(text: string): boolean {
  return MONTH.test(text);
}

/** The month of a moment in milliseconds since the epoch. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** The end of a month, in milliseconds since the epoch: when the quota renews. */
export function monthEnd(month: string): number {
  const start = new Date(`${month}-01T00:00:00Z`);
  return start.setUTCMonth(start.getUTCMonth() + 1);
}

/** The months whose figures are kept, this one first. @param now milliseconds since the epoch. */
export function keptMonths(now: number): string[] {
  const months = [monthOf(now)];
  for (;;) {
    const [last = ''] = months.slice(-1);
    const before = monthOf(Date.parse(`${last}-01T00:00:00Z`) - 1);
    if (monthEnd(before) + KEPT_SECONDS * 1000 <= now) return months;
    months.push(before);
  }
}
