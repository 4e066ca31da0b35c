/** People who sign in: members of an account to its console, and operators to the dashboard. */
import { randomBytes } from 'node:crypto';
import type { Maker } from '../accounts/keys/maker.ts';
import { assertName } from '../accounts/keys/records.ts';

export { readEmail } from '../accounts/keys/email.ts';

/** An owner may do everything, a developer what programs need, and billing may see usage. */
export const roles = ['owner', 'developer', 'billing'] as const;
export type Role = (typeof roles)[number];

/** An admin may do everything; support reads everything, changes nothing and sees no key. */
export const operatorRoles = ['admin', 'support'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export interface Passkey {
  /** Base64url, as the authenticator made it. */
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Number of signatures according to the authenticator; 0: it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface Member<R extends string = Role> {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: R;
  /** Random, base64url: the member's id in authenticators. */
  readonly handle: string;
  readonly passkeys: readonly Passkey[];
  /** ISO 8601, like all times here. */
  readonly joinedAt: string;
  readonly lastSignInAt: string | null;
}

/** A link to register a passkey: once, within seven days. */
export interface Invitation<R extends string = Role> {
  readonly id: string;
  readonly email: string;
  readonly role: R;
  /** The member whose passkeys it replaces; null: it makes a new member. */
  readonly member: string | null;
  /** Handle of the new or existing member. */
  readonly handle: string;
  /** SHA-256 of its token. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Missing: an earlier version made it. */
  readonly madeBy?: Maker;
}

/** A new invitation. */
export interface NewInvitation<R extends string = Role> extends Invitation<R> {
  /** The end of its link, which is never shown again. */
  readonly token: string;
}

export const MAX_MEMBERS = 100;
export const MAX_PASSKEYS = 10;
export const MAX_INVITATIONS = 50;
/** How long an invitation is valid: seven days. */
export const INVITATION_MS = 7 * 86_400_000;

const HANDLE_BYTES = 32;
const PASSKEY_NAME = 100;

/** @throws OperatorError */
export function readMemberName(text: string): string {
  const name = text.trim();
  assertName(name);
  return name;
}

/** A name for a passkey, cut to the allowed length. @throws OperatorError */
export function readPasskeyName(text: string): string {
  return readMemberName(text.slice(0, PASSKEY_NAME));
}

export function newHandle(): string {
  return randomBytes(HANDLE_BYTES).toString('base64url');
}

export function newId(prefix: 'mem' | 'op' | 'inv'): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}
