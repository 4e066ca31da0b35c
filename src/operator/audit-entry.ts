/** An entry of the audit. */
import { keyMaker, type Maker } from '../accounts/keys/maker.ts';
import type { StreamEntry } from './stream-pages.ts';

export const auditActions = [
  'account.created',
  'account.plan-changed',
  'account.renamed',
  'account.contacts-changed',
  'account.exported',
  'account.limit-set',
  'account.isolation-set',
  'account.limit-removed',
  'account.suspended',
  'account.resumed',
  'account.deletion-planned',
  'account.restored',
  'account.removed',
  'key.created',
  'key.changed',
  'key.revoked',
  'key.rotated',
  'member.invited',
  'invitation.withdrawn',
  'member.joined',
  'member.role-changed',
  'member.removed',
  'operator.invited',
  'operator.joined',
  'operator.role-changed',
  'operator.removed',
  'passkey.added',
  'passkey.replaced',
  'passkey.removed',
  'job.canceled',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.rotated',
  'webhook.disabled',
  'webhook.enabled',
  'maintenance.on',
  'maintenance.off',
  'banner.set',
  'banner.removed',
  'session.began',
  'session.ended',
  'session.refused',
  'token.refused',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Who did it. */
export interface Actor {
  readonly by: 'cli' | 'operator' | 'session' | 'token' | 'key' | 'member' | 'service' | 'nobody';
  /**
   * The system user (`cli`), the name and e-mail address (`operator`), the key's id (`key`), the member's name (`member`), `-`
   * (`service`), otherwise the client's address.
   */
  readonly who: string;
  /** The member or the operator, if they signed in by name; not in the audit. */
  readonly person?: { readonly id: string; readonly name: string; readonly email: string };
}

/** The actor as the maker of something. */
export function makerOf({ by, who, person }: Actor): Maker {
  if (by === 'key') return keyMaker(who);
  const { id = null, name = null, email = null } = person ?? {};
  return { by: by === 'member' ? 'member' : 'operator', id, name, email };
}

/** What it was done to. Never has a key or a token. */
export interface AuditSubject {
  readonly account?: string | undefined;
  readonly key?: string | undefined;
  readonly details?: Readonly<Record<string, string>>;
}

export interface AuditEntry extends Omit<Actor, 'person'> {
  readonly id: string;
  /** ISO 8601, by the clock of Redis. */
  readonly at: string;
  readonly action: AuditAction;
  readonly account: string | null;
  readonly key: string | null;
  readonly details: Readonly<Record<string, string>>;
}

/** Actions of operators, actions of customers on their own keys, refusals, and sessions and passkeys of operators with a name. */
export const auditLists = ['done', 'customers', 'refused', 'own'] as const;

export type AuditListName = (typeof auditLists)[number];

/** A stored entry. Entries of different lists may share an id. */
export function parseAuditEntry({ id, fields, stream }: StreamEntry): AuditEntry {
  const pairs = new Map<string, string>();
  for (let index = 0; index < fields.length; index += 2) {
    pairs.set(fields[index] ?? '', fields[index + 1] ?? '');
  }
  const text = (name: string): string => pairs.get(name) ?? '';
  const details = JSON.parse(text('details') || '{}') as Record<string, string>;
  if (pairs.has('attempts')) {
    details.attempts = text('attempts');
    details.since = new Date(Number(text('since'))).toISOString();
  }
  return {
    id: stream === 0 ? id : `${id}-${auditLists[stream]}`,
    at: new Date(Number(id.split('-')[0])).toISOString(),
    by: text('by') as Actor['by'],
    who: text('who'),
    action: text('action') as AuditAction,
    account: text('account') || null,
    key: text('key') || null,
    details,
  };
}
