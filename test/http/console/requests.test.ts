/** Requests of an account, as its members see them. */
import t from 'tap';
import { setBanner } from '../../../src/operations/service.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { convert } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { MemberPage } from './support.ts';

const service = await Service.start(t);
await service.createAccount('acme', 'pro');
const owner = await MemberPage.join(service, 'acme', 'owner');
const developer = await MemberPage.join(service, 'acme', 'developer');

t.test('the session has what the operator shows to all customers', async (t) => {
  t.match((await owner.ask('GET', 'session')).body, { banner: null });
  await service.perform(setBanner, { body: { text: 'Hello' } });
  t.match((await owner.ask('GET', 'session')).body, { banner: 'Hello' });
});

t.test('requests by key, without what only the operator sees', async (t) => {
  const [one, other] = [
    await service.createKey({ account: 'acme' }),
    await service.createKey({ account: 'acme', environment: 'test' }),
  ];
  await convert(service, other.key, docx());
  const { key } = await service.createKey({ account: 'acme' });
  const delivered = String((await convert(service, key, docx())).headers.get('x-request-id'));
  const { requestId, message } = isError(
    t,
    await convert(service, one.key, Buffer.from('x')),
    'INVALID_FILE_TYPE',
  );
  await service.services.requests.flush();
  const { requests } = (await developer.ask('GET', `requests?key=${one.id}`)).body;
  t.match(requests, [{ requestId, key: one.id, outcome: 'INVALID_FILE_TYPE', reason: null }]);
  t.equal(requests.length, 1);
  t.match((await developer.ask('GET', `requests/${requestId}`)).body, { requestId, reason: null });
  t.match((await developer.ask('GET', `requests?key=${other.id}&outcome=failures`)).body.requests, []);
  const found = async (query: string) =>
    (await developer.ask('GET', `requests?${query}`)).body.requests.map(({ key }: { key: string }) => key);
  t.same(await found('environment=test'), [other.id]);
  t.ok(!(await found('environment=live')).includes(other.id));
  t.match((await developer.ask('GET', `requests/${requestId}`)).body, { message }, 'what the API said');
  const kept = await service.services.requests.find(requestId);
  t.equal(kept?.reason, 'not-a-document', 'the operator sees it');

  const reported = await developer.ask('GET', `requests/${delivered}/conversion`);
  t.match(reported.body, { requestId: delivered, environment: 'live', pages: 1, fonts: [], warnings: [] });

  const live = (await developer.ask('GET', 'usage')).body;
  const test = (await developer.ask('GET', 'usage?environment=test')).body;
  t.match([live.environment, live.conversions.used], ['live', 1]);
  t.match([test.environment, test.conversions], ['test', { used: 1, quota: null }]);
  const ledger = await owner.ask('GET', 'ledger');
  t.match(ledger.headers.get('content-disposition'), /platen-acme-\d{4}-\d\d\.csv/);
  t.equal(ledger.text.trim().split('\n').length, 2);
});

t.test('requests by time', async (t) => {
  await service.createAccount('timely', 'pro');
  const member = await MemberPage.join(service, 'timely', 'developer');
  const { key, id } = await service.createKey({ account: 'timely' });
  await convert(service, key, docx());
  const { requests } = service.services;
  await requests.flush();
  const [made] = (await member.ask('GET', 'requests')).body.requests;
  const { keyDisplay: _, ...record } = made;
  const times = ['09:00:00.000', '10:00:00.000', '11:00:00.000'].map(
    (time) => `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T${time}Z`,
  );
  for (const at of times) {
    const warnings = at.includes('T10') ? ['TEXT_MISSING'] : record.warnings;
    const requestId = `req_${'0'.repeat(30)}${at.slice(11, 13)}`;
    requests.record({ ...record, requestId, at, warnings }, 'admitted');
  }
  await requests.flush();
  const found = async (query: Record<string, string>) => {
    const { body } = await member.ask('GET', `requests?${new URLSearchParams(query)}`);
    return body.requests?.map(({ at }: { at: string }) => at) ?? body;
  };
  const [nine = '', ten = '', eleven = ''] = times;
  t.strictSame(await found({ until: eleven }), [ten, nine]);
  t.strictSame(await found({ from: ten, until: eleven }), [ten]);
  t.strictSame(
    await found({ from: ten.replace('Z', '+01:00'), until: ten, key: id }),
    [nine],
    'another zone',
  );
  t.strictSame(await found({ from: eleven }), [made.at, eleven]);
  t.strictSame(await found({ from: nine, outcome: 'failures' }), []);
  t.strictSame(await found({ from: nine, outcome: 'loss' }), [ten]);
  t.strictSame(await found({ from: nine, until: ten, outcome: 'admitted' }), [nine]);
  for (const query of [{ from: 'yesterday' }, { until: '2026-11-21' }]) {
    t.match(await found(query), { code: 'INVALID_PARAMETER' }, JSON.stringify(query));
  }
});
