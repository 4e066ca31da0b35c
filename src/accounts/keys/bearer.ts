/** The Authorization header of a request. */
import { PlatenError } from '../../errors.ts';

/** RFC 6750, section 2.1; the scheme is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^bearer +(\S{1,200}) *$/i;

const NOT_BEARER =
  'The Authorization header is not the word Bearer and one key. Send it as "Authorization: Bearer svc_…".';

/**
 * The key's text in the header.
 *
 * @throws PlatenError `MISSING_AUTH` without a header, `INVALID_API_KEY` for any other scheme, or without a key.
 */
export function readBearer(header: string | undefined): string {
  if (header === undefined || header === '') throw new PlatenError('MISSING_AUTH');
  const text = BEARER.exec(header)?.[1];
  if (text === undefined) throw new PlatenError('INVALID_API_KEY', { message: NOT_BEARER });
  return text;
}
