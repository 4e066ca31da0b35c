/** The span of a request, by OpenTelemetry's conventions for HTTP servers. It has no path, no address and no key. */
import type { FastifyRequest } from 'fastify';
import { beginTrace, noTrace, SpanKind, type Trace } from '../../telemetry/trace.ts';
import type { RequestOutcome } from './request-outcome.ts';

/** What the conventions know. */
const methods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
  'QUERY',
]);

/** Begins it, as a part of the client's trace if it says so. */
export function beginRequestSpan({ method, headers, protocol, raw, routeOptions }: FastifyRequest): Trace {
  // Load balancers poll all the time.
  if (routeOptions.config.quiet) return noTrace;
  const isKnown = methods.has(method);
  const name = isKnown ? method : 'HTTP';
  return beginTrace(routeOptions.url === undefined ? name : `${name} ${routeOptions.url}`, {
    carrier: headers,
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': isKnown ? method : '_OTHER',
      'http.route': routeOptions.url,
      'url.scheme': protocol,
      'network.protocol.version': raw.httpVersion,
    },
  });
}

/** Ends it with what the log says of the request. */
export function endRequestSpan(trace: Trace, outcome: RequestOutcome): void {
  const { requestId, key, status, code, reason, conversion } = outcome;
  const { sentAt, phases } = conversion ?? {};
  if (sentAt !== undefined) trace.note('delivery', sentAt, sentAt + (phases?.delivery ?? 0));
  trace.end(
    {
      'http.response.status_code': status,
      'platen.request_id': requestId,
      'platen.account': key?.account,
      'platen.class': outcome.class,
      'platen.outcome': code,
      'platen.reason': reason,
      'platen.bytes_in': conversion?.bytesIn,
      'platen.bytes_out': conversion?.bytesOut,
      'platen.pages': conversion?.pages,
    },
    // Neither a client's mistake nor a PDF that it refuses is an error of the server.
    status !== undefined && status >= 500 && reason !== 'refused' ? code : undefined,
  );
}
