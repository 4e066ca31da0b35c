/**
 * Limits the total time that a request waits for Redis to a second. Time in which this process was suspended is ignored:
 * answers may have arrived, but not be read yet.
 */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { redisWaits } from '../../redis/connect.ts';
import { afterRunning } from '../../system/running-time.ts';

export interface RedisDeadlineOptions {
  /** How long a request waits in all, in milliseconds. */
  readonly waitMs?: number;
  /** Receives how long a request waited for an answer, in seconds, also if none came in time. */
  readonly waited?: (seconds: number) => void;
}

/** The deadline of a request's Redis answers. */
export interface RedisDeadline {
  /** By `performance.now()`. */
  readonly at: number;
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
const passed: RedisDeadline = { at: 0, waitMs: 0, waited: undefined };

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
  return { at: performance.now() + waitMs, waitMs, waited };
}

/** A deadline for what a request asks Redis after a step that may have taken long: as long as its first, from now on. */
export function nextDeadline({ redisDeadline }: FastifyRequest): RedisDeadline | undefined {
  return redisDeadline && deadlineFromNow(redisDeadline.waitMs, redisDeadline.waited);
}

/**
 * An outage is an error: nobody is let in unchecked.
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
