/** Whether this server takes conversions now: it has started, and the service is not in maintenance. */
import fp from 'fastify-plugin';
import { PlatenError } from '../../errors.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import type { Maintenance } from '../../redis/maintenance.ts';
import { orUnavailable } from '../core/redis-deadline.ts';

export interface AvailabilityOptions {
  readonly lifecycle: Lifecycle;
  readonly maintenance: Maintenance;
}

/** What a client is asked to wait when nobody knows how long the maintenance takes, in seconds. */
const MAINTENANCE_RETRY_SECONDS = 60;

/**
 * Refuses conversions that nobody would do, once the caller is known and before the body is read. Redis is asked
 * at the same time as it decides about the caller, so that this costs no round trip of its own.
 */
export const availability = fp<AvailabilityOptions>(
  async (app, { lifecycle, maintenance }) => {
    app.addHook('onRequest', async (request) => {
      if (!request.routeOptions.config.conversion) return;
      const since = orUnavailable(maintenance.since(), request.redisDeadline);
      // Who is refused for another reason never awaits it.
      since.catch(() => {});
      request.state.maintenance = since;
    });

    // The last moment before the body is read.
    app.addHook('preParsing', async (request) => {
      if (!request.routeOptions.config.conversion) return;
      // One that drains takes what comes until its port is closed: a load balancer takes a while to notice.
      if (lifecycle.phase === 'starting') {
        throw new PlatenError('SERVICE_UNAVAILABLE', {
          message: 'The service is starting. Wait for the seconds in the Retry-After header, then retry.',
          retryAfter: 2,
        });
      }
      const since = await request.state.maintenance;
      if (since !== undefined) {
        throw new PlatenError('SERVICE_UNAVAILABLE', {
          message:
            'The service is under maintenance. Wait for the seconds in the Retry-After header, then retry.',
          retryAfter: MAINTENANCE_RETRY_SECONDS,
        });
      }
    });
  },
  { name: 'availability', dependencies: ['errors', 'redis-deadline'] },
);
