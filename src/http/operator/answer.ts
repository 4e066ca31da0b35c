/** What the services say to the operator, as answers of HTTP. */
import type { FastifyRequest } from 'fastify';
import { OperatorError, PlatenError } from '../../errors.ts';
import { orUnavailable } from '../core/redis-deadline.ts';

/**
 * The answer of a service.
 *
 * @throws PlatenError `INVALID_PARAMETER` with the words of an OperatorError; `SERVICE_UNAVAILABLE` when Redis fails or
 * has not answered by the deadline.
 */
export function answerOf<T>({ redisDeadline }: FastifyRequest, answer: Promise<T>): Promise<T> {
  const translated = answer.catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    throw new PlatenError('INVALID_PARAMETER', { message: sentence(error.message), cause: error });
  });
  return orUnavailable(translated, redisDeadline);
}

/** As {@link answerOf}. @throws PlatenError `NOT_FOUND` with this message when there is none. */
export async function foundBy<T>(
  request: FastifyRequest,
  answer: Promise<T | undefined>,
  message: string,
): Promise<T> {
  const found = await answerOf(request, answer);
  if (found === undefined) throw new PlatenError('NOT_FOUND', { message });
  return found;
}

/** What was sent as the place of the next page. @throws PlatenError `INVALID_PARAMETER` for what never was one. */
export function readCursor(
  text: string | undefined,
  isCursor: (text: string) => boolean,
): string | undefined {
  if (text === undefined || isCursor(text)) return text;
  throw new PlatenError('INVALID_PARAMETER', {
    message: 'after must be the "next" of the page before, or left out.',
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
