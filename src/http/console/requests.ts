/** /account/v1/requests. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { readCursor } from '../../operations/schema.ts';
import { RecentRequests } from '../../operator/requests.ts';
import { answerOf, foundBy } from '../operator/answer.ts';
import { noRequest } from '../operator/requests.contract.ts';
import { wishFor } from '../operator/requests.ts';
import { scopeOf } from './authentication.ts';
import { routeOf } from './operation.ts';
import { getOwnRequest, listOwnRequests } from './requests.contract.ts';

const PAGE = 100;

/** Register it in a scope that only members enter. */
export const requestRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(listOwnRequests.path, routeOf(listOwnRequests), async (request) => {
    const { after, limit = PAGE, ...filter } = request.query;
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
