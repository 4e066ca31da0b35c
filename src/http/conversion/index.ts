/** A DOCX in, its PDF out: with a key, whose results are kept, and without one. */
import type { FastifyPluginAsync } from 'fastify';
import type { Conversions } from '../../accounts/billing/conversions.ts';
import { readQueryValues } from '../contract/query-values.ts';
import { type CombineRouteOptions, combineRoute } from './combine.ts';
import { convertDocument, convertDocumentPublic } from './convert.contract.ts';
import { type ConvertRouteOptions, convertRoute } from './convert.ts';
import { resultRoute } from './results.ts';

type PublicConversionOptions = Omit<ConvertRouteOptions, 'operation'>;

interface ConversionOptions extends PublicConversionOptions, CombineRouteOptions {
  readonly conversions: Conversions;
}

/** To be registered in a scope of keys. */
export const conversion: FastifyPluginAsync<ConversionOptions> = async (app, { conversions, ...options }) => {
  readQueryValues(app);
  await app.register(convertRoute, { ...options, operation: convertDocument });
  await app.register(combineRoute, options);
  await app.register(resultRoute, { conversions });
};

/** To be registered in a scope that everyone enters. */
export const publicConversion: FastifyPluginAsync<PublicConversionOptions> = async (app, options) => {
  readQueryValues(app);
  await app.register(convertRoute, { ...options, operation: convertDocumentPublic });
};
