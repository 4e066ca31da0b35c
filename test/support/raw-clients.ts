/** Cheap clients: whole requests as bytes, on kept connections, from this process. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readAnswers } from '../e2e/support/requests.ts';

/** An answer, as the client saw it. */
export interface RawAnswer {
  /** Index of its request. */
  readonly which: number;
  /** HTTP status; 0 if the connection broke before the answer was complete. */
  readonly status: number;
  /** From the request's first byte to the answer's last, in milliseconds. */
  readonly ms: number;
  /** The body of an answer that is not a PDF. */
  readonly body: string;
  /** The header `Retry-After`, in seconds. */
  readonly retryAfter: number | undefined;
}

const HEAD_END = '\r\n\r\n';

/** A connection for one request at a time, reopened if the server closed it. */
class RawClient {
  readonly #port: number;
  readonly #host: string;
  #socket: Socket | undefined;

  constructor({ hostname, port }: URL) {
    this.#host = hostname;
    this.#port = Number(port);
  }

  send(requests: readonly Buffer[], which: number): Promise<RawAnswer> {
    const socket = this.#connected();
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let missing: number | undefined;
      const finish = (status: number, head: string, body: string) => {
        socket.off('data', receive).off('close', broken);
        const retryAfter = /\r\nretry-after: (\d+)/i.exec(head)?.[1];
        const ms = performance.now() - started;
        const seconds = retryAfter === undefined ? undefined : Number(retryAfter);
        resolve({ which, status, ms, body, retryAfter: seconds });
      };
      const broken = () => finish(0, '', '');
      const receive = (chunk: Buffer) => {
        chunks.push(chunk);
        if (missing !== undefined) missing -= chunk.length;
        else missing = missingOf(Buffer.concat(chunks));
        if (missing === undefined || missing > 0) return;
        const received = Buffer.concat(chunks);
        try {
          readAnswers(received);
        } catch (error) {
          reject(error);
        }
        const text = received.toString('latin1');
        const head = text.slice(0, text.indexOf(HEAD_END));
        const status = Number(head.slice(9, 12));
        finish(status, head, status === 200 ? '' : text.slice(head.length + HEAD_END.length));
      };
      socket.on('data', receive).once('close', broken);
      socket.write(requests[which] as Buffer);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connected(): Socket {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket;
    this.#socket = connect(this.#port, this.#host).setNoDelay(true);
    // An error also closes the connection.
    this.#socket.on('error', () => {});
    return this.#socket;
  }
}

/** Bytes of the answer still to come; undefined before its header. */
function missingOf(received: Buffer): number | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1] ?? 0;
  return end + HEAD_END.length + Number(length) - received.length;
}

/**
 * Sends as many requests as the server answers: each client sends its next request after the last answer.
 *
 * @param load `pauseMs` is the pause of a client after an answer without a PDF.
 */
export async function sendClosed(
  url: string,
  requests: readonly Buffer[],
  load: { clients: number; milliseconds: number; pauseMs?: number },
): Promise<RawAnswer[]> {
  const { clients, milliseconds, pauseMs = 0 } = load;
  const answers: RawAnswer[] = [];
  const end = performance.now() + milliseconds;
  let next = 0;
  const client = async () => {
    const connection = new RawClient(new URL(url));
    while (performance.now() < end) {
      const answer = await connection.send(requests, next++ % requests.length);
      answers.push(answer);
      if (answer.status !== 200 && pauseMs > 0) await delay(pauseMs);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return answers;
}

/** Sends the given requests at a fixed rate, whatever the server answers and however long it takes. */
export async function sendOpen(
  url: string,
  requests: readonly Buffer[],
  { perSecond, milliseconds }: { perSecond: number; milliseconds: number },
): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  const under: Promise<void>[] = [];
  const idle: RawClient[] = [];
  const started = performance.now();
  let sent = 0;
  const one = async () => {
    const client = idle.pop() ?? new RawClient(new URL(url));
    answers.push(await client.send(requests, sent++ % requests.length));
    idle.push(client);
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = Math.min(milliseconds, performance.now() - started);
      while (under.length < (elapsed / 1000) * perSecond) under.push(one());
      if (elapsed < milliseconds) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  await Promise.all(under);
  for (const client of idle) client.close();
  return answers;
}
