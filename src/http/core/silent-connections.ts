/**
 * Closes connections that have sent nothing when the server ends. Browsers and connection pools keep them, and Node would
 * wait for them until its header timeout.
 */
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';

export const silentConnections = fp(
  async (app) => {
    const silent = new Set<Socket>();
    app.server.on('connection', (socket) => {
      silent.add(socket);
      socket.once('close', () => silent.delete(socket));
    });
    // A request that expects something other than "100-continue" has an event of its own.
    for (const event of ['request', 'checkExpectation'] as const) {
      app.server.prependListener(event, ({ socket }) => silent.delete(socket));
    }
    app.addHook('preClose', async () => {
      for (const socket of silent) socket.destroy();
    });
  },
  { name: 'silent-connections' },
);
