/** For which site a request makes or uses passkeys. */
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { Site } from '../../members/webauthn.ts';
import { NOT_SAME_ORIGIN } from '../operator/operation.ts';
import { isSameOrigin } from '../operator/same-origin.ts';
import { NO_SITE } from './operation.ts';

/** Where browsers make passkeys without TLS. */
const LOCAL = /^http:\/\/localhost(:\d{1,5})?$/;

/**
 * The site that the operator names. Without one it is this machine, under its own name only: what a client says of the
 * host decides nothing.
 *
 * @throws PlatenError `INSUFFICIENT_PERMISSIONS` for a request from another site's page, or without a site.
 */
export function siteOf(request: FastifyRequest, publicUrl: string | undefined): Site {
  if (isSameOrigin(request) !== true) {
    throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN });
  }
  if (publicUrl !== undefined) return { host: new URL(publicUrl).hostname, origin: publicUrl };
  const { origin = '' } = request.headers;
  if (!LOCAL.test(origin)) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NO_SITE });
  return { host: 'localhost', origin };
}
