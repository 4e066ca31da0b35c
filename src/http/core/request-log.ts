/**
 * One line per request, when its answer has ended; the metrics get the same.
 *
 * A line never has a key, a name of a file, a header, a client's address or anything out of a document.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Phases } from '../../convert/converter.ts';
import type { Pagination } from '../../convert/pagination/word-pages.ts';
import type { ConversionReport } from '../../convert/warnings.ts';
import type { ErrorCode } from '../../errors.ts';
import type { KeyLocation } from '../../keys/locate.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import { onAnswerEnd } from './answer-end.ts';

/** What is known of a conversion, filled in while it goes on: sizes in bytes, times in milliseconds. */
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
  /** It is not logged: names of fonts are out of the document. */
  report?: ConversionReport;
  /** When the PDF began to go out, as `performance.now()` counts. */
  sentAt?: number;
  readonly phases: Phases & { upload?: number; delivery?: number };
}

/** How a request ended. */
export interface RequestOutcome {
  readonly requestId: string;
  /** The key that it came with; undefined where there was none, or none that is known. */
  readonly key: KeyLocation | undefined;
  /** Whether its key was admitted. */
  readonly admitted: boolean;
  /** Whether it asked for a conversion. */
  readonly converts: boolean;
  readonly method: string;
  /** The pattern of the route, not the address: an unknown path may hold anything. */
  readonly route: string;
  /** Undefined when the client left before it had the whole answer. */
  readonly status: number | undefined;
  readonly code: ErrorCode | 'success' | 'client_left' | 'simulated';
  /** Why it was refused, where the code alone does not say. */
  readonly reason: string | undefined;
  /** Who converts: the environment of the key, or the public. */
  readonly class: 'live' | 'test' | 'public';
  readonly conversion: ConversionRecord | undefined;
  /** From the request's head to the end of its answer, in milliseconds. */
  readonly ms: number;
}

/** Who is told of requests as they begin and end. */
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
      // Not when it is answered: a client that leaves before gets its line as well.
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
  // No operator is to be woken by errors that a client asked for.
  const isSimulated = simulation !== undefined && simulation !== 'slow';
  const code = isSimulated ? 'simulated' : (failure?.code ?? 'success');
  if (conversion?.sentAt !== undefined) conversion.phases.delivery = performance.now() - conversion.sentAt;
  return {
    requestId: request.id,
    key,
    admitted,
    converts: routeOptions.config.conversion === true,
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
  // Load balancers ask all the time: that they did is of no interest.
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

function readable({ sentAt: _, report: __, phases, ...figures }: ConversionRecord) {
  const rounded = Object.entries(phases).map(([phase, ms]) => [phase, tenths(ms)]);
  return { ...figures, phases: Object.fromEntries(rounded) };
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
