import type { FastifyReply } from 'fastify';

/**
 * A signal that aborts when the client goes away before it has the whole response.
 *
 * Fastify's own `request.signal` will not do: it follows the request's `close` event, which Node emits as
 * soon as the body was read.
 */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientGone());
  });
  return controller.signal;
}

/** Nobody is there to read an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
