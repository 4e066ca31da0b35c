/** Headers of every answer, however it came about. */
import fp from 'fastify-plugin';

/** The headers of an answer to the request with this id. */
export function everyAnswer(requestId: string) {
  return {
    'x-request-id': requestId,
    // A browser that guesses another type could run the answer.
    'x-content-type-options': 'nosniff',
    // Most are about one customer (RFC 9111, section 5.2.2.5). Routes of files for everybody say otherwise.
    'cache-control': 'no-store',
  } as const;
}

/** Adds them to every answer of Fastify. */
export const everyAnswerHeaders = fp(
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(everyAnswer(request.id));
    });
  },
  { name: 'every-answer' },
);
