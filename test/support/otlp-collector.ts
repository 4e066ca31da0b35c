/**
 * A collector that receives traces and metrics by OTLP (HTTP with protobuf), and keeps them. No collector is packaged for
 * Debian 12 or by npm, so it decodes with protobufjs and OpenTelemetry's own definitions, of which promotel has a copy.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import type { Test } from 'tap';

type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface ReceivedSpan {
  readonly name: string;
  /** `SPAN_KIND_SERVER`, for example. */
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first one of a trace. */
  readonly parentSpanId: string;
  /** Nanoseconds since the epoch. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  /** `STATUS_CODE_ERROR`, or undefined. */
  readonly status: string | undefined;
  /** Attributes of what sent it. */
  readonly resource: Attributes;
}

interface ReceivedPoint {
  readonly attributes: Attributes;
  /** Of a counter or gauge. */
  readonly value: number | undefined;
  /** Of a histogram. */
  readonly count: number | undefined;
  readonly sum: number | undefined;
  readonly bounds: readonly number[];
  readonly bucketCounts: readonly number[];
}

interface ReceivedMetric {
  readonly type: 'sum' | 'gauge' | 'histogram';
  readonly description: string;
  readonly points: readonly ReceivedPoint[];
}

interface AnyValue {
  readonly string_value?: string;
  readonly int_value?: number;
  readonly double_value?: number;
  readonly bool_value?: boolean;
}
type KeyValues = readonly { readonly key: string; readonly value: AnyValue }[];
interface Resourced {
  readonly resource: { readonly attributes: KeyValues };
}

const definitions = join(
  dirname(createRequire(import.meta.url).resolve('@platformatic/promotel')),
  '../proto',
);
const root = new protobuf.Root();
root.resolvePath = (_origin, target) => join(definitions, target);
const services = 'opentelemetry/proto/collector';
const files = ['trace', 'metrics'].map((signal) => `${services}/${signal}/v1/${signal}_service.proto`);
root.loadSync(files, { keepCase: true });
export const [TraceRequest, MetricsRequest] = [
  'trace.v1.ExportTraceServiceRequest',
  'metrics.v1.ExportMetricsServiceRequest',
].map((name) => root.lookupType(`opentelemetry.proto.collector.${name}`)) as [protobuf.Type, protobuf.Type];

export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  /** As they last came, by name. */
  readonly metrics = new Map<string, ReceivedMetric>();
  /** Whether it answers no request any more. */
  isHanging = false;
  /** Requests that came. */
  requests = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  /** Listens on this machine. It ends with the test. */
  static async start(t: Pick<Test, 'teardown'>): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    t.teardown(() => {
      collector.#server.closeAllConnections();
      collector.#server.close();
    });
    return collector;
  }

  /** As in OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, by start time. */
  trace(traceId: string): ReceivedSpan[] {
    const found = this.spans.filter((span) => span.traceId === traceId);
    return found.sort((a, b) => Number(a.start - b.start));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    const body = await buffer(request);
    if (this.isHanging) return;
    const content = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    if (request.headers['content-type'] !== 'application/x-protobuf') response.writeHead(415).end();
    else if (request.url === '/v1/traces') this.#takeSpans(content);
    else if (request.url === '/v1/metrics') this.#takeMetrics(content);
    else response.writeHead(404).end();
    // An empty message means that everything was accepted.
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  }

  #takeSpans(content: Buffer): void {
    interface Span {
      readonly name: string;
      readonly kind: string;
      readonly trace_id: Uint8Array;
      readonly span_id: Uint8Array;
      readonly parent_span_id?: Uint8Array;
      readonly start_time_unix_nano: string;
      readonly end_time_unix_nano: string;
      readonly attributes?: KeyValues;
      readonly status?: { readonly code?: string };
    }
    interface Message {
      readonly resource_spans: readonly (Resourced & {
        readonly scope_spans: readonly { readonly spans: readonly Span[] }[];
      })[];
    }
    const { resource_spans } = read<Message>(TraceRequest, content, String);
    for (const { resource, scope_spans } of resource_spans) {
      for (const span of scope_spans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          name: span.name,
          kind: span.kind,
          traceId: hex(span.trace_id),
          spanId: hex(span.span_id),
          parentSpanId: hex(span.parent_span_id),
          start: BigInt(span.start_time_unix_nano),
          end: BigInt(span.end_time_unix_nano),
          attributes: attributesOf(span.attributes),
          status: span.status?.code,
          resource: attributesOf(resource.attributes),
        });
      }
    }
  }

  #takeMetrics(content: Buffer): void {
    interface Point {
      readonly attributes?: KeyValues;
      readonly as_double?: number;
      readonly as_int?: number;
      readonly count?: number;
      readonly sum?: number;
      readonly explicit_bounds?: readonly number[];
      readonly bucket_counts?: readonly number[];
    }
    interface Data {
      readonly data_points?: readonly Point[];
    }
    interface Metric {
      readonly name: string;
      readonly description: string;
      readonly sum?: Data;
      readonly gauge?: Data;
      readonly histogram?: Data;
    }
    interface Message {
      readonly resource_metrics: readonly (Resourced & {
        readonly scope_metrics: readonly { readonly metrics: readonly Metric[] }[];
      })[];
    }
    const { resource_metrics } = read<Message>(MetricsRequest, content, Number);
    for (const metric of resource_metrics
      .flatMap((each) => each.scope_metrics)
      .flatMap(({ metrics }) => metrics)) {
      const type = (['sum', 'gauge', 'histogram'] as const).find((each) => metric[each] !== undefined);
      if (!type) throw new Error(`${metric.name} has a type that nobody expects`);
      const points = (metric[type]?.data_points ?? []).map((point) => ({
        attributes: attributesOf(point.attributes),
        value: point.as_double ?? point.as_int,
        count: point.count,
        sum: point.sum,
        bounds: point.explicit_bounds ?? [],
        bucketCounts: point.bucket_counts ?? [],
      }));
      this.metrics.set(metric.name, { type, description: metric.description, points });
    }
  }
}

function read<T>(type: protobuf.Type, content: Buffer, longs: typeof String | typeof Number): T {
  return type.toObject(type.decode(content), { longs, enums: String }) as T;
}

function hex(id: Uint8Array = new Uint8Array()): string {
  return Buffer.from(id).toString('hex');
}

function attributesOf(pairs: KeyValues = []): Attributes {
  return Object.fromEntries(
    pairs.map(({ key, value }) => {
      const { string_value, int_value, double_value, bool_value } = value;
      const known = string_value ?? double_value ?? bool_value ?? Number(int_value);
      return [key, known];
    }),
  );
}
