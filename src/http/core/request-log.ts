/**
 * One log line per request, when its answer has ended; the metrics and its span get the same.
 *
 * A line never contains a key, file name, header, client address, or anything from a document.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { PlatenError } from '../../errors.ts';
import { catalogue } from '../../shared/error-catalogue.ts';
import type { Lifecycle } from '../../system/lifecycle.ts';
import { tenths } from '../../system/tenths.ts';
import { onAnswerEnd } from './answer-end.ts';
import type { ConversionRecord, RequestObserver, RequestOutcome } from './request-outcome.ts';
import { beginRequestSpan, endRequestSpan } from './request-span.ts';

interface RequestLogOptions {
  readonly lifecycle: Lifecycle;
  readonly observers?: readonly RequestObserver[];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logged at level debug only. */
    quiet?: boolean;
  }
}

/** Logs each answer, and asks clients of a draining server to connect to another. */
export const requestLog = fp<RequestLogOptions>(
  async (app, { lifecycle, observers = [] }) => {
    app.addHook('onSend', async (_request, reply) => {
      if (lifecycle.phase === 'draining') reply.header('connection', 'close');
    });
    app.addHook('onRequest', async (request, reply) => {
      request.state.trace = beginRequestSpan(request);
      for (const observer of observers) observer.began();
      // Not on the response: a client that leaves early gets its line too.
      onAnswerEnd(request, reply, (whole) => {
        const outcome = outcomeOf(request, reply, whole);
        endRequestSpan(request.state.trace, outcome);
        logRequest(request, outcome);
        for (const observer of observers) observer.ended(outcome);
      });
    });
  },
  { name: 'request-log', dependencies: ['errors'] },
);

function outcomeOf(request: FastifyRequest, reply: FastifyReply, whole: boolean): RequestOutcome {
  const { method, routeOptions, state } = request;
  const { failure, key, admitted, conversion, simulation } = state;
  // Simulated errors must not alarm the operator.
  const isSimulated = simulation !== undefined && simulation !== 'slow';
  const code = isSimulated ? 'simulated' : (failure?.code ?? 'success');
  if (conversion?.sentAt !== undefined) conversion.phases.delivery = performance.now() - conversion.sentAt;
  return {
    requestId: request.id,
    traceId: state.trace.id,
    key,
    admitted,
    // One that became a job is counted when that ends.
    converts: routeOptions.config.conversion === true && !state.isJob,
    method,
    route: routeOptions.url ?? 'none',
    status: whole ? reply.statusCode : undefined,
    code: whole ? code : 'client_left',
    reason: whole && !isSimulated ? failure?.reason : undefined,
    message: whole ? messageOf(failure) : undefined,
    class: key?.environment ?? 'public',
    conversion,
    ms: reply.elapsedTime,
  };
}

/** What an error said, but for the client's address, which is not kept. */
function messageOf(failure: PlatenError | undefined): string | undefined {
  return failure?.code === 'IP_NOT_ALLOWED' ? catalogue.IP_NOT_ALLOWED.message : failure?.message;
}

function logRequest({ log, routeOptions }: FastifyRequest, outcome: RequestOutcome): void {
  const { traceId, key, method, route, status, code, reason, conversion, ms } = outcome;
  // Load balancers poll all the time.
  const level = routeOptions.config.quiet ? 'debug' : 'info';
  log[level](
    {
      method,
      route,
      ...(status === undefined ? { clientLeft: true } : { status }),
      ...(code !== 'success' && code !== 'client_left' && { code }),
      ...(reason !== undefined && { reason }),
      ...(traceId !== undefined && { traceId }),
      ...(key && { account: key.account, key: key.id }),
      ...(conversion && { conversion: readable(conversion) }),
      ms: tenths(ms),
    },
    'request',
  );
}

function readable({ sentAt: _, report: __, receipt: ___, phases, ...figures }: ConversionRecord) {
  const rounded = Object.entries(phases).map(([phase, ms]) => [phase, tenths(ms)]);
  return { ...figures, phases: Object.fromEntries(rounded) };
}
