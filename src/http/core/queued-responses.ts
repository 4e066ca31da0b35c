/**
 * Answers queued on a pipelined connection (RFC 9112, section 9.3.2) that never get their turn.
 *
 * Node notifies an answer when its connection ends, but not one that is queued behind another. What waits for the end of an
 * answer, such as a bill or an open PDF, would wait forever.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';

/** Closes answers whose connection ends before their turn. To be registered before everything that waits for their end. */
export const queuedResponses = fp(
  async (app) => {
    const queued = new WeakMap<Socket, Set<ServerResponse>>();

    function queueOf(socket: Socket): Set<ServerResponse> {
      const known = queued.get(socket);
      if (known) return known;
      const queue = new Set<ServerResponse>();
      queued.set(socket, queue);
      socket.once('close', () => {
        for (const response of queue) close(response);
      });
      return queue;
    }

    app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
      // An answer has its connection from the moment of its turn.
      if (raw.socket) return;
      if (socket.destroyed) {
        close(raw);
        return;
      }
      const queue = queueOf(socket);
      queue.add(raw);
      raw.once('close', () => queue.delete(raw));
    });
  },
  { name: 'queued-responses' },
);

function close(response: ServerResponse): void {
  if (response.socket || response.destroyed) return;
  response.destroy();
  response.emit('close');
}
