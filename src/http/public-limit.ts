/** The limit of the public endpoint: so many requests an hour and a second from one address. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';
import { PlatenError } from '../errors.ts';

export interface PublicLimitOptions {
  readonly redis: Redis;
  readonly perHour: number;
  readonly perSecond: number;
}

/** Counts every request of the scope that registers it; refused ones count too. */
export const publicLimit = fp<PublicLimitOptions>(
  async (app, { redis, perHour, perSecond }) => {
    await app.register(rateLimit, { global: false, redis, nameSpace: 'platen:public:' });
    const rule = (name: string, max: number, timeWindow: number) =>
      app.createRateLimit({
        max,
        timeWindow,
        keyGenerator: (request: FastifyRequest) => `${name}:${clientNetwork(request.ip)}`,
      });
    // The second first: who is refused by it does not use up the hour.
    const rules = [rule('second', perSecond, 1000), rule('hour', perHour, 3_600_000)];

    app.addHook('onRequest', async (request) => {
      for (const check of rules) {
        const verdict = await check(request).catch((cause: unknown) => {
          throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1, cause });
        });
        if (!verdict.isAllowed && verdict.isExceeded) {
          throw new PlatenError('RATE_LIMIT_EXCEEDED', {
            message:
              `The public endpoint takes ${perHour} documents an hour and ${perSecond} a second from one ` +
              'address. Wait for retryAfter seconds, or use an API key.',
            retryAfter: verdict.ttlInSeconds,
          });
        }
      }
    });
  },
  { name: 'public-limit', dependencies: ['errors'] },
);

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 client has to itself. */
export function clientNetwork(address: string | undefined): string {
  // A proxy may forward something that is no address, and a socket that is gone has none.
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
