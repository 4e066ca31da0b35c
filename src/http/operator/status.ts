/** The full state of the service: operators read it as JSON, the metrics show it as figures. */
import type { Static } from 'typebox';
import type { Billing } from '../../accounts/billing/billing.ts';
import type { CheckedSettlement } from '../../accounts/billing/checked-settlement.ts';
import type { Config } from '../../config.ts';
import type { Probe } from '../../convert/probe.ts';
import type { Readers } from '../../convert/reading/readers.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Queue } from '../../queue/queue.ts';
import type { EgressPulse } from '../../redis/egress-pulse.ts';
import { type Maintenance, noNotice } from '../../redis/maintenance.ts';
import type { WriteCheck } from '../../redis/writable.ts';
import type { Lifecycle } from '../../system/lifecycle.ts';
import { residentSizes } from '../../system/resident-sizes.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { deadlineFromNow, orUnavailable } from '../core/redis-deadline.ts';
import { assertHealthy, assertReady } from '../service/health.ts';
import type { ServiceStatus as ServiceStatusObject } from './status.contract.ts';

/** What is asked. */
export interface StatusSources {
  readonly version: string;
  readonly config: Pick<Config, 'workers' | 'queueLimit'>;
  readonly lifecycle: Lifecycle;
  readonly engine: Engine;
  readonly queue: Queue;
  readonly readers: Readers;
  readonly settlement: CheckedSettlement;
  readonly billing: Billing;
  /** Undefined: there are none. */
  readonly jobs?: Jobs | undefined;
  readonly webhooks?: Webhooks;
  readonly probe: Probe;
  readonly maintenance: Maintenance;
  readonly pulse: EgressPulse;
  readonly writeCheck: WriteCheck;
  /** How long one waits for Redis, in milliseconds. */
  readonly redisWaitMs: number;
  /** Whether the event loop starves. */
  readonly isStarving: () => boolean;
}

export type ServiceStatus = Static<typeof ServiceStatusObject>;

/** Asks everything at once. Never rejects, and takes about a second at most. */
export async function readStatus(sources: StatusSources): Promise<ServiceStatus> {
  const { version, config, lifecycle, engine, queue, readers, billing, probe } = sources;
  const [redis, maintenance, problem, notReady, residentBytes] = await Promise.all([
    redisState(sources),
    maintenanceState(sources),
    problemOf(assertHealthy(sources)),
    problemOf(assertReady(sources)),
    residentSizes(),
  ]);
  const { sandbox, ...engineState } = engine.status();
  const { running, waiting, waitingByClass, arriving, oldestWaitMs } = queue;
  return {
    status: problem === null ? 'ok' : 'unavailable',
    problem,
    ready: notReady === null,
    phase: lifecycle.phase,
    version,
    node: process.version,
    startedAt: new Date(performance.timeOrigin).toISOString(),
    lastProof: probe.result ?? null,
    maintenance,
    engine: {
      ...engineState,
      libreOffice: engineState.libreOffice ?? null,
      poppler: engineState.poppler ?? null,
      pid: engineState.pid ?? null,
    },
    sandbox: [...sandbox],
    queue: {
      workers: config.workers,
      limit: config.queueLimit,
      running,
      waiting,
      waitingByClass,
      arriving,
      oldestWaitMs,
    },
    preflight: readers.state(),
    redis,
    billing: { unbilled: billing.counts.unbilled },
    residentBytes,
  };
}

async function problemOf(check: Promise<unknown>): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function redisState({
  maintenance,
  writeCheck,
  redisWaitMs,
}: StatusSources): Promise<ServiceStatus['redis']> {
  const asked = performance.now();
  const deadline = deadlineFromNow(redisWaitMs);
  const [read, written] = await Promise.all([
    problemOf(orUnavailable(maintenance.since(), deadline)).then((problem) => ({
      problem,
      ms: performance.now() - asked,
    })),
    problemOf(orUnavailable(writeCheck.assertWritable(), deadline)),
  ]);
  const up = read.problem === null;
  return { up, writable: written === null, latencyMs: up ? read.ms : null };
}

/** Without Redis nobody knows, and nothing is converted either. */
async function maintenanceState({
  maintenance,
  redisWaitMs,
}: StatusSources): Promise<ServiceStatus['maintenance']> {
  const deadline = deadlineFromNow(redisWaitMs);
  const state = await orUnavailable(maintenance.state(), deadline).catch(() => undefined);
  return { on: state !== undefined, since: null, ...noNotice, ...state };
}
