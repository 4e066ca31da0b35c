/** GET /operator/v1/overview, and the same as server-sent events (HTML standard, section 9.2). */
import { PassThrough } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { PlatenError } from '../../../errors.ts';
import type { Sessions } from '../../../operator/sessions.ts';
import { getEvents, getOverview } from '../../contract/operator/service.ts';
import type { OverviewFeed } from '../../overview-feed.ts';

export interface OverviewRoutesOptions {
  readonly feed: OverviewFeed;
  readonly sessions: Sessions;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
}

/** How often it is looked whether the session of a watcher still lasts. */
const SESSION_CHECK_MS = 2_000;
/** After so long without a connection a browser comes back. */
const RETRY_MS = 2_000;

/** To be registered in a scope that only the operator enters. */
export const overviewRoutes: FastifyPluginAsyncTypebox<OverviewRoutesOptions> = async (app, options) => {
  const { feed, sessions, draining } = options;
  app.get(getOverview.path, { schema: getOverview.schema, config: { quiet: true, vital: true } }, async () =>
    feed.read(),
  );

  app.get(
    getEvents.path,
    // A HEAD would watch for ever: nothing ends its stream.
    { exposeHeadRoute: false, schema: getEvents.schema, config: { quiet: true, vital: true, passive: true } },
    async ({ operator }, reply: FastifyReply) => {
      const stream = new PassThrough();
      const end = (reason: 'session' | 'draining') => {
        if (!stream.writableEnded) stream.end(event('end', JSON.stringify({ reason })));
      };
      if (draining.aborted) throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
      const unwatch = feed.watch((overview) => {
        // A watcher that is slow misses some; what comes next says all.
        if (!stream.writableEnded && !stream.writableNeedDrain) stream.write(event('overview', overview));
      });
      if (!unwatch) {
        throw new PlatenError('SERVICE_UNAVAILABLE', {
          message: 'Too many are watching. Close other pages.',
        });
      }
      const drain = () => end('draining');
      draining.addEventListener('abort', drain, { once: true });
      const timer = setInterval(async () => {
        if (operator?.by !== 'session') return;
        // Without Redis nobody knows.
        const isOver = await sessions.peek(operator.id).then(
          (session) => session === undefined,
          () => false,
        );
        if (isOver) end('session');
      }, SESSION_CHECK_MS);
      timer.unref();
      stream.once('close', () => {
        clearInterval(timer);
        unwatch();
        draining.removeEventListener('abort', drain);
      });
      stream.write(`retry: ${RETRY_MS}\n\n`);
      return reply.type('text/event-stream; charset=utf-8').send(stream);
    },
  );
};

function event(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}
