/** The time limit of an answer that is a stream. */
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { onAnswerEnd } from './answer-end.ts';

/**
 * Breaks off an answer that takes longer than this, as its client does not read it.
 *
 * @param stream destroyed when the answer has ended, however it ended.
 */
export function limitDelivery(reply: FastifyReply, timeoutMs: number, stream?: Readable): void {
  const timer = setTimeout(() => reply.raw.destroy(), timeoutMs);
  onAnswerEnd(reply.request, reply, () => {
    clearTimeout(timer);
    stream?.destroy();
  });
}
