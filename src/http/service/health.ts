/** Health checks: whether the process is up, and whether a conversion would succeed now. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import type { Probe } from '../../convert/probe.ts';
import type { Engine } from '../../engine/engine.ts';
import { PlatenError } from '../../errors.ts';
import type { Maintenance } from '../../redis/maintenance.ts';
import type { WriteCheck } from '../../redis/writable.ts';
import type { Lifecycle } from '../../system/lifecycle.ts';
import { deadlineFromNow, orUnavailable } from '../core/redis-deadline.ts';
import { getHealth, getLiveness, getReadiness, type Health, type Status } from './service.contract.ts';

interface HealthRouteOptions {
  readonly lifecycle: Lifecycle;
  readonly writeCheck: WriteCheck;
  readonly engine: Engine;
  readonly probe: Probe;
  readonly maintenance: Maintenance;
  /** How long one waits for Redis, in milliseconds. */
  readonly redisWaitMs: number;
  /** Whether the event loop starves. */
  readonly isStarving: () => boolean;
}

export const healthRoutes: FastifyPluginAsyncTypebox<HealthRouteOptions> = async (app, options) => {
  const config = { quiet: true, vital: true };
  const ok: Static<typeof Status> = { status: 'ok' };
  app.get(getHealth.path, { config, schema: getHealth.schema }, async () => assertHealthy(options));
  app.get('/health', { config, schema: getHealth.schema }, async () => assertHealthy(options));
  app.get(getLiveness.path, { config, schema: getLiveness.schema }, async () => ok);
  app.get(getReadiness.path, { config, schema: getReadiness.schema }, async () => {
    await assertReady(options);
    return ok;
  });
};

/**
 * Answers within a second in any state of Redis.
 *
 * @throws PlatenError `SERVICE_UNAVAILABLE` that names what is missing.
 */
export async function assertReady(options: HealthRouteOptions): Promise<void> {
  const { lifecycle, engine, writeCheck, maintenance, redisWaitMs } = options;
  if (lifecycle.phase !== 'ready') throw unavailable(`the service is ${lifecycle.phase}`);
  if (options.isStarving()) throw unavailable('the service is overloaded');
  if (!engine.status().ready) throw unavailable('the engine is being restarted');
  const answers = Promise.all([maintenance.since(), writeCheck.assertWritable()]);
  const [since] = await orUnavailable(answers, deadlineFromNow(redisWaitMs)).catch(({ cause }: Error) => {
    throw unavailable('Redis cannot be used', cause);
  });
  if (since !== undefined) throw unavailable('the service is under maintenance');
}

/** Likewise. @throws PlatenError `SERVICE_UNAVAILABLE` that names what is missing. */
export async function assertHealthy(options: HealthRouteOptions): Promise<Static<typeof Health>> {
  await assertReady(options);
  const { result } = options.probe;
  if (!result?.ok) throw unavailable('the last test conversion failed');
  return { status: 'ok', lastConversionAt: result.at };
}

function unavailable(what: string, cause?: unknown): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', { message: `Not ready: ${what}.`, retryAfter: 2, cause });
}
