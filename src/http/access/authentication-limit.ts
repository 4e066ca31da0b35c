/** The limit on failed authentications per minute and address. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { addressLimit } from './address-limit.ts';

interface AuthenticationLimitOptions {
  readonly redis: RedisClient;
  /** Failures a minute per address before it must wait. */
  readonly perMinute: number;
}

/** Interval in which an outage of Redis is logged once, however many requests fail. */
const LOG_INTERVAL_MS = 60_000;

/** Decorates the scope that registers it. A valid key works whatever else its address sends. */
export const authenticationLimit = fp<AuthenticationLimitOptions>(
  async (app, { redis, perMinute }) => {
    const limit = await addressLimit(app, {
      redis,
      name: 'failed-authentication',
      max: perMinute,
      windowMs: 60_000,
    });

    app.decorate('countAuthenticationFailure', async (request: FastifyRequest) => {
      const retryAfter = await limit(request);
      if (retryAfter === undefined) return;
      throw new PlatenError('RATE_LIMIT_EXCEEDED', {
        message:
          `More than ${perMinute} requests a minute from your address had an API key that is not valid. ` +
          'Check your API key, wait for retryAfter seconds, then retry.',
        retryAfter,
        reason: 'failed-authentication',
      });
    });

    let uncounted = 0;
    let loggedAt = Number.NEGATIVE_INFINITY;
    app.decorate('missedAuthenticationFailure', ({ log }: FastifyRequest, error: unknown) => {
      uncounted++;
      const now = performance.now();
      if (now - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = now;
      log.warn({ err: error, uncounted }, 'a failed authentication could not be counted');
    });
  },
  { name: 'authentication-limit', dependencies: ['errors'] },
);

/**
 * Counts a failed authentication before it is answered; without Redis the failure itself is the answer.
 *
 * @param app a scope that registered the limit.
 * @throws PlatenError `RATE_LIMIT_EXCEEDED`, to be answered instead of the failure.
 */
export async function limitFailures(app: FastifyInstance, request: FastifyRequest): Promise<void> {
  try {
    await orUnavailable(app.countAuthenticationFailure(request), request.redisDeadline);
  } catch (error) {
    if (error instanceof PlatenError && error.code === 'RATE_LIMIT_EXCEEDED') throw error;
    app.missedAuthenticationFailure(request, error);
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Counts a request whose authentication failed: `INVALID_API_KEY` or `EXPIRED_API_KEY`, not `MISSING_AUTH`.
     *
     * @throws PlatenError `RATE_LIMIT_EXCEEDED`, to be answered instead, if its address had too many failures;
     * `SERVICE_UNAVAILABLE` if Redis does not answer.
     */
    countAuthenticationFailure(request: FastifyRequest): Promise<void>;
    /** Logs, at intervals, that failures could not be counted. */
    missedAuthenticationFailure(request: FastifyRequest, error: unknown): void;
  }
}
