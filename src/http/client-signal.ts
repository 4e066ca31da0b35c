import type { FastifyReply } from 'fastify';

/**
 * A signal that aborts when the client goes away before it has the whole response.
 *
 * Fastify's own `request.signal` will not do: it follows the request's `close` event, which Node emits as
 * soon as the body was read.
 */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientGone());
  };
  // It may have left before, while its key was checked.
  if (reply.raw.destroyed) onClose();
  else reply.raw.once('close', onClose);
  return controller.signal;
}

/** Nobody is there to read an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
