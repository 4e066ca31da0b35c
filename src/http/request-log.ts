/** One line per request, when its answer has ended. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Lifecycle } from '../lifecycle.ts';
import { onAnswerEnd } from './answer-end.ts';

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
    app.addHook('onRequest', async (request, reply) => {
      // Not when it is answered: a client that leaves before gets its line as well.
      onAnswerEnd(request, reply, (whole) => logRequest(request, reply, whole));
    });
  },
  { name: 'request-log', dependencies: ['request-id', 'errors'] },
);

function logRequest(request: FastifyRequest, reply: FastifyReply, whole: boolean): void {
  const { method, routeOptions, key, failure, conversion } = request;
  // Load balancers ask all the time: that they did is of no interest.
  const level = routeOptions.config.quiet ? 'debug' : 'info';
  const outcome = whole
    ? { status: reply.statusCode, ...(failure && { code: failure.code, reason: failure.reason }) }
    : { clientLeft: true };
  request.log[level](
    {
      method,
      // The route, not the address: an unknown path may hold anything.
      route: routeOptions.url ?? 'none',
      ...outcome,
      ...(key && { account: key.account, key: key.id }),
      ...(conversion && { conversion }),
      ms: tenths(reply.elapsedTime),
    },
    'request',
  );
}
