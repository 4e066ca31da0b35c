/** People who sign in: members of an account to its console, and operators to the dashboard. */
import { randomBytes } from 'node:crypto';
import { assertName } from '../keys/records.ts';

export { readEmail } from '../keys/email.ts';

/** An owner may do all, a developer what programs need, and billing sees what is used. */
export const roles = ['owner', 'developer', 'billing'] as const;
export type Role = (typeof roles)[number];

/** An admin may do all; support reads all, changes nothing and is shown no key. */
export const operatorRoles = ['admin', 'support'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

export interface Passkey {
  /** Base64url, as the authenticator made it. */
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often it signed, as the authenticator says; 0: it does not count. */
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
  /** Random, base64url: how authenticators know the member. */
  readonly handle: string;
  readonly passkeys: readonly Passkey[];
  /** ISO 8601, as every time here. */
  readonly joinedAt: string;
  readonly lastSignInAt: string | null;
}

/** A link by which somebody registers a passkey: once, within seven days. */
export interface Invitation<R extends string = Role> {
  readonly id: string;
  readonly email: string;
  readonly role: R;
  /** The member whose passkeys it replaces; null: it makes a new one. */
  readonly member: string | null;
  /** Of the member that it makes, or of the one it is for. */
  readonly handle: string;
  /** SHA-256 of its token. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** An invitation that was just made. */
export interface NewInvitation<R extends string = Role> extends Invitation<R> {
  /** What its link ends with, which is never shown again. */
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

/** A name for a passkey, cut to what fits. @throws OperatorError */
export function readPasskeyName(text: string): string {
  return readMemberName(text.slice(0, PASSKEY_NAME));
}

export function newHandle(): string {
  return randomBytes(HANDLE_BYTES).toString('base64url');
}

export function newId(prefix: 'mem' | 'op' | 'inv'): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`;
}
