/** The limit of the public endpoint: requests an hour and a second per address. */
import { networkInterfaces } from 'node:os';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { isSameOrigin } from '../core/same-origin.ts';
import { addressLimit } from './address-limit.ts';

interface PublicLimitOptions {
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

/** Headers in which proxies say for whom they ask (RFC 7239; RFC 9110, section 7.6.3). */
const FORWARDING = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

/**
 * Whether a program on this machine asks, and for itself. Many proxies on it say nothing of their clients, but pass on the name by
 * which these know the service. And pages of other sites in a browser here ask for strangers, too.
 */
function isOwn(request: FastifyRequest): boolean {
  const { headers, hostname } = request;
  if (Object.keys(headers).some((name) => FORWARDING.test(name)) || isSameOrigin(request) === false) {
    return false;
  }
  // Link-local addresses are left out: another machine in another network of this one may have the same.
  const own = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ scopeid = 0 }) => scopeid === 0)
    .map(({ address }) => address);
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  return own.some((each) => each === clientAddressOf(request)) && ['localhost', ...own].includes(name);
}
