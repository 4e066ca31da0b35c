/** GET /v1/usage: what the account has used, and what is left. */
import type { FastifyPluginAsync } from 'fastify';
import type { Static } from 'typebox';
import type { Usage } from '../../accounts/billing/usage.ts';
import { accountUsage } from '../../accounts/limits/account-usage.ts';
import type { Usage as UsageObject } from '../../operations/usage.ts';
import { keyDoor } from './door.ts';
import { getUsage } from './usage.contract.ts';

export interface UsageRouteOptions {
  readonly usage: Usage;
}

export const usageRoute: FastifyPluginAsync<UsageRouteOptions> = async (app, { usage }) => {
  const route = keyDoor(app, { permission: 'usage' });
  route(getUsage, async ({ key, owner, standing, query }): Promise<Static<typeof UsageObject>> => {
    const { account, environment } = owner;
    const { month = standing.month } = query;
    const used = await usage.month(account, environment, month);
    return accountUsage(
      { account, plan: standing.plan, environment },
      standing.quota,
      standing.windows,
      // Other keys are not for whoever holds this one.
      { ...used, keys: used.keys.filter((each) => each.key === key.id) },
    );
  });
};
