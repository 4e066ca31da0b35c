/**
 * Connections that were opened and have sent nothing yet, as browsers and connection pools keep them, do not
 * hold up the end of the server: Node counts them as busy until its time limit for headers.
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
    app.server.prependListener('request', ({ socket }) => silent.delete(socket));
    app.addHook('preClose', async () => {
      for (const socket of silent) socket.destroy();
    });
  },
  { name: 'silent-connections' },
);
