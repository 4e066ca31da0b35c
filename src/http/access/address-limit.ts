/** Limits for a client's address, counted in Redis: what the public endpoint and failed authentications share. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { RedisClient } from '../../redis/connect.ts';
import { clientAddressOf } from '../core/client-address.ts';
import { clientNetwork } from '../core/client-network.ts';

export interface AddressLimitOptions {
  readonly redis: RedisClient;
  /** Names the counters in Redis: `platen:NAME:NETWORK`. */
  readonly name: string;
  /** How many a client may have in a window. */
  readonly max: number;
  /** Length of the window, which begins with the first that is counted, in milliseconds. */
  readonly windowMs: number;
}

/**
 * Counts the request for its client's network, see {@link clientNetwork}.
 *
 * @returns undefined when the client is within its limit, else the whole seconds until its window ends.
 * @throws PlatenError `SERVICE_UNAVAILABLE` when Redis cannot be asked.
 */
export type AddressLimit = (request: FastifyRequest) => Promise<number | undefined>;

/** Makes a limit. The same name is the same counters, on whichever server. */
export async function addressLimit(
  app: FastifyInstance,
  { redis, name, max, windowMs }: AddressLimitOptions,
): Promise<AddressLimit> {
  let count: ReturnType<FastifyInstance['createRateLimit']>;
  // A scope for each limit: the plugin has one name space in a scope, and in those inside it.
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
