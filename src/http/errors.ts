/** What becomes of every error: thrown by a handler, by Fastify, or raised before there was a request. */
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import { errorAnswer } from './error-object.ts';
import { newRequestId } from './request-id.ts';

/** The error handler, and the answers 404 and 405. */
export const errorHandling = fp(
  async (app) => {
    const methodsByPath = new Map<string, Set<string>>();
    app.addHook('onRoute', ({ url, method }) => {
      const methods = methodsByPath.get(url) ?? new Set();
      for (const name of [method].flat()) methods.add(name);
      methodsByPath.set(url, methods);
    });

    app.setErrorHandler((thrown: FastifyError | PlatenError, request, reply) => {
      const error = toPlatenError(thrown);
      request.failure = error;
      if (error.status >= 500)
        request.log.error({ err: error.cause ?? error, code: error.code }, error.message);
      sendError(error, request, reply);
    });

    app.setNotFoundHandler((request, reply) => {
      const [path = ''] = request.url.split('?', 1);
      const methods = methodsByPath.get(path);
      if (methods) reply.header('allow', [...methods].join(', '));
      const error = new PlatenError(methods ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND');
      request.failure = error;
      sendError(error, request, reply);
    });

    app.decorateRequest('failure', undefined);

    // Node itself would refuse these two with empty answers, see `requireHostHeader` in app.ts. A request
    // without a host is an error (RFC 9112, section 3.2), an unknown expectation need not be one (RFC 9110,
    // section 10.1.1).
    app.addHook('onRequest', async ({ raw }) => {
      if (raw.headers.host !== undefined || raw.httpVersion !== '1.1') return;
      throw new PlatenError('INVALID_REQUEST', { message: 'The request has no Host header. Add one.' });
    });
    app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  },
  { name: 'errors', dependencies: ['request-id'] },
);

declare module 'fastify' {
  interface FastifyRequest {
    /** The error that the request was answered with. */
    failure: PlatenError | undefined;
  }
}

function sendError(error: PlatenError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorAnswer(error, request.id);
  reply.code(status).headers(headers).removeHeader('content-disposition').type('application/json').send(body);
}

/** Answers what Fastify could not route, such as an address that is no valid one; hooks do not run for it. */
export function answerFrameworkError(
  thrown: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header('x-request-id', request.id);
  sendError(toPlatenError(thrown), request, reply);
}

/** Errors of Fastify and its plugins, by what they mean to a client. */
function toPlatenError(error: FastifyError | PlatenError): PlatenError {
  if (error instanceof PlatenError) return error;
  if ('validation' in error && error.validation) {
    return new PlatenError('INVALID_PARAMETER', { message: `${error.message}.`, cause: error });
  }
  if (error.code === 'FST_REQ_FILE_TOO_LARGE') return new PlatenError('FILE_TOO_LARGE', { cause: error });
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new PlatenError('INVALID_REQUEST', { cause: error });
  return new PlatenError('INTERNAL_ERROR', { cause: error });
}

const statusOfClientError: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/**
 * Answers what could not be parsed as a request: the third argument of Fastify's `clientErrorHandler`
 * is a raw socket, so the response is written by hand (RFC 9112).
 */
export function answerClientError(log: Log, error: NodeJS.ErrnoException, socket: Socket): void {
  // ECONNRESET: the client is gone and reads nothing.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  log.info({ reqId: requestId, reason: error.code }, 'unreadable request');
  const status = statusOfClientError[error.code ?? ''] ?? 400;
  const message =
    status === 408
      ? 'The request took too long to arrive. Send it again over a faster connection.'
      : status === 431
        ? 'The request header is too large. Send fewer or shorter header fields.'
        : 'The request is not valid HTTP.';
  const answer = errorAnswer(new PlatenError('INVALID_REQUEST', { message }), requestId, status);
  const body = JSON.stringify(answer.body);
  const head = [
    `HTTP/1.1 ${status} ${answer.body.error}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
