/** One line per request. */
import fp from 'fastify-plugin';
import type { Lifecycle } from '../lifecycle.ts';

export interface RequestLogOptions {
  readonly lifecycle: Lifecycle;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the log says of a conversion: sizes in bytes, times in milliseconds. */
    conversion: Readonly<Record<string, unknown>> | undefined;
  }
  interface FastifyContextConfig {
    /** Logged at level debug only. */
    quiet?: boolean;
  }
}

/** Milliseconds as the log has them. */
export function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/** Logs each answer, and asks clients of a draining server to connect to another. */
export const requestLog = fp<RequestLogOptions>(
  async (app, { lifecycle }) => {
    app.decorateRequest('conversion', undefined);
    app.addHook('onSend', async (_request, reply) => {
      if (lifecycle.phase === 'draining') reply.header('connection', 'close');
    });
    app.addHook('onResponse', async (request, reply) => {
      const { method, routeOptions, key, failure, conversion } = request;
      // Load balancers ask all the time: that they did is of no interest.
      const level = routeOptions.config.quiet ? 'debug' : 'info';
      request.log[level](
        {
          method,
          // The route, not the address: an unknown path may hold anything.
          route: routeOptions.url ?? 'none',
          status: reply.statusCode,
          ...(failure && { code: failure.code }),
          ...(key && { account: key.account, key: key.id }),
          ...(conversion && { conversion }),
          ms: tenths(reply.elapsedTime),
        },
        'request',
      );
    });
  },
  { name: 'request-log', dependencies: ['request-id', 'errors'] },
);
