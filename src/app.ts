/** The ordered list of what a request passes through. Never listens, reads the environment or traps signals. */
import type { FastifyInstance } from 'fastify';
import { silentMs } from './convert/time-limits.ts';
import { keyAccess, publicAccess } from './http/access/index.ts';
import { SLOW_MS } from './http/access/simulation.ts';
import { account } from './http/account/index.ts';
import { consoleApi } from './http/console/index.ts';
import { addSchemas } from './http/contract/responses.ts';
import { conversion, publicConversion } from './http/conversion/index.ts';
import { core } from './http/core/index.ts';
import { createServer } from './http/core/server.ts';
import { jobs } from './http/jobs/index.ts';
import { operator } from './http/operator/index.ts';
import { Metrics } from './http/operator/metrics/metrics.ts';
import { OperatorRecords } from './http/operator/records.ts';
import { applicationUrl } from './http/pages/applications.ts';
import { pages } from './http/pages/index.ts';
import { infoRoutes } from './http/reference/info.ts';
import { operations } from './http/reference/operations.ts';
import { healthRoutes } from './http/service/health.ts';
import type { Services } from './services.ts';

/** Builds the application on services that may still be starting. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, log, lifecycle, version, redisWaitMs } = services;
  const sources = { ...services, isStarving: () => app.isUnderPressure() };
  const metrics = new Metrics(sources);
  services.telemetry?.sendMetrics(() => metrics.read());
  const app = createServer({
    ...config,
    log,
    silentMs: silentMs(config) + SLOW_MS,
    rewriteUrl: applicationUrl,
    plainSchemas: ['Job', 'JobSummary', 'JobList'],
    unreadable: (status) => metrics.requests.unreadable(status),
  });
  await app.register(core, {
    ...config,
    lifecycle,
    observers: [metrics.requests, new OperatorRecords(services.statistics, services.requests)],
    redisWaitMs,
    waitedForRedis: (seconds) => metrics.redis.waited(seconds),
  });
  addSchemas(app, operations);
  await app.register(infoRoutes, { version, config });
  await app.register(healthRoutes, sources);
  await app.register(pages, { config, hasJobs: services.jobs !== undefined });

  const { authFailuresPerMinute, publicPerHour: perHour, publicPerSecond: perSecond } = config;
  await app.register(operator, { ...sources, metrics, authFailuresPerMinute });
  await app.register(consoleApi, { ...services, authFailuresPerMinute });

  const { converter, workspaces, plans } = services;
  const { uploadTimeoutMs, deliveryTimeoutMs, maxFileBytes, publicMaxFileBytes } = config;
  const { draining } = lifecycle;
  const conversions = { converter, workspaces, uploadTimeoutMs, deliveryTimeoutMs, draining };
  await app.register(async (scope) => {
    await scope.register(keyAccess, { ...services, authFailuresPerMinute });
    await scope.register(conversion, { ...conversions, ...services, maxBytes: maxFileBytes });
    await scope.register(jobs, { ...services, maxFileBytes, uploadTimeoutMs, deliveryTimeoutMs, draining });
    await scope.register(account, services);
  });
  await app.register(async (scope) => {
    await scope.register(publicAccess, {
      ...services,
      perHour,
      perSecond,
      limitsOwn: config.limitsOwnAddresses,
    });
    await scope.register(publicConversion, { ...conversions, plans, maxBytes: publicMaxFileBytes });
  });
  return app;
}
