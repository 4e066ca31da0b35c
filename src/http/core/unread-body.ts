/**
 * Delivers the answer to a request whose body was not read. Closing the connection while the client still sends makes the
 * kernel reset it, and the answer is lost; so the rest of the body is read and discarded, within bounds (RFC 9112, section
 * 9.6).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { isBroken } from './client-errors.ts';

const MAX_BYTES = 67_108_864;
const MAX_MS = 15_000;
/** After this silence the client has nothing in flight that would cause a reset. */
const SILENCE_MS = 500;
/** For how much longer a server that drains reads. */
const DRAINING_MS = 5_000;

interface UnreadBodyOptions {
  /** Aborts when the server begins to drain: nobody will use the connection again. */
  readonly draining: AbortSignal;
}

export const unreadBody = fp<UnreadBodyOptions>(
  async (app, { draining }) => {
    app.addHook('onSend', async ({ raw }, reply) => {
      if (raw.complete) return;
      // No other request can be read from its connection.
      if (isBroken(raw)) reply.header('connection', 'close');
      // Where the connection stays open, the answer goes out at once. Where Node closes it with the answer,
      // what the client is sending has to be gone first.
      if (closesConnection(raw, reply)) {
        // A body that was too slow gets no more time.
        await discardRest(raw, SILENCE_MS, isBroken(raw) ? SILENCE_MS : MAX_MS, draining);
        return;
      }
      // Starting now: Node reads a body that is still unread at the end of the answer without a bound.
      const discarded = discardRest(raw, MAX_MS, MAX_MS, draining);
      reply.raw.once('finish', async () => {
        await discarded;
        // A server that closes has looked for idle connections before, and waits for this one.
        if (!raw.complete || draining.aborted) raw.socket.destroy();
      });
    });
  },
  // After the request log, which closes connections of a draining server.
  { name: 'unread-body', dependencies: ['request-log'] },
);

function closesConnection({ headers, httpVersion }: IncomingMessage, reply: FastifyReply): boolean {
  const asked = headers.connection?.toLowerCase() ?? '';
  return httpVersion === '1.0' || asked.includes('close') || reply.getHeader('connection') === 'close';
}

/**
 * Resolves when the body has ended, the client has fallen silent, or a bound is reached.
 *
 * @param draining lowers the bounds.
 */
function discardRest(
  message: IncomingMessage,
  silenceMs: number,
  maxMs: number,
  draining: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = message;
    if (message.complete || message.destroyed || socket.destroyed || socket.readableEnded) return resolve();
    let left = MAX_BYTES;
    let limit = setTimeout(() => finish(), maxMs);
    let silence = setTimeout(() => finish(), silenceMs);
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      silence.refresh();
      if (left < 0) finish();
    };
    const hurry = () => {
      clearTimeout(limit);
      clearTimeout(silence);
      limit = setTimeout(() => finish(), Math.min(maxMs, DRAINING_MS));
      silence = setTimeout(() => finish(), SILENCE_MS);
    };
    const finish = () => {
      clearTimeout(limit);
      clearTimeout(silence);
      draining.removeEventListener('abort', hurry);
      message.off('data', count);
      socket.off('close', finish);
      resolve();
    };
    message.on('data', count).once('end', finish).once('close', finish).on('error', finish);
    // After the answer, Node no longer closes the message with the connection.
    socket.once('close', finish);
    if (draining.aborted) hurry();
    else draining.addEventListener('abort', hurry, { once: true });
    message.unpipe();
    message.resume();
  });
}
