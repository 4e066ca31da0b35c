/** Plugins that apply to every request, in this order. */
import multipart from '@fastify/multipart';
import fp from 'fastify-plugin';
import type { Lifecycle } from '../../system/lifecycle.ts';
import { connectionLimit } from './connection-limit.ts';
import { crossOrigin } from './cross-origin.ts';
import { errorHandling } from './errors.ts';
import { everyAnswerHeaders } from './every-answer.ts';
import { queuedResponses } from './queued-responses.ts';
import { redisDeadline } from './redis-deadline.ts';
import { requestLog } from './request-log.ts';
import type { RequestObserver } from './request-outcome.ts';
import { reservedPaths } from './reserved-paths.ts';
import { silentConnections } from './silent-connections.ts';
import { starvation } from './starvation.ts';
import { unreadBody } from './unread-body.ts';

interface CoreOptions {
  readonly lifecycle: Lifecycle;
  /** Connections that may be open at a time. */
  readonly maxConnections: number;
  /** Mean delay of the event loop over a second, in milliseconds, above which requests are refused. */
  readonly maxEventLoopDelayMs: number;
  /** Notified of each request as it begins and ends. */
  readonly observers: readonly RequestObserver[];
  /** How long a request waits for Redis in all, in milliseconds. */
  readonly redisWaitMs: number;
  /** Receives how long a request waited for Redis, in seconds. */
  readonly waitedForRedis: (seconds: number) => void;
}

export const core = fp<CoreOptions>(
  async (app, { lifecycle, maxConnections, maxEventLoopDelayMs, observers, redisWaitMs, waitedForRedis }) => {
    await app.register(queuedResponses);
    await app.register(redisDeadline, { waitMs: redisWaitMs, waited: waitedForRedis });
    await app.register(everyAnswerHeaders);
    await app.register(errorHandling);
    await app.register(silentConnections);
    await app.register(requestLog, { lifecycle, observers });
    await app.register(crossOrigin);
    await app.register(connectionLimit, { max: maxConnections });
    await app.register(starvation, { maxDelayMs: maxEventLoopDelayMs });
    await app.register(unreadBody, lifecycle);
    await app.register(reservedPaths);
    await app.register(multipart);
  },
  { name: 'core' },
);
