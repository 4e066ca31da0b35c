/**
 * Answers that wait for their turn on a pipelined connection (RFC 9112, section 9.3.2) and never get it.
 *
 * Node tells an answer that its connection has ended, but not one that is queued behind another. What waits for the
 * end of an answer, such as the bill of a conversion or an open PDF, would wait for ever.
 */
import fp from 'fastify-plugin';

/** Closes answers whose connection ends before their turn. To be registered before all that waits for their end. */
export const queuedResponses = fp(
  async (app) => {
    app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
      // An answer has its connection from the moment of its turn.
      if (raw.socket) return;
      const onEnd = () => {
        if (raw.socket) return;
        raw.destroy();
        raw.emit('close');
      };
      socket.once('close', onEnd);
      raw.once('close', () => socket.off('close', onEnd));
    });
  },
  { name: 'queued-responses' },
);
