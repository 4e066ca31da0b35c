/** A client waits for Redis no longer than a second in all, whatever a request asks it. */
import fp from 'fastify-plugin';
import { PlatenError } from '../errors.ts';

const DEADLINE_MS = 900;

declare module 'fastify' {
  interface FastifyRequest {
    /** What Redis has to answer for this request, it answers by then, as `performance.now()` counts. */
    redisDeadline: number;
  }
}

export const redisDeadline = fp(
  async (app) => {
    app.decorateRequest('redisDeadline', 0);
    app.addHook('onRequest', async (request) => {
      request.redisDeadline = performance.now() + DEADLINE_MS;
    });
  },
  { name: 'redis-deadline' },
);

/**
 * An outage is an error, and never a pass.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` when Redis fails or has not answered by the deadline; other
 * PlatenErrors as they are.
 */
export async function orUnavailable<T>(answer: Promise<T>, deadline: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const wait = Math.max(0, deadline - performance.now());
    timer = setTimeout(() => reject(new Error('Redis is too slow')), wait);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1, cause });
  } finally {
    clearTimeout(timer);
  }
}
