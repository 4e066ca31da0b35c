/** Admission: whether a request may go on, decided and taken by one script in Redis. */

import { idempotencyKeys, LEASE_MS } from '../billing/idempotency.ts';
import { limitKeys } from '../billing/redis-keys.ts';
import type { KeyLocation } from '../keys/locate.ts';
import { KEPT_MS, type Permission } from '../keys/records.ts';
import { redisKeys } from '../keys/redis-keys.ts';
import { addressBits } from '../keys/restrictions.ts';
import { luaFiles } from '../paths.ts';
import {
  type Feature,
  features,
  hasFeature,
  limitsOf,
  type PlanLimits,
  type Plans,
  testLimits,
} from '../plans/plans.ts';
import type { RedisClient } from '../redis/connect.ts';
import { Script } from '../redis/script.ts';
import { type WindowState, windowStates } from './windows.ts';

export interface AdmissionOptions {
  readonly plans: Plans;
  /** How long a conversion may take from its admission to the last byte of its PDF, in milliseconds. */
  readonly reservationMs: number;
}

export interface AdmissionRequest {
  readonly key: KeyLocation;
  /** Address of the client. */
  readonly address: string;
  readonly permission: Permission | undefined;
  /** Id of the request when it is a conversion, for which one of the month's is reserved. */
  readonly conversion: string | undefined;
  /** What the request claims when it is a conversion: the SHA-256 of its idempotency key, in hexadecimal. */
  readonly idempotencyKey?: string | undefined;
  /** The option that the request uses, where it needs a plan. With a test key every option may be tried. */
  readonly feature?: Feature | undefined;
}

/** "Denied" is a value: what was decided, and what the answer's headers need. */
export type Verdict =
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | ({
      readonly outcome: 'admitted' | 'address' | 'permission' | 'rate' | 'running' | 'quota' | 'feature';
    } & Standing);

/** Where the account (or the test key) stands after the request. */
export interface Standing {
  /** The moment by the clock of Redis, in milliseconds since the epoch. */
  readonly at: number;
  readonly plan: string;
  /** Shortest first; none that is unlimited. */
  readonly windows: readonly WindowState[];
  /** The calendar month (UTC) of the moment, `YYYY-MM`. */
  readonly month: string;
  /** Conversions that were settled this month. */
  readonly used: number;
  /** Conversions a month; null: unlimited. */
  readonly quota: number | null;
  /** The document that was settled under the idempotency key before, if one was. Nothing is reserved then. */
  readonly settled?: string;
}

type Row = [
  outcome: Verdict['outcome'] | 'plan',
  at: number,
  plan: string,
  month: string,
  secondStart: number,
  secondCount: number,
  hourStart: number,
  hourCount: number,
  dayStart: number,
  dayCount: number,
  used: number,
  reserved: number,
  settled: string,
];

export class Admission {
  readonly #script: Script;
  readonly #options: AdmissionOptions;
  readonly #limits: Readonly<Record<'live' | 'test', LimitsByPlan>>;
  /** Names of the plans that lack a feature, with a space between. */
  readonly #plansWithout: ReadonlyMap<Feature | undefined, string>;

  constructor(redis: RedisClient, options: AdmissionOptions) {
    this.#script = new Script(redis, luaFiles.admit);
    this.#options = options;
    this.#plansWithout = new Map(
      features.map((feature) => {
        const lacking = [...options.plans].filter(([, plan]) => !hasFeature(plan, feature));
        return [feature, lacking.map(([name]) => name).join(' ')];
      }),
    );
    const test = testLimits(options.plans);
    this.#limits = {
      live: new LimitsByPlan([...options.plans].map(([name, plan]) => [name, limitsOf(plan)])),
      // Whatever the plan of the account is.
      test: new LimitsByPlan([...options.plans.keys()].map((name) => [name, test])),
    };
  }

  /**
   * Decides about a request in one round trip, and takes what it needs or nothing.
   *
   * @throws Error when Redis cannot be asked, or the account's plan is not one of this server's.
   */
  async admit(request: AdmissionRequest): Promise<Verdict> {
    const { key, address, permission, conversion, idempotencyKey, feature } = request;
    const { account, id, environment, family = id } = key;
    const limits = this.#limits[environment];
    const row = (await this.#script.run(
      [
        redisKeys.key(account, id),
        redisKeys.account(account),
        environment === 'live' ? limitKeys.accountWindows(account) : limitKeys.familyWindows(account, family),
        limitKeys.months(account, environment),
        limitKeys.reservations(account, environment),
        ...idempotencyKeys(key, idempotencyKey),
      ],
      [
        addressBits(address),
        address,
        permission ?? '',
        conversion ?? '',
        this.#options.reservationMs,
        limits.json,
        LEASE_MS,
        (environment === 'live' && this.#plansWithout.get(feature)) || '',
        environment === 'test' ? KEPT_MS : '',
      ],
    )) as Row;
    return readVerdict(row, account, limits);
  }
}

/** Limits by the name of the plan, and the same as the script takes them. */
class LimitsByPlan {
  readonly json: string;
  readonly #byPlan: ReadonlyMap<string, PlanLimits>;

  constructor(entries: readonly (readonly [string, PlanLimits])[]) {
    this.#byPlan = new Map(entries);
    this.json = JSON.stringify(Object.fromEntries(entries));
  }

  get(plan: string): PlanLimits | undefined {
    return this.#byPlan.get(plan);
  }
}

function readVerdict(row: Row, account: string, limits: LimitsByPlan): Verdict {
  const [outcome, at, plan, month] = row;
  if (outcome === 'unknown' || outcome === 'expired') return { outcome };
  const planLimits = limits.get(plan);
  if (outcome === 'plan' || !planLimits) {
    throw new Error(
      `the plan "${plan}" of the account "${account}" is none of this server's: see PLANS_FILE`,
    );
  }
  const [, , , , secondStart, secondCount, hourStart, hourCount, dayStart, dayCount, used] = row;
  const { 12: settled } = row;
  const windows = windowStates(planLimits, {
    second: { start: secondStart, count: secondCount },
    hour: { start: hourStart, count: hourCount },
    day: { start: dayStart, count: dayCount },
  });
  const standing = { at, plan, windows, month, used, quota: planLimits.perMonth };
  return {
    outcome,
    ...standing,
    ...(settled !== '' && { settled }),
  };
}
