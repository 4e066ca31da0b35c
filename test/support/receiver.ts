/** A server that receives webhooks. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';

/** A message as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By `performance.now()`. */
  readonly at: number;
}

/** Answers a message: a status, or whatever it does itself. */
type Answer = (message: Received, response: ServerResponse) => number | undefined;

export class Receiver {
  readonly received: Received[] = [];
  /** How it answers. */
  answer: Answer = () => 204;
  #port = 0;

  /** Listens on this machine. It ends with the test. */
  static async start(t: Test): Promise<Receiver> {
    const receiver = new Receiver();
    const server = createServer(async (request, response) => {
      const message = {
        path: String(request.url),
        headers: request.headers,
        body: await text(request),
        at: performance.now(),
      };
      receiver.received.push(message);
      const status = receiver.answer(message, response);
      if (status !== undefined) response.writeHead(status).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    receiver.#port = (server.address() as AddressInfo).port;
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  /** Messages to this path. */
  to(path: string): Received[] {
    return this.received.filter((message) => message.path === path);
  }
}

/** The content of a message that the secret signed. @throws Error if it did not. */
export function verified({ body, headers }: Received, secret: string) {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };
}
