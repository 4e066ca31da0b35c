/** Conversion options that need a plan. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type FeatureNeed, featureNeeds } from '../../accounts/plans/option-features.ts';
import { hasFeature, type Plans, plansWith } from '../../accounts/plans/plans.ts';
import { PlatenError } from '../../errors.ts';
import { asyncPreference } from './preference.ts';

/** What the options in the query need. Those in the form are known later, see {@link assertFeatures}. */
export function neededFeatures(request: FastifyRequest): FeatureNeed[] {
  const needs = featureNeeds(request.query as Record<string, unknown>);
  return request.routeOptions.config.job || asyncPreference(request)
    ? [{ option: undefined, feature: 'jobs' }, ...needs]
    : needs;
}

/** The refusal for a plan; undefined if it has all features. */
export function featureRefusal(
  plans: Plans,
  plan: string,
  needs: readonly FeatureNeed[],
): PlatenError | undefined {
  const own = plans.get(plan);
  const need = needs.find(({ feature }) => !own || !hasFeature(own, feature));
  if (!need) return undefined;
  const { option, feature } = need;
  const others = plansWith(plans, feature);
  const where =
    others.length === 0
      ? 'None of the plans has it'
      : `It is in: ${others.map((name) => `"${name}"`).join(', ')}`;
  return new PlatenError('FEATURE_NOT_IN_PLAN', {
    message:
      option === undefined
        ? `Jobs are not in your plan "${plan}". ${where}. Ask your operator for such a plan.`
        : `The option ${option} is not in your plan "${plan}". ${where}. Leave it out, or ask your operator for such a plan.`,
  });
}

/**
 * Checks options of the form, once the body has been read.
 *
 * @throws PlatenError `FEATURE_NOT_IN_PLAN`
 */
export function assertFeatures(
  { state: { key, standing } }: FastifyRequest,
  plans: Plans,
  options: Readonly<Record<string, unknown>>,
): void {
  if (!key || !standing) assertPublic(Object.keys(options).map((option) => ({ option })));
  else if (key.environment === 'live') {
    const refusal = featureRefusal(plans, standing.plan, featureNeeds(options));
    if (refusal) throw refusal;
  }
}

/** Without a key there is no plan, and the form has no options. */
function assertPublic([need]: readonly Pick<FeatureNeed, 'option'>[]): void {
  if (!need) return;
  throw new PlatenError('FEATURE_NOT_IN_PLAN', {
    message: `The option ${need.option} needs an API key. Leave it out, or send the document with a key to /v1/convert.`,
  });
}

/** For a scope without keys. */
export const noFeatures = fp(
  async (app) => {
    app.addHook('onRequest', async (request) => assertPublic(neededFeatures(request)));
  },
  { name: 'no-features', dependencies: ['errors'] },
);
