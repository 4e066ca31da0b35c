/** Recent requests of accounts, for support. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { KeyStore } from '../../keys/store.ts';
import { readCursor } from '../../operations/schema.ts';
import type { RequestRecord as Kept } from '../../operator/request-record.ts';
import { RecentRequests, type RequestWish } from '../../operator/requests.ts';
import { noAccount } from './accounts.contract.ts';
import { answerOf, foundBy } from './answer.ts';
import { getRequest, listRequests, noRequest, type RequestRecord } from './requests.contract.ts';

export interface RequestRoutesOptions {
  readonly keys: KeyStore;
  readonly requests: RecentRequests;
}

const PAGE = 100;

/** Register it in a scope that only operators enter. */
export const requestRoutes: FastifyPluginAsyncTypebox<RequestRoutesOptions> = async (app, options) => {
  const { keys, requests } = options;

  app.get(listRequests.path, { schema: listRequests.schema }, async (request) => {
    const { after, limit = PAGE, ...filter } = request.query;
    const wish = { after: readCursor(after, RecentRequests.isCursor), limit, ...wishFor(filter) };
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

export interface RequestFilter {
  readonly outcome?: string;
  /** Id of the key. */
  readonly key?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

/** Which requests are meant. */
export function wishFor({ outcome, key, from, until }: RequestFilter): Pick<RequestWish, 'list' | 'fits'> {
  const list = outcome === 'admitted' || outcome === 'refused' ? outcome : undefined;
  const conditions: ((record: Kept) => boolean)[] = [];
  if (outcome === 'failures') conditions.push((record) => record.outcome !== 'success');
  else if (outcome !== list) conditions.push((record) => record.outcome === outcome);
  if (key !== undefined) conditions.push((record) => record.key === key);
  if (from !== undefined) conditions.push(({ at }) => Date.parse(at) >= Date.parse(from));
  if (until !== undefined) conditions.push(({ at }) => Date.parse(at) < Date.parse(until));
  const fits = (record: Kept) => conditions.every((holds) => holds(record));
  return { list, fits: conditions.length === 0 ? undefined : fits };
}
