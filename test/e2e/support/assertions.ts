/** What holds for every answer of its kind. */
import { STATUS_CODES } from 'node:http';
import type { Test } from 'tap';
import type { Server } from '../../support/server.ts';
import { pdfPages, pdfText } from './pdf.ts';
import type { Answer } from './requests.ts';

const REQUEST_ID = /^req_[0-9a-f]{32}$/;
/** A file or a place in the code, which a message never shows. */
const INTERNALS = /\/(tmp|usr|home|root|work|dev|proc|var|etc)\b|node_modules|\.[jt]s\b|\n/;

/** The status of each code. */
export const statusOf = {
  MISSING_AUTH: 401,
  INVALID_API_KEY: 401,
  EXPIRED_API_KEY: 401,
  ACCOUNT_SUSPENDED: 403,
  IP_NOT_ALLOWED: 403,
  INSUFFICIENT_PERMISSIONS: 403,
  FEATURE_NOT_IN_PLAN: 403,
  QUOTA_EXCEEDED: 403,
  RATE_LIMIT_EXCEEDED: 429,
  MISSING_FILE: 400,
  INVALID_PARAMETER: 400,
  INVALID_REQUEST: 400,
  INVALID_FILE_TYPE: 400,
  FILE_TOO_LARGE: 400,
  CORRUPTED_FILE: 400,
  FETCH_FAILED: 400,
  PASSWORD_PROTECTED: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  CONVERSION_FAILED: 500,
  INTERNAL_ERROR: 500,
  OVERLOADED: 503,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type Code = keyof typeof statusOf;

export interface ErrorBody {
  readonly code: Code;
  readonly error: string;
  readonly message: string;
  readonly requestId: string;
  readonly timestamp: string;
  readonly retryAfter?: number;
}

/**
 * Asserts the whole answer to an error: status, headers and every field of the body.
 *
 * @param status only where it is not the one of the code: errors before routing.
 */
export function isError(
  t: Test,
  answer: Answer,
  code: Code,
  status: number = statusOf[code],
  name: string = code,
): ErrorBody {
  const { headers } = answer;
  const body = readError(answer);
  const { message, requestId, timestamp, retryAfter, ...rest } = body;
  t.equal(answer.status, status, `${name}: status`);
  t.equal(headers.get('content-type'), 'application/json; charset=utf-8', `${name}: content type`);
  t.equal(headers.get('content-disposition'), null, `${name}: nothing to save`);
  t.strictSame(rest, { code, error: STATUS_CODES[status] }, `${name}: code, error and no other field`);
  t.ok(typeof message === 'string' && message.length > 20, `${name}: a message for people`);
  t.notMatch(message, INTERNALS, `${name}: no internals in the message`);
  t.match(requestId, REQUEST_ID, `${name}: request id`);
  t.equal(requestId, headers.get('x-request-id'), `${name}: the same id in the header`);
  t.equal(new Date(timestamp).toISOString(), timestamp, `${name}: ISO timestamp`);
  t.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 120_000, `${name}: recent timestamp`);
  t.equal(headers.get('www-authenticate'), status === 401 ? 'Bearer' : null, `${name}: challenge`);
  t.equal(headers.has('allow'), status === 405, `${name}: Allow`);
  const wait = headers.get('retry-after');
  if ([409, 429, 503].includes(status)) t.match(wait, /^[1-9]\d*$/, `${name}: Retry-After`);
  else t.equal(wait, null, `${name}: no Retry-After`);
  t.equal(retryAfter, status === 429 ? Number(wait) : undefined, `${name}: retryAfter`);
  return body;
}

/** Asserts that the answer is any error of the catalogue, all of it. */
export function isAnyError(t: Test, answer: Answer): ErrorBody {
  const { code } = readError(answer);
  if (!(code in statusOf)) t.fail(`${code} is not in the catalogue`);
  return isError(t, answer, code);
}

function readError({ body }: Answer): ErrorBody {
  return JSON.parse(body.toString('utf8') || '{}') as ErrorBody;
}

/** Asserts that the answer is a PDF with this text on this number of pages. */
export async function isPdf(t: Test, answer: Answer, text: string | RegExp, pages = 1): Promise<void> {
  if (!isDelivered(t, answer, pages)) return;
  t.equal(await pdfPages(answer.body), pages);
  t.match(await pdfText(answer.body), text);
}

/** Asserts all that an answer with a PDF has, whatever is in the PDF. @returns whether it is one. */
export function isDelivered(t: Test, { status, headers, body }: Answer, pages = 1): boolean {
  if (!t.equal(status, 200, status === 200 ? 'status' : body.toString('utf8'))) return false;
  t.equal(headers.get('content-type'), 'application/pdf');
  t.equal(headers.get('content-length'), String(body.length));
  t.equal(headers.get('x-conversion-pages'), String(pages));
  t.match(headers.get('x-request-id'), REQUEST_ID);
  t.match(
    headers.get('server-timing'),
    /^upload;dur=\d+(\.\d+)?, queue;dur=\d+(\.\d+)?, convert;dur=\d+(\.\d+)?$/,
  );
  return true;
}

export interface RateLimit {
  /** Name of the window with the least left. */
  readonly window: string;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends: Unix seconds. */
  readonly reset: number;
}

const windowSeconds: Readonly<Record<string, number>> = { second: 1, hour: 3_600, day: 86_400 };
const rateLimitHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];

/**
 * Asserts that the answer says where its key stands, as is common use and as draft-ietf-httpapi-ratelimit-headers
 * wants it, and that both say the same.
 */
export function hasRateLimit(t: Test, { headers }: Answer, name = 'rate limit'): RateLimit {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((field) => {
    const value = headers.get(`x-ratelimit-${field}`);
    t.match(value, /^\d+$/, `${name}: X-RateLimit-${field}`);
    return Number(value);
  }) as [number, number, number];
  const [, window = '', left, seconds] =
    /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  const length = windowSeconds[window] ?? Number.NaN;
  t.equal(reset % length, 0, `${name}: the ${window} is aligned to the clock`);
  t.ok(remaining <= limit, `${name}: no more than the limit`);
  t.equal(Number(left), remaining, `${name}: RateLimit says the same`);
  t.ok(Number(seconds) <= length, `${name}: RateLimit ends with the window`);
  // The moment of the decision, which may lie a conversion before that of the answer.
  const decided = reset - Number(seconds);
  t.ok(
    Math.abs(Date.parse(headers.get('date') ?? '') / 1_000 - decided) < 60,
    `${name}: its seconds are from now`,
  );
  const policies = new Map(
    (headers.get('ratelimit-policy') ?? '').split(', ').map((policy) => {
      const [, of = policy, quota, w] = /^"(\w+)";q=(\d+);w=(\d+)$/.exec(policy) ?? [];
      t.equal(Number(w), windowSeconds[of], `${name}: RateLimit-Policy ${policy}`);
      return [of, Number(quota)];
    }),
  );
  t.equal(policies.get(window), limit, `${name}: RateLimit-Policy has the limit`);
  return { window, limit, remaining, reset };
}

/** Asserts that the answer says nothing of rate windows. */
export function hasNoRateLimit(t: Test, { headers }: Answer, name = 'no rate limit'): void {
  const sent = rateLimitHeaders.filter((header) => headers.has(header));
  t.strictSame(sent, [], name);
}

/** Stops the server and asserts that it drained, with nothing of it left. */
export async function endsCleanly(t: Test, server: Server): Promise<void> {
  t.strictSame(await server.stop(), { code: 0, signal: null, leftovers: [] });
}
