/** Health for load balancers: is the process up, would a conversion succeed now. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Probe } from '../../convert/probe.ts';
import type { Engine } from '../../engine/engine.ts';
import { PlatenError } from '../../errors.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import type { Maintenance } from '../../redis/maintenance.ts';
import type { WriteCheck } from '../../redis/writable.ts';
import { ErrorObject } from '../error-object.ts';

export interface HealthRouteOptions {
  readonly lifecycle: Lifecycle;
  readonly writeCheck: WriteCheck;
  readonly engine: Engine;
  readonly probe: Probe;
  readonly maintenance: Maintenance;
  /** Whether the event loop starves. */
  readonly isStarving: () => boolean;
}

const Health = Type.Object({
  status: Type.Literal('ok'),
  lastConversionAt: Type.String({
    format: 'date-time',
    description: 'When a real conversion last proved that the service works.',
  }),
});
const Status = Type.Object({ status: Type.Literal('ok') });

export const healthRoutes: FastifyPluginAsyncTypebox<HealthRouteOptions> = async (app, options) => {
  const config = { quiet: true, vital: true };
  for (const path of ['/health', '/v1/health']) {
    const schema = {
      operationId: path === '/health' ? 'getHealthAtRoot' : 'getHealth',
      tags: ['service'],
      summary: 'Whether a conversion would succeed now',
      response: { 200: Health, 503: ErrorObject },
    };
    app.get(path, { config, schema }, async () => assertHealthy(options));
  }
  const live = {
    operationId: 'getLiveness',
    tags: ['service'],
    summary: 'Whether the process is up',
    response: { 200: Status },
  };
  app.get('/health/live', { config, schema: live }, async () => ({ status: 'ok' as const }));
  const ready = {
    operationId: 'getReadiness',
    tags: ['service'],
    summary: 'Whether this server takes traffic',
    response: { 200: Status, 503: ErrorObject },
  };
  app.get('/health/ready', { config, schema: ready }, async () => {
    await assertReady(options);
    return { status: 'ok' as const };
  });
};

/** @throws PlatenError `SERVICE_UNAVAILABLE` that names what is missing. */
export async function assertReady(options: HealthRouteOptions): Promise<void> {
  const { lifecycle, engine, writeCheck, maintenance } = options;
  if (lifecycle.phase !== 'ready') throw unavailable(`the service is ${lifecycle.phase}`);
  if (options.isStarving()) throw unavailable('the service is overloaded');
  if (!engine.status().ready) throw unavailable('the engine is being restarted');
  const [since] = await Promise.all([maintenance.since(), writeCheck.assertWritable()]).catch(
    (cause: unknown) => {
      throw unavailable('Redis cannot be used', cause);
    },
  );
  if (since !== undefined) throw unavailable('the service is under maintenance');
}

/** @throws PlatenError `SERVICE_UNAVAILABLE` that names what is missing. */
export async function assertHealthy(options: HealthRouteOptions): Promise<Static<typeof Health>> {
  await assertReady(options);
  const { result } = options.probe;
  if (!result?.ok) throw unavailable('the last test conversion failed');
  return { status: 'ok', lastConversionAt: result.at };
}

function unavailable(what: string, cause?: unknown): PlatenError {
  return new PlatenError('SERVICE_UNAVAILABLE', { message: `Not ready: ${what}.`, retryAfter: 2, cause });
}
