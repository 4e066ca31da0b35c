/** Passkeys and sessions of who is signed in. */
import { Type } from 'typebox';
import { NotFoundError } from '../errors.ts';
import type { Passkey as PasskeyRecord } from '../members/member.ts';
import { NO_ACCOUNT } from '../members/realm.ts';
import { Sessions } from '../operator/sessions.ts';
import { iso } from '../system/iso-time.ts';
import { everyMember, everyOperator, nothing, operation, type Self } from './operation.ts';
import { named, time, timeOrNull } from './schema.ts';

export const Passkey = Type.Object(
  {
    id: Type.String({ description: 'Id of the passkey.' }),
    name: Type.String({ description: 'Its name.' }),
    createdAt: time('When it was registered.'),
    lastUsedAt: timeOrNull('When it last signed in. `null`: never, apart from its registration.'),
  },
  { $id: 'Passkey', description: 'A passkey of who is signed in.' },
);

export const PasskeyList = Type.Object(
  { passkeys: Type.Array(named(Passkey), { description: 'In the order of their registration.' }) },
  { $id: 'PasskeyList', description: 'The passkeys of who is signed in.' },
);

export const OwnSession = Type.Object(
  {
    id: Type.String({ description: 'Id of the session.' }),
    signedInAt: time('When it began.'),
    idleUntil: time('When it ends if it is not used before.'),
    expiresAt: time('When it ends in any case.'),
    address: Type.String({ description: 'Address from which it began.' }),
    agent: Type.String({ description: 'The `User-Agent` of the browser.' }),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { $id: 'OwnSession', description: 'A session of who is signed in.' },
);

export const SessionList = Type.Object(
  { sessions: Type.Array(named(OwnSession), { description: 'The newest first.' }) },
  { $id: 'SessionList', description: 'The sessions of who is signed in.' },
);

export const passkeyExample = {
  id: 'pZ0m3…',
  name: 'Chrome on Linux',
  createdAt: '2026-11-21T08:00:00.000Z',
  lastUsedAt: null,
};
const sessionExample = {
  id: 'ses_0f1e2d3c4b5a697887',
  signedInAt: '2026-11-21T08:00:00.000Z',
  idleUntil: '2026-11-21T08:30:00.000Z',
  expiresAt: '2026-11-21T20:00:00.000Z',
  address: '192.0.2.7',
  agent: 'Mozilla/5.0 (X11; Linux x86_64)',
  current: true,
};

const tag = 'session';

export const listPasskeys = operation({
  method: 'GET',
  path: '/passkeys',
  tag,
  says: ['Your passkeys', 'Never the passkeys themselves, which no server knows.'],
  operator: {
    id: 'listOperatorPasskeys',
    roles: everyOperator,
    description:
      'Never the passkeys themselves, which no server knows. Whoever signed in with the token has none.',
  },
  member: { id: 'listPasskeys', roles: everyMember },
  answers: { body: PasskeyList, description: 'The passkeys.', example: { passkeys: [passkeyExample] } },
  run: async (_, { self }) => ({ passkeys: (assertSelf(self).person?.passkeys ?? []).map(describePasskey) }),
});

export const removePasskey = operation({
  method: 'DELETE',
  path: '/passkeys/:passkey',
  tag,
  says: ['Remove a passkey', 'Ends your other sessions. The last passkey stays.'],
  operator: { id: 'removeOperatorPasskey', roles: everyOperator },
  member: { id: 'removePasskey', roles: everyMember },
  own: true,
  params: Type.Object({
    passkey: Type.String({ minLength: 1, maxLength: 1_400, description: 'Id of the passkey.' }),
  }),
  answers: nothing('Removed.'),
  missing: 'passkey of yours',
  audit: 'passkey.removed',
  async run({ members, operators }, { account, actor, self, params: { passkey } }) {
    const { person, session } = assertSelf(self);
    if (session === undefined || !person?.passkeys.some(({ id }) => id === passkey))
      throw new NotFoundError('passkey of yours', passkey);
    const place = account?.id ?? NO_ACCOUNT;
    await (account ? members : operators).removePasskey(actor, place, person, passkey, session);
    return null;
  },
});

export const listSessions = operation({
  method: 'GET',
  path: '/sessions',
  tag,
  says: ['Your sessions', 'Those that have not ended.'],
  operator: {
    id: 'listOperatorSessions',
    roles: everyOperator,
    description: 'Those that have not ended; with the token, all that began with it.',
  },
  member: { id: 'listOwnSessions', roles: everyMember },
  answers: { body: SessionList, description: 'The sessions.', example: { sessions: [sessionExample] } },
  async run(_, { self }) {
    const { sessions, subject, session } = assertSelf(self);
    const current = session === undefined ? undefined : Sessions.listedIdOf(session);
    const listed = await sessions.list(subject);
    return {
      sessions: listed.map(({ id, beganAt, idleUntil, expiresAt, address, agent }) => ({
        id,
        signedInAt: iso(beganAt),
        idleUntil: iso(idleUntil),
        expiresAt: iso(expiresAt),
        address,
        agent,
        current: id === current,
      })),
    };
  },
});

export const endSession = operation({
  method: 'DELETE',
  path: '/sessions/:session',
  tag,
  says: ['End one of your sessions', 'On every server at once.'],
  operator: { id: 'endOperatorSession', roles: everyOperator },
  member: { id: 'endListedSession', roles: everyMember },
  own: true,
  params: Type.Object({
    session: Type.String({ pattern: '^ses_[0-9a-f]{18}$', description: 'Id of the session.' }),
  }),
  answers: nothing('Ended.'),
  missing: 'session of yours',
  audit: 'session.ended',
  async run(_, { account, self, params: { session }, note }) {
    const { sessions, subject } = assertSelf(self);
    const isEnded = await sessions.endListed(subject, session, () => note({ account: account?.id }));
    if (!isEnded) throw new NotFoundError('session of yours', session);
    return null;
  },
});

/** In the order of the OpenAPI documents. */
export const ownOperations = [listPasskeys, removePasskey, listSessions, endSession];

export function describePasskey({ id, name, createdAt, lastUsedAt }: PasskeyRecord) {
  return { id, name, createdAt, lastUsedAt };
}

/** @throws Error at a door where nobody signs in. */
function assertSelf(self: Self | undefined): Self {
  if (!self) throw new Error('nobody is signed in');
  return self;
}
