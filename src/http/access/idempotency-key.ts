/** The header `Idempotency-Key` of draft-ietf-httpapi-idempotency-key-header-07. */
import { createHash } from 'node:crypto';
import { PlatenError } from '../../errors.ts';

/**
 * The draft's value is a String of RFC 9651 ("8e03978e-…", with quotes); many clients send it without quotes. Both
 * are the same key. Quotes, backslashes and commas are not allowed, so both forms read the same, and two headers,
 * which HTTP joins by a comma, are not a key. The pattern writes a quote as \x22, as generators put the pattern
 * between quotes.
 */
const KEY = '[\\x21\\x23-\\x2b\\x2d-\\x5b\\x5d-\\x7e]{1,255}';
export const IDEMPOTENCY_KEY_PATTERN = `^(\\x22${KEY}\\x22|${KEY})$`;
const VALUE = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/**
 * SHA-256 of the request's key, in hexadecimal; undefined without one.
 *
 * @throws PlatenError `INVALID_PARAMETER` if the header is malformed.
 */
export function readIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const value = String(header);
  if (!VALUE.test(value)) {
    throw new PlatenError('INVALID_PARAMETER', {
      message:
        'The Idempotency-Key must be given once, as 1 to 255 visible characters of ASCII without comma, backslash and ' +
        'quotes, such as a UUID. Quotes around it are allowed.',
    });
  }
  return createHash('sha256').update(value.replaceAll('"', '')).digest('hex');
}
