/**
 * A request that is answered before its body was read still gets its answer. Closing the connection under a
 * client that is still sending makes the kernel reset it, and the answer is lost; so the rest of the body is
 * read and thrown away, within bounds (RFC 9112, section 9.6).
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { isBroken } from './client-errors.ts';

const MAX_BYTES = 67_108_864;
const MAX_MS = 15_000;
/** A client that has sent nothing for so long has nothing on the way that a reset would answer. */
const SILENCE_MS = 500;

export const unreadBody = fp(
  async (app) => {
    app.addHook('onSend', async ({ raw }, reply) => {
      if (raw.complete) return;
      // No other request can be read from its connection.
      if (isBroken(raw)) reply.header('connection', 'close');
      // Where the connection stays open, the answer goes out at once. Where Node closes it with the answer,
      // what the client is sending has to be gone first.
      if (closesConnection(raw, reply)) {
        // What took too long already does not get more time.
        await discardRest(raw, SILENCE_MS, isBroken(raw) ? SILENCE_MS : MAX_MS);
        return;
      }
      // From now on: a body that nobody has begun to read by the end of its answer Node reads without a bound.
      const discarded = discardRest(raw, MAX_MS, MAX_MS);
      reply.raw.once('finish', async () => {
        await discarded;
        if (!raw.complete) raw.socket.destroy();
      });
    });
  },
  // After the request log, which closes the connections of a draining server.
  { name: 'unread-body', dependencies: ['request-log'] },
);

function closesConnection({ headers, httpVersion }: IncomingMessage, reply: FastifyReply): boolean {
  const asked = headers.connection?.toLowerCase() ?? '';
  return httpVersion === '1.0' || asked.includes('close') || reply.getHeader('connection') === 'close';
}

/** Resolves when the body has ended, the client has been silent for so long, or a bound is reached. */
function discardRest(message: IncomingMessage, silenceMs: number, maxMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (message.complete || message.destroyed || message.socket.readableEnded) return resolve();
    let left = MAX_BYTES;
    const limit = setTimeout(() => finish(), maxMs);
    const silence = setTimeout(() => finish(), silenceMs);
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      silence.refresh();
      if (left < 0) finish();
    };
    const finish = () => {
      clearTimeout(limit);
      clearTimeout(silence);
      message.off('data', count);
      resolve();
    };
    message.on('data', count).once('end', finish).once('close', finish).on('error', finish);
    message.unpipe();
    message.resume();
  });
}
