/** Admission: one script in Redis decides about a request and takes what it needs. */
import { luaFiles } from '../../paths.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { Script } from '../../redis/script.ts';
import type { Isolation } from '../../shared/options/conversion-options.ts';
import { idempotencyKeys, LEASE_MS } from '../billing/idempotency.ts';
import { monthOf } from '../billing/months.ts';
import { limitKeys } from '../billing/redis-keys.ts';
import type { Reservation } from '../billing/reservation.ts';
import type { KeyLocation } from '../keys/locate.ts';
import { isolationOf, KEPT_MS, type Permission } from '../keys/records.ts';
import { redisKeys } from '../keys/redis-keys.ts';
import { addressBits } from '../keys/restrictions.ts';
import { type OwnLimit, parseOwnLimits, withOwnLimits } from '../plans/own-limits.ts';
import {
  type Feature,
  hasFeature,
  isolationUnder,
  limitsOf,
  type PlanLimits,
  type Plans,
  testLimits,
} from '../plans/plans.ts';
import { type WindowCounts, type WindowState, windowStates } from './windows.ts';

interface AdmissionOptions {
  readonly plans: Plans;
  /** Longest time of a conversion from its admission to the last byte of its PDF, in milliseconds. */
  readonly reservationMs: number;
}

export interface AdmissionRequest {
  readonly key: KeyLocation;
  /** Address of the client. */
  readonly address: string;
  /** Of the page that sent it; undefined if none did. */
  readonly origin?: string | undefined;
  readonly permission: Permission | undefined;
  /** Id of the request if it is a conversion, for which one of the month's quota is reserved. */
  readonly conversion: string | undefined;
  /** SHA-256 of the conversion's idempotency key, in hexadecimal. */
  readonly idempotencyKey?: string | undefined;
  /** Features that the requested options need. Test keys may use every option. */
  readonly features?: readonly Feature[] | undefined;
}

/** The decision, with the data for the response's headers. A refusal is a value, not an error. */
export type Verdict =
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'expired' }
  | ({
      readonly outcome:
        | 'admitted'
        | 'origin'
        | 'suspended'
        | 'address'
        | 'permission'
        | 'rate'
        | 'running'
        | 'quota'
        | 'feature';
    } & Standing);

/** State of the account (or the test key) after the request. */
export interface Standing {
  /** Time by the clock of Redis, in milliseconds since the epoch. */
  readonly at: number;
  readonly plan: string;
  /** Of live keys: those of the account's own, if it has any. */
  readonly ownLimits?: readonly OwnLimit[];
  /** Whether each document has a process of its own, as its plan or its account says. */
  readonly isolation: Isolation;
  /** Shortest first, without unlimited ones. */
  readonly windows: readonly WindowState[];
  /** Its calendar month (UTC), `YYYY-MM`. */
  readonly month: string;
  /** Settled conversions of this month. */
  readonly used: number;
  /** Conversions a month; null: unlimited. */
  readonly quota: number | null;
  /** The document settled under the idempotency key before, if any. Nothing is reserved then. */
  readonly settled?: string;
  /** Digest of the document of the open job that holds the reservation, if any. Nothing is reserved then. */
  readonly jobDigest?: string;
}

/** What the script answers. */
type Answer =
  | { readonly outcome: 'gone' | 'unknown' | 'expired' }
  | { readonly outcome: 'plan'; readonly plan: string }
  | (Pick<Standing, 'at' | 'plan' | 'month' | 'used' | 'settled' | 'jobDigest'> & {
      readonly outcome: Exclude<Verdict['outcome'], 'gone' | 'unknown' | 'expired'>;
      readonly windows: WindowCounts;
      readonly own?: Readonly<Record<string, string>>;
      readonly isolation?: string;
    });

export class Admission {
  readonly #script: Script;
  readonly #reserve: Script;
  readonly #options: AdmissionOptions;
  readonly #limits: Readonly<Record<'live' | 'test', LimitsByPlan>>;

  constructor(redis: RedisClient, options: AdmissionOptions) {
    this.#script = new Script(redis, luaFiles.admit);
    this.#reserve = new Script(redis, luaFiles.reserveDocuments);
    this.#options = options;
    const test = testLimits(options.plans);
    this.#limits = {
      live: new LimitsByPlan([...options.plans].map(([name, plan]) => [name, limitsOf(plan)])),
      // Whatever the account's plan.
      test: new LimitsByPlan([...options.plans.keys()].map((name) => [name, test])),
    };
  }

  /**
   * Decides about a request in one round trip, and takes everything that it needs, or nothing.
   *
   * @throws Error if Redis does not answer, or this server does not know the account's plan.
   */
  admit(request: AdmissionRequest): Promise<Verdict> {
    return this.#decide(request, '');
  }

  /**
   * Whether a request that was admitted would still be: its key, origin, account, address and permission are as they must be. Takes and
   * notes nothing.
   *
   * @throws Error as above.
   */
  async stillAdmits(
    request: Pick<AdmissionRequest, 'key' | 'address' | 'origin' | 'permission'>,
  ): Promise<boolean> {
    const { outcome } = await this.#decide({ ...request, conversion: undefined }, 'look');
    return outcome === 'admitted';
  }

  /**
   * Reserves the quota of all documents of a request that was admitted, of which one is reserved already; or nothing.
   *
   * @param quota conversions a month; null: unlimited.
   * @returns how many conversions are left for it, if they are too few.
   * @throws Error if Redis does not answer.
   */
  async reserveDocuments(
    { key: { account, environment }, requestId, at }: Reservation,
    documents: number,
    quota: number | null,
  ): Promise<number | undefined> {
    const left = await this.#reserve.run(
      [limitKeys.months(account, environment), limitKeys.reservations(account, environment)],
      [`${monthOf(at)} ${requestId}`, documents, quota ?? ''],
    );
    return Number(left) < 0 ? undefined : Number(left);
  }

  async #decide(request: AdmissionRequest, look: 'look' | ''): Promise<Verdict> {
    const { key, address, origin = '', permission, conversion, idempotencyKey, features = [] } = request;
    const { account, id, environment, family = id } = key;
    const limits = this.#limits[environment];
    const answer = await this.#script.answer<Answer>(
      [
        redisKeys.key(account, id),
        redisKeys.account(account),
        environment === 'live' ? limitKeys.accountWindows(account) : limitKeys.familyWindows(account, family),
        limitKeys.months(account, environment),
        limitKeys.reservations(account, environment),
        ...idempotencyKeys(key, idempotencyKey),
        ...(idempotencyKey === undefined ? [] : [limitKeys.job(account, environment, idempotencyKey)]),
      ],
      [
        addressBits(address),
        address,
        permission ?? '',
        conversion ?? '',
        this.#options.reservationMs,
        limits.json,
        LEASE_MS,
        environment === 'live' ? this.#plansWithout(features).join(' ') : '',
        environment === 'test' ? KEPT_MS : '',
        look,
        origin,
      ],
    );
    return readVerdict(answer, account, limits, this.#options.plans);
  }

  /** Names of the plans that lack one of the features. */
  #plansWithout(features: readonly Feature[]): string[] {
    const lacking = [...this.#options.plans].filter(
      ([, plan]) => !features.every((each) => hasFeature(plan, each)),
    );
    return lacking.map(([name]) => name);
  }
}

/** Limits by plan, and the same in the script's form. */
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

function readVerdict(answer: Answer, account: string, limits: LimitsByPlan, plans: Plans): Verdict {
  if (!('plan' in answer)) return answer;
  const planLimits = limits.get(answer.plan);
  if (!('windows' in answer) || !planLimits) {
    throw new Error(
      `the plan "${answer.plan}" of the account "${account}" is not one of this server's: see PLANS_FILE`,
    );
  }
  const { own, windows, isolation: ofAccount, ...standing } = answer;
  const ownLimits = own ? parseOwnLimits(own) : [];
  const limitsNow = withOwnLimits(planLimits, ownLimits, answer.at);
  return {
    ...standing,
    windows: windowStates(limitsNow, windows),
    quota: limitsNow.perMonth,
    isolation: isolationUnder(plans.get(answer.plan), isolationOf(ofAccount)),
    ...(ownLimits.length > 0 && { ownLimits }),
  };
}
