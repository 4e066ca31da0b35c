/** Turns results and errors of services into answers of HTTP. */
import type { FastifyRequest } from 'fastify';
import { NotFoundError, OperatorError, PlatenError } from '../../errors.ts';
import { orUnavailable } from '../core/redis-deadline.ts';

/**
 * The result of a service.
 *
 * @throws PlatenError `NOT_FOUND` for a NotFoundError; `INVALID_PARAMETER` with the text of another OperatorError; `SERVICE_UNAVAILABLE` if Redis fails or has not
 * answered by the deadline.
 */
export function answerOf<T>({ redisDeadline }: FastifyRequest, answer: Promise<T>): Promise<T> {
  return orUnavailable(translated(answer), redisDeadline);
}

/** As {@link answerOf}, of what does not wait for Redis. */
export function translated<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (error instanceof NotFoundError) throw new PlatenError('NOT_FOUND', { message: noSuch(error.what) });
    if (!(error instanceof OperatorError)) throw error;
    throw new PlatenError('INVALID_PARAMETER', { message: sentence(error.message), cause: error });
  });
}

/** As {@link answerOf}. @throws PlatenError `NOT_FOUND` with this message if there is no result. */
export async function foundBy<T>(
  request: FastifyRequest,
  answer: Promise<T | undefined>,
  message: string,
): Promise<T> {
  const found = await answerOf(request, answer);
  if (found === undefined) throw new PlatenError('NOT_FOUND', { message });
  return found;
}

/** The message of an answer that something does not exist. */
export const noSuch = (what: string): string => `There is no such ${what}.`;

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
