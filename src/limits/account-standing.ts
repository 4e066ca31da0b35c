/** Where an account stands now: its windows and its month, without a request of its own. */

import { monthOf } from '../billing/months.ts';
import { limitKeys } from '../billing/redis-keys.ts';
import { Usage } from '../billing/usage.ts';
import type { Account } from '../keys/records.ts';
import { limitsOf, type PlanLimits, type Plans } from '../plans/plans.ts';
import type { RedisClient } from '../redis/connect.ts';
import { type AccountUsage, accountUsage } from './account-usage.ts';
import { readCounts, type WindowState, windowStates } from './windows.ts';

export interface AccountStanding {
  /** This month, `YYYY-MM`, UTC. */
  readonly month: string;
  /** Undefined where the plan is none of this server's. */
  readonly limits: PlanLimits | undefined;
  /** Shortest first; none that is unlimited. */
  readonly windows: readonly WindowState[];
  /** Conversions that were settled this month, and those under way. */
  readonly used: number;
  readonly reserved: number;
}

/** Of the account's live keys. By the clock of Redis. @throws Error when Redis cannot be asked. */
export async function readStanding(
  redis: RedisClient,
  plans: Plans,
  account: Account,
): Promise<AccountStanding> {
  const { id, plan } = account;
  const [[seconds], fields] = await Promise.all([redis.time(), redis.hgetall(limitKeys.accountWindows(id))]);
  const now = Number(seconds);
  const month = monthOf(now * 1000);
  const [used, reserved] = await redis.hmget(
    limitKeys.months(id, 'live'),
    `used:${month}`,
    `reserved:${month}`,
  );
  const known = plans.get(plan);
  const limits = known && limitsOf(known);
  const windows = limits ? windowStates(limits, readCounts(fields, now)) : [];
  return { month, limits, windows, used: Number(used ?? 0), reserved: Number(reserved ?? 0) };
}

/** What the account has used in a month with its live keys. @param month this month where it is left out. */
export async function readAccountUsage(
  redis: RedisClient,
  plans: Plans,
  account: Account,
  month: string | undefined,
): Promise<AccountUsage> {
  const standing = await readStanding(redis, plans, account);
  const used = await new Usage(redis).month(account.id, 'live', month ?? standing.month);
  const owner = { account: account.id, plan: account.plan, environment: 'live' } as const;
  return accountUsage(owner, standing.limits?.perMonth ?? null, standing.windows, used);
}
