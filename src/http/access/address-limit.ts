/** Limits per client address, counted in Redis: used for the public endpoint and for failed authentications. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { clientNetwork } from '../core/client-network.ts';

interface AddressLimitOptions {
  readonly redis: RedisClient;
  /** Names the counters in Redis: `platen:NAME:NETWORK`. */
  readonly name: string;
  /** Most requests of a client in a window. */
  readonly max: number;
  /** Length of the window in milliseconds. It begins with the first counted request. */
  readonly windowMs: number;
}

/**
 * Counts the request for its client's network; see {@link clientNetwork}.
 *
 * @returns undefined if the client is within its limit, otherwise whole seconds until its window ends.
 * @throws PlatenError `SERVICE_UNAVAILABLE` if Redis does not answer.
 */
type AddressLimit = (request: FastifyRequest) => Promise<number | undefined>;

/** Creates a limit. Limits of the same name share their counters, on all servers. */
export async function addressLimit(
  app: FastifyInstance,
  { redis, name, max, windowMs }: AddressLimitOptions,
): Promise<AddressLimit> {
  let count: ReturnType<FastifyInstance['createRateLimit']>;
  // Each limit gets a scope, as the plugin allows one name space per scope.
  await app.register(async (scope) => {
    await scope.register(rateLimit, {
      global: false,
      redis,
      nameSpace: `platen:${name}:`,
      max,
      timeWindow: windowMs,
      keyGenerator: (request) => clientNetwork(clientAddressOf(request)),
    });
    count = scope.createRateLimit();
  });
  return async (request) => {
    const verdict = await count(request).catch((cause: unknown) => {
      throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1, cause });
    });
    return !verdict.isAllowed && verdict.isExceeded ? verdict.ttlInSeconds : undefined;
  };
}
