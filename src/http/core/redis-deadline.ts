/**
 * A client waits for Redis no longer than a second in all, whatever a request asks it. The time for which this process
 * itself stood still is not counted: its answers may be there, not read yet.
 */
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { afterRunning } from '../../system/running-time.ts';

const DEADLINE_MS = 900;

export interface RedisDeadlineOptions {
  /** Is told how long a request waited for an answer, in seconds, also where none came in time. */
  readonly waited?: (seconds: number) => void;
}

/** By when Redis has to have answered a request. */
export interface RedisDeadline {
  /** As `performance.now()` counts. */
  readonly at: number;
  readonly waited: ((seconds: number) => void) | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What Redis has to answer for this request, it answers by then. */
    redisDeadline: RedisDeadline | undefined;
  }
}

/** Of a request that no hook has run for. */
const passed: RedisDeadline = { at: 0, waited: undefined };

export const redisDeadline = fp<RedisDeadlineOptions>(
  async (app, { waited }) => {
    app.decorateRequest('redisDeadline', undefined);
    app.addHook('onRequest', async (request) => {
      request.redisDeadline = deadlineFromNow(waited);
    });
  },
  { name: 'redis-deadline' },
);

/** The deadline of what is asked from now on, by a request or by nobody in particular. */
export function deadlineFromNow(waited?: RedisDeadline['waited']): RedisDeadline {
  return { at: performance.now() + DEADLINE_MS, waited };
}

/**
 * An outage is an error, and never a pass.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` when Redis fails or has not answered by the deadline; other
 * PlatenErrors as they are.
 */
export async function orUnavailable<T>(
  answer: Promise<T>,
  { at, waited }: RedisDeadline = passed,
): Promise<T> {
  const asked = performance.now();
  let cancel = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = afterRunning(Math.max(0, at - asked), () => reject(new Error('Redis is too slow')));
  });
  try {
    return await Promise.race([answer, late]);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1, cause });
  } finally {
    cancel();
    waited?.((performance.now() - asked) / 1000);
  }
}
