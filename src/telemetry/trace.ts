/**
 * Spans of what the service does, by OpenTelemetry's API. Without its SDK, see open.ts, none of this does anything.
 *
 * The parent of a span is passed as an argument: AsyncLocalStorage, which OpenTelemetry uses otherwise, slows every promise of
 * the process down.
 */
import {
  type Attributes,
  type Context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { PlatenError } from '../errors.ts';

export type { Attributes };
export { SpanKind };

/** A place in a trace, as headers of HTTP (W3C Trace Context) unless `OTEL_PROPAGATORS` says otherwise. */
export type Carrier = Readonly<Record<string, string>>;

interface BeginOptions {
  /** What it continues; by default it begins a trace. Of another party: headers of a request. */
  readonly carrier?: Readonly<Record<string, string | string[] | undefined>> | undefined;
  readonly kind: SpanKind;
  /** Known at once, so that samplers see them. */
  readonly attributes?: Attributes;
  /** When it began, by `performance.now()`; now by default. */
  readonly from?: number;
}

interface TimedOptions<T> {
  /** Receives how long the task took, in milliseconds, even if it fails. */
  readonly took?: (ms: number) => void;
  /** Attributes that the result has. */
  readonly attributesOf?: (result: T) => Attributes;
}

/** A span, and what begins the spans inside it. */
export class Trace {
  readonly #span: Span;
  readonly #context: Context;
  /** Whether it and what is inside it is sent. */
  readonly #isSampled: boolean;
  /** Milliseconds from `performance.now()` to the time since the epoch: one for all its spans, so clock changes move none. */
  readonly #epochMs: number;

  constructor(span: Span, epochMs: number) {
    this.#span = span;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
    this.#isSampled = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
    this.#epochMs = epochMs;
  }

  /** Its id, in hexadecimal, whether or not it is sent; undefined without an SDK. */
  get id(): string | undefined {
    const context = this.#span.spanContext();
    return isSpanContextValid(context) ? context.traceId : undefined;
  }

  /** For what goes on elsewhere; undefined without an SDK. */
  carrier(): Carrier | undefined {
    const carrier: Record<string, string> = {};
    propagation.inject(this.#context, carrier);
    return Object.keys(carrier).length === 0 ? undefined : carrier;
  }

  /** Runs a task in a span of its own; measures it, whether or not that is sent. */
  async timed<T>(
    name: string,
    task: (inner: Trace) => Promise<T>,
    { took, attributesOf }: TimedOptions<T> = {},
  ): Promise<T> {
    const from = performance.now();
    const inner = this.#inside(name, from);
    const ended = (attributes?: Attributes, failure?: unknown) => {
      const to = performance.now();
      took?.(to - from);
      inner.end(attributes, failure, to);
    };
    try {
      const result = await task(inner);
      ended(this.#isSampled ? attributesOf?.(result) : undefined);
      return result;
    } catch (error) {
      ended(undefined, error);
      throw error;
    }
  }

  /** Notes what was measured already. @param from and `to` by `performance.now()`. */
  note(name: string, from: number, to = performance.now()): void {
    this.#inside(name, from).end(undefined, undefined, to);
  }

  /**
   * Ends it.
   *
   * @param failure what it failed with: an error, or a word for it. Of an error only its code is told.
   * @param to when, by `performance.now()`.
   */
  end(attributes: Attributes = {}, failure?: unknown, to = performance.now()): void {
    if (!this.#span.isRecording()) return;
    this.#span.setAttributes(attributes);
    if (failure !== undefined) {
      this.#span.setAttributes({ 'error.type': typeOf(failure), 'platen.reason': reasonOf(failure) });
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end(this.#epochMs + to);
  }

  /** A span inside this one. If this one is not sampled, itself, so nothing inside it is sent. */
  #inside(name: string, from: number): Trace {
    if (!this.#isSampled) return this;
    const startTime = this.#epochMs + from;
    return new Trace(tracer().startSpan(name, { startTime }, this.#context), this.#epochMs);
  }
}

/** What is in no trace. */
export const noTrace = new Trace(trace.wrapSpanContext(INVALID_SPAN_CONTEXT), 0);

/** Begins a span: of a new trace, or of one that came from elsewhere. Baggage is not taken over. */
export function beginTrace(name: string, { carrier = {}, kind, attributes, from }: BeginOptions): Trace {
  const remote = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, carrier));
  const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
  const now = performance.now();
  const epochMs = Date.now() - now;
  const startTime = epochMs + (from ?? now);
  const span = tracer().startSpan(name, { kind, startTime, ...(attributes && { attributes }) }, parent);
  return new Trace(span, epochMs);
}

/** Whether traces come from elsewhere and go there. */
export function carriesTraces(): boolean {
  return propagation.fields().length > 0;
}

/** Asked each time: one that is asked for before the SDK is there would stay without. */
const tracer = () => trace.getTracer('platen');

/** A name for a failure. Never a message, which may contain text of a document. */
function typeOf(failure: unknown): string {
  if (failure instanceof PlatenError) return failure.code;
  if (failure instanceof Error) return 'code' in failure ? String(failure.code) : failure.name;
  return String(failure);
}

function reasonOf(failure: unknown): string | undefined {
  return failure instanceof PlatenError ? failure.reason : undefined;
}
