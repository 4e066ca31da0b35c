/**
 * Realms of signing in: members of accounts (the console) and operators (the dashboard). Each realm has its own ids, Redis
 * keys, challenges and URLs, so nothing of one opens the other.
 */
import type { Actor } from '../operator/audit-entry.ts';
import { Sessions } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import { type Member, type OperatorRole, operatorRoles, type Role, roles } from './member.ts';
import { memberKeys, operatorKeys, type RealmKeys } from './redis-keys.ts';

export interface Realm<R extends string = string> {
  /** Name of a person in it. */
  readonly noun: 'member' | 'operator';
  /** One of them, in sentences. */
  readonly one: string;
  /** Prefix of the ids of its members. */
  readonly prefix: 'mem' | 'op';
  /** What its members belong to, in sentences. */
  readonly whole: string;
  readonly roles: readonly R[];
  /** The role that the last member keeps, as nobody could give it back; undefined if somebody always could. */
  readonly keptRole: R | undefined;
  /** The role that invites. Invitations of whoever no longer has it end. */
  readonly invitingRole: R;
  /** Path of its pages. */
  readonly pages: '/console' | '/dashboard';
  readonly keys: RealmKeys;
  /** Pattern of session subjects: the account and the member. */
  readonly subject: RegExp;
  /** Label in authenticators, where a person may have a passkey of each realm. */
  labelOf(email: string): string;
  /** The actor, for the audit. */
  actorFor(member: Member<R>): Actor;
}

export const memberRealm: Realm<Role> = {
  noun: 'member',
  one: 'a member',
  prefix: 'mem',
  whole: 'an account',
  roles,
  keptRole: 'owner',
  invitingRole: 'owner',
  pages: '/console',
  keys: memberKeys,
  subject: /^([a-z0-9][a-z0-9_-]{0,62})\.(mem_[0-9a-f]{18})$/,
  labelOf: (email) => email,
  actorFor: ({ id, name, email }) => ({ by: 'member', who: name, person: { id, name, email } }),
};

/** Stands for the account of operators, who belong to none. No account can have this id. */
export const NO_ACCOUNT = '-';

/** The last admin can be removed: the operator's token or the command line can invite another. */
export const operatorRealm: Realm<OperatorRole> = {
  noun: 'operator',
  one: 'an operator',
  prefix: 'op',
  whole: 'a service',
  roles: operatorRoles,
  keptRole: undefined,
  invitingRole: 'admin',
  pages: '/dashboard',
  keys: operatorKeys,
  subject: /^(-)\.(op_[0-9a-f]{18})$/,
  labelOf: (email) => `${email} (operator)`,
  actorFor: ({ id, name, email }) => ({
    by: 'operator',
    who: `${name} <${email}>`,
    person: { id, name, email },
  }),
};

/** The subject of the sessions of a member. */
export function subjectOf(account: string, member: string): string {
  return `${account}.${member}`;
}

/** The member to whom a session belongs. */
export function placeIn(
  { subject: pattern }: Realm,
  subject: string,
): { readonly account: string; readonly member: string } | undefined {
  const [, account, member] = pattern.exec(subject) ?? [];
  return account === undefined || member === undefined ? undefined : { account, member };
}

/** Redis key of the sessions of a subject; undefined for a subject of another realm. */
export function sessionsKeyIn(realm: Realm, subject: string): string | undefined {
  const place = placeIn(realm, subject);
  return place && realm.keys.sessions(place.account, place.member);
}

/** Sessions of the members of a realm; their subjects are those of {@link subjectOf}. */
export function realmSessions(redis: RedisClient, realm: Realm): Sessions {
  return new Sessions(redis, { keyOf: (subject) => sessionsKeyIn(realm, subject) });
}

/** The subject of an audit entry. */
export function subjectFor(account: string): { readonly account?: string } {
  return account === NO_ACCOUNT ? {} : { account };
}
