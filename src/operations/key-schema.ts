/** A key, as integrators and the operator see it. */
import { Type } from 'typebox';
import { permissions } from '../accounts/keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../accounts/keys/rotation.ts';
import { madeBy, memberMakerExample } from './made-by.ts';
import { closed, time, timeOrNull, words } from './schema.ts';

export const environment = words(['test', 'live'], { description: 'Test keys are never billed.' });
export const keyType = words(['pk', 'sk'], {
  description: '`sk` is secret; `pk` is public and can only convert.',
});

/** A key's properties from its creation on, except its id. */
export const keySettings = {
  display: Type.String({ description: 'Short form of the key, to recognise it.' }),
  account: Type.String({ description: 'Id of the account.' }),
  name: Type.String({ description: 'Name of the key, such as its use.' }),
  environment,
  type: keyType,
  permissions: Type.Array(words(permissions), { description: 'Its permissions.' }),
  ipRestrictions: Type.Array(Type.String(), {
    description: 'Addresses and CIDR blocks from which it may be used. Empty: from everywhere.',
  }),
  origins: Type.Array(Type.String(), {
    description: 'Of a `pk` key: origins of the pages that may use it. Empty: no page may.',
  }),
  expiresAt: timeOrNull('When it expires. `null`: never.'),
  createdAt: time('Time of its creation.'),
  madeBy,
};

/** A new key. */
export const newKeyExample = {
  id: 'key_4f1c0a9be27d38560c',
  key: 'svc_live_sk_…',
  display: 'svc_live_sk_…a1B2',
  account: 'acme',
  name: 'back end',
  environment: 'live',
  type: 'sk',
  permissions: ['convert', 'jobs', 'webhooks', 'usage', 'rotate'],
  ipRestrictions: ['203.0.113.0/24'],
  origins: [],
  expiresAt: null,
  createdAt: '2026-11-21T07:40:36.000Z',
  madeBy: memberMakerExample,
};

/** A successor, and the key that it replaces. */
export const rotatedKeyExample = {
  ...newKeyExample,
  madeBy: { by: 'key', id: 'key_b7706e1f55aa4c2d19', name: null, email: null },
  previous: { id: 'key_b7706e1f55aa4c2d19', expiresAt: '2026-11-22T07:40:36.000Z' },
};

/** The body of a rotation. A misspelt field would end the key at an unexpected time. */
export const rotationBody = closed({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_SECONDS,
      description:
        'Seconds for which the replaced key keeps working, never beyond its expiration. ' +
        `Default: ${DEFAULT_OVERLAP_SECONDS} (24 hours); 0 ends it at once.`,
      examples: [DEFAULT_OVERLAP_SECONDS],
    }),
  ),
});

export const RotatedKey = Type.Object(
  {
    id: Type.String({ description: 'Id of the new key.' }),
    key: Type.String({ description: 'The new key itself. Store it: it is shown only here.' }),
    ...keySettings,
    previous: Type.Object(
      { id: Type.String({ description: 'Its id.' }), expiresAt: time('When it ends.') },
      { description: 'The calling key.' },
    ),
  },
  { $id: 'RotatedKey', description: 'The successor of a key, with its settings.' },
);
