/** Handles input that cannot be read as HTTP: the rest of a request, or no request at all. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PlatenError } from '../../errors.ts';
import type { Log } from '../../system/log.ts';
import { errorAnswer } from './error-object.ts';
import { everyAnswer } from './every-answer.ts';
import { newRequestId } from './request-id.ts';

/** How long a client may take to read the answer before its connection is cut. */
const LINGER_MS = 1_000;

const messages = {
  400: 'The request is not valid HTTP.',
  408: 'The request took too long to arrive. Send it again over a faster connection.',
  431: 'The request header is too large. Send fewer or shorter header fields.',
} as const;

type UnreadableStatus = keyof typeof messages;

const statuses: Readonly<Record<string, UnreadableStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** `INVALID_REQUEST` with the status of HTTP that says more. */
export class UnreadableRequest extends PlatenError {
  override readonly status: UnreadableStatus;

  constructor(status: UnreadableStatus, cause?: NodeJS.ErrnoException) {
    super('INVALID_REQUEST', { message: messages[status], cause });
    this.status = status;
  }
}

function unreadable(cause: NodeJS.ErrnoException): UnreadableRequest {
  return new UnreadableRequest(statuses[cause.code ?? ''] ?? 400, cause);
}

/** Requests whose body cannot be read to its end, and why. */
const broken = new WeakMap<IncomingMessage, UnreadableRequest>();

/** Whether nothing more of the request, nor another one, can be read from its connection. */
export function isBroken(message: IncomingMessage): boolean {
  return broken.has(message);
}

/** @throws PlatenError `INVALID_REQUEST` when it is known that the body of the request cannot be read. */
export function assertReadable(message: IncomingMessage): void {
  const failure = broken.get(message);
  if (failure) throw failure;
}

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

  /** Records a server's requests, to know the state of each connection. */
  follow(server: Server): void {
    // A request that expects something other than "100-continue" has an event of its own.
    for (const event of ['request', 'checkExpectation'] as const) {
      server.prependListener(event, (request: IncomingMessage, response: ServerResponse) => {
        this.#exchanges.set(request.socket, { request, response });
      });
    }
  }

  /** Fastify's `clientErrorHandler`. */
  answer(error: NodeJS.ErrnoException, socket: Socket): void {
    const exchange = this.#exchanges.get(socket);
    // ECONNRESET: the client is gone and reads nothing.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
    } else if (exchange && isReceiving(exchange)) {
      this.#fail(exchange.request, error);
    } else if (exchange && isAnswering(exchange)) {
      // Input after the last request of a connection is ignored; the connection ends with its answer.
      if (error.code !== 'HPE_CLOSED_CONNECTION') socket.destroy();
    } else {
      this.#write(unreadable(error), socket);
    }
  }

  /**
   * The reader of the body gets an error and answers, as the request has an id, and may have a key and a bill. Later readers
   * call `assertReadable`.
   */
  #fail(request: IncomingMessage, error: NodeJS.ErrnoException): void {
    // The parser repeats the error for each further chunk.
    if (broken.has(request)) return;
    const failure = unreadable(error);
    broken.set(request, failure);
    this.#log.debug({ reason: error.code }, 'unreadable body');
    // `destroy` would end the connection before the answer.
    if (request.listenerCount('error') > 0) request.emit('error', failure);
  }

  /** There is only the socket, so the response is written by hand (RFC 9112). */
  #write(error: UnreadableRequest, socket: Socket): void {
    const requestId = newRequestId();
    const { code } = error.cause as NodeJS.ErrnoException;
    this.#log.info({ reqId: requestId, reason: code }, 'unreadable request');
    this.#refused(error.status);
    const answer = errorAnswer(error, requestId);
    const body = JSON.stringify(answer.body);
    const head = [
      `HTTP/1.1 ${answer.status} ${answer.body.error}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      ...Object.entries(everyAnswer(requestId)).map(([name, value]) => `${name}: ${value}`),
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

/** Whether it is the body of a request that cannot be read, and the request has no answer yet. */
function isReceiving({ request, response }: Exchange): boolean {
  return !request.complete && !response.headersSent && !response.destroyed;
}

/**
 * Whether our text would end up inside, instead of, or after the answer to a valid request.
 */
function isAnswering({ request, response }: Exchange): boolean {
  return !response.writableFinished || !request.complete;
}
