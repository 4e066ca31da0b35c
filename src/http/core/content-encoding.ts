import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';

/** @throws PlatenError `INVALID_REQUEST` when the body is compressed. */
export function assertNotEncoded({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return;
  throw new PlatenError('INVALID_REQUEST', {
    message: 'The body has a Content-Encoding. Send it as it is, not compressed.',
  });
}
