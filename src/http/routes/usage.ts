/** GET /v1/usage: what the account has used, and what is left. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { accountUsage } from '../../limits/account-usage.ts';
import type { Usage } from '../../limits/usage.ts';
import { ErrorObject } from '../error-object.ts';
import { orUnavailable } from '../redis-deadline.ts';
import { responseHeaders } from '../response-headers.ts';

export interface UsageRouteOptions {
  readonly usage: Usage;
}

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });

const Query = Type.Object({
  month: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      description: 'A calendar month (UTC) as YYYY-MM; this month where it is left out.',
    }),
  ),
});

const UsageObject = Type.Object({
  account: Type.String(),
  plan: Type.String(),
  environment: Type.Enum(['test', 'live'], { description: 'Of the calling key; test is never billed.' }),
  month: Type.String({ description: 'YYYY-MM, UTC.' }),
  conversions: Type.Object({
    used: Type.Integer({ minimum: 0, description: 'PDFs delivered in the month.' }),
    quota: Type.Union([Count, Type.Null()], { description: 'Conversions a month; null is unlimited.' }),
    renewsAt: Time,
  }),
  windows: Type.Array(
    Type.Object({
      name: Type.Enum(['second', 'hour', 'day']),
      limit: Count,
      remaining: Count,
      resetsAt: Time,
    }),
    { description: 'The rate windows that apply to the calling key; none that is unlimited.' },
  ),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      conversions: Count,
      pages: Count,
      bytesIn: Count,
      bytesOut: Count,
      failures: Type.Record(Type.String(), Count, {
        description: 'Conversions that were admitted and failed, by the code of their answer.',
      }),
    }),
    { description: 'Days with conversions, in order.' },
  ),
});

export const usageRoute: FastifyPluginAsyncTypebox<UsageRouteOptions> = async (app, { usage }) => {
  const headers = responseHeaders({ withKey: true });
  const schema = {
    operationId: 'getUsage',
    tags: ['account'],
    summary: 'What the account has used, and what is left',
    security: [{ apiKey: [] }],
    querystring: Query,
    response: {
      200: { ...UsageObject, headers: headers.success },
      '4xx': { ...ErrorObject, headers: headers.failure },
      '5xx': { ...ErrorObject, headers: headers.failure },
    },
  };
  app.get(
    '/v1/usage',
    { config: { permission: 'usage' }, schema },
    async ({ query, key, standing, redisDeadline }) => {
      if (!key || !standing) throw new PlatenError('INTERNAL_ERROR', { cause: 'a route without admission' });
      const month = query.month ?? standing.month;
      const used = await orUnavailable(usage.month(key.account, key.environment, month), redisDeadline);
      const { account, environment } = key;
      return accountUsage(
        { account, plan: standing.plan, environment },
        standing.quota,
        standing.windows,
        used,
      );
    },
  );
};
