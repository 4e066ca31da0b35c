/** /account/v1/keys and /account/v1/requests. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AccountKeys } from '../../keys/account-keys.ts';
import type { KeyRecord } from '../../keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../../keys/rotation.ts';
import { RecentRequests } from '../../operator/requests.ts';
import { forCustomers } from '../contract/made-by.ts';
import { answerOf, foundBy, readCursor } from '../operator/answer.ts';
import { noKey } from '../operator/keys.contract.ts';
import { describeKey as describeForOperators } from '../operator/keys.ts';
import { noRequest } from '../operator/requests.contract.ts';
import { wishFor } from '../operator/requests.ts';
import { scopeOf } from './authentication.ts';
import {
  changeOwnKey,
  createOwnKey,
  getOwnKey,
  getOwnRequest,
  listOwnKeys,
  listOwnRequests,
  revokeOwnKey,
  rotateOwnKey,
} from './keys.contract.ts';
import { routeOf } from './operation.ts';

const KEYS = 50;
const REQUESTS = 100;

/** Register it in a scope that only members enter. */
export const keyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(listOwnKeys.path, routeOf(listOwnKeys), async (request) => {
    const { after, limit = KEYS } = request.query;
    const cursor = readCursor(after, AccountKeys.isCursor);
    const { keys, next } = await answerOf(request, scopeOf(request).keys(cursor, limit));
    return { keys: keys.map(describeKey), next };
  });

  app.post(createOwnKey.path, routeOf(createOwnKey), async (request, reply) => {
    const { expiresAt, ...settings } = request.body;
    const wanted = { ...settings, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
    const { key, ...record } = await answerOf(request, scopeOf(request).createKey(wanted));
    return reply.code(201).send({ ...describeKey(record), key });
  });

  app.get(getOwnKey.path, routeOf(getOwnKey), async (request) =>
    describeKey(await foundBy(request, scopeOf(request).key(request.params.key), noKey)),
  );

  app.put(changeOwnKey.path, routeOf(changeOwnKey), async (request) =>
    describeKey(await foundBy(request, scopeOf(request).changeKey(request.params.key, request.body), noKey)),
  );

  app.post(revokeOwnKey.path, routeOf(revokeOwnKey), async (request) =>
    describeKey(await foundBy(request, scopeOf(request).revokeKey(request.params.key), noKey)),
  );

  app.post(rotateOwnKey.path, routeOf(rotateOwnKey), async (request, reply) => {
    const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = request.body;
    const rotated = scopeOf(request).rotateKey(request.params.key, overlapSeconds);
    const { successor, previous } = await foundBy(request, rotated, noKey);
    return reply.code(201).send({ ...describeKey(successor), key: successor.key, previous });
  });

  app.get(listOwnRequests.path, routeOf(listOwnRequests), async (request) => {
    const { after, limit = REQUESTS, ...filter } = request.query;
    const wish = { after: readCursor(after, RecentRequests.isCursor), limit, ...wishFor(filter) };
    const scope = scopeOf(request);
    const { requests, next } = await answerOf(request, scope.requests(wish));
    return { requests: await answerOf(request, scope.describe(requests)), next };
  });

  app.get(getOwnRequest.path, routeOf(getOwnRequest), async (request) => {
    const scope = scopeOf(request);
    const kept = await foundBy(request, scope.request(request.params.requestId), noRequest);
    const [described] = await answerOf(request, scope.describe([kept]));
    return described;
  });
};

/** A key as an answer to members. */
function describeKey(record: KeyRecord) {
  return describeForOperators({ ...record, madeBy: forCustomers(record.madeBy) });
}
