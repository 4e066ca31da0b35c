/** Endpoints of webhooks over HTTP. What is delivered to them: test/webhooks. */
import t from 'tap';
import { newJobId } from '../../../src/jobs/job.ts';
import { eventTypes, MAX_ENDPOINTS } from '../../../src/webhooks/webhook.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { type Answer, send } from '../../e2e/support/requests.ts';
import { newJob } from '../../jobs/support.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { field, filePart, post, readBody } from '../jobs/support.ts';

const service = await Service.start(t);
const { key } = await service.createKey();
const url = 'https://shop.example/hooks?token=s3cret';

function ask(path: string, method: string, body?: unknown, secret = key): Promise<Answer> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return send(service, `/v1/webhooks${path}`, { key: secret, method, ...json });
}

interface Webhook {
  readonly id: string;
  readonly secret: string;
  readonly enabled: boolean;
  readonly disabledAt: string | null;
}

async function create(settings: object = {}, secret = key): Promise<Webhook> {
  const answer = await ask('', 'POST', { url, events: ['job.completed'], ...settings }, secret);
  t.equal(answer.status, 201);
  return readBody<Webhook>(answer);
}

const list = async (secret = key) =>
  readBody<{ webhooks: Webhook[] }>(await ask('', 'GET', undefined, secret)).webhooks;

t.test('from its creation to its end', async (t) => {
  const { secret, ...created } = await create({ description: 'invoices' });
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.match(created, {
    environment: 'live',
    url,
    events: ['job.completed'],
    description: 'invoices',
    enabled: true,
    disabledReason: null,
  });
  t.same(readBody(await ask(`/${created.id}`, 'GET')), created, 'the secret is shown once');
  t.same(await list(), [created]);

  const changed = await ask(`/${created.id}`, 'PATCH', {
    events: ['job.expired', 'quota.warning'],
    enabled: false,
  });
  t.match(readBody(changed), {
    ...created,
    events: ['job.expired', 'quota.warning'],
    enabled: false,
    disabledReason: null,
    disabledAt: String,
  });
  isError(t, await ask(`/${created.id}/test`, 'POST'), 'INVALID_REQUEST');
  t.match(readBody(await ask(`/${created.id}`, 'PATCH', { enabled: true })), {
    enabled: true,
    disabledAt: null,
  });
  t.match(readBody(await ask(`/${created.id}`, 'PATCH', {})), { description: 'invoices' });

  const rotated = await ask(`/${created.id}/secret`, 'POST');
  t.equal(rotated.status, 201);
  t.not(readBody<Webhook>(rotated).secret, secret);

  t.equal((await ask(`/${created.id}`, 'DELETE')).status, 204);
  isError(t, await ask(`/${created.id}`, 'DELETE'), 'NOT_FOUND');
  t.same(await list(), []);
});

t.test('an endpoint that was added is answered with its secret, whatever fails next', async (t) => {
  const { endpoints } = service.services.webhooks;
  const { find } = endpoints;
  endpoints.find = () => Promise.reject(new Error('Command timed out'));
  const made = [await create(), await create({ enabled: false })];
  endpoints.find = find;
  t.same(
    made.map(({ secret: _, ...each }) => each),
    await list(),
  );
  t.match(made, [{ disabledAt: null }, { disabledAt: String }]);
  for (const { id } of made) await ask(`/${id}`, 'DELETE');
});

t.test('a test key can have samples of events', async (t) => {
  const tester = await service.createKey({ environment: 'test' });
  const { id } = await create({}, tester.key);
  const simulate = (type: string, endpoint = id, secret = tester.key) =>
    send(service, `/v1/webhooks/${endpoint}/test`, { key: secret, headers: { 'platen-simulate': type } });
  for (const type of eventTypes) {
    const sent = await simulate(type);
    t.equal(sent.status, 202, sent.body.toString());
    t.match(readBody(sent), { type, state: 'pending' });
  }
  t.match(isError(t, await simulate('webhook.test'), 'INVALID_PARAMETER').message, /key\.expiring/);
  const live = await create();
  isError(t, await simulate('job.completed', live.id, key), 'INVALID_PARAMETER');
  await ask(`/${id}`, 'DELETE', undefined, tester.key);
  await ask(`/${live.id}`, 'DELETE');
});

t.test('messages can be tested, listed and sent again', async (t) => {
  const { id } = await create();
  const tested = await ask(`/${id}/test`, 'POST');
  t.equal(tested.status, 202);
  const delivery = readBody<{ id: string; nextAttemptAt: string }>(tested);
  t.match(delivery, { type: 'webhook.test', state: 'pending', attempts: [] });
  t.same(readBody(await ask(`/${id}/deliveries`, 'GET')), { deliveries: [delivery] });
  const again = await ask(`/${id}/deliveries/${delivery.id}/retry`, 'POST');
  t.equal(again.status, 202);
  t.match(readBody(again), { id: delivery.id, state: 'pending' });
  isError(t, await ask(`/${id}/deliveries/msg_none/retry`, 'POST'), 'NOT_FOUND');
  isError(t, await ask(`/${id}/deliveries/msg_${'0'.repeat(32)}/retry`, 'POST'), 'NOT_FOUND');
  await ask(`/${id}`, 'PATCH', { enabled: false });
  isError(t, await ask(`/${id}/deliveries/${delivery.id}/retry`, 'POST'), 'INVALID_REQUEST');
  await ask(`/${id}`, 'DELETE');
});

t.test('what cannot be an endpoint is refused', async (t) => {
  const refused = [
    { url: 'http://shop.example/' },
    { url: 'ftp://shop.example/' },
    { url: 'https://user:password@shop.example/' },
    { url: 'shop.example' },
    // What can never be allowed.
    { url: 'https://127.0.0.1/' },
    { url: 'https://10.0.0.1:8443/' },
    { url: 'https://[fd00::1]/' },
    { url: 'https://localhost/' },
    { url: 'https://a.localhost:8080/' },
    { url: 'https://shop.example:22/' },
    { url: `https://shop.example/${'x'.repeat(2_048)}` },
    { events: [] },
    { events: ['job.begun'] },
    { events: ['job.expired', 'job.expired'] },
    { events: undefined },
    { description: 'x'.repeat(201) },
    { enabled: 'yes' },
    { secret: 'whsec_AAAA' },
  ];
  for (const settings of refused) {
    isError(t, await ask('', 'POST', { url, events: ['job.completed'], ...settings }), 'INVALID_PARAMETER');
  }
  isError(t, await send(service, '/v1/webhooks', { key, body: 'url=1' }), 'INVALID_REQUEST');
  const { id } = await create();
  isError(t, await ask(`/${id}`, 'PATCH', { url: 'http://shop.example/' }), 'INVALID_PARAMETER');
  await ask(`/${id}`, 'DELETE');
});

t.test('each account and environment has its own, and not too many', async (t) => {
  const { key: test } = await service.createKey({ environment: 'test' });
  const { id } = await create();
  t.same(await list(test), []);
  for (const [path, method] of [
    [`/${id}`, 'GET'],
    [`/${id}`, 'PATCH'],
    [`/${id}`, 'DELETE'],
    [`/${id}/secret`, 'POST'],
    [`/${id}/test`, 'POST'],
    [`/${id}/deliveries`, 'GET'],
    ['/job/deliveries', 'GET'],
  ] as const) {
    isError(t, await ask(path, method, undefined, test), 'NOT_FOUND');
  }
  for (let n = 0; n < MAX_ENDPOINTS; n++) await create({}, test);
  isError(t, await ask('', 'POST', { url, events: ['job.completed'] }, test), 'INVALID_REQUEST');
  await ask(`/${id}`, 'DELETE');
});

t.test('only keys with the permission, which a pk key cannot have', async (t) => {
  const { key: other } = await service.createKey({ permissions: ['convert', 'jobs'] });
  isError(t, await ask('', 'GET', undefined, other), 'INSUFFICIENT_PERMISSIONS');
  await t.rejects(service.createKey({ type: 'pk', permissions: ['webhooks'] }));
});

t.test('a job may name a URL, once there is a secret for it', async (t) => {
  const { id: account } = await service.createAccount('urls', 'pro');
  const { key } = await service.createKey({ account });
  const parts = [filePart(), field('webhook', url)];
  isError(t, await post(service, key, parts), 'INVALID_PARAMETER');
  t.equal((await ask('/secret', 'POST', undefined, key)).status, 201);
  isError(
    t,
    await post(service, key, [filePart(), field('webhook', 'http://x.example')]),
    'INVALID_PARAMETER',
  );
  const taken = await post(service, key, parts);
  t.equal(taken.status, 202);
  const job = readBody<{ id: string; webhook: string }>(taken);
  t.equal(job.webhook, url);
  const deliveries = async () => {
    const answer = await ask(`/${job.id}/deliveries`, 'GET', undefined, key);
    return readBody<{ deliveries: { id: string; type: string }[] }>(answer).deliveries;
  };
  await until('its end is told', async () => (await deliveries()).length === 1);
  const [told] = await deliveries();
  t.match(told, { type: 'job.completed' });
  const listed = (id: string, by = key) => ask(`/${id}/deliveries`, 'GET', undefined, by);
  isError(t, await listed(job.id, (await service.createKey()).key), 'NOT_FOUND');
  isError(t, await listed(newJobId()), 'NOT_FOUND');
  const without = readBody<{ id: string }>(await post(service, key, [filePart()]));
  isError(t, await listed(without.id), 'NOT_FOUND');
  const waiting = newJob({ account, webhook: url });
  await service.services.jobs?.records.take(waiting);
  t.same(readBody(await listed(waiting.id)), { deliveries: [] }, 'it is yet to be told');
  t.equal((await ask(`/${job.id}/deliveries/${told?.id}/retry`, 'POST', undefined, key)).status, 202);
});

t.test('neither secrets nor addresses are logged', (t) => {
  const log = JSON.stringify(service.log);
  t.notMatch(log, /whsec_/);
  t.notMatch(log, /s3cret/);
  t.end();
});
