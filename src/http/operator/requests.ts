/** The recent requests of accounts. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { KeyStore } from '../../keys/store.ts';
import type { RequestRecord as Kept } from '../../operator/request-record.ts';
import { RecentRequests, type RequestWish } from '../../operator/requests.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy, readCursor } from './answer.ts';
import { getRequest, listRequests, noRequest, type RequestRecord } from './requests.contract.ts';

export interface RequestRoutesOptions {
  readonly keys: KeyStore;
  readonly requests: RecentRequests;
}

const PAGE = 100;

/** To be registered in a scope that only the operator enters. */
export const requestRoutes: FastifyPluginAsyncTypebox<RequestRoutesOptions> = async (app, options) => {
  const { keys, requests } = options;

  app.get(listRequests.path, { schema: listRequests.schema }, async (request) => {
    const { outcome, after, limit = PAGE } = request.query;
    const wish = { after: readCursor(after, RecentRequests.isCursor), limit, ...wishFor(outcome) };
    const { id } = await foundBy(request, keys.getAccount(request.params.account), noAccount);
    const page = await answerOf(request, requests.list(id, wish));
    return { requests: await answerOf(request, describeRequests(keys, page.requests)), next: page.next };
  });

  app.get(getRequest.path, { schema: getRequest.schema }, async (request) => {
    const kept = await foundBy(request, requests.find(request.params.requestId), noRequest);
    const [described] = await answerOf(request, describeRequests(keys, [kept]));
    return described;
  });
};

/** With the display forms of their keys. */
export async function describeRequests(
  keys: KeyStore,
  kept: readonly Kept[],
): Promise<Static<typeof RequestRecord>[]> {
  const owners = new Map(kept.map(({ key, account }) => [key, account]));
  const displays = new Map(
    await Promise.all(
      [...owners].map(async ([key, account]) => [key, await keys.displayOf(account, key)] as const),
    ),
  );
  return kept.map((record) => ({
    ...record,
    keyDisplay: displays.get(record.key) ?? null,
    warnings: record.warnings && [...record.warnings],
  }));
}

/** Which requests are meant. */
export function wishFor(outcome: string | undefined): Pick<RequestWish, 'list' | 'fits'> {
  if (outcome === undefined) return {};
  if (outcome === 'admitted' || outcome === 'refused') return { list: outcome };
  if (outcome === 'failures') return { fits: (record) => record.outcome !== 'success' };
  return { fits: (record) => record.outcome === outcome };
}
