/** The ordered list of what a request meets. Never listens, reads the environment or traps signals. */
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { silentMs } from './convert/time-limits.ts';
import { admissionPlugin } from './http/admission.ts';
import { authenticationLimit } from './http/authentication-limit.ts';
import { availability } from './http/availability.ts';
import { trustedProxies } from './http/client-address.ts';
import { ClientErrors } from './http/client-errors.ts';
import { connectionLimit } from './http/connection-limit.ts';
import { convertDocument, convertDocumentPublic } from './http/contract/convert.ts';
import { conversionResults } from './http/conversion-results.ts';
import { answerFrameworkError, errorHandling } from './http/errors.ts';
import { everyAnswerHeaders } from './http/every-answer.ts';
import { noFeatures } from './http/features.ts';
import { Metrics } from './http/metrics.ts';
import { openApi } from './http/openapi.ts';
import { operatorAuthentication } from './http/operator-authentication.ts';
import { OperatorRecords } from './http/operator-records.ts';
import { privateAnswers } from './http/private-answers.ts';
import { publicLimit } from './http/public-limit.ts';
import { queuedResponses } from './http/queued-responses.ts';
import { redisDeadline } from './http/redis-deadline.ts';
import { newRequestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import { reservedPaths } from './http/reserved-paths.ts';
import { assetRoutes } from './http/routes/assets.ts';
import { conversionRoute } from './http/routes/conversions.ts';
import { convertRoute } from './http/routes/convert.ts';
import { dashboardRoutes, dashboardUrl } from './http/routes/dashboard.ts';
import { docsRoutes } from './http/routes/docs.ts';
import { healthRoutes } from './http/routes/health.ts';
import { infoRoutes } from './http/routes/info.ts';
import { metricsRoute } from './http/routes/metrics.ts';
import { operatorApi } from './http/routes/operator/api.ts';
import { rotateRoute } from './http/routes/rotate.ts';
import { tryItRoute } from './http/routes/try-it.ts';
import { usageRoute } from './http/routes/usage.ts';
import { sharedSerializers } from './http/serializers.ts';
import { silentConnections } from './http/silent-connections.ts';
import { SLOW_MS, simulation } from './http/simulation.ts';
import { starvation } from './http/starvation.ts';
import { unreadBody } from './http/unread-body.ts';
import { validation } from './http/validation.ts';
import type { Services } from './services.ts';

/** No route but an upload has a body to speak of. */
const BODY_LIMIT = 65_536;
/** How often Node looks for requests that take too long, unless they may take less. */
const MAX_CHECK_INTERVAL_MS = 5_000;
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;
/** Beyond what Platen itself allows a request to take. */
const GRACE_MS = 10_000;

/** Builds the application on services that may still be starting. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, log, lifecycle, converter, workspaces, redis, version } = services;
  const { locator, rotation, admission, billing, claims, usage, conversions, maintenance, sessions, audit } =
    services;
  const { uploadTimeoutMs, deliveryTimeoutMs, headersTimeoutMs } = config;
  const sources = { ...services, isStarving: () => app.isUnderPressure() };
  const metrics = new Metrics(sources);
  const clientErrors = new ClientErrors(log, (status) => metrics.requests.unreadable(status));
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // see http/request-log.ts
    ajv: validation,
    schemaController: sharedSerializers(),
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: BODY_LIMIT,
    // Time for the whole request to arrive; the upload's own limit answers first.
    requestTimeout: uploadTimeoutMs + GRACE_MS,
    // A connection is silent while its document is checked, waits and is converted.
    connectionTimeout: uploadTimeoutMs + silentMs(config) + SLOW_MS + GRACE_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(headersTimeoutMs, MAX_CHECK_INTERVAL_MS),
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false, // http/errors.ts does
    },
    rewriteUrl: ({ url = '/' }) => dashboardUrl(url),
    frameworkErrors(error, request, reply) {
      metrics.requests.unreadable(400);
      answerFrameworkError(error, request, reply);
    },
    return503OnClosing: false, // draining answers with the error object, see routes/convert.ts
    clientErrorHandler: (error, socket) => clientErrors.answer(error, socket),
  });
  clientErrors.follow(app.server);

  await app.register(queuedResponses);
  await app.register(redisDeadline, { waited: (seconds) => metrics.redis.waited(seconds) });
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  await app.register(silentConnections);
  const records = new OperatorRecords(services.statistics, services.requests);
  await app.register(requestLog, { lifecycle, observers: [metrics.requests, records] });
  await app.register(connectionLimit, { max: config.maxConnections });
  await app.register(starvation, { maxDelayMs: config.maxEventLoopDelayMs });
  await app.register(unreadBody);
  await app.register(reservedPaths);
  await app.register(multipart);
  await app.register(openApi, { version });

  await app.register(healthRoutes, sources);
  await app.register(infoRoutes, { version, config });
  await app.register(assetRoutes);
  await app.register(docsRoutes);
  await app.register(tryItRoute, { config });
  await app.register(dashboardRoutes);

  const failedAuthentications = { redis, perMinute: config.authFailuresPerMinute };
  await app.register(async (scope) => {
    await scope.register(authenticationLimit, failedAuthentications);
    await scope.register(operatorApi, sources);
    await scope.register(async (inner) => {
      await inner.register(privateAnswers);
      await inner.register(operatorAuthentication, { token: services.operatorToken, sessions, audit });
      await inner.register(metricsRoute, { metrics });
    });
  });

  const { draining } = lifecycle;
  const conversion = { uploadTimeoutMs, deliveryTimeoutMs, converter, workspaces, draining };
  await app.register(async (scope) => {
    await scope.register(availability, { lifecycle, maintenance });
    await scope.register(authenticationLimit, failedAuthentications);
    await scope.register(admissionPlugin, { locator, admission, billing, claims });
    await scope.register(conversionResults, { conversions });
    await scope.register(simulation);
    await scope.register(convertRoute, {
      ...conversion,
      operation: convertDocument,
      maxBytes: config.maxFileBytes,
    });
    await scope.register(conversionRoute, { conversions });
    await scope.register(usageRoute, { usage });
    await scope.register(rotateRoute, { rotation, audit });
  });
  await app.register(async (scope) => {
    await scope.register(availability, { lifecycle, maintenance });
    await scope.register(publicLimit, {
      redis,
      perHour: config.publicPerHour,
      perSecond: config.publicPerSecond,
    });
    await scope.register(noFeatures);
    await scope.register(simulation);
    await scope.register(convertRoute, {
      ...conversion,
      operation: convertDocumentPublic,
      maxBytes: config.publicMaxFileBytes,
    });
  });
  return app;
}
