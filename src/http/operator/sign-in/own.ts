/** Passkeys and sessions of who is signed in, as answers have them. */
import type { Static } from 'typebox';
import type { Passkey as PasskeyRecord } from '../../../members/member.ts';
import { type ListedSession, Sessions } from '../../../operator/sessions.ts';
import { iso } from '../../../system/iso-time.ts';
import type { Passkey, SessionList } from './bodies.contract.ts';

export function describePasskey({ id, name, createdAt, lastUsedAt }: PasskeyRecord): Static<typeof Passkey> {
  return { id, name, createdAt, lastUsedAt };
}

/** @param current id of the session of the request; undefined: it has none. */
export function describeSessions(
  sessions: readonly ListedSession[],
  current: string | undefined,
): Static<typeof SessionList> {
  const own = current === undefined ? undefined : Sessions.listedIdOf(current);
  return {
    sessions: sessions.map(({ id, beganAt, idleUntil, expiresAt, address, agent }) => ({
      ...{ id, signedInAt: iso(beganAt), idleUntil: iso(idleUntil), expiresAt: iso(expiresAt) },
      ...{ address, agent, current: id === own },
    })),
  };
}
