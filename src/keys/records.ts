/** Accounts and keys as data, and what a new one must look like. */
import { randomBytes } from 'node:crypto';
import { OperatorError } from '../errors.ts';
import type { Plans } from '../plans/plans.ts';
import type { Environment, KeyType } from './format.ts';
import { assertRestrictions } from './restrictions.ts';

export const permissions = ['convert', 'usage', 'rotate'] as const;
export type Permission = (typeof permissions)[number];

/** Who owns keys, and under which plan. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** ISO 8601, as every time here. */
  readonly createdAt: string;
}

export interface NewAccount {
  readonly name: string;
  readonly plan: string;
  /** Made up where it is left out. */
  readonly id?: string | undefined;
}

/** A key as it is kept: everything but the key itself. */
export interface KeyRecord {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly environment: Environment;
  readonly type: KeyType;
  /** What people see of the key: `svc_live_sk_…a1B2`. */
  readonly display: string;
  readonly permissions: readonly Permission[];
  /** Addresses and CIDR blocks; none: every address. */
  readonly ipRestrictions: readonly string[];
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly lastUsedAddress: string | null;
  readonly revokedAt: string | null;
  /** Id of the key that it was rotated to. */
  readonly successor: string | null;
  /** Id of the first key of the line of rotations that led to it; null: it is no successor. */
  readonly family: string | null;
}

export interface NewKey {
  readonly account: string;
  readonly name: string;
  readonly environment: Environment;
  readonly type: KeyType;
  /** All that the type may hold where it is left out. */
  readonly permissions?: readonly Permission[] | undefined;
  readonly ipRestrictions?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
}

/** How long the record of a key is kept after its end, and the windows of a test key after their last use: 400 days. */
export const KEPT_MS = 400 * 86_400_000;

const ACCOUNT_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const MAX_NAME = 200;
const MAX_RESTRICTIONS = 100;

/** @throws OperatorError naming the first mistake. */
export function assertNewAccount({ id, name, plan }: NewAccount, plans: Plans): void {
  assertName(name);
  assertPlan(plan, plans);
  if (id !== undefined && !ACCOUNT_ID.test(id)) {
    throw new OperatorError('an account id has 1 to 63 small letters, digits, "-" and "_"');
  }
}

/** @throws OperatorError when there is no such plan. */
export function assertPlan(plan: string, plans: Plans): void {
  if (!plans.has(plan)) {
    throw new OperatorError(`there is no plan "${plan}"; choose one of ${[...plans.keys()].join(', ')}`);
  }
}

/** @throws OperatorError naming the first mistake. */
export function assertNewKey(key: NewKey, now: Date): void {
  assertName(key.name);
  const allowed = permissionsOf(key.type);
  for (const permission of key.permissions ?? []) {
    if (!permissions.includes(permission)) {
      throw new OperatorError(
        `there is no permission "${permission}"; choose from ${permissions.join(', ')}`,
      );
    }
    if (!allowed.includes(permission)) {
      throw new OperatorError(`a pk key can only hold the permission convert, not ${permission}`);
    }
  }
  if (key.permissions?.length === 0) throw new OperatorError('a key needs at least one permission');
  const restrictions = key.ipRestrictions ?? [];
  if (restrictions.length > MAX_RESTRICTIONS) {
    throw new OperatorError(`a key can have at most ${MAX_RESTRICTIONS} IP restrictions`);
  }
  assertRestrictions(restrictions);
  // Also refuses an invalid date, which compares as false.
  if (key.expiresAt && !(key.expiresAt > now)) {
    throw new OperatorError('the expiration must be a date in the future, such as 2030-12-31T00:00:00Z');
  }
}

/** A pk key may be seen by many, in a browser for example, so it can do the least. */
export function permissionsOf(type: KeyType): readonly Permission[] {
  return type === 'pk' ? ['convert'] : permissions;
}

/** When the record of a key goes, in milliseconds since the epoch; undefined for one that has no end. */
export function goneAt({
  expiresAt,
  revokedAt = null,
}: {
  readonly expiresAt: string | null;
  readonly revokedAt?: string | null;
}): number | undefined {
  const ends = [expiresAt, revokedAt].filter((end) => end !== null).map((end) => Date.parse(end));
  return ends.length === 0 ? undefined : Math.min(...ends) + KEPT_MS;
}

/** Control characters, line breaks, halves of characters, and what turns the text around it (UAX #9). */
const MISLEADING = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** People tell accounts and keys apart by their names, and revoke by them: what is shown is what it is. */
function assertName(name: string): void {
  if (name.length > MAX_NAME || !VISIBLE.test(name) || MISLEADING.test(name)) {
    throw new OperatorError(
      `a name has 1 to ${MAX_NAME} characters that can be seen, none of them one that controls the text around it`,
    );
  }
}

/** Stands between name and id; no name has it. */
export const NAME_END = '\0';

/** An account in the list by name. */
export function nameEntry({ name, id }: Pick<Account, 'name' | 'id'>): string {
  return name.toLowerCase() + NAME_END + id;
}

export function newAccountId(): string {
  return newId('acct');
}

export function newKeyId(): string {
  return newId('key');
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}
