/**
 * Limits the total time that a request waits for Redis to a second. Only waiting counts: a late event loop is no outage of
 * Redis, as answers may have arrived, but not be read yet.
 */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { redisWaits } from '../../redis/connect.ts';
import { afterRunning } from '../../system/running-time.ts';

interface RedisDeadlineOptions {
  /** How long a request waits in all, in milliseconds. */
  readonly waitMs?: number;
  /** Receives how long a request waited for an answer, in seconds, also if none came in time. */
  readonly waited?: (seconds: number) => void;
}

/** The time limit of a request's Redis answers, all together. */
interface RedisDeadline {
  /** For how much longer one waits, in milliseconds; see src/system/running-time.ts. */
  leftMs: number;
  /** How long it was when it began, in milliseconds. */
  readonly waitMs: number;
  readonly waited: ((seconds: number) => void) | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The deadline of this request. */
    redisDeadline: RedisDeadline | undefined;
  }
}

/** For a request for which no hook has run. */
const passed: RedisDeadline = { leftMs: 0, waitMs: 0, waited: undefined };

export const redisDeadline = fp<RedisDeadlineOptions>(
  async (app, { waitMs = redisWaits.requestMs, waited }) => {
    app.decorateRequest('redisDeadline', undefined);
    app.addHook('onRequest', async (request) => {
      request.redisDeadline = deadlineFromNow(waitMs, waited);
    });
  },
  { name: 'redis-deadline' },
);

/** A deadline that starts now, for use with or without a request. */
export function deadlineFromNow(waitMs: number, waited?: RedisDeadline['waited']): RedisDeadline {
  return { leftMs: waitMs, waitMs, waited };
}

/** A deadline for what a request asks Redis after a step that may have taken long: as long as its first, from now on. */
export function nextDeadline({ redisDeadline }: FastifyRequest): RedisDeadline | undefined {
  return redisDeadline && deadlineFromNow(redisDeadline.waitMs, redisDeadline.waited);
}

/**
 * An outage is an error: nobody is let in unchecked.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` when Redis fails or has not answered in time; other
 * PlatenErrors as they are.
 */
export async function orUnavailable<T>(answer: Promise<T>, deadline: RedisDeadline = passed): Promise<T> {
  const { leftMs, waited } = deadline;
  const asked = performance.now();
  let cancel = () => 0;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = afterRunning(leftMs, () => reject(new Error('Redis is too slow')));
  });
  try {
    return await Promise.race([answer, late]);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1, cause });
  } finally {
    // Of answers that it waits for at a time, the longest counts.
    deadline.leftMs = Math.min(deadline.leftMs, leftMs - cancel());
    waited?.((performance.now() - asked) / 1000);
  }
}
