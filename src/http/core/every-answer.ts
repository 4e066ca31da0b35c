/** What every answer carries, whatever it answers and however it came about. */
import fp from 'fastify-plugin';

/** The headers of an answer to the request with this id. */
export function everyAnswer(requestId: string) {
  return {
    'x-request-id': requestId,
    // A browser that takes an answer for something else could run it.
    'x-content-type-options': 'nosniff',
  } as const;
}

/** Sends them with every answer that Fastify gives to a request that it could read. */
export const everyAnswerHeaders = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(everyAnswer(request.id));
    });
  },
  { name: 'every-answer' },
);
