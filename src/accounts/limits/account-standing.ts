/** The current state of an account: its windows and its month. */
import type { RedisClient } from '../../redis/connect.ts';
import type { Isolation } from '../../shared/options/conversion-options.ts';
import { monthOf } from '../billing/months.ts';
import { limitKeys } from '../billing/redis-keys.ts';
import { Usage } from '../billing/usage.ts';
import type { Account } from '../keys/records.ts';
import { withOwnLimits } from '../plans/own-limits.ts';
import { isolationUnder, limitsOf, type PlanLimits, type Plans } from '../plans/plans.ts';
import { type AccountUsage, accountUsage } from './account-usage.ts';
import { readCounts, type WindowState, windowStates } from './windows.ts';

export interface AccountStanding {
  /** This month, `YYYY-MM`, UTC. */
  readonly month: string;
  /** Those that hold now. Undefined if this server does not know the plan. */
  readonly limits: PlanLimits | undefined;
  /** Shortest first, without unlimited ones. */
  readonly windows: readonly WindowState[];
  /** Settled and running conversions of this month. */
  readonly used: number;
  readonly reserved: number;
  /** By the account, or else by its plan. */
  readonly isolation: Isolation;
}

/**
 * Covers the account's live keys, by the clock of Redis.
 *
 * @throws Error if Redis does not answer.
 */
export async function readStanding(
  redis: RedisClient,
  plans: Plans,
  account: Account,
): Promise<AccountStanding> {
  const { id, plan, ownLimits } = account;
  const [[seconds], fields] = await Promise.all([redis.time(), redis.hgetall(limitKeys.accountWindows(id))]);
  const now = Number(seconds);
  const month = monthOf(now * 1000);
  const [used, reserved] = await redis.hmget(
    limitKeys.months(id, 'live'),
    `used:${month}`,
    `reserved:${month}`,
  );
  const known = plans.get(plan);
  const limits = known && limitsOf(withOwnLimits(known, ownLimits, now * 1000));
  const windows = limits ? windowStates(limits, readCounts(fields, now)) : [];
  const isolation = isolationUnder(known, account.isolation);
  return { month, limits, windows, used: Number(used ?? 0), reserved: Number(reserved ?? 0), isolation };
}

/**
 * Usage of the account's live keys in a month.
 *
 * @param month defaults to this month.
 */
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
