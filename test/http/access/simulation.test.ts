/** Platen-Simulate: with a test key, every error of the catalogue and a slow conversion, on demand. */
import t from 'tap';
import {
  hasNoRateLimit,
  hasRateLimit,
  isDelivered,
  isError,
  statusOf,
} from '../../e2e/support/assertions.ts';
import { scrape } from '../../e2e/support/operator.ts';
import { convert, get, type SendOptions, send } from '../../e2e/support/requests.ts';
import { docx, docxOfSize } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const codes = Object.keys(statusOf);
const service = await Service.start(t, { env: { PUBLIC_PER_SECOND: '100' } });
const [live, tester] = await Promise.all([service.createKey(), service.createKey({ environment: 'test' })]);
const document = docx();

const simulate = (code: string, key: string | undefined = tester.key, options: SendOptions = {}) =>
  convert(service, key, document, { ...options, headers: { 'platen-simulate': code, ...options.headers } });

/** The values of `code` in every schema of an error, which has an explanation beside it. */
function codesIn(node: unknown, codes = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return codes;
  const { code, error } = node as { code?: { enum?: string[] }; error?: unknown };
  if (error !== undefined) for (const each of code?.enum ?? []) codes.add(each);
  for (const value of Object.values(node)) codesIn(value, codes);
  return codes;
}

t.test('every code of the contract, as the service answers with it', async (t) => {
  const contract = JSON.parse((await get(service, '/v1/openapi.json')).body.toString()) as unknown;
  t.strictSame([...codesIn(contract)].sort(), [...codes].sort());
  for (const code of codes) {
    const answer = await simulate(code);
    isError(t, answer, code);
    t.equal(answer.headers.get('allow'), code === 'METHOD_NOT_ALLOWED' ? 'POST' : null, `${code}: Allow`);
    if ([401, 404, 405].includes(answer.status)) hasNoRateLimit(t, answer, code);
    else {
      const { remaining } = hasRateLimit(t, answer, code);
      t.equal(remaining === 0, code === 'RATE_LIMIT_EXCEEDED', `${code}: what is left`);
    }
  }
});

t.test('it counts in the windows, and nowhere else', async (t) => {
  const { body } = await send(service, '/v1/usage', { method: 'GET', key: tester.key });
  const { conversions, windows, days } = JSON.parse(body.toString()) as {
    conversions: { used: number };
    windows: { name: string; remaining: number }[];
    days: unknown[];
  };
  t.equal(conversions.used, 0);
  t.strictSame(days, []);
  const hour = windows.find(({ name }) => name === 'hour');
  // Unless the hour has just begun anew.
  t.ok((hour?.remaining ?? 0) <= 99);
  const { series } = await scrape(service);
  const counted = [...series].filter(([id, value]) => value > 0 && /_(requests|conversions)_total/.test(id));
  t.ok(counted.some(([id]) => id.includes('code="simulated"')));
  const alarming = counted.filter(([id]) => codes.some((code) => id.includes(`"${code}"`)));
  t.strictSame(alarming, [], 'and wakes no operator');
});

t.test('nothing is read: a large upload gets its answer', async (t) => {
  const large = docxOfSize(3_000_000);
  const headers = { 'platen-simulate': 'FILE_TOO_LARGE' };
  isError(t, await convert(service, tester.key, large, { headers }), 'FILE_TOO_LARGE');
  t.strictSame(await service.jobs(), []);
});

t.test('it takes no idempotency key', async (t) => {
  const headers = { 'idempotency-key': 'simulated' };
  for (const code of ['CONVERSION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'REQUEST_IN_PROGRESS'] as const) {
    isError(t, await simulate(code, tester.key, { headers }), code);
  }
  isDelivered(t, await convert(service, tester.key, document, { headers }));
});

t.test('INVALID_PARAMETER: a live key, no key, and unknown codes', async (t) => {
  for (const code of ['OVERLOADED', 'slow', 'nothing']) {
    isError(t, await simulate(code, live.key), 'INVALID_PARAMETER', 400, `live: ${code}`);
    const headers = { 'platen-simulate': code };
    isError(t, await convert(service, undefined, document, { headers }), 'INVALID_PARAMETER', 400, 'public');
  }
  for (const code of ['', 'overloaded', 'SLOW', 'constructor', 'OVERLOADED, OVERLOADED', '503']) {
    isError(t, await simulate(code), 'INVALID_PARAMETER', 400, code);
  }
  isError(t, await simulate('OVERLOADED', `${tester.key}x`), 'INVALID_API_KEY');
  const headers = { 'platen-simulate': 'OVERLOADED' };
  const usage = await send(service, '/v1/usage', { method: 'GET', key: tester.key, headers });
  t.equal(usage.status, 200, 'conversions only');
});

/** A slow conversion whose upload has arrived. */
async function slow(): Promise<{ answer: ReturnType<typeof simulate>; client: AbortController }> {
  await until('those before have gone', async () => (await service.jobs()).length === 0);
  const client = new AbortController();
  const answer = simulate('slow', tester.key, { signal: client.signal });
  await until('it has arrived', async () => (await service.jobs()).length === 1);
  return { answer, client };
}

t.test('slow: nobody waits for it, and it ends with its client', async (t) => {
  const { answer, client } = await slow();
  // Of two workers and more, and of one.
  isDelivered(t, await convert(service, live.key, document));
  client.abort();
  await t.rejects(answer, { name: 'AbortError' });
  await until('it is gone', async () => (await service.jobs()).length === 0, 5_000);
});

t.test('slow: the conversion, ten seconds later', async (t) => {
  const started = performance.now();
  isDelivered(t, await simulate('slow'));
  t.ok(performance.now() - started >= 9_990);
});

t.test('slow: a service that drains does not wait', async (t) => {
  const { answer } = await slow();
  const ended = service.drain();
  isDelivered(t, await answer);
  await ended;
  const [{ ms, status } = {}] = service.log.filter(({ msg }) => msg === 'request').slice(-1);
  t.match({ status, isSlow: Number(ms) >= 10_000 }, { status: 200, isSlow: false });
});
