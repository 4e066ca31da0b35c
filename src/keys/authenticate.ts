/** From the Authorization header to the key it holds. */
import { PlatenError } from '../errors.ts';
import { hashKey, parseKey } from './format.ts';
import type { KeyRecord } from './records.ts';
import type { KeyStore } from './store.ts';

/** RFC 6750, section 2.1; the scheme's case does not matter (RFC 9110, section 11.1). */
const BEARER = /^bearer +(\S{1,200}) *$/i;

/**
 * Finds the key of a request. A malformed, an unknown and a revoked key get the same answer.
 *
 * @param header the Authorization header.
 * @throws PlatenError `MISSING_AUTH`, `INVALID_API_KEY`, `EXPIRED_API_KEY`; `SERVICE_UNAVAILABLE` when Redis
 * cannot be asked.
 */
export async function authenticate(
  header: string | undefined,
  keys: KeyStore,
  now: Date,
): Promise<KeyRecord> {
  if (header === undefined || header === '') throw new PlatenError('MISSING_AUTH');
  const text = BEARER.exec(header)?.[1];
  if (text === undefined || !parseKey(text)) throw new PlatenError('INVALID_API_KEY');
  const record = await keys.findByHash(hashKey(text)).catch((cause: unknown) => {
    throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1, cause });
  });
  if (!record || record.revokedAt !== null) throw new PlatenError('INVALID_API_KEY');
  if (record.expiresAt !== null && new Date(record.expiresAt) <= now)
    throw new PlatenError('EXPIRED_API_KEY');
  return record;
}
