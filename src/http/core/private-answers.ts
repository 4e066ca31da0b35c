/** Further headers of every answer to an operator or a member: private data, not a page. */
import fp from 'fastify-plugin';

const headers = {
  'cross-origin-resource-policy': 'same-origin',
  // In case a browser displays the answer anyway.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Applies to every request in the registering scope, refused ones included. */
export const privateAnswers = fp(
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers(headers);
    });
  },
  { name: 'private-answers' },
);
