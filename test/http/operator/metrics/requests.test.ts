/** The metrics of requests; no client can increase the number of their series. */
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import { RefusedPdf } from '../../../../src/convert/report/accepted.ts';
import { type ErrorCode, type LimitReason, PlatenError } from '../../../../src/errors.ts';
import { errorHandling } from '../../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../../src/http/core/every-answer.ts';
import { newRequestId } from '../../../../src/http/core/request-id.ts';
import { requestLog } from '../../../../src/http/core/request-log.ts';
import { RequestMetrics } from '../../../../src/http/operator/metrics/requests.ts';
import { Lifecycle } from '../../../../src/system/lifecycle.ts';
import { until } from '../../../support/until.ts';

type Ask = (path: string, options?: RequestInit) => Promise<void>;

async function serve(t: Test): Promise<{ ask: Ask; registry: Registry }> {
  const registry = new Registry();
  const observer = new RequestMetrics(registry);
  const app = Fastify({ genReqId: newRequestId });
  t.teardown(() => app.close());
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  await app.register(requestLog, { lifecycle: new Lifecycle(), observers: [observer] });
  app.get('/things/:id', async () => 'thing');
  app.post<{ Querystring: { code: Exclude<ErrorCode, 'OVERLOADED'>; reason?: LimitReason } }>(
    '/refuse',
    async ({ query }) => {
      throw new PlatenError(query.code, { reason: query.reason });
    },
  );
  app.post('/convert', async (request) => {
    const phases = { upload: 2_000, preflight: 3, queue: 40, convert: 500 };
    request.state.conversion = { phases, bytesIn: 1_000, bytesOut: 300, pages: 7 };
    return 'a PDF';
  });
  app.post('/fail', async (request) => {
    request.state.conversion = { phases: { upload: 1 }, bytesIn: 10 };
    throw new PlatenError('CORRUPTED_FILE', { reason: 'day' });
  });
  app.post('/refuse-pdf', async (request) => {
    request.state.conversion = { phases: {} };
    throw new RefusedPdf('It lacks a picture.', []);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask: Ask = async (path, options = {}) => {
    await (await fetch(address + path, options)).arrayBuffer();
  };
  return { ask, registry };
}

/** Lines of the exposition, without comments, once every request has ended on the server's side too. */
async function series(registry: Registry): Promise<string[]> {
  const quiet = 'platen_http_requests_in_flight 0';
  await until('every request has ended', async () => (await registry.metrics()).includes(quiet));
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

t.test('requests by method, route, status and code', async (t) => {
  const { ask, registry } = await serve(t);
  await ask('/things/1?secret=1');
  await ask('/things/2');
  await ask('/nowhere');
  await ask('/things/3', { method: 'DELETE' });
  await ask('/refuse?code=RATE_LIMIT_EXCEEDED&reason=hour', { method: 'POST' });
  await ask('/refuse?code=INTERNAL_ERROR', { method: 'POST' });
  const lines = await series(registry);
  for (const line of [
    'platen_http_requests_total{method="GET",route="/things/:id",status="200",code="success"} 2',
    'platen_http_requests_total{method="GET",route="none",status="404",code="NOT_FOUND"} 1',
    'platen_http_requests_total{method="POST",route="/refuse",status="429",code="RATE_LIMIT_EXCEEDED"} 1',
    'platen_http_requests_total{method="POST",route="/refuse",status="500",code="INTERNAL_ERROR"} 1',
    'platen_http_request_duration_seconds_count{route="/things/:id"} 2',
    'platen_refusals_total{code="RATE_LIMIT_EXCEEDED",reason="hour"} 1',
    'platen_http_requests_in_flight 0',
  ]) {
    t.ok(lines.includes(line), line);
  }
  t.equal(lines.filter((line) => line.startsWith('platen_refusals_total')).length, 1);
});

t.test('conversions by outcome and phase', async (t) => {
  const { ask, registry } = await serve(t);
  await ask('/convert', { method: 'POST' });
  await ask('/fail', { method: 'POST' });
  await ask('/refuse-pdf', { method: 'POST' });
  const lines = await series(registry);
  for (const line of [
    'platen_conversions_total{class="public",outcome="success"} 1',
    'platen_conversions_total{class="public",outcome="CORRUPTED_FILE"} 1',
    'platen_conversions_total{class="public",outcome="refused"} 1',
    'platen_conversions_total{class="public",outcome="CONVERSION_FAILED"} 0',
    'platen_conversions_total{class="live",outcome="INTERNAL_ERROR"} 0',
    'platen_conversion_phase_duration_seconds_count{phase="upload"} 2',
    'platen_conversion_phase_duration_seconds_sum{phase="convert"} 0.5',
    'platen_conversion_phase_duration_seconds_sum{phase="queue"} 0.04',
    'platen_refusals_total{code="CORRUPTED_FILE",reason="day"} 1',
    'platen_upload_bytes_total 1010',
    'platen_pdf_bytes_total 300',
    'platen_pdf_pages_total 7',
  ]) {
    t.ok(lines.includes(line), line);
  }
});

t.test('no client makes them grow', async (t) => {
  const { ask, registry } = await serve(t);
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH', 'MKCOL'];
  const flood = async (round: number) => {
    for (let i = 0; i < 200; i += 1) {
      const tag = `canary-${round}-${i}`;
      const path = ['things', 'nowhere', '', 'metrics'][i % 4];
      await ask(`/${path}/${tag}?q=${tag}`, {
        method: methods[i % methods.length] as string,
        headers: { authorization: `Bearer ${tag}`, 'user-agent': tag, 'x-forwarded-for': tag },
      });
    }
  };
  await flood(1);
  const before = await series(registry);
  await flood(2);
  const after = await series(registry);
  t.equal(after.length, before.length, 'another two hundred of everything add no series');
  t.notMatch(after.join('\n'), 'canary');
  t.notMatch(after.join('\n'), '127.0.0.1');
  t.match(after.join('\n'), 'method="other"');
});

t.test('not even reasons without end make them grow', async (t) => {
  const { ask, registry } = await serve(t);
  for (let i = 0; i < 150; i += 1) {
    await ask(`/refuse?code=CORRUPTED_FILE&reason=reason-${i}`, { method: 'POST' });
  }
  const refusals = (await series(registry)).filter((line) => line.startsWith('platen_refusals_total'));
  t.equal(refusals.length, 101);
  t.ok(refusals.includes('platen_refusals_total{code="CORRUPTED_FILE",reason="other"} 50'));
});

t.test('applications do not share their metrics', async (t) => {
  const one = await serve(t);
  const other = await serve(t);
  await one.ask('/things/1');
  t.match((await series(one.registry)).join('\n'), '/things/:id');
  t.notMatch((await series(other.registry)).join('\n'), '/things/:id');
});
