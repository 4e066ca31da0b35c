/** The end of an answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Calls back once, when the answer has ended or can no longer be sent.
 *
 * @param callback is told whether all of the answer was handed to the connection. `writableFinished` does not tell:
 *   Node also "finishes" an answer whose last write failed together with its connection.
 */
export function onAnswerEnd(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
  callback: (whole: boolean) => void,
): void {
  if (raw.destroyed) {
    callback(false);
    return;
  }
  let whole = false;
  raw.once('finish', () => {
    whole = !socket.destroyed && socket.errored === null;
  });
  raw.once('close', () => callback(whole));
}
