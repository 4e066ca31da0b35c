/** The state of the service is available while Redis hangs, however long its client would wait. */
import t from 'tap';
import { Billing } from '../../../src/accounts/billing/billing.ts';
import { CheckedSettlement } from '../../../src/accounts/billing/checked-settlement.ts';
import type { Probe } from '../../../src/convert/probe.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { readOverview } from '../../../src/http/operator/read-overview.ts';
import type { StatusSources } from '../../../src/http/operator/status.ts';
import { assertHealthy, assertReady } from '../../../src/http/service/health.ts';
import { Servers } from '../../../src/operator/servers.ts';
import { Statistics } from '../../../src/operator/statistics.ts';
import { Queue } from '../../../src/queue/queue.ts';
import { Banner } from '../../../src/redis/banner.ts';
import { redisWaits } from '../../../src/redis/connect.ts';
import { EgressPulse } from '../../../src/redis/egress-pulse.ts';
import { Maintenance } from '../../../src/redis/maintenance.ts';
import { WriteCheck } from '../../../src/redis/writable.ts';
import { Lifecycle } from '../../../src/system/lifecycle.ts';
import { openReaders } from '../../convert/support/preflight.ts';
import { log, patientClient, startRedis } from '../../redis/support.ts';

const { server } = await startRedis(t);
t.teardown(() => process.kill(server.pid, 'SIGCONT'));
/** It waits for as long as Redis takes. */
const redis = patientClient(t, server);
const lifecycle = new Lifecycle();
lifecycle.ready();
const settlement = new CheckedSettlement(redis, { log });
const sources: StatusSources = {
  version: '0',
  config: { workers: 1, queueLimit: 1 },
  lifecycle,
  engine: { status: () => ({ ready: true, sandbox: [] }) } as unknown as Engine,
  queue: new Queue({ workers: 1, limit: 1, timeoutMs: 1 }),
  readers: openReaders(),
  settlement,
  billing: new Billing(settlement, log),
  probe: { result: { ok: true, at: new Date(0).toISOString() } } as Probe,
  maintenance: new Maintenance(redis),
  pulse: new EgressPulse(redis),
  writeCheck: new WriteCheck(redis),
  redisWaitMs: redisWaits.requestMs,
  isStarving: () => false,
};

t.test('while Redis hangs', async (t) => {
  await assertReady(sources);
  await assertHealthy(sources);
  process.kill(server.pid, 'SIGSTOP');
  const notReady = { code: 'SERVICE_UNAVAILABLE', message: 'Not ready: Redis cannot be used.' };
  await Promise.all([
    t.rejects(assertReady(sources), notReady),
    t.rejects(() => assertHealthy(sources), notReady),
  ]);
  const statistics = new Statistics(redis, log);
  const overview = await readOverview({
    ...sources,
    statistics,
    servers: new Servers(redis),
    banner: new Banner(redis),
  });
  t.match(overview.server, {
    ready: false,
    redis: { up: false, writable: false, latencyMs: null },
    maintenance: { on: false },
  });
  t.equal(overview.lastHour, null);
  t.match([overview.servers, overview.banner], [[], null]);
  process.kill(server.pid, 'SIGCONT');
  await statistics.close();
});
