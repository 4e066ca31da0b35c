/** Each protocol of OTEL_EXPORTER_OTLP_PROTOCOL: a span and a metric arrive at a receiver that speaks it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { metrics, propagation, trace } from '@opentelemetry/api';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import t, { type Test } from 'tap';
import { startSdk } from '../../src/telemetry/sdk.ts';
import { recordingLog } from '../redis/support.ts';
import { MetricsRequest, OtlpCollector, TraceRequest } from '../support/otlp-collector.ts';

/** Where a receiver listens, and the names of the spans and metrics that came. */
interface Names {
  readonly url: string;
  names(): readonly string[];
}

/** What both forms of a message have, in the names of JSON. */
interface Spans {
  readonly resourceSpans: { readonly scopeSpans: { readonly spans: { readonly name: string }[] }[] }[];
}
interface Metrics {
  readonly resourceMetrics: { readonly scopeMetrics: { readonly metrics: { readonly name: string }[] }[] }[];
}
const spanNames = ({ resourceSpans }: Spans) =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)));
const metricNames = ({ resourceMetrics }: Metrics) =>
  resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
  );

const receivers = {
  async 'http/protobuf'(t: Test): Promise<Names> {
    const collector = await OtlpCollector.start(t);
    return {
      url: collector.url,
      names: () => [...collector.spans.map(({ name }) => name), ...collector.metrics.keys()],
    };
  },

  async 'http/json'(t: Test): Promise<Names> {
    const names: string[] = [];
    const server = createServer(async (request, response) => {
      const body = await buffer(request);
      const content = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const message = JSON.parse(content.toString());
      names.push(...(request.url === '/v1/traces' ? spanNames(message) : metricNames(message)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, names: () => names };
  },

  async grpc(t: Test): Promise<Names> {
    const names: string[] = [];
    const server = new GrpcServer();
    for (const [signal, type, read] of [
      ['trace', TraceRequest, spanNames],
      ['metrics', MetricsRequest, metricNames],
    ] as const) {
      const service = `${signal[0]?.toUpperCase()}${signal.slice(1)}Service`;
      const definition = {
        path: `/opentelemetry.proto.collector.${signal}.v1.${service}/Export`,
        requestStream: false,
        responseStream: false,
        requestSerialize: (value: Buffer) => value,
        requestDeserialize: (value: Buffer) => value,
        responseSerialize: (value: Buffer) => value,
        responseDeserialize: (value: Buffer) => value,
      } as const;
      server.addService(
        { export: definition },
        {
          export: ({ request }: { request: Buffer }, done: (error: null, answer: Buffer) => void) => {
            const message = JSON.stringify(type.decode(request)).replaceAll(/"\w+":/g, (key) =>
              key.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
            );
            names.push(...read(JSON.parse(message)));
            done(null, Buffer.alloc(0));
          },
        },
      );
    }
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    t.teardown(() => server.forceShutdown());
    return { url: `http://127.0.0.1:${port}`, names: () => names };
  },
};

const metric = {
  ...{ name: 'platen_things_total', help: 'Things.', type: 'counter', aggregator: 'sum' },
  values: [{ value: 3, labels: {} }],
} as unknown as MetricObjectWithValues<MetricValue<string>>;

for (const [protocol, receive] of Object.entries(receivers)) {
  t.test(protocol, async (t) => {
    const receiver = await receive(t);
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
    Object.assign(process.env, variables);
    t.teardown(() => {
      for (const name of Object.keys(variables)) delete process.env[name];
      for (const api of [trace, metrics, propagation]) api.disable();
    });
    const { log, messages } = recordingLog();
    const telemetry = startSdk(
      {
        serviceName: 'platen',
        traces: true,
        metrics: { protocol: protocol as keyof typeof receivers, intervalMs: 3_600_000, timeoutMs: 60_000 },
      },
      log,
    );
    telemetry.sendMetrics(async () => [metric]);
    trace.getTracer(protocol).startSpan(`by ${protocol}`).end();
    await telemetry.close();
    t.strictSame(messages, ['telemetry is sent'], 'nothing failed');
    t.strictSame([...receiver.names()].sort(), [`by ${protocol}`, 'platen_things_total']);
  });
}
