/** Recent requests of accounts. */
import { type Static, Type } from 'typebox';
import type { KeyStore } from '../accounts/keys/store.ts';
import { limitReasons, NotFoundError } from '../errors.ts';
import type { Actor } from '../operator/audit-entry.ts';
import type { RequestRecord as Kept } from '../operator/request-record.ts';
import { KEPT_OF_ALL } from '../operator/request-writer.ts';
import { RecentRequests, type RequestWish } from '../operator/requests.ts';
import { isLossy } from '../shared/warning-levels.ts';
import { Conversion, conversionBody, conversionExample, missingConversion } from './conversion-schema.ts';
import { type DeepReadonly, everyOperator, keepers, operation } from './operation.ts';
import {
  bytes,
  cursor,
  id,
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
    message: orNull(
      Type.String({ maxLength: 500 }),
      'The `message` of its error. `null`: it had none. For operators also `null` if `failOn` refused the PDF, as it names fonts of ' +
        'the document.',
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
  message: null,
};

const filter = {
  outcome: Type.Optional(
    Type.String({
      pattern: '^([A-Z_]{1,40}|success|client_left|simulated|failures|loss|admitted|refused)$',
      description:
        'Only requests with this outcome; `failures`: all but `success`; `loss`: a PDF that lacks something; `admitted`, `refused`: whether ' +
        'the key was admitted.',
    }),
  ),
  environment: Type.Optional(words(['live', 'test'], { description: 'Only those with keys of it.' })),
  from: moment('Only requests that ended since then, with time zone.'),
  until: moment('Only requests that ended before then, with time zone.'),
  after: cursor(),
  limit: pageSize(PAGE, 1_000),
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
  operator: { id: 'listRequests', roles: everyOperator },
  member: {
    id: 'listOwnRequests',
    roles: keepers,
    summary: 'The recent requests of the account',
    description: 'The last 1,000 admitted and the last 1,000 refused requests, for seven days.',
  },
  account: 'path',
  query: Type.Object({
    ...filter,
    key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 63, description: 'Only those with the key of this id.' }),
    ),
  }),
  answers: {
    body: RequestList,
    description: 'A page of requests.',
    example: { requests: [example], next: null },
  },
  async run({ keys, requests }, { account, actor, query }) {
    const page = await requests.list(account.id, wishFor(query));
    return { requests: await describe(keys, page.requests, actor), next: page.next };
  },
});

export const listAllRequests = operation({
  method: 'GET',
  path: '/requests',
  tag: 'requests',
  says: [
    'The recent requests of all accounts',
    `The last ${KEPT_OF_ALL.toLocaleString('en')} admitted and as many refused requests with a known key, for seven days, in order of ` +
      'time. A request may take a second to appear.',
  ],
  operator: { id: 'listAllRequests', roles: everyOperator },
  query: Type.Object(filter),
  answers: {
    body: RequestList,
    description: 'A page of requests.',
    example: { requests: [example], next: null },
  },
  async run({ keys, requests }, { actor, query }) {
    const page = await requests.list(undefined, wishFor(query));
    return { requests: await describe(keys, page.requests, actor), next: page.next };
  },
});

const requestParams = Type.Object({
  requestId: id('req', 32, 'The id.', 'req_0123456789abcdef0123456789abcdef'),
});

export const getRequest = operation({
  method: 'GET',
  path: '/requests/:requestId',
  tag: 'requests',
  says: ['A request by its id', 'For a customer who quotes the id: the response, and its reason.'],
  operator: { id: 'getRequest', roles: everyOperator },
  member: { id: 'getOwnRequest', roles: keepers, description: 'The response, and its phases.' },
  params: requestParams,
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

export const getOwnConversion = operation({
  method: 'GET',
  path: '/requests/:requestId/conversion',
  tag: 'requests',
  says: [
    'The report of a conversion',
    'What `GET /v1/conversions/{requestId}` answers: figures, fonts and warnings of a PDF, for 24 hours.',
  ],
  member: { id: 'getOwnConversion', roles: keepers },
  account: 'path',
  params: requestParams,
  answers: { body: Conversion, description: 'The conversion.', example: conversionExample },
  missing: missingConversion,
  async run({ conversions }, { account: { id: account }, params: { requestId } }) {
    for (const environment of ['live', 'test'] as const) {
      const found = await conversions.find({ account, environment }, requestId);
      if (found) return conversionBody(requestId, environment, found);
    }
    throw new NotFoundError(missingConversion, requestId);
  },
});

/** In the order of the OpenAPI documents. */
export const requestOperations = [listRequests, listAllRequests, getRequest, getOwnConversion];

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
    message: by === 'member' || record.reason !== 'refused' ? record.message : null,
  }));
}

interface Query {
  readonly after?: string;
  readonly limit?: number;
  readonly outcome?: string;
  readonly environment?: 'live' | 'test';
  /** Id of the key. */
  readonly key?: string;
  /** ISO 8601. */
  readonly from?: string;
  readonly until?: string;
}

/** Which requests are meant. @throws PlatenError `INVALID_PARAMETER` for the cursor. */
function wishFor({ after, limit = PAGE, outcome, environment, key, from, until }: Query): RequestWish {
  const list = outcome === 'admitted' || outcome === 'refused' ? outcome : undefined;
  const conditions: ((record: Kept) => boolean)[] = [];
  if (outcome === 'failures') conditions.push((record) => record.outcome !== 'success');
  else if (outcome === 'loss') {
    conditions.push(({ outcome, warnings }) => outcome === 'success' && isLossy(warnings));
  } else if (outcome !== list) conditions.push((record) => record.outcome === outcome);
  if (environment !== undefined) conditions.push((record) => record.environment === environment);
  if (key !== undefined) conditions.push((record) => record.key === key);
  if (from !== undefined) conditions.push(({ at }) => Date.parse(at) >= Date.parse(from));
  if (until !== undefined) conditions.push(({ at }) => Date.parse(at) < Date.parse(until));
  const fits = (record: Kept) => conditions.every((holds) => holds(record));
  return {
    after: readCursor(after, RecentRequests.isCursor),
    limit,
    list,
    fits: conditions.length === 0 ? undefined : fits,
  };
}
