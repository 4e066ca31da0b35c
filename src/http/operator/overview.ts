/** GET /operator/v1/overview, and the same as server-sent events (HTML standard, section 9.2). */
import { PassThrough } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { Sessions } from '../../operator/sessions.ts';
import type { OverviewFeed } from './overview-feed.ts';
import { getEvents, getOverview } from './service.contract.ts';

export interface OverviewRoutesOptions {
  readonly feed: OverviewFeed;
  readonly sessions: Pick<Sessions, 'peek'>;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
  /** How long a watcher may read nothing of what waits for it, in milliseconds; 30 s by default. */
  readonly readTimeoutMs?: number;
}

/** How often it is looked whether the session of a watcher still lasts. */
const SESSION_CHECK_MS = 2_000;
/** After so long without a connection a browser comes back. */
const RETRY_MS = 2_000;
const READ_TIMEOUT_MS = 30_000;

/** To be registered in a scope that only the operator enters. */
export const overviewRoutes: FastifyPluginAsyncTypebox<OverviewRoutesOptions> = async (app, options) => {
  const { feed, sessions, draining, readTimeoutMs = READ_TIMEOUT_MS } = options;
  app.get(getOverview.path, { schema: getOverview.schema, config: { quiet: true, vital: true } }, async () =>
    feed.read(),
  );

  app.get(
    getEvents.path,
    // A HEAD would watch for ever: nothing ends its stream.
    { exposeHeadRoute: false, schema: getEvents.schema, config: { quiet: true, vital: true, passive: true } },
    async ({ operator }, reply: FastifyReply) => {
      const stream = new PassThrough();
      // One that reads nothing would keep its connection, and a place among those who watch, for ever.
      let unread: NodeJS.Timeout | undefined;
      const expectReader = () => {
        unread ??= setTimeout(() => reply.raw.destroy(), readTimeoutMs).unref();
      };
      const hasRead = () => {
        clearTimeout(unread);
        unread = undefined;
      };
      stream.on('drain', hasRead);
      const end = (reason: 'session' | 'draining') => {
        if (stream.writableEnded) return;
        stream.end(event('end', JSON.stringify({ reason })));
        expectReader();
      };
      if (draining.aborted) throw new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 1 });
      const unwatch = feed.watch((overview) => {
        if (stream.writableEnded) return;
        // A watcher that is slow misses some; what comes next says all.
        if (stream.writableNeedDrain) expectReader();
        else stream.write(event('overview', overview));
      });
      if (!unwatch) {
        throw new PlatenError('SERVICE_UNAVAILABLE', {
          message: 'Too many dashboards are open. Close some of them.',
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
        hasRead();
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
