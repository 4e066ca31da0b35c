/** For which site a request makes or uses passkeys. */
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../../errors.ts';
import type { Site } from '../../../members/webauthn.ts';
import { isSameOrigin } from '../../core/same-origin.ts';
import { NOT_SAME_ORIGIN } from '../operation.ts';

/** Where browsers make passkeys without TLS. */
const LOCAL = /^http:\/\/localhost(:\d{1,5})?$/;
const NO_SITE =
  'This service has no address yet: the operator sets PUBLIC_URL. On the machine itself, open it under http://localhost.';

/**
 * The site that the operator names. Without one it is this
 * machine, under its own name only, whatever host a client names.
 *
 * @param origin of the pages.
 * @throws PlatenError `INSUFFICIENT_PERMISSIONS` for a request from another site's page, or without a site.
 */
export function siteOf(request: FastifyRequest, origin: string | undefined): Site {
  if (isSameOrigin(request) !== true) {
    throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NOT_SAME_ORIGIN });
  }
  if (origin !== undefined) return { host: new URL(origin).hostname, origin };
  const { origin: sent = '' } = request.headers;
  if (!LOCAL.test(sent)) throw new PlatenError('INSUFFICIENT_PERMISSIONS', { message: NO_SITE });
  return { host: 'localhost', origin: sent };
}
