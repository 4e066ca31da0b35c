/** GET /v1/conversions/{requestId}: what became of a conversion, and what to know of its PDF. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { ConversionResult, Conversions } from '../../billing/conversions.ts';
import { describeWarning } from '../../convert/report/warning-messages.ts';
import { warningsOf } from '../../convert/report/warnings.ts';
import { PlatenError } from '../../errors.ts';
import type { KeyLocation } from '../../keys/locate.ts';
import { admittedOf } from '../access/admitted.ts';
import { orUnavailable } from '../core/redis-deadline.ts';
import { type Conversion, getConversion, noConversion } from './results.contract.ts';

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
      return { requestId, environment: key.environment, ...described(result) };
    },
  );
};

function described({ report, receipt = null, traceId, ...figures }: ConversionResult) {
  const warnings = report === null ? [] : warningsOf(report);
  return {
    ...figures,
    traceId: traceId ?? null,
    receipt,
    pages: report?.pages ?? null,
    wordPages: report?.wordPages ?? null,
    pagination: report?.pagination ?? null,
    // What an earlier version kept does not say it.
    fonts: (report?.fonts ?? []).map((font) => ({
      ...font,
      metricsCompatible: font.metricsCompatible === true,
    })),
    accessibility: [...(report?.accessibility ?? [])],
    warnings: warnings.map(describeWarning),
  };
}
