/** Answers to what could not be parsed as a request, before Fastify has one. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PlatenError } from '../errors.ts';
import type { Log } from '../log.ts';
import { errorAnswer } from './error-object.ts';
import { newRequestId } from './request-id.ts';

/** How long a client may take to read the answer before its connection is cut. */
const LINGER_MS = 1_000;

interface Refusal {
  readonly status: number;
  readonly message: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request took too long to arrive. Send it again over a faster connection.',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: 'The request header is too large. Send fewer or shorter header fields.',
  },
};
const unreadable: Refusal = { status: 400, message: 'The request is not valid HTTP.' };

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class ClientErrors {
  readonly #log: Log;
  readonly #refused: (status: number) => void;
  /** The newest exchange of each connection. */
  readonly #exchanges = new WeakMap<Socket, Exchange>();

  /** @param refused is told the status of each answer. */
  constructor(log: Log, refused: (status: number) => void = () => {}) {
    this.#log = log;
    this.#refused = refused;
  }

  /** Notes the requests of a server, to know which connections have an answer under way. */
  follow(server: Server): void {
    server.prependListener('request', (request, response) => {
      this.#exchanges.set(request.socket, { request, response });
    });
  }

  /** Fastify's `clientErrorHandler`: all there is is the socket, so the response is written by hand (RFC 9112). */
  answer(error: NodeJS.ErrnoException, socket: Socket): void {
    // ECONNRESET: the client is gone and reads nothing.
    if (error.code === 'ECONNRESET' || !socket.writable || this.#hasAnswer(socket)) {
      socket.destroy();
      return;
    }
    const requestId = newRequestId();
    this.#log.info({ reqId: requestId, reason: error.code }, 'unreadable request');
    const { status, message } = refusals[error.code ?? ''] ?? unreadable;
    this.#refused(status);
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
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  /**
   * Whether words of ours would end up inside, in place of, or behind the answer to a request that was
   * understood.
   */
  #hasAnswer(socket: Socket): boolean {
    const exchange = this.#exchanges.get(socket);
    if (!exchange) return false;
    const { request, response } = exchange;
    return response.writableFinished ? !request.complete : response.headersSent || request.complete;
  }
}
