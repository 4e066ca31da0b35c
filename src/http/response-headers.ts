/** Headers that answers share, as the OpenAPI document describes them. */

const integer = (description: string) => ({ type: 'integer', description });
const text = (description: string) => ({ type: 'string', description });

/** Every answer. */
const always = { 'X-Request-Id': text('Ours alone, unique; quote it to support.') };

/** Every answer to a key, unless no window of its plan is limited. */
const rateLimit = {
  'X-RateLimit-Limit': integer('Requests that the window with the least left takes.'),
  'X-RateLimit-Remaining': integer('Requests that it has left.'),
  'X-RateLimit-Reset': integer('When it ends, in Unix seconds.'),
  'RateLimit-Policy': text('All windows (draft-ietf-httpapi-ratelimit-headers-11).'),
  RateLimit: text('The window with the least left (draft-ietf-httpapi-ratelimit-headers-11).'),
};

const retryAfter = { 'Retry-After': integer('Seconds to wait; with status 429 and 503.') };

export interface ResponseHeadersOptions {
  readonly withKey: boolean;
  readonly withToken?: boolean;
}

/** What answers with and without an error carry, on a route with a key, with the operator's token, or without. */
export function responseHeaders({ withKey, withToken = withKey }: ResponseHeadersOptions) {
  const success = { ...always, ...(withKey && rateLimit) };
  const challenge = withToken && { 'WWW-Authenticate': text('"Bearer"; with status 401.') };
  return { success, failure: { ...success, ...retryAfter, ...challenge } };
}
