/** /operator/v1/accounts and /operator/v1/plans. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { monthEnd } from '../../billing/months.ts';
import type { Account } from '../../keys/records.ts';
import type { KeyStore } from '../../keys/store.ts';
import { type AccountStanding, readAccountUsage } from '../../limits/account-standing.ts';
import { windowsForPeople } from '../../limits/windows.ts';
import type { Directory } from '../../operator/directory.ts';
import type { Management } from '../../operator/management.ts';
import type { Plans } from '../../plans/plans.ts';
import type { RedisClient } from '../../redis/connect.ts';
import {
  type AccountDetail,
  createAccount,
  deleteAccount,
  getAccount,
  getAccountUsage,
  getLedger,
  listAccounts,
  listPlans,
  noAccount,
  removeLimit,
  renameAccount,
  restoreAccount,
  resumeAccount,
  setLimit,
  setPlan,
  suspendAccount,
} from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { actorOf } from './authentication.ts';
import { type LedgerSources, sendLedger } from './send-ledger.ts';

export interface AccountRoutesOptions extends LedgerSources {
  readonly redis: RedisClient;
  readonly plans: Plans;
  readonly keys: KeyStore;
  readonly directory: Directory;
  readonly management: Management;
}

const PAGE = 50;

type LedgerRequest = FastifyRequest<{
  Params: Static<typeof getLedger.schema.params>;
  Querystring: Static<typeof getLedger.schema.querystring>;
}>;

/** Register it in a scope that only operators enter. */
export const accountRoutes: FastifyPluginAsyncTypebox<AccountRoutesOptions> = async (app, options) => {
  const { redis, plans, keys, directory, management } = options;

  const find = (request: FastifyRequest, id: string): Promise<Account> =>
    foundBy(request, keys.getAccount(id), noAccount);

  app.get(listPlans.path, { schema: listPlans.schema }, async () => ({
    plans: [...plans].map(([name, { features, ...limits }]) => ({
      name,
      limits,
      features: [...features],
    })),
  }));

  app.get(listAccounts.path, { schema: listAccounts.schema }, async (request) => {
    const { search, after, limit = PAGE } = request.query;
    const place = after === undefined ? undefined : Buffer.from(after, 'base64url').toString('utf8');
    const page = await answerOf(request, directory.page({ search, after: place, limit }));
    const next = page.next === null ? null : Buffer.from(page.next, 'utf8').toString('base64url');
    return { ...page, accounts: page.accounts.map(describeAccount), next };
  });

  app.post(createAccount.path, { schema: createAccount.schema }, async (request, reply) => {
    const account = await answerOf(request, management.createAccount(actorOf(request), request.body));
    return reply.code(201).send(describeAccount(account));
  });

  app.get(
    getAccount.path,
    { schema: getAccount.schema },
    async (request): Promise<Static<typeof AccountDetail>> => {
      const account = await find(request, request.params.account);
      return describeStanding(account, await answerOf(request, directory.standing(account)));
    },
  );

  app.put(setPlan.path, { schema: setPlan.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.setPlan(actorOf(request), id, request.body.plan));
  });

  app.put(renameAccount.path, { schema: renameAccount.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.rename(actorOf(request), id, request.body.name));
  });

  app.put(setLimit.path, { schema: setLimit.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    const { value, from = null, until = null } = request.body;
    const own = { limit: request.params.limit, value, from, until };
    return changed(request, management.setLimit(actorOf(request), id, own));
  });

  app.delete(removeLimit.path, { schema: removeLimit.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.removeLimit(actorOf(request), id, request.params.limit));
  });

  app.post(suspendAccount.path, { schema: suspendAccount.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.suspend(actorOf(request), id));
  });

  app.post(resumeAccount.path, { schema: resumeAccount.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.resume(actorOf(request), id));
  });

  app.delete(deleteAccount.path, { schema: deleteAccount.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.planDeletion(actorOf(request), id));
  });

  app.post(restoreAccount.path, { schema: restoreAccount.schema }, async (request) => {
    const { id } = await find(request, request.params.account);
    return changed(request, management.restore(actorOf(request), id));
  });

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

/** An account as an answer. */
export function describeAccount<T extends Account>(account: T) {
  return { ...account, ownLimits: [...account.ownLimits] };
}

async function changed(request: FastifyRequest, change: Promise<Account>) {
  return describeAccount(await answerOf(request, change));
}

/** Usage and limits of an account as an answer. */
export function describeStanding(
  account: Account,
  { month, limits, used, reserved, windows, keys }: AccountStanding & { readonly keys: number },
): Static<typeof AccountDetail> {
  return {
    ...describeAccount(account),
    month,
    used,
    quota: limits?.perMonth ?? null,
    keys,
    renewsAt: new Date(monthEnd(month)).toISOString(),
    reserved,
    limits: limits ?? null,
    windows: windowsForPeople(windows),
  };
}
