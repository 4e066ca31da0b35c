/** Traces and metrics by OTLP, as a collector gets them: from a service with its way out, and from one that is to send none. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { ended } from '../http/jobs/support.ts';
import { docx, malformedDocx } from '../support/documents.ts';
import { OtlpCollector, type ReceivedSpan } from '../support/otlp-collector.ts';
import { Receiver } from '../support/receiver.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isDelivered, isError } from './support/assertions.ts';
import { scrape } from './support/operator.ts';
import { type Answer, convert, get, send } from './support/requests.ts';

const dist = join(import.meta.dirname, '../../dist');
const collector = await OtlpCollector.start(t);

const server = await Server.start({
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    EGRESS: 'auto',
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOW_NETWORKS: '127.0.0.1/32',
  },
});
t.teardown(() => server.stop('SIGKILL'));
const { key, account, id: keyId } = await server.createKey();

/** Trace ids as clients make them. */
const traceIds = ['4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c'] as const;
const clientSpan = '00f067aa0ba902b7';
const traceparent = (id: string, flags: '00' | '01') => `00-${id}-${clientSpan}-${flags}`;

const idOf = ({ headers }: Answer) => String(headers.get('x-request-id'));
const lineOf = (answer: Answer) => server.logged('request', ({ reqId }) => reqId === idOf(answer));
async function reportOf(answer: Answer): Promise<Record<string, unknown>> {
  const { body } = await send(server, `/v1/conversions/${idOf(answer)}`, { method: 'GET', key });
  return JSON.parse(body.toString());
}

/** The spans of a trace, once this one has come. */
async function spansOf(traceId: string, last: string): Promise<ReceivedSpan[]> {
  await until(`"${last}" has come`, () => collector.trace(traceId).some(({ name }) => name === last));
  return collector.trace(traceId);
}

const one = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1) throw new Error(`${found.length} spans "${name}"`);
  return found[0] as ReceivedSpan;
};
const childrenOf = (spans: readonly ReceivedSpan[], { spanId }: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
const millisecondsOf = ({ start, end }: ReceivedSpan) => Number(end - start) / 1e6;

/** Asserts that each span lies within its parent's time. */
function areNested(t: Test, spans: readonly ReceivedSpan[]): void {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  for (const { name, parentSpanId, start, end } of spans) {
    const parent = byId.get(parentSpanId);
    if (parent) t.ok(start >= parent.start && end <= parent.end, `${name} within ${parent.name}`);
  }
}

t.test('a conversion within the trace of its client', async (t) => {
  const [traceId] = traceIds;
  const headers = { traceparent: traceparent(traceId, '01'), baggage: 'secret=baggage' };
  const answer = await convert(server, key, docx({ pages: 2 }), { headers });
  isDelivered(t, answer, 2);
  const spans = await spansOf(traceId, 'POST /v1/convert');
  const request = one(spans, 'POST /v1/convert');
  t.match(request, { kind: 'SPAN_KIND_SERVER', parentSpanId: clientSpan, status: undefined });
  t.match(request.resource, {
    'service.name': 'platen',
    'service.version': String,
    'service.instance.id': String,
    'deployment.environment.name': 'test',
  });
  t.match(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v1/convert',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'platen.request_id': idOf(answer),
    'platen.account': account,
    'platen.class': 'live',
    'platen.outcome': 'success',
    'platen.pages': 2,
    'platen.bytes_out': answer.body.length,
  });
  t.strictSame(childrenOf(spans, request), [
    'admission',
    'upload',
    'preflight',
    'queue wait',
    'engine',
    'post-processing',
    'verification',
    'settlement',
    'delivery',
  ]);
  const engine = one(spans, 'engine');
  t.strictSame(childrenOf(spans, engine), ['layout']);
  for (const { attributes } of [engine, one(spans, 'layout')]) {
    t.match(attributes, { 'platen.pages': 2, 'platen.attempts': 1 });
    t.ok(Number(attributes['platen.peak_bytes']) > 10e6, 'memory of the child');
    t.ok(Number(attributes['platen.cpu_ms']) > 1, 'its CPU time');
  }
  areNested(t, spans);
  const line = await lineOf(answer);
  t.equal(line.traceId, traceId);
  const { phases } = line.conversion as { phases: Record<string, number> };
  const names = {
    upload: 'upload',
    preflight: 'preflight',
    queue: 'queue wait',
    convert: 'engine',
    delivery: 'delivery',
  };
  for (const [phase, name] of Object.entries(names)) {
    const off = Math.abs(millisecondsOf(one(spans, name)) - Number(phases[phase]));
    t.ok(off <= 0.051, `the log has the time of ${name}, to a tenth of a millisecond`);
  }
  t.match(await reportOf(answer), { outcome: 'success', traceId });
  t.notMatch(JSON.stringify(spans.map(({ attributes }) => attributes)), /document|Page 1|baggage|svc_live/);
  t.notMatch(JSON.stringify(spans.map(({ attributes }) => attributes)), keyId);
});

t.test('a client that does not sample', async (t) => {
  const [, traceId] = traceIds;
  const answer = await convert(server, key, docx(), { headers: { traceparent: traceparent(traceId, '00') } });
  t.equal((await lineOf(answer)).traceId, traceId);
  t.match(await reportOf(answer), { traceId });
  // Spans of a later request have arrived.
  const later = await convert(server, undefined, docx());
  await spansOf(String((await lineOf(later)).traceId), 'POST /v1/public/convert');
  t.strictSame(collector.trace(traceId), []);
});

t.test('a document that fails, in a trace of its own', async (t) => {
  const answer = await convert(server, key, malformedDocx());
  isError(t, answer, 'CORRUPTED_FILE');
  const { traceId } = await reportOf(answer);
  const spans = await spansOf(String(traceId), 'POST /v1/convert');
  t.match(one(spans, 'POST /v1/convert'), {
    parentSpanId: '',
    status: undefined,
    attributes: { 'http.response.status_code': 400, 'platen.outcome': 'CORRUPTED_FILE' },
  });
  const failed = spans.filter(({ status }) => status === 'STATUS_CODE_ERROR');
  t.ok(failed.length > 0);
  for (const { attributes } of failed)
    t.match(attributes, { 'error.type': 'CORRUPTED_FILE', 'platen.reason': String });
});

t.test('a job: its file, and the attempt to tell its webhook, in the trace of its request', async (t) => {
  const receiver = await Receiver.start(t);
  t.equal((await send(server, '/v1/webhooks/secret', { key })).status, 201);
  const traceId = 'a'.repeat(32);
  const body = form(docx());
  body.set('webhook', receiver.url());
  const headers = {
    traceparent: traceparent(traceId, '01'),
    tracestate: 'vendor=1',
    baggage: 'secret=baggage',
  };
  const taken = await send(server, '/v1/jobs?linearize=true', { key, body, headers });
  t.equal(taken.status, 202);
  const { id } = JSON.parse(taken.body.toString());
  t.match(await ended(server, key, id), { counts: { succeeded: 1 } });
  const spans = await spansOf(traceId, 'webhook attempt');
  await until('the job has come', () => collector.trace(traceId).some(({ name }) => name === 'job'));
  spans.splice(0, spans.length, ...collector.trace(traceId));
  const request = one(spans, 'POST /v1/jobs');
  t.equal(request.parentSpanId, clientSpan);
  t.strictSame(childrenOf(spans, request).sort(), ['admission', 'job', 'upload', 'webhook attempt']);
  const job = one(spans, 'job');
  t.match(job, {
    kind: 'SPAN_KIND_CONSUMER',
    attributes: { 'platen.job': id, 'platen.file': 1, 'platen.outcome': 'succeeded' },
  });
  t.strictSame(childrenOf(spans, job), [
    'preflight',
    'queue wait',
    'engine',
    'verification',
    'delivery',
    'settlement',
  ]);
  t.strictSame(childrenOf(spans, one(spans, 'engine')), ['layout', 'post-processing']);
  areNested(
    t,
    spans.filter(({ spanId }) => spanId !== request.spanId),
  );
  const attempt = one(spans, 'webhook attempt');
  t.match(attempt, {
    kind: 'SPAN_KIND_CLIENT',
    attributes: { 'http.response.status_code': 204, 'platen.webhook': id },
    resource: { 'service.name': 'platen' },
  });
  t.not(attempt.resource['service.instance.id'], job.resource['service.instance.id'], 'another process');
  t.match(
    receiver.received.map(({ headers }) => headers),
    [{ traceparent: `00-${traceId}-${attempt.spanId}-01`, tracestate: 'vendor=1', baggage: undefined }],
  );
  t.match(await server.logged('file of a job'), { job: id, traceId });
  t.match(await server.logged('webhook'), { webhook: id, traceId });
});

t.test('probes of load balancers and the scrape are in no trace', async (t) => {
  await get(server, '/health');
  const { types } = await scrape(server);
  t.ok(types.size > 40);
  const { traceId } = await lineOf(await get(server, '/v1'));
  await spansOf(String(traceId), 'GET /v1');
  t.strictSame(
    collector.spans.filter(({ name }) => /health|metrics/.test(name)),
    [],
  );
});

t.test('the metrics are those of the scrape', async (t) => {
  const { types, help, series } = await scrape(server);
  const before = collector.requests;
  await until('they came again, twice', () => collector.requests > before + 2 && collector.metrics.size > 0);
  for (const [name, type] of types) {
    t.match(collector.metrics.get(name), {
      type: type === 'counter' ? 'sum' : type,
      description: help.get(name),
    });
  }
  t.equal(collector.metrics.size, types.size);
  const pointsOf = (name: string) => collector.metrics.get(name)?.points ?? [];
  const converted = { class: 'live', outcome: 'success' };
  t.match(
    pointsOf('platen_conversions_total').filter(({ attributes }) => attributes.class === 'live'),
    [
      {
        attributes: converted,
        value: series.get('platen_conversions_total{class="live",outcome="success"}'),
      },
    ],
  );
  t.match(pointsOf('platen_workers'), [{ value: series.get('platen_workers') }]);
  const [times] = pointsOf('platen_conversion_phase_duration_seconds').filter(
    ({ attributes }) => attributes.phase === 'convert',
  );
  const name = 'platen_conversion_phase_duration_seconds';
  t.equal(times?.count, series.get(`${name}_count{phase="convert"}`));
  t.equal(times?.sum, series.get(`${name}_sum{phase="convert"}`));
  t.equal(times?.bucketCounts.length, Number(times?.bounds.length) + 1);
  t.equal(
    times?.bucketCounts.reduce((sum, count) => sum + count, 0),
    times?.count,
  );
});

t.test('a collector that does not answer delays nobody, and fills no log', async (t) => {
  collector.isHanging = true;
  for (let n = 0; n < 3; n++) isDelivered(t, await convert(server, key, docx()));
  await endsCleanly(t, server);
  const said = server.log.filter(({ msg }) => msg === 'telemetry is not sent');
  t.ok(said.length <= 2, 'once of each process');
});

/** The sources of a file of the build, by its map. */
async function sourcesOf(file: string): Promise<string[]> {
  const map = await readFile(`${file}.map`, 'utf8').catch(() => '{"sources":[]}');
  return JSON.parse(map).sources;
}

/** The sources that processes loaded of which V8 wrote the coverage. */
async function loadedSources(folder: string): Promise<string[]> {
  const files = new Set<string>();
  for (const report of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, report), 'utf8')) as {
      result: { url: string }[];
    };
    for (const { url } of result) if (/^file:.*\.js$/.test(url)) files.add(fileURLToPath(url));
  }
  return (await Promise.all([...files].map(sourcesOf))).flat();
}

t.test('without the variables no SDK is loaded', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-loaded-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const off = await Server.start({ env: { NODE_V8_COVERAGE: folder } });
  const { key } = await off.createKey();
  const answer = await convert(off, key, docx());
  isDelivered(t, answer);
  const { body } = await send(off, `/v1/conversions/${idOf(answer)}`, { method: 'GET', key });
  t.match(JSON.parse(body.toString()), { outcome: 'success', traceId: null });
  t.notHas(await off.logged('request', ({ reqId }) => reqId === idOf(answer)), { traceId: String });
  await endsCleanly(t, off);
  const sources = await loadedSources(folder);
  t.ok(sources.some((source) => source.endsWith('src/main.ts')));
  const isOf = (name: string) => (source: string) => source.includes(`@opentelemetry/${name}`);
  t.ok(sources.some(isOf('api/')));
  t.strictSame(
    sources.filter((source) => isOf('')(source) && !isOf('api/')(source)),
    [],
  );
  const built = (await readdir(dist)).filter((name) => /^sdk-.*\.js$/.test(name));
  t.ok(
    (await sourcesOf(join(dist, String(built[0])))).some(isOf('sdk-node/')),
    'the SDK is there to be loaded',
  );
});
