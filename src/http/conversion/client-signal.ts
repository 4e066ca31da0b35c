import type { FastifyReply, FastifyRequest } from 'fastify';
import { onAnswerEnd } from '../core/answer-end.ts';

/**
 * A signal that aborts when the client goes away before it has the whole response.
 *
 * Fastify's own `request.signal` will not do: it follows the request's `close` event, which Node emits as
 * soon as the body was read.
 */
export function clientSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onAnswerEnd(request, reply, (whole) => {
    if (!whole) controller.abort(new ClientGone());
  });
  return controller.signal;
}

/** Nobody is there to read an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
