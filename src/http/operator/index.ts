/** Routes for operators only: the operator API and the metrics. */
import cookie from '@fastify/cookie';
import type { FastifyPluginAsync } from 'fastify';
import { authenticationLimit } from '../access/authentication-limit.ts';
import { privateAnswers } from '../core/private-answers.ts';
import { type OperatorApiOptions, operatorApi } from './api.ts';
import { operatorAuthentication } from './authentication.ts';
import type { Metrics } from './metrics/metrics.ts';
import { metricsRoute } from './metrics/route.ts';

interface OperatorOptions extends OperatorApiOptions {
  readonly metrics: Metrics;
  /** Failed authentications that one address may have in a minute. */
  readonly authFailuresPerMinute: number;
}

export const operator: FastifyPluginAsync<OperatorOptions> = async (app, options) => {
  const { redis, metrics, authFailuresPerMinute, operatorToken: token } = options;
  const { sessions, operators, audit } = options;
  await app.register(cookie);
  await app.register(authenticationLimit, { redis, perMinute: authFailuresPerMinute });
  await app.register(operatorApi, options);
  await app.register(async (scope) => {
    await scope.register(privateAnswers);
    await scope.register(operatorAuthentication, { token, sessions, operators, audit });
    await scope.register(metricsRoute, { metrics });
  });
};
