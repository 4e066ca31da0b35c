/** Endpoints of webhooks, as members of an account manage them. What is of another account: matrix.slow.test.ts. */
import t from 'tap';
import { openDeliveries } from '../../../src/webhooks/deliver.ts';
import { eventTypes, MAX_ENDPOINTS } from '../../../src/webhooks/webhook.ts';
import { plainOutbound } from '../../support/plain-outbound.ts';
import { Receiver, verified } from '../../support/receiver.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { ended, field, filePart, post, readBody } from '../jobs/support.ts';
import { MemberPage } from './support.ts';

const service = await Service.start(t, {
  env: { EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_NETWORKS: '127.0.0.1/32' },
});
await service.createAccount('acme', 'enterprise');
const page = await MemberPage.join(service, 'acme', 'owner');
const receiver = await Receiver.start(t);
const { redis, log } = service.services;
const deliveries = await openDeliveries(redis, log, plainOutbound);
t.teardown(() => deliveries.close());
const key = await service.createKey({ account: 'acme', environment: 'test' });

const create = (settings: object = {}) => {
  const usual = { environment: 'test', url: receiver.url('/a?s3cret'), events: ['job.completed'] };
  return page.ask('POST', 'webhooks', { ...usual, ...settings });
};
const list = async () => (await page.ask('GET', 'webhooks')).body;
/** The newest messages to an endpoint or about a job, once they were all attempted. */
const attempted = async (path: string, count: number) => {
  const read = async () => (await page.ask('GET', `${path}/deliveries`)).body.deliveries;
  await until(`${count} at ${path}`, async () => {
    const known = await read();
    return known.length === count && known.every(({ state }: { state: string }) => state !== 'pending');
  });
  return read();
};

t.test('from its creation to its end, each change in the audit', async (t) => {
  t.same(await list(), { webhooks: [], jobSecrets: { live: false, test: false } });
  const created = await create({ description: 'invoices' });
  t.equal(created.status, 201);
  const { secret, ...webhook } = created.body;
  t.match(secret, /^whsec_/);
  t.match(webhook, { environment: 'test', description: 'invoices', enabled: true });
  const path = `webhooks/${webhook.id}`;
  t.same((await page.ask('GET', path)).body, webhook, 'the secret is shown once');
  t.same((await list()).webhooks, [webhook]);

  const tested = await page.ask('POST', `${path}/test`, {});
  t.match([tested.status, tested.body], [202, { type: 'webhook.test', state: 'pending' }]);
  for (const event of eventTypes) await page.ask('POST', `${path}/test`, { event });
  const sent = await attempted(path, 1 + eventTypes.length);
  t.match(
    sent.find(({ id }: { id: string }) => id === tested.body.id),
    { state: 'delivered', attempts: [{ status: 204 }] },
  );
  const whole = (await page.ask('GET', `messages/${tested.body.id}`)).body;
  t.match(whole, {
    ...{ id: tested.body.id, environment: 'test' },
    deliveries: [{ webhook: webhook.id, job: null, state: 'delivered', answer: '' }],
  });
  t.match(JSON.parse(whole.body), { type: 'webhook.test' }, 'what was sent');
  const messages = receiver.to('/a?s3cret').map((each) => verified(each, secret).type);
  t.same(messages.sort(), ['webhook.test', ...eventTypes].sort());

  const rotated = await page.ask('POST', `${path}/secret`);
  t.equal(rotated.status, 201);
  t.ok(Date.parse(rotated.body.formerUntil) > Date.now() + 23 * 3_600_000);
  t.equal((await page.ask('POST', `${path}/deliveries/${tested.body.id}/retry`)).status, 202);
  await until('it came again', () => receiver.to('/a?s3cret').length === 2 + eventTypes.length);
  const again = receiver.to('/a?s3cret').at(-1);
  t.equal(again?.headers['webhook-id'], tested.body.id);
  for (const each of [secret, rotated.body.secret]) t.ok(again && verified(again, each), 'both sign');

  const changed = await page.ask('PATCH', path, { url: receiver.url('/b'), events: ['job.expired'] });
  t.match(changed.body, { url: receiver.url('/b'), events: ['job.expired'], description: 'invoices' });
  t.match((await page.ask('POST', `${path}/disable`)).body, { enabled: false, disabledReason: null });
  for (const refused of [`${path}/test`, `${path}/deliveries/${tested.body.id}/retry`]) {
    t.match((await page.ask('POST', refused)).body, { code: 'INVALID_REQUEST', message: /disabled/ });
  }
  t.match((await page.ask('POST', `${path}/enable`)).body, { enabled: true });
  t.equal((await page.ask('DELETE', path)).status, 204);
  t.equal((await page.ask('GET', path)).status, 404);

  const { entries } = (await page.ask('GET', 'audit')).body;
  const done = entries.filter(({ action }: { action: string }) => action.startsWith('webhook.'));
  const actions = ['deleted', 'enabled', 'disabled', 'changed', 'rotated', 'created'];
  t.match(
    done,
    actions.map((action) => ({ action: `webhook.${action}`, details: { webhook: webhook.id } })),
  );
  t.match(done[3], { details: { fields: 'url events', to: new URL(receiver.url()).origin } });
  t.notMatch(JSON.stringify(entries), /s3cret|whsec/);
  t.notMatch(JSON.stringify(service.log), /s3cret|whsec/);
});

t.test('what cannot be an endpoint is refused, as for keys, and so is one too many', async (t) => {
  for (const wrong of [
    { url: 'ftp://x.example/' },
    { events: [] },
    { environment: 'both' },
    { secret: 'x' },
  ]) {
    t.match((await create(wrong)).body, { code: 'INVALID_PARAMETER' }, JSON.stringify(wrong));
  }
  const live = await create({ environment: 'live' });
  const sample = await page.ask('POST', `webhooks/${live.body.id}/test`, { event: 'job.completed' });
  t.match(sample.body, { code: 'INVALID_PARAMETER', message: /test keys/ });
  t.match((await page.ask('POST', `webhooks/${live.body.id}/test`)).body, { type: 'webhook.test' });
  for (const unknown of [`msg_${'0'.repeat(32)}`]) {
    t.equal((await page.ask('POST', `webhooks/${live.body.id}/deliveries/${unknown}/retry`)).status, 404);
  }
  await page.ask('DELETE', `webhooks/${live.body.id}`);
  for (let n = 0; n < MAX_ENDPOINTS; n++) await create({ events: ['quota.warning'] });
  t.match((await create()).body, { code: 'INVALID_REQUEST', message: /20 endpoints/ });
  for (const { id } of (await list()).webhooks) await page.ask('DELETE', `webhooks/${id}`);
});

t.test('a job shows its messages, to endpoints and to its URL', async (t) => {
  const { body: webhook } = await create({ url: receiver.url('/jobs') });
  const secret = await page.ask('POST', 'webhooks/secret', { environment: 'test' });
  t.equal(secret.status, 201);
  t.same((await list()).jobSecrets, { live: false, test: true });
  const taken = await post(service, key.key, [filePart(), field('webhook', receiver.url('/own'))]);
  const { id } = readBody<{ id: string }>(taken);
  await ended(service, key.key, id);
  const told = await attempted(`jobs/${id}`, 2);
  t.match(told.map((each: { webhook: string | null }) => each.webhook).sort(), [null, webhook.id].sort());
  for (const each of told) t.match(each, { type: 'job.completed', state: 'delivered' });
  const [first] = receiver.to('/own');
  t.match(first && verified(first, secret.body.secret), { data: { id } });
  const again = await page.ask('POST', `jobs/${id}/deliveries/${told[0].id}/retry`);
  t.equal(again.status, 202);
  await until('it came again', () => receiver.to('/own').length === 2);
  t.equal((await page.ask('POST', `jobs/${id}/deliveries/msg_${'0'.repeat(32)}/retry`)).status, 404);
  t.equal((await page.ask('GET', `jobs/job_${'0'.repeat(32)}/deliveries`)).status, 404);
});
