import type { ServerResponse } from 'node:http';

/**
 * The one signal that ends a conversion: its client goes away before it has an answer, or it loses its place.
 *
 * Fastify's own `request.signal` will not do: it follows the request's `close` event, which Node emits as
 * soon as the body was read.
 *
 * @param place aborts when the conversion loses its place.
 */
export function endingOf(raw: ServerResponse, place: AbortSignal): AbortSignal {
  const ending = new AbortController();
  const leave = () => ending.abort(new ClientGone());
  // An answer that was sent closes as well: nothing listens any more then.
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  place.addEventListener('abort', () => ending.abort(place.reason), { once: true });
  return ending.signal;
}

/** Nobody is there to read an answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
