/** The limit of the public endpoint: requests an hour and a second per address. */
import { networkInterfaces } from 'node:os';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { addressLimit } from './address-limit.ts';

export interface PublicLimitOptions {
  readonly redis: RedisClient;
  readonly perHour: number;
  readonly perSecond: number;
  /** Whether it is also for requests of programs on this machine; by default it is. */
  readonly limitsOwn?: boolean;
}

/** Counts every request of the scope that registers it, including refused ones. */
export const publicLimit = fp<PublicLimitOptions>(
  async (app, { redis, perHour, perSecond, limitsOwn = true }) => {
    // The second is checked first, so that requests that it refuses do not use up the hour.
    const second = { redis, name: 'public:second', max: perSecond, windowMs: 1_000 };
    const hour = { redis, name: 'public:hour', max: perHour, windowMs: 3_600_000 };
    const limits = [
      { reason: 'public-second', limit: await addressLimit(app, second) },
      { reason: 'public-hour', limit: await addressLimit(app, hour) },
    ] as const;

    app.addHook('onRequest', async (request) => {
      await request.state.trace.timed('admission', () => admit(request));
    });

    async function admit(request: FastifyRequest): Promise<void> {
      if (!limitsOwn && isOwn(request)) return;
      for (const { reason, limit } of limits) {
        const retryAfter = await orUnavailable(limit(request), request.redisDeadline);
        if (retryAfter === undefined) continue;
        throw new PlatenError('RATE_LIMIT_EXCEEDED', {
          message:
            `The public endpoint takes ${perHour} documents an hour and ${perSecond} a second from one ` +
            'address. Wait for retryAfter seconds, or use an API key.',
          retryAfter,
          reason,
        });
      }
    }
  },
  { name: 'public-limit', dependencies: ['errors', 'redis-deadline'] },
);

/** In which proxies say for whom they ask (RFC 7239; RFC 9110, section 7.6.3). */
const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** Whether a program on this machine asks, and for itself. */
function isOwn(request: FastifyRequest): boolean {
  if (forwardingHeaders.some((name) => name in request.headers)) return false;
  const address = clientAddressOf(request);
  const own = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces);
  return own.some((each) => each.address === address);
}
