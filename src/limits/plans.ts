/** Plans: what an account may use. Plans are data; `null` is unlimited. */

export interface Plan {
  /** Requests in an hour aligned to the clock. */
  readonly perHour: number | null;
  /** Requests in a UTC day. */
  readonly perDay: number | null;
  /** Requests in a second: the burst. */
  readonly perSecond: number | null;
  /** Conversions in a calendar month (UTC): the quota. */
  readonly perMonth: number | null;
  /** Names of the options that need a plan; "all" is every one of them. */
  readonly features: readonly string[];
}

/** The plans of a service that was not given others. */
export const defaultPlans: Readonly<Record<string, Plan>> = {
  free: { perHour: 100, perDay: 1_000, perSecond: 50, perMonth: 5_000, features: [] },
  pro: { perHour: 1_000, perDay: 10_000, perSecond: 100, perMonth: 100_000, features: ['all'] },
  enterprise: { perHour: null, perDay: null, perSecond: 200, perMonth: null, features: ['all'] },
};

/** The names of the plans, cheapest first. */
export const planNames: readonly string[] = Object.keys(defaultPlans);

/** Whether `name` is the name of a plan. */
export function isPlan(name: string): boolean {
  return planNames.includes(name);
}
