/** Whether this server takes conversions now: it has started, and the service is not in maintenance. */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import type { Maintenance, MaintenanceState } from '../../redis/maintenance.ts';
import type { Lifecycle } from '../../system/lifecycle.ts';
import { orUnavailable } from '../core/redis-deadline.ts';

interface AvailabilityOptions {
  readonly lifecycle: Lifecycle;
  readonly maintenance: Maintenance;
}

/** `Retry-After` during maintenance whose end is unknown or over, in seconds. */
const MAINTENANCE_RETRY_SECONDS = 60;

/**
 * Refuses conversions while the service does not convert, once the caller is known and before the body is read. Redis
 * answers this together with the admission, so it costs no round trip.
 */
export const availability = fp<AvailabilityOptions>(
  async (app, { lifecycle, maintenance }) => {
    app.addHook('onRequest', async (request) => {
      if (!takesDocuments(request)) return;
      const state = orUnavailable(maintenance.state(), request.redisDeadline);
      // Requests refused for another reason never await it.
      state.catch(() => {});
      request.state.maintenance = state;
    });

    // The last moment before the body is read.
    app.addHook('preParsing', async (request) => {
      if (!takesDocuments(request)) return;
      // A draining server takes requests until its port is closed, as load balancers react with a delay.
      if (lifecycle.phase === 'starting') {
        throw new PlatenError('SERVICE_UNAVAILABLE', {
          message: 'The service is starting. Wait for the seconds in the Retry-After header, then retry.',
          retryAfter: 2,
        });
      }
      const state = await request.state.maintenance;
      if (state) throw underMaintenance(state);
    });
  },
  { name: 'availability', dependencies: ['errors', 'redis-deadline'] },
);

function underMaintenance({ reason, until }: MaintenanceState): PlatenError {
  const why = reason === null ? '' : `: ${reason.replace(/[.\s]+$/, '')}`;
  const end = until === null ? '' : ` It is expected to end at ${until}.`;
  const left = until === null ? 0 : (Date.parse(until) - Date.now()) / 1000;
  return new PlatenError('SERVICE_UNAVAILABLE', {
    message: `The service is under maintenance${why}.${end} Wait for the seconds in the Retry-After header, then retry.`,
    retryAfter: left > 0 ? left : MAINTENANCE_RETRY_SECONDS,
  });
}

function takesDocuments({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.conversion === true || config.job === true;
}
