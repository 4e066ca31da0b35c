/**
 * Who signs in where: members of accounts to the console, operators to the dashboard. Each realm has ids, names in Redis,
 * challenges and addresses of its own, so nothing of one opens the other.
 */
import type { Actor } from '../operator/audit-entry.ts';
import { Sessions } from '../operator/sessions.ts';
import type { RedisClient } from '../redis/connect.ts';
import { type Member, type OperatorRole, operatorRoles, type Role, roles } from './member.ts';
import { memberKeys, operatorKeys, type RealmKeys } from './redis-keys.ts';

export interface Realm<R extends string = string> {
  /** What somebody in it is called. */
  readonly noun: 'member' | 'operator';
  /** One of them, in sentences. */
  readonly one: string;
  /** What ids of its members begin with. */
  readonly prefix: 'mem' | 'op';
  /** The whole of which they are members. */
  readonly whole: string;
  readonly roles: readonly R[];
  /** The role that the last one keeps, as nobody could give it back; undefined: somebody else always could. */
  readonly keptRole: R | undefined;
  /** Where its pages are. */
  readonly pages: '/console' | '/dashboard';
  readonly keys: RealmKeys;
  /** What subjects of sessions look like: the account and the member. */
  readonly subject: RegExp;
  /** What authenticators show of somebody, who may have a passkey of each realm. */
  labelOf(email: string): string;
  /** Who does something, for the audit. */
  actorFor(member: Member<R>): Actor;
}

export const memberRealm: Realm<Role> = {
  noun: 'member',
  one: 'a member',
  prefix: 'mem',
  whole: 'an account',
  roles,
  keptRole: 'owner',
  pages: '/console',
  keys: memberKeys,
  subject: /^([a-z0-9][a-z0-9_-]{0,62})\.(mem_[0-9a-f]{18})$/,
  labelOf: (email) => email,
  actorFor: ({ name }) => ({ by: 'member', who: name }),
};

/** In the place of an account, for operators, who belong to none. No account can be called so. */
export const NO_ACCOUNT = '-';

/** The last admin may go: whoever has the operator's token or the command line invites another. */
export const operatorRealm: Realm<OperatorRole> = {
  noun: 'operator',
  one: 'an operator',
  prefix: 'op',
  whole: 'a service',
  roles: operatorRoles,
  keptRole: undefined,
  pages: '/dashboard',
  keys: operatorKeys,
  subject: /^(-)\.(op_[0-9a-f]{18})$/,
  labelOf: (email) => `${email} (operator)`,
  actorFor: ({ name, email }) => ({ by: 'operator', who: `${name} <${email}>` }),
};

/** The subject of the sessions of a member. */
export function subjectOf(account: string, member: string): string {
  return `${account}.${member}`;
}

/** Of which member of a realm a session is. */
export function placeIn(
  { subject: pattern }: Realm,
  subject: string,
): { readonly account: string; readonly member: string } | undefined {
  const [, account, member] = pattern.exec(subject) ?? [];
  return account === undefined || member === undefined ? undefined : { account, member };
}

/** Name in Redis of the sessions of a subject; undefined for one that is not of this realm. */
export function sessionsKeyIn(realm: Realm, subject: string): string | undefined {
  const place = placeIn(realm, subject);
  return place && realm.keys.sessions(place.account, place.member);
}

/** Sessions of the members of a realm; their subjects are those of {@link subjectOf}. */
export function realmSessions(redis: RedisClient, realm: Realm): Sessions {
  return new Sessions(redis, { keyOf: (subject) => sessionsKeyIn(realm, subject) });
}

/** What an entry of the audit is about. */
export function subjectFor(account: string): { readonly account?: string } {
  return account === NO_ACCOUNT ? {} : { account };
}
