/** Counts requests and conversions as they end. No label has a value that a client chooses. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { notableWarningsOf } from '../../../convert/report/warnings.ts';
import { warningCodes } from '../../../shared/warning-levels.ts';
import type { ConversionRecord, RequestObserver, RequestOutcome } from '../../core/request-outcome.ts';

/** Seconds: from a health check to an upload and a conversion that use all their time. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const PHASE_BUCKETS = [0.001, 0.002_5, ...REQUEST_BUCKETS];

/** Methods of routes and browsers; the parser knows dozens more. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** There are fewer reasons than this. More would be a bug, which must not become a label. */
const MAX_REASONS = 100;
const OTHER = 'other';

export class RequestMetrics implements RequestObserver {
  readonly #inFlight: Gauge;
  readonly #requests: Counter<'method' | 'route' | 'status' | 'code'>;
  readonly #durations: Histogram<'route'>;
  readonly #unreadable: Counter<'status'>;
  readonly #refusals: Counter<'code' | 'reason'>;
  readonly #reasons = new Set<string>();
  readonly #conversions: Counter<'class' | 'outcome'>;
  readonly #phases: Histogram<'phase'>;
  readonly #pages: Counter;
  readonly #bytesIn: Counter;
  readonly #bytesOut: Counter;
  readonly #warnings: Counter<'code'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers });
    this.#inFlight = new Gauge({
      name: 'platen_http_requests_in_flight',
      help: 'Requests whose response has not ended.',
      registers,
    });
    this.#requests = counter(
      'platen_http_requests_total',
      'Requests by route pattern, status, and code: the error code, success, client_left or simulated.',
      ...(['method', 'route', 'status', 'code'] as const),
    );
    this.#durations = new Histogram({
      name: 'platen_http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its response, including upload and delivery.',
      labelNames: ['route'],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#unreadable = counter(
      'platen_http_unreadable_requests_total',
      'Connections with data that is not an HTTP request, by the status of the response.',
      'status',
    );
    this.#refusals = counter(
      'platen_refusals_total',
      'Requests that ended with an error that has a reason, such as a full window or a refusal by the preflight.',
      ...(['code', 'reason'] as const),
    );
    this.#conversions = counter(
      'platen_conversions_total',
      'Admitted conversions by class of sender and outcome: success, refused (by failOn), the error code, or client_left.',
      ...(['class', 'outcome'] as const),
    );
    // From the start, as Prometheus does not see the first value of a new series as an increase.
    for (const sender of ['live', 'test', 'public']) {
      for (const outcome of ['success', 'CONVERSION_FAILED', 'INTERNAL_ERROR']) {
        this.#conversions.inc({ class: sender, outcome }, 0);
      }
    }
    this.#phases = new Histogram({
      name: 'platen_conversion_phase_duration_seconds',
      help: 'Duration of the phases of admitted conversions, including failed ones.',
      labelNames: ['phase'],
      buckets: PHASE_BUCKETS,
      registers,
    });
    this.#pages = counter('platen_pdf_pages_total', 'Pages of PDFs delivered whole.');
    this.#bytesIn = counter('platen_upload_bytes_total', 'Bytes of documents received whole.');
    this.#bytesOut = counter('platen_pdf_bytes_total', 'Bytes of PDFs delivered whole.');
    this.#warnings = counter(
      'platen_conversion_warnings_total',
      'PDFs delivered whole with a warning, once per code.',
      'code',
    );
    for (const code of warningCodes) this.#warnings.inc({ code }, 0);
  }

  began(): void {
    this.#inFlight.inc();
  }

  ended(outcome: RequestOutcome): void {
    const { method, route, status, code, reason, conversion, ms } = outcome;
    this.#inFlight.dec();
    this.#requests.inc({
      method: METHODS.has(method) ? method : OTHER,
      route,
      status: status ?? 'none',
      code,
    });
    this.#durations.observe({ route }, ms / 1000);
    if (reason !== undefined) this.#refusals.inc({ code, reason: this.#bounded(reason) });
    if (!conversion) return;
    // A PDF that its sender refuses is no failure that an alert should tell of.
    this.#conversions.inc({ class: outcome.class, outcome: reason === 'refused' ? reason : code });
    this.#observe(conversion, code === 'success');
  }

  /** @param status of the answer to an unreadable request. */
  unreadable(status: number): void {
    this.#unreadable.inc({ status });
  }

  #observe({ phases, bytesIn, bytesOut, pages, report }: ConversionRecord, delivered: boolean): void {
    for (const [phase, ms] of Object.entries(phases)) this.#phases.observe({ phase }, ms / 1000);
    this.#bytesIn.inc(bytesIn ?? 0);
    if (!delivered) return;
    this.#bytesOut.inc(bytesOut ?? 0);
    this.#pages.inc(pages ?? 0);
    const codes = new Set(report && notableWarningsOf(report).map(({ code }) => code));
    for (const code of codes) this.#warnings.inc({ code });
  }

  #bounded(reason: string): string {
    if (!this.#reasons.has(reason)) {
      if (this.#reasons.size >= MAX_REASONS) return OTHER;
      this.#reasons.add(reason);
    }
    return reason;
  }
}
