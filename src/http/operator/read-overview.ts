/** State and figures of the service. */
import type { Static } from 'typebox';
import type { Servers } from '../../operator/servers.ts';
import type { Statistics } from '../../operator/statistics.ts';
import type { Banner } from '../../redis/banner.ts';
import { deadlineFromNow, orUnavailable } from '../core/redis-deadline.ts';
import type { Overview as OverviewObject } from './service.contract.ts';
import { readStatus, type StatusSources } from './status.ts';

export type Overview = Static<typeof OverviewObject>;

export interface OverviewSources extends StatusSources {
  readonly statistics: Statistics;
  readonly servers: Servers;
  readonly banner: Banner;
}

/** Reads the overview. Never rejects because of Redis, and takes about a second at most. */
export async function readOverview(sources: OverviewSources): Promise<Overview> {
  const { statistics, servers, banner, redisWaitMs } = sources;
  const orNone = <T>(answer: Promise<T>) =>
    orUnavailable(answer, deadlineFromNow(redisWaitMs)).catch(() => undefined);
  const [server, periods, all, shown] = await Promise.all([
    readStatus(sources),
    orNone(statistics.read()),
    orNone(servers.list()),
    orNone(banner.get()),
  ]);
  return {
    at: new Date().toISOString(),
    server,
    servers: all ?? [],
    banner: shown ?? null,
    lastHour: periods?.lastHour ?? null,
    lastDay: periods?.lastDay ?? null,
  };
}
