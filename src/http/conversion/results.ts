/** GET /v1/conversions/{requestId}: what became of a conversion, and what to know of its PDF. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { ConversionResult, Conversions } from '../../accounts/billing/conversions.ts';
import type { KeyLocation } from '../../accounts/keys/locate.ts';
import { PlatenError } from '../../errors.ts';
import { type Conversion, conversionBody } from '../../operations/conversion-schema.ts';
import { admittedOf } from '../access/admitted.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { getConversion, noConversion } from './results.contract.ts';

interface ResultRouteOptions {
  readonly conversions: Conversions;
}

/** A server tells Redis of a result right after its answer: the client may ask here before. */
const SECOND_LOOK_MS = 100;
const REQUEST_ID = /^req_[0-9a-f]{32}$/;

export const resultRoute: FastifyPluginAsyncTypebox<ResultRouteOptions> = async (app, { conversions }) => {
  async function find(key: KeyLocation, requestId: string): Promise<ConversionResult | undefined> {
    const result = await conversions.find(key, requestId);
    if (result) return result;
    await delay(SECOND_LOOK_MS);
    return conversions.find(key, requestId);
  }

  app.get(
    getConversion.path,
    { config: { permission: 'convert' }, schema: getConversion.schema },
    async (request): Promise<Static<typeof Conversion>> => {
      const { params, redisDeadline } = request;
      const { key } = admittedOf(request);
      const { requestId } = params;
      const result = REQUEST_ID.test(requestId)
        ? await orUnavailable(find(key, requestId), redisDeadline)
        : undefined;
      if (!result) throw new PlatenError('NOT_FOUND', { message: noConversion });
      return conversionBody(requestId, key.environment, result);
    },
  );
};
