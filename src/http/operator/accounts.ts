/** What an account used, and its bills. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../keys/records.ts';
import type { KeyStore } from '../../keys/store.ts';
import { readAccountUsage } from '../../limits/account-standing.ts';
import type { Plans } from '../../plans/plans.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { getAccountUsage, getLedger, noAccount } from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { type LedgerSources, sendLedger } from './send-ledger.ts';

export interface AccountRoutesOptions extends LedgerSources {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly keys: KeyStore;
}

type LedgerRequest = FastifyRequest<{
  Params: Static<typeof getLedger.schema.params>;
  Querystring: Static<typeof getLedger.schema.querystring>;
}>;

/** Register it in a scope that only operators enter. */
export const accountRoutes: FastifyPluginAsyncTypebox<AccountRoutesOptions> = async (app, options) => {
  const { redis, plans, keys } = options;

  const find = (request: FastifyRequest, id: string): Promise<Account> =>
    foundBy(request, keys.getAccount(id), noAccount);

  app.get(getAccountUsage.path, { schema: getAccountUsage.schema }, async (request) => {
    const account = await find(request, request.params.account);
    return answerOf(request, readAccountUsage(redis, plans, account, request.query.month));
  });

  app.get(
    getLedger.path,
    // A HEAD request would read everything for nothing.
    { exposeHeadRoute: false, schema: getLedger.schema },
    async (request: LedgerRequest, reply: FastifyReply) => {
      const { id } = await find(request, request.params.account);
      return sendLedger(reply, options, id, request.query.month);
    },
  );
};
