/** What every answer to the operator carries: it is theirs alone, and data, no page. */
import fp from 'fastify-plugin';

const headers = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  // Also of an answer that a browser shows all the same.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** For every request in the scope that registers it, also one that is refused. */
export const privateAnswers = fp(
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(headers);
    });
  },
  { name: 'private-answers' },
);
