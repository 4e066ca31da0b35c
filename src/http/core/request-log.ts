/**
 * One log line per request, when its answer has ended; the metrics get the same.
 *
 * A line never contains a key, file name, header, client address, or anything from a document.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Receipt } from '../../billing/conversions.ts';
import type { Phases } from '../../convert/converter.ts';
import type { Pagination } from '../../convert/pagination/word-pages.ts';
import type { ConversionReport } from '../../convert/report/warnings.ts';
import type { ErrorCode } from '../../errors.ts';
import type { KeyLocation } from '../../keys/locate.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import { onAnswerEnd } from './answer-end.ts';

/** Record of a conversion, filled in while it runs: sizes in bytes, times in milliseconds. */
export interface ConversionRecord {
  pages?: number;
  bytesIn?: number;
  bytesOut?: number;
  peakBytes?: number | undefined;
  cpuMs?: number | undefined;
  attempts?: number;
  tagged?: boolean;
  pagination?: Pagination;
  /** The code of the error by which a further layout of the document failed. */
  layoutFailure?: string;
  /** Names of the rules by which the document was rewritten for the engine. */
  rewrites?: readonly string[];
  /** Not logged: font names come from the document. */
  report?: ConversionReport;
  /** Not logged: it identifies the document. */
  receipt?: Receipt;
  /** When the delivery of the PDF began, by `performance.now()`. */
  sentAt?: number;
  readonly phases: Phases & { upload?: number; delivery?: number };
}

/** How a request ended. */
export interface RequestOutcome {
  readonly requestId: string;
  /** The request's key; undefined if it had none, or an unknown one. */
  readonly key: KeyLocation | undefined;
  /** Whether its key was admitted. */
  readonly admitted: boolean;
  /** Whether it asked for a conversion. */
  readonly converts: boolean;
  readonly method: string;
  /** The route's pattern, not the path: an unknown path may contain anything. */
  readonly route: string;
  /** Undefined when the client left before it had the whole answer. */
  readonly status: number | undefined;
  readonly code: ErrorCode | 'success' | 'client_left' | 'simulated';
  /** Why it was refused, if the code alone does not say. */
  readonly reason: string | undefined;
  /** The key's environment, or `public`. */
  readonly class: 'live' | 'test' | 'public';
  readonly conversion: ConversionRecord | undefined;
  /** From the request's head to the end of its answer, in milliseconds. */
  readonly ms: number;
}

/** An observer of requests. */
export interface RequestObserver {
  began(): void;
  ended(outcome: RequestOutcome): void;
}

export interface RequestLogOptions {
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
      for (const observer of observers) observer.began();
      // Not on the response: a client that leaves early gets its line too.
      onAnswerEnd(request, reply, (whole) => {
        const outcome = outcomeOf(request, reply, whole);
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
    key,
    admitted,
    // One that became a job is counted when that ends.
    converts: routeOptions.config.conversion === true && !state.isJob,
    method,
    route: routeOptions.url ?? 'none',
    status: whole ? reply.statusCode : undefined,
    code: whole ? code : 'client_left',
    reason: whole && !isSimulated ? failure?.reason : undefined,
    class: key?.environment ?? 'public',
    conversion,
    ms: reply.elapsedTime,
  };
}

function logRequest({ log, routeOptions }: FastifyRequest, outcome: RequestOutcome): void {
  const { key, method, route, status, code, reason, conversion, ms } = outcome;
  // Load balancers poll all the time.
  const level = routeOptions.config.quiet ? 'debug' : 'info';
  log[level](
    {
      method,
      route,
      ...(status === undefined ? { clientLeft: true } : { status }),
      ...(code !== 'success' && code !== 'client_left' && { code }),
      ...(reason !== undefined && { reason }),
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

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
