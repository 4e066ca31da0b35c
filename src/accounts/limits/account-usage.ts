/** Usage and remaining limits of an account, for the API and the command line. */
import type { DayUsage, KeyUsage, MonthUsage } from '../billing/usage.ts';
import type { Environment } from '../keys/format.ts';
import { type WindowState, windowsForPeople } from './windows.ts';

export interface AccountUsage {
  readonly account: string;
  readonly plan: string;
  readonly environment: Environment;
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly conversions: {
    readonly used: number;
    /** Conversions a month; null: unlimited. */
    readonly quota: number | null;
    readonly renewsAt: string;
  };
  readonly windows: {
    readonly name: WindowState['name'];
    readonly limit: number;
    readonly remaining: number;
    readonly resetsAt: string;
  }[];
  readonly days: DayUsage[];
  readonly keys: KeyUsage[];
}

export function accountUsage(
  owner: Pick<AccountUsage, 'account' | 'plan' | 'environment'>,
  quota: number | null,
  windows: readonly WindowState[],
  { month, used, renewsAt, days, keys }: MonthUsage,
): AccountUsage {
  return {
    ...owner,
    month,
    conversions: { used, quota, renewsAt },
    windows: windowsForPeople(windows),
    days,
    keys,
  };
}
