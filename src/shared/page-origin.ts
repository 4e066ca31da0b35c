/** Origins of the pages that may use a key (RFC 6454). Pages check them as well, so it imports nothing. */

/** Most origins of a key. */
export const MAX_ORIGINS = 20;

/** Names of the machine on which the browser runs: browsers trust pages of it without TLS (W3C Secure Contexts, section 3.1). */
const LOCAL = /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/;

/** What is wrong with an origin, as the rest of a sentence; undefined if it is as browsers send it. */
export function mistakeInOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.host.includes('*')) {
    return `"${text}" is not an origin, such as https://shop.example`;
  }
  if (url.protocol === 'http:' && !LOCAL.test(url.hostname)) {
    return `"${text}" must begin with https: only localhost may do without`;
  }
  return url.origin === text ? undefined : `"${text}" must be written as browsers send it: ${url.origin}`;
}
