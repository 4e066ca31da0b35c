/** Conversion options that need a plan. They are query parameters, so that the body need not be read. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import { type Feature, features } from '../../plans/plans.ts';

/** The request's option that needs a plan, whatever its value; undefined if there is none. */
export function neededFeature({ query }: FastifyRequest): Feature | undefined {
  return features.find((feature) => Object.hasOwn(query as object, feature));
}

/** For a scope without keys, where nobody has a plan. */
export const noFeatures = fp(
  async (app) => {
    app.addHook('onRequest', async (request) => {
      const feature = neededFeature(request);
      if (feature === undefined) return;
      throw new PlatenError('FEATURE_NOT_IN_PLAN', {
        message: `The option ${feature} needs an API key. Leave it out, or send the document with a key to /v1/convert.`,
      });
    });
  },
  { name: 'no-features', dependencies: ['errors'] },
);
