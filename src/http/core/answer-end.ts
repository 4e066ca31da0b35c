/** The end of an answer. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Callback = (whole: boolean) => void;

/** Callbacks by answer: there are many, and an emitter warns beyond ten listeners. */
const waiting = new WeakMap<ServerResponse, Callback[]>();

/**
 * Calls back once, when the answer has ended or can no longer be sent; in order of registration.
 *
 * @param callback receives whether the whole answer was handed to the connection. `writableFinished` does not tell: Node also
 *   "finishes" an answer whose last write failed with its connection.
 */
export function onAnswerEnd(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
  callback: Callback,
): void {
  if (raw.destroyed) {
    callback(false);
    return;
  }
  const known = waiting.get(raw);
  if (known) {
    known.push(callback);
    return;
  }
  const callbacks = [callback];
  waiting.set(raw, callbacks);
  let whole = false;
  raw.once('finish', () => {
    whole = !socket.destroyed && socket.errored === null;
  });
  raw.once('close', () => {
    for (const each of callbacks) each(whole);
  });
}
