/** /operator/v1/keys, and the keys of an account. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { AccountKeys } from '../../keys/account-keys.ts';
import type { KeyRecord } from '../../keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../../keys/rotation.ts';
import type { KeyStore } from '../../keys/store.ts';
import type { Management } from '../../operator/management.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy, readCursor } from './answer.ts';
import { actorOf } from './authentication.ts';
import {
  changeKey,
  createKey,
  findKeys,
  getKey,
  type Key,
  listExpiringKeys,
  listKeys,
  noKey,
  revokeKey,
  rotateKeyOf,
} from './keys.contract.ts';

export interface KeyRoutesOptions {
  readonly keys: KeyStore;
  readonly management: Management;
}

const DAY_MS = 86_400_000;
const EXPIRING_DAYS = 30;
const PAGE = 50;

/** Register it in a scope that only operators enter. */
export const keyRoutes: FastifyPluginAsyncTypebox<KeyRoutesOptions> = async (app, options) => {
  const { keys, management } = options;

  const find = (request: FastifyRequest, id: string): Promise<KeyRecord> =>
    foundBy(request, keys.lookUpKey(id), noKey);

  app.get(listKeys.path, { schema: listKeys.schema }, async (request) => {
    const { id } = await foundBy(request, keys.getAccount(request.params.account), noAccount);
    const { after, limit = PAGE } = request.query;
    const cursor = readCursor(after, AccountKeys.isCursor);
    const page = await answerOf(request, keys.listed.page(id, cursor, limit));
    return { ...page, keys: page.keys.map(describeKey) };
  });

  app.get(listExpiringKeys.path, { schema: listExpiringKeys.schema }, async (request) => {
    const { days = EXPIRING_DAYS, limit = PAGE } = request.query;
    const until = new Date(Date.now() + days * DAY_MS);
    const { keys: found, more } = await answerOf(request, keys.expiring.page(until, limit));
    return { keys: found.map(describeKey), more };
  });

  app.get(findKeys.path, { schema: findKeys.schema }, async (request) => {
    const found = await answerOf(request, keys.endings.find(request.query.ending));
    return { keys: found.map(describeKey) };
  });

  app.put(changeKey.path, { schema: changeKey.schema }, async (request) => {
    const { id } = await find(request, request.params.key);
    return describeKey(await answerOf(request, management.changeKey(actorOf(request), id, request.body)));
  });

  app.post(createKey.path, { schema: createKey.schema }, async (request, reply) => {
    const { account, expiresAt, ...settings } = request.body;
    await foundBy(request, keys.getAccount(account), noAccount);
    const input = {
      account,
      ...settings,
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    };
    const created = answerOf(request, management.createKey(actorOf(request), input));
    const { key, ...record } = await created;
    return reply.code(201).send({ ...describeKey(record), key });
  });

  app.get(getKey.path, { schema: getKey.schema }, async (request) =>
    describeKey(await find(request, request.params.key)),
  );

  app.post(revokeKey.path, { schema: revokeKey.schema }, async (request) => {
    const { id } = await find(request, request.params.key);
    return describeKey(await answerOf(request, management.revokeKey(actorOf(request), id)));
  });

  app.post(rotateKeyOf.path, { schema: rotateKeyOf.schema }, async (request, reply) => {
    const { id } = await find(request, request.params.key);
    const overlap = request.body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
    const rotated = answerOf(request, management.rotateKey(actorOf(request), id, overlap));
    const { successor, previous } = await rotated;
    return reply.code(201).send({ ...describeKey(successor), key: successor.key, previous });
  });
};

/** A key as an answer, without its secret. */
export function describeKey(record: KeyRecord): Static<typeof Key> {
  const { id, display, account, name, environment, type, permissions, ipRestrictions } = record;
  const { expiresAt, createdAt, lastUsedAt, lastUsedAddress, revokedAt, successor, madeBy } = record;
  return {
    ...{ id, display, account, name, environment, type },
    permissions: [...permissions],
    ipRestrictions: [...ipRestrictions],
    state: stateOf(record),
    ...{ expiresAt, createdAt, lastUsedAt, lastUsedAddress, revokedAt, successor, madeBy },
  };
}

function stateOf({ revokedAt, expiresAt }: KeyRecord): Static<typeof Key>['state'] {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}
