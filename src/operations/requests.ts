/** Recent requests of accounts. */
import { type Static, Type } from 'typebox';
import { limitReasons, NotFoundError } from '../errors.ts';
import type { KeyStore } from '../keys/store.ts';
import type { Actor } from '../operator/audit-entry.ts';
import type { RequestRecord as Kept } from '../operator/request-record.ts';
import { RecentRequests, type RequestWish } from '../operator/requests.ts';
import { isLossy } from '../shared/warning-levels.ts';
import { type DeepReadonly, everyOperator, keepers, operation } from './operation.ts';
import {
  bytes,
  cursor,
  milliseconds,
  moment,
  named,
  nextCursor,
  orNull,
  pageSize,
  readCursor,
  time,
  words,
} from './schema.ts';

const PAGE = 100;

/** What a request is that is not found: see {@link NotFoundError}. */
const missing =
  'request among the last 1,000 admitted and the last 1,000 refused requests of an account, or it is ' +
  'older than seven days, or it had no key';

export const RequestRecord = Type.Object(
  {
    requestId: Type.String({ description: 'The `X-Request-Id` that the client saw.' }),
    at: time('End of its response.'),
    account: Type.String({ description: 'Id of the account.' }),
    key: Type.String({ description: 'Id of the key.' }),
    keyDisplay: orNull(Type.String(), 'Short form of the key. `null`: the key no longer exists.'),
    environment: words(['test', 'live'], { description: 'The environment of the key.' }),
    method: Type.String({ description: 'HTTP method.' }),
    route: Type.String({ description: 'The pattern of the route, never the path that was sent.' }),
    status: orNull(Type.Integer(), 'Status of the response. `null`: the client left before its end.'),
    outcome: Type.String({
      description: '`success`, the `code` of the error, `client_left`, or `simulated`.',
    }),
    reason: orNull(Type.String(), 'The reason, if the code has one: see the guide for operators.'),
    pages: orNull(Type.Integer({ minimum: 0 }), 'Pages of the PDF. `null`: there was no PDF.'),
    bytesIn: orNull(bytes('Size.'), 'Size of the document. `null`: no document arrived whole.'),
    bytesOut: orNull(bytes('Size.'), 'Size of the PDF. `null`: there was no PDF.'),
    durationMs: Type.Number({
      minimum: 0,
      description: "Time from the request's header to the end of its response.",
    }),
    uploadMs: milliseconds('Duration of the upload'),
    queueMs: milliseconds('Wait for a worker'),
    convertMs: milliseconds('Duration of the conversion'),
    warnings: orNull(
      Type.Array(Type.String()),
      'Codes of the warnings about its PDF, as in `X-Conversion-Warnings`. `null`: there was no PDF.',
    ),
    libreOffice: orNull(
      Type.String(),
      'Version of LibreOffice that made its PDF. `null`: none did, or unknown.',
    ),
  },
  { $id: 'RequestRecord', description: 'A request with an API key. No content of its document is kept.' },
);

export const RequestList = Type.Object(
  { requests: Type.Array(named(RequestRecord), { description: 'Newest first.' }), next: nextCursor() },
  { $id: 'RequestList', description: 'A page of requests.' },
);

const example = {
  requestId: 'req_0123456789abcdef0123456789abcdef',
  at: '2026-11-21T07:59:12.431Z',
  account: 'acme',
  key: 'key_4f1c0a9be27d38560c',
  keyDisplay: 'svc_live_sk_…a1B2',
  environment: 'live',
  method: 'POST',
  route: '/v1/convert',
  status: 200,
  outcome: 'success',
  reason: null,
  pages: 3,
  bytesIn: 18_204,
  bytesOut: 37_982,
  durationMs: 52.4,
  uploadMs: 4.1,
  queueMs: 0.2,
  convertMs: 38.9,
  warnings: ['FONT_SUBSTITUTED'],
  libreOffice: '25.2.3.2',
};

export const listRequests = operation({
  method: 'GET',
  path: '/requests',
  tag: 'requests',
  says: [
    'The recent requests of an account',
    'The last 1,000 admitted and the last 1,000 refused requests, for seven days, in order of time, with their ' +
      'responses. A request is refused if its key is revoked or expired, lacks the permission or is used from another ' +
      'address, if a limit or the quota is used up, or if Redis was away. A request may take a second to appear.',
  ],
  operator: { id: 'listRequests', roles: everyOperator, without: ['key'] },
  member: {
    id: 'listOwnRequests',
    roles: keepers,
    summary: 'The recent requests of the account',
    description: 'The last 1,000 admitted and the last 1,000 refused requests, for seven days.',
  },
  account: 'path',
  query: Type.Object({
    outcome: Type.Optional(
      Type.String({
        pattern: '^([A-Z_]{1,40}|success|client_left|simulated|failures|loss|admitted|refused)$',
        description:
          'Only requests with this outcome; `failures`: all but `success`; `loss`: a PDF that lacks something; `admitted`, `refused`: whether ' +
          'the key was admitted.',
      }),
    ),
    from: moment('Only requests that ended since then, with time zone.'),
    until: moment('Only requests that ended before then, with time zone.'),
    after: cursor(),
    limit: pageSize(PAGE, 1_000),
    key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 63, description: 'Only those with the key of this id.' }),
    ),
  }),
  answers: {
    body: RequestList,
    description: 'A page of requests.',
    example: { requests: [example], next: null },
  },
  async run({ keys, requests }, { account, actor, query: { after, limit = PAGE, ...filter } }) {
    const wish = { after: readCursor(after, RecentRequests.isCursor), limit, ...wishFor(filter) };
    const page = await requests.list(account.id, wish);
    return { requests: await describe(keys, page.requests, actor), next: page.next };
  },
});

export const getRequest = operation({
  method: 'GET',
  path: '/requests/:requestId',
  tag: 'requests',
  says: ['A request by its id', 'For a customer who quotes the id: the response, and its reason.'],
  operator: { id: 'getRequest', roles: everyOperator },
  member: { id: 'getOwnRequest', roles: keepers, description: 'The response, and its phases.' },
  params: Type.Object({
    requestId: Type.String({
      pattern: '^req_[0-9a-f]{32}$',
      description: 'The id.',
      examples: ['req_0123456789abcdef0123456789abcdef'],
    }),
  }),
  answers: { body: RequestRecord, description: 'The request.', example },
  missing,
  async run({ keys, requests }, { account, actor, params: { requestId } }) {
    const kept = await requests.find(requestId);
    const isSeen = kept && (account === undefined || kept.account === account.id);
    const [described] = isSeen ? await describe(keys, [kept], actor) : [];
    if (!described) throw new NotFoundError(missing, requestId);
    return described;
  },
});

/** In the order of the OpenAPI documents. */
export const requestOperations = [listRequests, getRequest];

/** With the display forms of their keys. The reasons of the preflight and the engine are for operators only. */
async function describe(
  keys: KeyStore,
  kept: readonly Kept[],
  { by }: Actor,
): Promise<DeepReadonly<Static<typeof RequestRecord>>[]> {
  // Why a limit, or their own `failOn`, refused it. Other reasons are about the service.
  const shown: readonly (string | null)[] = [...limitReasons, 'refused'];
  const owners = new Map(kept.map(({ key, account }) => [key, account]));
  const displays = new Map(
    await Promise.all(
      [...owners].map(async ([key, account]) => [key, await keys.displayOf(account, key)] as const),
    ),
  );
  return kept.map((record) => ({
    ...record,
    keyDisplay: displays.get(record.key) ?? null,
    reason: by !== 'member' || shown.includes(record.reason) ? record.reason : null,
  }));
}

interface Filter {
  readonly outcome?: string;
  /** Id of the key. */
  readonly key?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

/** Which requests are meant. */
function wishFor({ outcome, key, from, until }: Filter): Pick<RequestWish, 'list' | 'fits'> {
  const list = outcome === 'admitted' || outcome === 'refused' ? outcome : undefined;
  const conditions: ((record: Kept) => boolean)[] = [];
  if (outcome === 'failures') conditions.push((record) => record.outcome !== 'success');
  else if (outcome === 'loss') {
    conditions.push(({ outcome, warnings }) => outcome === 'success' && isLossy(warnings));
  } else if (outcome !== list) conditions.push((record) => record.outcome === outcome);
  if (key !== undefined) conditions.push((record) => record.key === key);
  if (from !== undefined) conditions.push(({ at }) => Date.parse(at) >= Date.parse(from));
  if (until !== undefined) conditions.push(({ at }) => Date.parse(at) < Date.parse(until));
  const fits = (record: Kept) => conditions.every((holds) => holds(record));
  return { list, fits: conditions.length === 0 ? undefined : fits };
}
