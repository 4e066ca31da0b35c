/** Calendar months in UTC, as `YYYY-MM`. */

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
