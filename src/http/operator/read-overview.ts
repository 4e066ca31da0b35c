/** How the service is, and what it did. */
import type { Static } from 'typebox';
import type { Statistics } from '../../operator/statistics.ts';
import { deadlineFromNow, orUnavailable } from '../core/redis-deadline.ts';
import type { Overview as OverviewObject } from './service.contract.ts';
import { readStatus, type StatusSources } from './status.ts';

export type Overview = Static<typeof OverviewObject>;

/** How the service is now. Never rejects for want of Redis, and takes about a second at most. */
export async function readOverview(sources: StatusSources, statistics: Statistics): Promise<Overview> {
  const [server, periods] = await Promise.all([
    readStatus(sources),
    orUnavailable(statistics.read(), deadlineFromNow(sources.redisWaitMs)).catch(() => undefined),
  ]);
  return {
    at: new Date().toISOString(),
    server,
    lastHour: periods?.lastHour ?? null,
    lastDay: periods?.lastDay ?? null,
  };
}
