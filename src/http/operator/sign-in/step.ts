/** What the steps of signing in share, of members to the console and of operators to the dashboard. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { TSchema } from 'typebox';
import { PlatenError } from '../../../errors.ts';
import type { SignedIn } from '../../../members/sign-in.ts';
import type { RedisClient } from '../../../redis/connect.ts';
import { addressLimit } from '../../access/address-limit.ts';
import { orUnavailable } from '../../core/redis-deadline.ts';

/** A scope whose schemas are of typebox. */
export type TypedInstance = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A route that takes this body. */
export interface Step<Body extends TSchema> {
  readonly path: string;
  readonly options: {
    readonly schema: FastifySchema & { readonly body: Body };
    readonly config?: FastifyContextConfig;
  };
}

/** Begins the session of a person who has signed in. @returns the body of the answer. */
export type Admit<R extends string> = (
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn<R>,
) => Promise<object>;

/** Two steps sign one person in; an office has many people behind an address. */
const STEPS_PER_MINUTE = 60;

/** Limits the steps that an address takes in a scope, together with those in others that register this. */
export async function limitSteps(app: FastifyInstance, redis: RedisClient): Promise<void> {
  const limit = await addressLimit(app, { redis, name: 'sign-in', max: STEPS_PER_MINUTE, windowMs: 60_000 });
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const retryAfter = await orUnavailable(limit(request), request.redisDeadline);
    if (retryAfter === undefined) return;
    throw new PlatenError('RATE_LIMIT_EXCEEDED', {
      message:
        'Too many attempts to sign in came from your address. Wait for retryAfter seconds, then retry.',
      retryAfter,
      reason: 'sign-in',
    });
  });
}
