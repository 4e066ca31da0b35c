/** GET /operator/v1/overview, and the same as server-sent events (HTML standard, section 9.2). */
import { PassThrough } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { PlatenError } from '../../errors.ts';
import type { OperatorRole } from '../../members/member.ts';
import type { Members } from '../../members/members.ts';
import type { Sessions } from '../../operator/sessions.ts';
import { goesOn } from './authentication.ts';
import { routeForAll } from './operation.ts';
import type { OverviewFeed } from './overview-feed.ts';
import { getEvents, getOverview } from './service.contract.ts';

export interface OverviewRoutesOptions {
  readonly feed: OverviewFeed;
  readonly sessions: Sessions;
  readonly operators: Members<OperatorRole>;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
  /** How long a watcher may leave data unread, in milliseconds; 30 s by default. */
  readonly readTimeoutMs?: number;
}

/** How often the session of a watcher is checked. */
const SESSION_CHECK_MS = 2_000;
/** Time after which a browser reconnects. */
const RETRY_MS = 2_000;
const READ_TIMEOUT_MS = 30_000;

/** Register it in a scope that only operators enter. */
export const overviewRoutes: FastifyPluginAsyncTypebox<OverviewRoutesOptions> = async (app, options) => {
  const { feed, draining, readTimeoutMs = READ_TIMEOUT_MS } = options;
  app.get(getOverview.path, routeForAll(getOverview, { quiet: true, vital: true }), async () => feed.read());

  app.get(
    getEvents.path,
    // A HEAD request would never end, like its stream.
    { exposeHeadRoute: false, ...routeForAll(getEvents, { quiet: true, vital: true, passive: true }) },
    async ({ operator }, reply: FastifyReply) => {
      const stream = new PassThrough();
      // A watcher that reads nothing must not keep its connection and place for ever.
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
        // A slow watcher misses some; the next one is complete.
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
        // Without Redis it is unknown.
        const isSignedIn = await goesOn(operator.id, options).catch(() => true);
        if (!isSignedIn) end('session');
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
