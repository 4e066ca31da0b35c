/** GET /v1/usage: what the account has used, and what is left. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Usage } from '../../billing/usage.ts';
import { accountUsage } from '../../limits/account-usage.ts';
import type { Usage as UsageObject } from '../../operations/usage.ts';
import { admittedOf } from '../access/admitted.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { getUsage } from './usage.contract.ts';

export interface UsageRouteOptions {
  readonly usage: Usage;
}

export const usageRoute: FastifyPluginAsyncTypebox<UsageRouteOptions> = async (app, { usage }) => {
  app.get(
    getUsage.path,
    { config: { permission: 'usage' }, schema: getUsage.schema },
    async (request): Promise<Static<typeof UsageObject>> => {
      const { query, redisDeadline } = request;
      const { key, standing } = admittedOf(request);
      const month = query.month ?? standing.month;
      const used = await orUnavailable(usage.month(key.account, key.environment, month), redisDeadline);
      const { account, environment } = key;
      return accountUsage(
        { account, plan: standing.plan, environment },
        standing.quota,
        standing.windows,
        used,
      );
    },
  );
};
