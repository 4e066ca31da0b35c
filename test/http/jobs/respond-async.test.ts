/** POST /v1/convert with `Prefer: respond-async`: the same upload, converted once and billed once, with or without its client. */
import t, { type Test } from 'tap';
import { setIsolation } from '../../../src/operations/accounts.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { type Answer, convert, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';
import { ask, ended, readBody } from './support.ts';

const engine = new StubEngine();
const service = await Service.start(t, { engine });
const { key, account } = await service.createKey();

function prefer(
  preference: string,
  headers: Readonly<Record<string, string>> = {},
  document = docx(),
): Promise<Answer> {
  return convert(service, key, document, { headers: { prefer: preference, ...headers } });
}

async function used(): Promise<number> {
  const { body } = await send(service, '/v1/usage', { method: 'GET', key });
  return JSON.parse(body.toString()).conversions.used;
}

function isTaken(t: Test, answer: Answer, applied: string): string {
  t.equal(answer.status, 202);
  const { id } = readBody(answer);
  t.equal(answer.headers.get('location'), `/v1/jobs/${id}`);
  t.equal(answer.headers.get('preference-applied'), applied);
  t.match(answer.headers.get('retry-after'), /^\d+$/);
  return id;
}

t.test('a job at once', async (t) => {
  const before = await used();
  const id = isTaken(t, await prefer('respond-async'), 'respond-async');
  const job = await ended(service, key, id);
  t.match(job, { state: 'completed', files: [{ name: 'document.docx', state: 'succeeded' }] });
  const pdf = await ask(service, key, `/${id}/files/1`);
  t.match(pdf.body.toString('latin1'), /^%PDF-/);
  t.equal(await used(), before + 1);
});

t.test('an account whose documents have a process each', async (t) => {
  const ownerOf = async () => {
    await ended(service, key, isTaken(t, await prefer('respond-async'), 'respond-async'));
    return engine.lastJob?.owner;
  };
  const set = (isolation: 'account' | 'document') =>
    service.perform(setIsolation, { account, body: { isolation } });
  t.type(await ownerOf(), 'string');
  await set('document');
  t.equal(await ownerOf(), undefined);
  await set('account');
});

t.test('the PDF, if it is there in time', async (t) => {
  const before = await used();
  isDelivered(t, await prefer('respond-async, wait=60'));
  t.equal(await used(), before + 1);
});

t.test('else a job, which goes on with what has begun', async (t) => {
  const before = await used();
  const documents = engine.status().documents;
  const release = engine.hold();
  const id = isTaken(t, await prefer('wait=0, Respond-Async'), 'respond-async, wait=0');
  t.match(readBody(await ask(service, key, `/${id}`)), { state: 'running' });
  release();
  t.match(await ended(service, key, id), { state: 'completed' });
  t.equal(engine.status().documents, documents + 1, 'converted once');
  t.equal(await used(), before + 1, 'billed once');
  const { queues } = service.services.jobs as NonNullable<typeof service.services.jobs>;
  await until('its entry is gone', async () => (await queues.counts()).delayed === 0);
  await until('its folder is gone', async () => (await service.jobs()).length === 0);
});

t.test('such a job can be cancelled', async (t) => {
  const before = await used();
  const release = engine.hold();
  const id = isTaken(t, await prefer('respond-async, wait=0'), 'respond-async, wait=0');
  t.match(readBody(await ask(service, key, `/${id}/cancel`, 'POST')), { state: 'canceled' });
  await until('its worker is free', async () => service.services.queue.running === 0);
  t.equal(await used(), before);
  release();
});

t.test('one that fails', async (t) => {
  const id = isTaken(t, await prefer('respond-async', {}, Buffer.from('no')), 'respond-async');
  t.match(await ended(service, key, id), {
    files: [{ state: 'failed', error: { code: 'INVALID_FILE_TYPE' } }],
  });
});

t.test('a job that repeats a PDF by its idempotency key', async (t) => {
  const headers = { 'idempotency-key': 'async-0' };
  const first = await convert(service, key, docx(), { headers });
  isDelivered(t, first);
  const before = await used();
  const answer = await prefer('respond-async', headers);
  const id = isTaken(t, answer, 'respond-async');
  t.equal(answer.headers.get('idempotent-replayed'), 'true');
  t.match(await ended(service, key, id), { state: 'completed' });
  t.equal(await used(), before, 'is not billed');
});

t.test('the same again under the same idempotency key is the same job', async (t) => {
  const headers = { 'idempotency-key': 'async-1' };
  const before = await used();
  const id = isTaken(t, await prefer('respond-async', headers), 'respond-async');
  await ended(service, key, id);
  for (const preference of ['respond-async', 'respond-async, wait=20']) {
    const answer = await prefer(preference, headers);
    t.equal(isTaken(t, answer, preference), id);
    t.equal(answer.headers.get('idempotent-replayed'), 'true');
  }
  isError(t, await prefer('respond-async', headers, docx({ pages: 2 })), 'IDEMPOTENCY_KEY_REUSED');
  isDelivered(t, await convert(service, key, docx(), { headers }));
  t.equal(await used(), before + 1, 'billed once');
});

t.test('who may not send jobs', async (t) => {
  const { key: converter } = await service.createKey({ permissions: ['convert'] });
  const headers = { prefer: 'respond-async' };
  isError(t, await convert(service, converter, docx(), { headers }), 'INSUFFICIENT_PERMISSIONS');
  isDelivered(t, await convert(service, converter, docx(), { headers: { prefer: 'return=minimal' } }));
  const { key: free } = await service.createKey({
    account: (await service.createAccount('free', 'free')).id,
  });
  isError(t, await convert(service, free, docx(), { headers }), 'FEATURE_NOT_IN_PLAN');
  isDelivered(t, await convert(service, undefined, docx(), { headers }));
});

t.test('a service without jobs ignores it', async (t) => {
  const service = await Service.start(t, { hasStorage: false });
  const { key } = await service.createKey({ permissions: ['convert'] });
  isDelivered(t, await convert(service, key, docx(), { headers: { prefer: 'respond-async' } }));
});
