/** Request ids: ours alone, so that a client cannot write into our logs. */
import { randomUUID } from 'node:crypto';
import fp from 'fastify-plugin';

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** Sends X-Request-Id with every response. */
export const requestId = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id);
    });
  },
  { name: 'request-id' },
);
