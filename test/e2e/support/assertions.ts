/** Assertions for every answer of a kind. */
import { STATUS_CODES } from 'node:http';
import type { Test } from 'tap';
import { pages } from '../../support/guide.ts';
import type { Server } from '../../support/server.ts';
import { pdfPageTexts } from './pdf.ts';
import type { Answer } from './requests.ts';

const REQUEST_ID = /^req_[0-9a-f]{32}$/;
/** A file or a place in the code, which a message never shows. */
const INTERNALS = /\/(tmp|usr|home|root|work|dev|proc|var|etc)\b|node_modules|\.[jt]s\b|\n/;

const TIMING = /^upload;dur=\d+(\.\d+)?, queue;dur=\d+(\.\d+)?, convert;dur=\d+(\.\d+)?$/;

/** A code of the guide. */
export type Code = string;

/** The status of each code, by the guide. */
export const statusOf: Readonly<Record<Code, number>> = Object.fromEntries(
  pages.flatMap(({ text }) =>
    [...text.matchAll(/^### `([A-Z_]+)`\n\n\*\*Status\*\* (\d{3})/gm)].map(([, code = '', status]) => [
      code,
      Number(status),
    ]),
  ),
);

interface ErrorBody {
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
  status: number = statusOf[code] ?? Number.NaN,
  name: string = code,
): ErrorBody {
  const { headers } = answer;
  const body = readError(answer);
  const { message, requestId, timestamp, retryAfter, ...rest } = body;
  const wait = headers.get('retry-after');
  // One assertion for all: there are thousands of answers.
  t.strictSame(
    {
      status: answer.status,
      type: headers.get('content-type'),
      disposition: headers.get('content-disposition'),
      challenge: headers.get('www-authenticate'),
      allow: headers.has('allow'),
      rest,
      message: orOk(message, typeof message === 'string' && message.length > 20 && !INTERNALS.test(message)),
      requestId: orOk(requestId, REQUEST_ID.test(requestId) && requestId === headers.get('x-request-id')),
      timestamp: orOk(timestamp, isRecent(timestamp)),
      wait: orOk(wait, [409, 429, 503].includes(status) ? /^[1-9]\d*$/.test(wait ?? '') : wait === null),
      retryAfter,
    },
    {
      status,
      type: 'application/json; charset=utf-8',
      disposition: null,
      challenge: status === 401 ? 'Bearer' : null,
      allow: status === 405,
      rest: { code, error: STATUS_CODES[status] },
      message: OK,
      requestId: OK,
      timestamp: OK,
      wait: OK,
      retryAfter: status === 429 ? Number(wait) : undefined,
    },
    name,
  );
  return body;
}

/** Asserts that the answer is any error of the catalogue, all of it. */
export function isAnyError(t: Test, answer: Answer): ErrorBody {
  const { code } = readError(answer);
  if (!(code in statusOf)) t.fail(`${code} is not in the catalogue`);
  return isError(t, answer, code);
}

/** Replaces a correct value. */
const OK = 'as it should be';

/** For assertions of several values at a time: returns the value only if it is wrong. */
function orOk(value: unknown, isOk: boolean): unknown {
  return isOk ? OK : value;
}

/** Whether it is a time in ISO form, of the last minutes. */
function isRecent(timestamp: string): boolean {
  const at = Date.parse(timestamp);
  return Math.abs(Date.now() - at) < 120_000 && new Date(at).toISOString() === timestamp;
}

function readError({ body }: Answer): ErrorBody {
  return JSON.parse(body.toString('utf8') || '{}') as ErrorBody;
}

/** Asserts that the answer is a PDF with this text on this number of pages. */
export async function isPdf(t: Test, answer: Answer, text: string | RegExp, pages = 1): Promise<void> {
  if (!isDelivered(t, answer, pages)) return;
  const found = await pdfPageTexts(answer.body);
  t.equal(found.length, pages);
  t.match(found.join('\f').trim(), text);
}

/** Asserts all that an answer with a PDF has, whatever is in the PDF. @returns whether it is one. */
export function isDelivered(t: Test, { status, headers, body }: Answer, pages = 1): boolean {
  if (!t.equal(status, 200, status === 200 ? 'status' : body.toString('utf8'))) return false;
  const [id, timing] = [headers.get('x-request-id') ?? '', headers.get('server-timing') ?? ''];
  t.strictSame(
    {
      type: headers.get('content-type'),
      length: headers.get('content-length'),
      pages: headers.get('x-conversion-pages'),
      id: orOk(id, REQUEST_ID.test(id)),
      timing: orOk(timing, TIMING.test(timing)),
    },
    { type: 'application/pdf', length: String(body.length), pages: String(pages), id: OK, timing: OK },
    'headers of a PDF',
  );
  return true;
}

interface RateLimit {
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
 * Asserts that the answer has the rate limit headers of its key, the common ones and those of
 * draft-ietf-httpapi-ratelimit-headers, and that both agree.
 */
export function hasRateLimit(t: Test, { headers }: Answer, name = 'rate limit'): RateLimit {
  const [limit = '', remaining = '', reset = ''] = ['limit', 'remaining', 'reset'].map(
    (field) => headers.get(`x-ratelimit-${field}`) ?? '',
  );
  const [, window = '', left, seconds] =
    /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  const length = windowSeconds[window] ?? Number.NaN;
  // The time of the decision; the answer may follow it by a whole conversion.
  const decided = Number(reset) - Number(seconds);
  const policies = (headers.get('ratelimit-policy') ?? '').split(', ').map((policy) => {
    const [, of = policy, quota, w] = /^"(\w+)";q=(\d+);w=(\d+)$/.exec(policy) ?? [];
    return { of, quota, hasItsLength: Number(w) === windowSeconds[of] };
  });
  t.strictSame(
    {
      'no whole numbers': [limit, remaining, reset].filter((value) => !/^\d+$/.test(value)),
      'aligned to the clock': Number(reset) % length,
      'no more than the limit': Number(remaining) <= Number(limit),
      'RateLimit says the same': left,
      'it ends with the window': Number(seconds) <= length,
      'its seconds are from now': Math.abs(Date.parse(headers.get('date') ?? '') / 1_000 - decided) < 60,
      'policies of another length': policies.filter(({ hasItsLength }) => !hasItsLength),
      'RateLimit-Policy has the limit': policies.findLast(({ of }) => of === window)?.quota,
    },
    {
      'no whole numbers': [],
      'aligned to the clock': 0,
      'no more than the limit': true,
      'RateLimit says the same': remaining,
      'it ends with the window': true,
      'its seconds are from now': true,
      'policies of another length': [],
      'RateLimit-Policy has the limit': limit,
    },
    name,
  );
  return { window, limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
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
