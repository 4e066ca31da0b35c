/** JSON bodies, and the error for others. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { assertNotEncoded } from './content-encoding.ts';

/**
 * Makes a scope accept JSON only. An empty body is an empty object, also with a Content-Type.
 *
 * @param message of the error for a body that is not JSON.
 */
export function takeOnlyJson(app: FastifyInstance, message: string): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const notJson = (cause?: unknown) => new PlatenError('INVALID_REQUEST', { message, cause });
  app.addContentTypeParser('*', (_request, _payload, done) => done(notJson()));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, {});
    else void parseJson(request, text as string, (error, body) => done(error && notJson(error), body));
  });
  app.addHook('preParsing', async (request: FastifyRequest) => assertNotEncoded(request));
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body !== undefined) request.body ??= {};
  });
}
