/** The life of an account, by the operator API. */
import t from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { convert, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { reportedDocx, savedByWord } from '../../support/report-documents.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await Service.start(t);
const session = await signIn(service);
const document = docx();
const path = '/operator/v1/accounts/acme';
await service.createAccount('acme', 'free');
const { key } = await service.createKey({ account: 'acme' });

interface Summary {
  readonly id: string;
  readonly isThis: boolean;
}

interface Entry {
  readonly action: string;
  readonly account: string;
  readonly details: Readonly<Record<string, string>>;
}

/** The actions of the audit's newest entries, the newest first. */
async function audited(count: number): Promise<Entry[]> {
  const { entries } = await session.read<{ entries: Entry[] }>(`/operator/v1/audit?limit=${count}`);
  return entries;
}

t.test('suspend and resume', async (t) => {
  t.match(await session.read(path), { suspendedAt: null });
  const answer = await session.ask('POST', `${path}/suspend`);
  const { suspendedAt } = JSON.parse(String(answer.body)) as { suspendedAt: string };
  t.ok(Math.abs(Date.now() - Date.parse(suspendedAt)) < 60_000);
  isError(t, await convert(service, key, document), 'ACCOUNT_SUSPENDED');
  const again = await session.ask('POST', `${path}/suspend`);
  t.match(JSON.parse(String(again.body)), { suspendedAt }, 'it stays suspended since then');
  const { accounts } = await session.read<{ accounts: object[] }>('/operator/v1/accounts');
  t.match(accounts, [{ id: 'acme', suspendedAt }]);
  t.match(await session.read(path), { suspendedAt });
  for (let time = 0; time < 2; time++) {
    t.match(JSON.parse(String((await session.ask('POST', `${path}/resume`)).body)), { suspendedAt: null });
  }
  isDelivered(t, await convert(service, key, document));
  const entries = await audited(2);
  t.match(entries, [
    { action: 'account.resumed', account: 'acme' },
    { action: 'account.suspended', account: 'acme' },
  ]);
  for (const what of ['suspend', 'resume']) {
    isError(t, await session.ask('POST', `/operator/v1/accounts/nobody/${what}`), 'NOT_FOUND');
  }
});

t.test('a new name', async (t) => {
  const answer = await session.ask('PUT', `${path}/name`, { name: 'Acme Corp' });
  t.match(JSON.parse(String(answer.body)), { id: 'acme', name: 'Acme Corp' });
  const found = async (search: string) => {
    const list = `/operator/v1/accounts?search=${encodeURIComponent(search)}`;
    return (await session.read<{ accounts: { name: string }[] }>(list)).accounts.map(({ name }) => name);
  };
  t.same(await found('acme corp'), ['Acme Corp']);
  t.equal((await session.read<{ total: number }>('/operator/v1/accounts')).total, 1, 'the old one is gone');
  await session.ask('PUT', `${path}/name`, { name: 'ACME CORP' });
  t.same(await found('acme corp'), ['ACME CORP'], 'its place in the list is the same');
  t.match(await audited(1), [
    { action: 'account.renamed', details: { name: 'ACME CORP', formerName: 'Acme Corp' } },
  ]);
  for (const name of [' ', 'a\u202eb', 'x'.repeat(201)]) {
    isError(t, await session.ask('PUT', `${path}/name`, { name }), 'INVALID_PARAMETER');
  }
});

t.test('limits of its own', async (t) => {
  const end = '2999-01-01T00:00:00.000Z';
  const set = (limit: string, body: object) => session.ask('PUT', `${path}/limits/${limit}`, body);
  const answer = await set('perMonth', { value: 7_000, until: end });
  t.match(JSON.parse(String(answer.body)), {
    ownLimits: [{ limit: 'perMonth', value: 7_000, from: null, until: end }],
  });
  t.equal((await set('perHour', { value: null })).status, 200);
  t.equal((await set('maxJobs', { value: 3, from: '2998-01-01T00:00:00+01:00' })).status, 200);
  const detail = await session.read<{ windows: { name: string }[] }>(path);
  t.match(detail, { quota: 7_000, limits: { perMonth: 7_000, perHour: null, perDay: 1_000 } });
  t.same(
    detail.windows.map(({ name }) => name),
    ['second', 'day'],
  );
  const { accounts } = await session.read<{ accounts: object[] }>('/operator/v1/accounts');
  t.match(accounts, [{ quota: 7_000 }]);
  const usage = await send(service, '/v1/usage', { method: 'GET', key });
  t.match(JSON.parse(String(usage.body)), { conversions: { quota: 7_000 } });
  t.match(await audited(3), [
    { details: { limit: 'maxJobs', value: '3' } },
    { details: { limit: 'perHour', value: 'unlimited' } },
    { action: 'account.limit-set', details: { limit: 'perMonth', value: '7000', until: end } },
  ]);
  const removed = await session.ask('DELETE', `${path}/limits/perMonth`);
  t.match(JSON.parse(String(removed.body)), { ownLimits: [{ limit: 'perHour' }, { limit: 'maxJobs' }] });
  t.match(await session.read(path), { quota: 5_000 });
  for (const [limit, body] of [
    ['perMonth', { value: 0 }],
    ['perMonth', {}],
    ['perYear', { value: 1 }],
    ['maxFilesPerJob', { value: null }],
    ['maxFilesPerJob', { value: 101 }],
    ['perDay', { value: 1, until: '2020-01-01T00:00:00Z' }],
    ['perDay', { value: 1, until: 'soon' }],
    ['perDay', { value: 1, from: end, until: '2998-01-01T00:00:00Z' }],
  ] as const) {
    isError(t, await set(limit, body), 'INVALID_PARAMETER', 400, JSON.stringify([limit, body]));
  }
  for (const limit of ['perHour', 'maxJobs']) await session.ask('DELETE', `${path}/limits/${limit}`);
});

t.test('delete and restore', async (t) => {
  const answer = await session.ask('DELETE', path);
  const { deletesAt } = JSON.parse(String(answer.body)) as { deletesAt: string };
  const days = (Date.parse(deletesAt) - Date.now()) / 86_400_000;
  t.ok(days > 29.9 && days <= 30);
  t.match(JSON.parse(String((await session.ask('DELETE', path)).body)), { deletesAt }, 'it stays at that');
  isError(t, await convert(service, key, document), 'ACCOUNT_SUSPENDED');
  t.match(await session.read(path), { deletesAt, suspendedAt: null });
  await session.ask('POST', `${path}/suspend`);
  const restored = await session.ask('POST', `${path}/restore`);
  t.match(JSON.parse(String(restored.body)), { deletesAt: null, suspendedAt: String });
  isError(t, await convert(service, key, document), 'ACCOUNT_SUSPENDED', 403, 'it is suspended all the same');
  await session.ask('POST', `${path}/resume`);
  isDelivered(t, await convert(service, key, document));
  t.same(
    (await audited(4)).map(({ action }) => action),
    ['account.resumed', 'account.restored', 'account.suspended', 'account.deletion-planned'],
  );
});

t.test('a key by its end, and another name and other restrictions for it', async (t) => {
  const { id, display, key: own } = await service.createKey({ account: 'acme', name: 'lost' });
  const ending = display.slice(-4);
  const { keys } = await session.read<{ keys: object[] }>(`/operator/v1/keys?ending=${ending}`);
  t.match(keys, [{ id, account: 'acme', display, state: 'valid' }]);
  for (const query of ['', '?ending=abc', '?ending=a*bc']) {
    isError(t, await session.ask('GET', `/operator/v1/keys${query}`), 'INVALID_PARAMETER');
  }
  const change = (body: object) => session.ask('PUT', `/operator/v1/keys/${id}`, body);
  const changed = await change({ name: 'found', ipRestrictions: ['192.0.2.0/24'] });
  t.match(JSON.parse(String(changed.body)), { id, name: 'found', ipRestrictions: ['192.0.2.0/24'] });
  isError(t, await convert(service, own, document), 'IP_NOT_ALLOWED');
  t.equal((await change({ ipRestrictions: [] })).status, 200);
  isDelivered(t, await convert(service, own, document));
  t.match(await audited(2), [
    {
      action: 'key.changed',
      details: { ipRestrictions: 'everywhere', formerIpRestrictions: '192.0.2.0/24' },
    },
    { action: 'key.changed', details: { display, name: 'found', formerName: 'lost' } },
  ]);
  for (const body of [{}, { name: ' ' }, { ipRestrictions: ['nowhere'] }, { permissions: ['usage'] }]) {
    isError(t, await change(body), 'INVALID_PARAMETER');
  }
  isError(t, await session.ask('PUT', '/operator/v1/keys/key_none', { name: 'x' }), 'NOT_FOUND');
  await service.revokeKey(id);
  isError(t, await change({ name: 'x' }), 'INVALID_PARAMETER');
});

t.test('the audit of one account, and as a file', async (t) => {
  await service.createAccount('other', 'free');
  const query = `account=acme&action=key.changed&who=127.0.0&from=${new Date(0).toISOString()}`;
  const { entries } = await session.read<{ entries: Entry[] }>(`/operator/v1/audit?${query}`);
  t.equal(entries.length, 2);
  const file = await session.ask('GET', `/operator/v1/audit.csv?${query}`);
  t.match(file.headers.get('content-type'), 'text/csv');
  t.match(file.headers.get('content-disposition'), 'platen-audit.csv');
  t.equal(String(file.body).split('\n').length, 4);
  for (const bad of ['action=nothing', 'from=yesterday', 'account=']) {
    isError(t, await session.ask('GET', `/operator/v1/audit?${bad}`), 'INVALID_PARAMETER');
    isError(t, await session.ask('GET', `/operator/v1/audit.csv?${bad}`), 'INVALID_PARAMETER');
  }
});

t.test('the warnings of a request', async (t) => {
  const answer = await convert(service, key, reportedDocx({ properties: savedByWord(3) }));
  const id = String(answer.headers.get('x-request-id'));
  await service.services.requests.flush();
  const { warnings } = await session.read<{ warnings: string[] }>(`/operator/v1/requests/${id}`);
  const header = answer.headers.get('x-conversion-warnings') ?? '';
  t.same(warnings, [...new Set(header.match(/[A-Z_]{5,}/g))]);
  t.ok(warnings.includes('PAGE_COUNT_DIFFERS'));
});

t.test('a banner for customers', async (t) => {
  const banner = '/operator/v1/banner';
  t.same(await session.read(banner), { banner: null });
  const end = '2999-01-01T00:00:00.000Z';
  const set = await session.ask('PUT', banner, { text: 'We move.', until: '2999-01-01T01:00:00+01:00' });
  t.same(JSON.parse(String(set.body)), { banner: { text: 'We move.', until: end } });
  t.same(await session.read(banner), { banner: { text: 'We move.', until: end } });
  t.match(await session.read('/operator/v1/overview'), { banner: { text: 'We move.' } });
  t.ok((await service.services.redis.pttl('platen:banner')) > 0, 'it goes by itself');
  for (const body of [
    {},
    { text: ' ' },
    { text: 'x'.repeat(301) },
    { text: 'x', until: '2020-01-01T00:00:00Z' },
  ]) {
    isError(t, await session.ask('PUT', banner, body), 'INVALID_PARAMETER');
  }
  for (let time = 0; time < 2; time++) {
    t.same(JSON.parse(String((await session.ask('DELETE', banner)).body)), { banner: null });
  }
  t.match(await audited(2), [
    { action: 'banner.removed' },
    { action: 'banner.set', details: { text: 'We move.', until: end } },
  ]);
});

t.test('all servers, also those that do not answer; none that died', async (t) => {
  const other = await Service.start(t, { redis: service.redis });
  const servers = async () => (await session.read<{ servers: Summary[] }>('/operator/v1/overview')).servers;
  await until('both gave a sign of life', async () => (await servers()).length === 2);
  const all = await servers();
  t.same(all.map(({ isThis }) => isThis).sort(), [false, true]);
  t.match(all, [{ phase: String, workers: Number, version: String, host: String }, {}]);
  // One that lives would give another sign at any moment.
  await service.services.redis.sadd('platen:{servers}:ids', 'died');
  t.match(
    await servers(),
    all.map(({ id }) => ({ id })),
  );
  t.equal(await service.services.redis.sismember('platen:{servers}:ids', 'died'), 0);
  await other.drain();
});
