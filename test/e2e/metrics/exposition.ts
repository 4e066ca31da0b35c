/** What the operator sees: the metrics, the health in detail, and that the guide fits both. */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import * as documents from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { isError, isPdf } from '../support/assertions.ts';
import {
  alertRules,
  dashboardVariables,
  panelQueries,
  scalerQuery,
  selectorsOf,
  withVariables,
} from '../support/monitoring.ts';
import { getAsOperator, operatorToken, scrape } from '../support/operator.ts';
import { redisOf } from '../support/processes.ts';
import { bearer, convert, exchange, get, send } from '../support/requests.ts';
import { created, guide, prometheus, server } from './server.ts';

const { key, id: keyId, account } = created;

t.test('only the operator gets in', async (t) => {
  for (const path of ['/metrics', '/operator/v1/health']) {
    isError(t, await get(server, path), 'MISSING_AUTH', 401, path);
    for (const wrong of [key, 'guess', `${await operatorToken(server)}x`]) {
      const answer = await send(server, path, { method: 'GET', headers: bearer(wrong) });
      isError(t, answer, 'INVALID_API_KEY', 401, path);
    }
    t.equal((await getAsOperator(server, path)).status, 200);
  }
  isError(t, await send(server, '/metrics', { method: 'POST' }), 'METHOD_NOT_ALLOWED');
  const asKey = await convert(server, await operatorToken(server), documents.docx());
  isError(t, asKey, 'INVALID_API_KEY', 401, 'the token is no API key');
});

t.test('the token is in the data folder, and the log names the file, not the token', async (t) => {
  const file = join(server.dataDir, 'operator-token');
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.equal((await server.logged('listening')).operatorToken, file);
  t.notMatch(JSON.stringify([server.log, server.printed]), await operatorToken(server));
});

t.test('the exposition: names, types and help as Prometheus wants them', async (t) => {
  const { headers } = await getAsOperator(server, '/metrics');
  t.match(headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  const { types, help, series } = await scrape(server);
  const own = [...types].filter(([name]) => name.startsWith('platen_'));
  t.ok(own.length > 30);
  for (const [name, type] of own) {
    t.match(name, /^platen_[a-z_]+$/);
    t.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
    if (type === 'histogram') t.match(name, /_seconds$/, `${name} has a base unit`);
    t.notMatch(name, /_ms|_milliseconds|_mb|_kb/, `${name} has a base unit`);
    t.ok((help.get(name) ?? '').length > 15, `${name} says what it is`);
  }
  for (const name of ['process_open_fds', 'nodejs_eventloop_lag_p99_seconds', 'nodejs_gc_duration_seconds']) {
    t.ok(types.has(name), name);
  }
  const ownSeries = [...series].filter(([id]) => id.startsWith('platen_'));
  t.strictSame(
    ownSeries.filter(([, value]) => Number.isNaN(value)),
    [],
    'every value is a number',
  );
});

t.test('a conversion shows', async (t) => {
  const document = documents.docx({ pages: 3 });
  const before = await scrape(server);
  const answer = await convert(server, key, document);
  await isPdf(t, answer, 'Page 3', 3);
  await server.logged('request', ({ reqId }) => reqId === answer.headers.get('x-request-id'));
  const { series } = await scrape(server);
  const rise = (id: string) => (series.get(id) ?? 0) - (before.series.get(id) ?? 0);
  t.equal(rise('platen_conversions_total{class="live",outcome="success"}'), 1);
  t.equal(
    rise('platen_http_requests_total{method="POST",route="/v1/convert",status="200",code="success"}'),
    1,
  );
  t.equal(rise('platen_http_request_duration_seconds_count{route="/v1/convert"}'), 1);
  for (const phase of ['upload', 'preflight', 'queue', 'convert', 'delivery']) {
    const name = 'platen_conversion_phase_duration_seconds';
    t.equal(rise(`${name}_count{phase="${phase}"}`), 1, phase);
    const seconds = rise(`${name}_sum{phase="${phase}"}`);
    t.ok(seconds >= 0 && seconds < 30, `${phase}: ${seconds} s`);
  }
  t.equal(rise('platen_pdf_pages_total'), 3);
  t.equal(rise('platen_upload_bytes_total'), document.length);
  t.equal(rise('platen_pdf_bytes_total'), answer.body.length);
  t.ok(rise('platen_redis_wait_duration_seconds_count') >= 3, 'admission, maintenance, settlement');
  t.equal(rise('platen_billing_events_total{event="settled"}'), 1);
});

t.test('refusals show, with their reasons', async (t) => {
  isError(t, await convert(server, key, documents.pdf()), 'INVALID_FILE_TYPE');
  isError(t, await convert(server, undefined, documents.encryptedDocx()), 'PASSWORD_PROTECTED');
  isError(t, await exchange(server, 'no HTTP\r\n\r\n'), 'INVALID_REQUEST');
  isError(
    t,
    await exchange(server, 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    'INVALID_REQUEST',
  );
  const { id } = await server.createAccount({ name: 'Free', plan: 'free' });
  const test = await server.createKey({ account: id, environment: 'test' });
  const askForUsage = () => send(server, '/v1/usage', { method: 'GET', key: test.key });
  await until('a window is full', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, askForUsage));
    return answers.some(({ status }) => status === 429);
  });
  await until('the last is counted', async () => {
    const { series } = await scrape(server);
    return [...series.keys()].some((id) => id.startsWith('platen_refusals_total{code="RATE_LIMIT_EXCEEDED"'));
  });
  const { series } = await scrape(server);
  t.equal(series.get('platen_conversions_total{class="live",outcome="INVALID_FILE_TYPE"}'), 1);
  t.equal(series.get('platen_conversions_total{class="public",outcome="PASSWORD_PROTECTED"}'), 1);
  t.equal(series.get('platen_refusals_total{code="INVALID_FILE_TYPE",reason="not-a-document"}'), 1);
  t.equal(series.get('platen_refusals_total{code="PASSWORD_PROTECTED",reason="encrypted"}'), 1);
  t.equal(series.get('platen_http_unreadable_requests_total{status="400"}'), 2);
});

t.test('the state of the server', async (t) => {
  const { series, text } = await scrape(server);
  const expected: readonly (readonly [string, (value: number) => boolean])[] = [
    ['platen_ready', (value) => value === 1],
    ['platen_healthy', (value) => value === 1],
    ['platen_phase{phase="ready"}', (value) => value === 1],
    ['platen_phase{phase="draining"}', (value) => value === 0],
    ['platen_maintenance', (value) => value === 0],
    ['platen_engine_ready', (value) => value === 1],
    ['platen_workers', (value) => value === 2],
    ['platen_workers_busy', (value) => value === 0],
    ['platen_queue_waiting{class="live"}', (value) => value === 0],
    ['platen_queue_oldest_wait_seconds', (value) => value === 0],
    ['platen_preflight_threads', (value) => value === 2],
    ['platen_preflight_threads_busy', (value) => value === 0],
    ['platen_preflight_waiting{class="live"}', (value) => value === 0],
    ['platen_preflight_oldest_wait_seconds', (value) => value === 0],
    ['platen_sandbox_layer{layer="seccomp"}', (value) => value === 1],
    ['platen_redis_up', (value) => value === 1],
    ['platen_redis_writable', (value) => value === 1],
    ['platen_billing_events_total{event="unbilled"}', (value) => value === 0],
    ['platen_billing_events_total{event="restored"}', (value) => value === 0],
    // This request, and perhaps a scrape of Prometheus.
    ['platen_http_requests_in_flight', (value) => value === 1 || value === 2],
    ['platen_resident_memory_bytes{process="server"}', (value) => value > 50e6],
    ['platen_resident_memory_bytes{process="kit"}', (value) => value > 50e6],
    ['platen_resident_memory_bytes{process="child"}', (value) => value > 10e6],
    ['platen_resident_memory_bytes{process="redis"}', (value) => value > 1e6],
  ];
  for (const [id, fits] of expected) t.ok(fits(series.get(id) ?? Number.NaN), `${id} ${series.get(id)}`);
  t.match(
    text,
    /^platen_build_info\{version="[^"]+",node="v\d+\.[^"]+",engine="kit",libreoffice="[\d.]+",poppler="[\d.]+"\} 1$/m,
  );

  const { body } = await getAsOperator(server, '/operator/v1/health');
  t.match(JSON.parse(body.toString('utf8')), {
    status: 'ok',
    problem: null,
    ready: true,
    phase: 'ready',
    engine: { engine: 'kit', ready: true, libreOffice: /^\d/ },
    maintenance: { on: false, since: null },
    sandbox: [{ name: 'seccomp', active: true, required: true }],
    queue: { workers: 2, limit: 100, running: 0, waiting: 0 },
    preflight: { threads: 2, running: 0, waitingByClass: { live: 0 }, oldestWaitMs: 0 },
    redis: { up: true, writable: true, latencyMs: Number },
    billing: { unbilled: 0 },
  });
});

t.test('no series names a customer, a key or an address', async (t) => {
  const { text } = await scrape(server);
  for (const secret of [account, keyId, key, '127.0.0.1', '::1']) t.notMatch(text, secret);
  t.ok(text.split('\n').length < 1_500);
});

t.test('the guide has every metric of ours, and no other', async (t) => {
  const { types } = await scrape(server);
  const described = new Set(guide.match(/(?<=`)platen_[a-z_]+(?=`)/g));
  for (const name of types.keys()) {
    if (name.startsWith('platen_')) t.ok(described.has(name), `${name} is in the guide`);
  }
  for (const name of described) t.ok(types.has(name), `${name} exists`);
});

t.test('every query of the dashboard finds series on a real server', async (t) => {
  // Prometheus sees no increase in the first value of a series, so a second conversion follows the first scrape.
  const converted = 'rate(platen_conversion_phase_duration_seconds_count{phase="delivery"}[5m])';
  await until('Prometheus has what happened', async () => (await prometheus.query(converted)).length > 0);
  await isPdf(t, await convert(server, key, documents.docx()), 'Hello from Platen.');
  await until('and what happens', async () => (await prometheus.query(`${converted} > 0`)).length > 0);
  const values: Record<string, string> = { __rate_interval: '5m' };
  for (const { name, selector, label } of dashboardVariables) {
    const found = await prometheus.labelValues(label, withVariables(selector, values));
    t.ok(found.length > 0, `$${name} has values`);
    values[name] = `(${found.join('|')})`;
  }
  t.ok(panelQueries.length > 50);
  for (const { title, expr } of panelQueries) {
    const samples = await prometheus.query(withVariables(expr, values));
    t.ok(samples.length > 0, `${title}: ${expr}`);
    for (const { value, labels } of samples)
      t.notOk(Number.isNaN(value), `${title}: ${JSON.stringify(labels)} of ${expr}`);
  }
  const scaling = await prometheus.query(scalerQuery());
  t.equal(scaling.length, 1, 'KEDA gets one number');
});

t.test('every alert rule uses existing series, and none fires', async (t) => {
  await until('they are evaluated', async () =>
    (await prometheus.rules()).every(({ health }) => health !== 'unknown'),
  );
  const rules = await prometheus.rules();
  t.equal(rules.length, alertRules().length);
  for (const { name, health, state, lastError } of rules)
    t.match({ health, state, lastError }, { health: 'ok', state: /inactive|pending/ }, name);
  for (const { alert, expr, labels, annotations } of alertRules()) {
    t.match(alert, /^Platen[A-Za-z]+$/);
    t.match(labels.severity, /^(page|ticket)$/, alert);
    t.match(annotations.summary, /^.{10,}\.$/, alert);
    const selectors = selectorsOf(expr);
    t.ok(selectors.length > 0, alert);
    for (const selector of selectors) {
      t.ok((await prometheus.query(selector)).length > 0, `${alert}: ${selector}`);
    }
  }
});

t.test('the OpenAPI document is the published one, without the operator API', async (t) => {
  const published = JSON.parse(
    readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
  );
  const { body } = await get(server, '/v1/openapi.json');
  t.strictSame(JSON.parse(body.toString('utf8')), published);
  for (const path of ['/metrics', '/operator/v1/health']) t.notOk(path in published.paths, path);
});

t.test('without Redis the operator sees that Redis is away', async (t) => {
  const redis = redisOf(server);
  process.kill(redis, 'SIGSTOP');
  try {
    const { series } = await scrape(server);
    t.equal(series.get('platen_redis_up'), 0);
    t.equal(series.get('platen_ready'), 0);
    await until('the last proof that it takes writes is old', async () => {
      return (await scrape(server)).series.get('platen_redis_writable') === 0;
    });
    const { status, body } = await getAsOperator(server, '/operator/v1/health');
    t.equal(status, 200);
    t.match(JSON.parse(body.toString('utf8')), {
      status: 'unavailable',
      problem: /Redis/,
      redis: { up: false, writable: false, latencyMs: null },
    });
    isError(t, await get(server, '/metrics'), 'MISSING_AUTH');
    const guess = await send(server, '/metrics', { method: 'GET', headers: bearer('guess') });
    isError(t, guess, 'INVALID_API_KEY', 401, 'and nobody else gets in');
  } finally {
    process.kill(redis, 'SIGCONT');
  }
  await until('it recovers', async () => (await scrape(server)).series.get('platen_ready') === 1);
});

t.test('maintenance shows', async (t) => {
  await server.cliText('maintenance', 'on');
  t.equal((await scrape(server)).series.get('platen_maintenance'), 1);
  await server.cliText('maintenance', 'off');
  t.equal((await scrape(server)).series.get('platen_maintenance'), 0);
});
