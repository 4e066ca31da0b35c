/**
 * A request that is refused before its body was read still gets its answer. Closing the connection under a
 * client that is still sending makes the kernel reset it, and the answer is lost; so the rest of the body is
 * read and thrown away, within bounds (RFC 9112, section 9.6).
 */
import type { IncomingMessage } from 'node:http';
import fp from 'fastify-plugin';

const MAX_BYTES = 67_108_864;
const MAX_MS = 15_000;

export const unreadBody = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.raw.once('finish', () => {
        if (!request.raw.complete) discardRest(request.raw);
      });
    });
  },
  { name: 'unread-body' },
);

function discardRest(message: IncomingMessage): void {
  let left = MAX_BYTES;
  const close = () => message.socket.destroy();
  const timer = setTimeout(close, MAX_MS);
  message.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) close();
  });
  message.once('close', () => clearTimeout(timer));
  message.on('error', () => {});
  message.unpipe();
  message.resume();
}
