/** API keys of accounts. */
import { type Static, Type } from 'typebox';
import { AccountKeys } from '../accounts/keys/account-keys.ts';
import { type KeyRecord, permissions } from '../accounts/keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../accounts/keys/rotation.ts';
import type { Actor } from '../operator/audit-entry.ts';
import { makerOf } from '../operator/audit-entry.ts';
import { MAX_ORIGINS } from '../shared/page-origin.ts';
import {
  environment,
  keySettings,
  keyType,
  newKeyExample,
  RotatedKey,
  rotatedKeyExample,
  rotationBody,
} from './key-schema.ts';
import { shownTo } from './made-by.ts';
import { admins, type DeepReadonly, everyOperator, keepers, operation } from './operation.ts';
import {
  closed,
  cursor,
  moment,
  named,
  nextCursor,
  orNull,
  pageSize,
  readCursor,
  timeOrNull,
  words,
} from './schema.ts';

const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 30;
const PAGE = 50;

const id = Type.String({ description: 'Id of the key.' });

export const Key = Type.Object(
  {
    id,
    ...keySettings,
    state: words(['valid', 'expired', 'revoked'], { description: 'Its state.' }),
    lastUsedAt: timeOrNull('Time of its last use. `null`: never used.'),
    lastUsedAddress: orNull(Type.String(), 'Address of its last use. `null`: never used.'),
    revokedAt: timeOrNull('Time of its revocation. `null`: not revoked.'),
    successor: orNull(Type.String(), 'Id of its successor. `null`: not rotated.'),
  },
  { $id: 'Key', description: "A key's record, without the key itself." },
);

export const CreatedKey = Type.Object(
  { id, key: Type.String({ description: 'The key itself. It is shown only here.' }), ...keySettings },
  { $id: 'CreatedKey', description: 'A new key.' },
);

export const KeyList = Type.Object(
  {
    keys: Type.Array(named(Key), {
      description:
        'Working keys first, the one with the latest end first; then ended keys, the latest end first. Keys ' +
        'with the same end: the newest first.',
    }),
    next: nextCursor(),
  },
  { $id: 'KeyList', description: 'A page of the keys of an account.' },
);

export const ExpiringKeys = Type.Object(
  {
    keys: Type.Array(named(Key), { description: 'The next to expire first.' }),
    more: Type.Boolean({ description: 'Whether there may be more.' }),
  },
  { $id: 'ExpiringKeys', description: 'Working keys that expire soon.' },
);

export const KeyMatches = Type.Object(
  { keys: Type.Array(named(Key), { description: 'Those that last longest first.' }) },
  { $id: 'KeyMatches', description: 'Keys with the same last characters.' },
);

/** @param more what is said of leaving them out. */
const origins = (more: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: MAX_ORIGINS,
      description:
        'Origins of the pages that may use it, which only a `pk` key has: scheme, host and perhaps port, as in ' +
        `\`https://shop.example\`. Without TLS only \`http://localhost\`.${more}`,
    }),
  );

const params = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 63,
    description: 'Id of the key.',
    examples: ['key_4f1c0a9be27d38560c'],
  }),
});

const { key: _, ...settingsExample } = newKeyExample;
const example = {
  ...settingsExample,
  state: 'valid',
  lastUsedAt: '2026-11-21T07:59:12.000Z',
  lastUsedAddress: '203.0.113.7',
  revokedAt: null,
  successor: null,
};

export const listKeys = operation({
  method: 'GET',
  path: '/keys',
  tag: 'keys',
  says: [
    'The keys of an account',
    'Working and ended keys, with state and last use. A key that ends between two pages may be on both.',
  ],
  operator: { id: 'listKeys', roles: everyOperator },
  member: {
    id: 'listOwnKeys',
    roles: keepers,
    summary: 'The keys of the account',
    description: 'Working and ended keys, with state and last use.',
  },
  account: 'path',
  query: Type.Object({ after: cursor(), limit: pageSize(PAGE, 200) }),
  answers: { body: KeyList, description: 'A page of the keys.', example: { keys: [example], next: null } },
  async run({ keys }, { account, actor, query: { after, limit = PAGE } }) {
    const page = await keys.listed.page(account.id, readCursor(after, AccountKeys.isCursor), limit);
    return { ...page, keys: page.keys.map((key) => describeKey(key, actor)) };
  },
});

export const findKeys = operation({
  method: 'GET',
  path: '/keys',
  tag: 'keys',
  says: [
    'Keys by their last four characters',
    'Of all accounts, working and ended: for a customer who knows no more of a key.',
  ],
  operator: { id: 'findKeys', roles: everyOperator },
  query: Type.Object({
    ending: Type.String({
      pattern: '^[0-9A-Za-z]{4}$',
      description: 'The last four characters.',
      examples: ['a1B2'],
    }),
  }),
  answers: { body: KeyMatches, description: 'The keys.', example: { keys: [example] } },
  async run({ keys }, { actor, query }) {
    const found = await keys.endings.find(query.ending);
    return { keys: found.map((key) => describeKey(key, actor)) };
  },
});

export const listExpiringKeys = operation({
  method: 'GET',
  path: '/keys/expiring',
  tag: 'keys',
  says: ['Keys that expire soon', 'Of all accounts. Rotated keys are left out, as successors replace them.'],
  operator: { id: 'listExpiringKeys', roles: everyOperator },
  query: Type.Object({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, description: `Number of days. Default: ${EXPIRING_DAYS}.` }),
    ),
    limit: pageSize(PAGE, 200),
  }),
  answers: {
    body: ExpiringKeys,
    description: 'The keys.',
    example: { keys: [{ ...example, expiresAt: '2026-12-01T00:00:00.000Z' }], more: false },
  },
  async run({ keys }, { actor, query: { days = EXPIRING_DAYS, limit = PAGE } }) {
    const page = await keys.expiring.page(new Date(Date.now() + days * DAY_MS), limit);
    return { ...page, keys: page.keys.map((key) => describeKey(key, actor)) };
  },
});

export const createKey = operation({
  method: 'POST',
  path: '/keys',
  tag: 'keys',
  says: [
    'Create a key',
    'Returns the key itself, which is shown only here. `message` names a wrong field, or says that the account has as many keys as it may: ' +
      '1,000 that work.',
  ],
  operator: { id: 'createKey', roles: admins },
  member: { id: 'createOwnKey', roles: keepers },
  account: 'body',
  body: closed({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the key, such as its use.' }),
    environment,
    type: keyType,
    permissions: Type.Optional(
      Type.Array(words(permissions), {
        minItems: 1,
        maxItems: permissions.length,
        uniqueItems: true,
        description: 'Its permissions. Default: all that its type allows.',
      }),
    ),
    ipRestrictions: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description: 'Addresses and CIDR blocks from which it may be used. Default: everywhere.',
      }),
    ),
    origins: origins(' Default: none.'),
    expiresAt: moment('When it expires, with time zone. Default: never.', '2030-12-31T00:00:00Z'),
  }),
  answers: { status: 201, body: CreatedKey, description: 'The key.', example: newKeyExample },
  audit: 'key.created',
  async run({ keys }, { account: { id: account }, actor, body, note }) {
    const expiresAt = body.expiresAt === undefined ? undefined : new Date(body.expiresAt);
    const settings = { ...body, account, expiresAt, madeBy: makerOf(actor) };
    const announce = (key: KeyRecord) => {
      const { display, name } = key;
      const details = { display, name, permissions: key.permissions.join(' '), ...restrictionsOf(key) };
      const end = key.expiresAt === null ? {} : { expiresAt: key.expiresAt };
      return note({ account, key: key.id, details: { ...details, ...end } });
    };
    const made = await keys.createKey(settings, { announce });
    return { ...describeSettings(made, actor), key: made.key };
  },
});

export const getKey = operation({
  method: 'GET',
  path: '/keys/:key',
  tag: 'keys',
  says: ['A key', 'Its settings, its state and its last use; never the key itself.'],
  operator: { id: 'getKey', roles: everyOperator },
  member: { id: 'getOwnKey', roles: keepers },
  params,
  answers: { body: Key, description: 'The key.', example },
  missing: 'key',
  run: async ({ keys }, { account, actor, params }) =>
    describeKey(await keys.findKey(params.key, account?.id), actor),
});

export const changeKey = operation({
  method: 'PUT',
  path: '/keys/:key',
  tag: 'keys',
  says: [
    'Change the name, the IP restrictions or the origins of a key',
    'From the next request on. What is left out stays; without IP restrictions the key may be used from everywhere, without ' +
      'origins by no page. A revoked or expired key is `INVALID_PARAMETER`.',
  ],
  operator: { id: 'changeKey', roles: admins },
  member: { id: 'changeOwnKey', roles: keepers },
  params,
  body: closed({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Its new name.' })),
    ipRestrictions: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 100,
        description: 'Addresses and CIDR blocks from which it may be used.',
      }),
    ),
    origins: origins(''),
  }),
  answers: { body: Key, description: 'The key.', example },
  missing: 'key',
  audit: 'key.changed',
  async run({ keys }, { account, actor, params, body, note }) {
    const worksFrom = (restrictions: readonly string[]) => restrictions.join(' ') || 'everywhere';
    const worksIn = (pages: readonly string[]) => pages.join(' ') || 'none';
    const { id } = await keys.findKey(params.key, account?.id);
    const changed = await keys.changeKey(id, body, (former) => {
      const details = {
        display: former.display,
        ...(body.name !== undefined && { name: body.name, formerName: former.name }),
        ...(body.ipRestrictions && {
          ipRestrictions: worksFrom(body.ipRestrictions),
          formerIpRestrictions: worksFrom(former.ipRestrictions),
        }),
        ...(body.origins && {
          origins: worksIn(body.origins),
          formerOrigins: worksIn(former.origins),
        }),
      };
      return note({ account: former.account, key: id, details });
    });
    return describeKey(changed, actor);
  },
});

export const revokeKey = operation({
  method: 'POST',
  path: '/keys/:key/revoke',
  tag: 'keys',
  says: [
    'Revoke a key',
    'Ends the key from the next request on, on every server. A successor keeps working. Revoking it again ' +
      'changes nothing.',
  ],
  operator: { id: 'revokeKey', roles: admins },
  member: {
    id: 'revokeOwnKey',
    roles: keepers,
    description: 'Ends the key from the next request on, on every server. A successor keeps working.',
  },
  params,
  answers: {
    body: Key,
    description: 'The revoked key.',
    example: { ...example, state: 'revoked', revokedAt: '2026-11-21T08:00:00.000Z' },
  },
  missing: 'key',
  audit: 'key.revoked',
  async run({ keys }, { account, actor, params, note }) {
    const key = await keys.findKey(params.key, account?.id);
    if (key.revokedAt !== null) return describeKey(key, actor);
    const { id, display, name } = key;
    await note({ account: key.account, key: id, details: { display, name } });
    return describeKey(await keys.revokeKey(id), actor);
  },
});

export const rotateKey = operation({
  method: 'POST',
  path: '/keys/:key/rotate',
  tag: 'keys',
  says: [
    'Make a successor for a key',
    'Returns the successor itself, which is shown only here. The old key keeps working for the overlap. A rotated, ' +
      'revoked or expired key is `INVALID_PARAMETER`.',
  ],
  operator: { id: 'rotateKeyOf', roles: admins },
  member: {
    id: 'rotateOwnKey',
    roles: keepers,
    description:
      'Returns the successor itself, which is shown only here. The old key keeps working for the overlap.',
  },
  params,
  body: rotationBody,
  answers: { status: 201, body: RotatedKey, description: 'The successor.', example: rotatedKeyExample },
  missing: 'key',
  audit: 'key.rotated',
  async run({ keys, rotation }, { account, actor, params, body, note }) {
    const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = body;
    const { id } = await keys.findKey(params.key, account?.id);
    const { successor, previous } = await rotation.rotate(id, overlapSeconds, {
      madeBy: makerOf(actor),
      announce: (former, { id: successor, display }) => {
        const details = {
          successor,
          display,
          ...restrictionsOf(former),
          overlapSeconds: `${overlapSeconds}`,
        };
        return note({ account: former.account, key: id, details });
      },
    });
    return { ...describeSettings(successor, actor), key: successor.key, previous };
  },
});

/** In the order of the OpenAPI documents. */
export const keyOperations = [
  listKeys,
  findKeys,
  listExpiringKeys,
  createKey,
  getKey,
  changeKey,
  revokeKey,
  rotateKey,
];

/** A key as an answer. */
export function describeKey(key: KeyRecord, viewer: Actor): DeepReadonly<Static<typeof Key>> {
  const { lastUsedAt, lastUsedAddress, revokedAt, successor } = key;
  return {
    ...describeSettings(key, viewer),
    state: stateOf(key),
    lastUsedAt,
    lastUsedAddress,
    revokedAt,
    successor,
  };
}

/** What stays of a key from its creation on. */
function describeSettings(key: KeyRecord, viewer: Actor) {
  const { id, display, account, name, environment, type, permissions, ipRestrictions, origins } = key;
  const { expiresAt, createdAt } = key;
  const settings = { id, display, account, name, environment, type, permissions, ipRestrictions, origins };
  return { ...settings, expiresAt, createdAt, madeBy: shownTo(viewer, key.madeBy) };
}

function stateOf({ revokedAt, expiresAt }: KeyRecord): Static<typeof Key>['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}

/** A key's IP restrictions and origins, for the audit; without those that it lacks. A successor inherits its key's. */
export function restrictionsOf({ ipRestrictions, origins }: Pick<KeyRecord, 'ipRestrictions' | 'origins'>): {
  readonly ipRestrictions?: string;
  readonly origins?: string;
} {
  return {
    ...(ipRestrictions.length > 0 && { ipRestrictions: ipRestrictions.join(' ') }),
    ...(origins.length > 0 && { origins: origins.join(' ') }),
  };
}
