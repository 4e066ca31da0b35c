/** Handling of all errors of requests. */
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { RefusedPdf } from '../../convert/report/accepted.ts';
import { isShortage, PlatenError } from '../../errors.ts';
import { assertReadable } from './client-errors.ts';
import { errorAnswer } from './error-object.ts';
import { everyAnswer } from './every-answer.ts';
import { pathOf } from './request-path.ts';
import { requestState } from './request-state.ts';
import { describeMismatch } from './validation.ts';

/** The error handler, and the answers 404 and 405. */
export const errorHandling = fp(
  async (app) => {
    await app.register(requestState);
    const methodsByPath = new Map<string, Set<string>>();
    app.addHook('onRoute', ({ url, method }) => {
      const methods = methodsByPath.get(url) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      methodsByPath.set(url, methods);
    });

    app.setErrorHandler((thrown: FastifyError | PlatenError, request, reply) => {
      const error = toPlatenError(thrown);
      request.state.failure = error;
      logFailure(error, request);
      sendError(error, request, reply);
    });

    // Not as a "not found handler", which Fastify calls after the body was read and parsed.
    app.addHook('preParsing', async (request, reply) => {
      if (!request.is404) return;
      const methods = methodsByPath.get(pathOf(request.url));
      if (methods) reply.header('allow', [...methods].join(', '));
      throw new PlatenError(methods ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND');
    });
    app.addHook('preParsing', async ({ raw }) => assertReadable(raw));

    app.addHook('onRequest', async ({ raw }, reply) => {
      const message = mistakeIn(raw);
      if (message === undefined) return;
      // Parsers may disagree where it ends.
      reply.header('connection', 'close');
      throw new PlatenError('INVALID_REQUEST', { message });
    });
    // Node before 20.20 parses this method without naming it, and Fastify needs a name.
    app.server.prependListener('request', (request) => {
      request.method ??= 'QUERY';
    });
    // Node itself would refuse it with an empty answer; an unknown expectation need not be an error (RFC 9110,
    // section 10.1.1).
    app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  },
  { name: 'errors', dependencies: ['every-answer'] },
);

/**
 * Errors that Node's parser accepts (RFC 9112, sections 2.3, 3.2 and 6.1), or refuses with an empty answer, see
 * `requireHostHeader` in server.ts.
 */
function mistakeIn({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The request is not HTTP/1.1. Use that version.';
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 0 && httpVersion === '1.1') return 'The request has no Host header. Add one.';
  if (hosts > 1) return 'The request has more than one Host header. Send one.';
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0') return 'The request has a Transfer-Encoding, which HTTP/1.0 does not know.';
  return coding.toLowerCase() === 'chunked'
    ? undefined
    : 'The only Transfer-Encoding is "chunked". Use that.';
}

/** Client errors are in the request's own log line; a 503 is a state, which a stack does not explain. */
function logFailure(error: PlatenError, { log, routeOptions }: FastifyRequest): void {
  // Its sender wants no PDF; the message may have names of fonts.
  if (error instanceof RefusedPdf) return;
  if (error.status === 503) {
    const cause = error.cause instanceof Error ? error.cause.message : error.cause;
    // For overload and maintenance the request's own line is enough, and there may be thousands.
    const isKnown = routeOptions.config.quiet || error.code === 'OVERLOADED' || cause === undefined;
    log[isKnown ? 'debug' : 'warn']({ code: error.code, cause }, error.message);
  } else if (error.reason === 'poison') {
    log.info({ code: error.code, cause: error.cause }, 'a document that failed a moment ago was refused');
  } else if (error.status >= 500) {
    // If the cause is an error, its stack follows that of the place that assigned the code.
    const cause = error.cause instanceof Error ? undefined : error.cause;
    log.error({ err: error, code: error.code, cause }, error.message);
  }
}

function sendError(error: PlatenError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorAnswer(error, request.id);
  reply.code(status).headers(headers).removeHeader('content-disposition').type('application/json').send(body);
}

/** Answers a request whose URL Fastify could not read; no hook runs for it. */
export function answerFrameworkError(
  thrown: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  request.log.info({ reason: thrown.code }, 'unreadable request');
  reply.headers(everyAnswer(request.id));
  const message = 'The URL of the request is not valid.';
  sendError(new PlatenError('INVALID_REQUEST', { message, cause: thrown }), request, reply);
}

/** Maps errors of Fastify and its plugins to the catalogue. */
function toPlatenError(error: FastifyError | PlatenError): PlatenError {
  if (error instanceof PlatenError) return error;
  if ('validation' in error && error.validation) {
    return new PlatenError('INVALID_PARAMETER', { message: describeMismatch(error), cause: error });
  }
  if (error.code === 'FST_REQ_FILE_TOO_LARGE') return new PlatenError('FILE_TOO_LARGE', { cause: error });
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new PlatenError('INVALID_REQUEST', { message: 'The body is too large. Send less.', cause: error });
  }
  if (isShortage(error)) return new PlatenError('SERVICE_UNAVAILABLE', { cause: error });
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new PlatenError('INVALID_REQUEST', { cause: error });
  return new PlatenError('INTERNAL_ERROR', { cause: error });
}
