/** /operator/v1/maintenance: whether conversions are refused on every server. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Management } from '../../operator/management.ts';
import { type Maintenance, type MaintenanceState, noNotice } from '../../redis/maintenance.ts';
import { answerOf } from './answer.ts';
import { actorOf } from './authentication.ts';
import type { OverviewFeed } from './overview-feed.ts';
import { getMaintenance, setMaintenance } from './service.contract.ts';

export interface MaintenanceRoutesOptions {
  readonly maintenance: Maintenance;
  readonly management: Management;
  readonly feed: OverviewFeed;
}

/** Register it in a scope that only operators enter. */
export const maintenanceRoutes: FastifyPluginAsyncTypebox<MaintenanceRoutesOptions> = async (
  app,
  options,
) => {
  const { maintenance, management, feed } = options;
  app.get(getMaintenance.path, { schema: getMaintenance.schema }, async (request) =>
    describe(await answerOf(request, maintenance.state())),
  );

  app.put(setMaintenance.path, { schema: setMaintenance.schema }, async (request) => {
    const { on, reason = null, until } = request.body;
    const notice = { reason, until: until === undefined ? null : new Date(until).toISOString() };
    const state = await answerOf(request, management.setMaintenance(actorOf(request), on, notice));
    feed.tellNow();
    return describe(state);
  });
};

function describe(state: MaintenanceState | undefined) {
  return { on: state !== undefined, since: null, ...noNotice, ...state };
}
