/** Keys and endpoints say who made them, and outlive them. */
import t from 'tap';
import { isDelivered } from '../../e2e/support/assertions.ts';
import { bearer, convert } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';
import { OperatorPage } from '../operator/people.ts';
import { fetched, MemberPage, type Method } from './support.ts';

const service = await Service.start(t);
const { redis } = service.services;
await service.createAccount('acme', 'enterprise');
const owner = await MemberPage.join(service, 'acme', 'owner');
const developer = await MemberPage.join(service, 'acme', 'developer', 'dev@acme.example');
const operator = await OperatorPage.join(service, 'admin');

const byDeveloper = { by: 'member', id: developer.id, name: 'Somebody', email: 'dev@acme.example' };
const byOlga = { by: 'operator', id: operator.id, name: 'Olga', email: 'admin@ops.example' };
const bySomebody = { by: 'operator', id: null, name: null, email: null };
const byKey = (id: string) => ({ by: 'key', id, name: null, email: null });

const withKey = (key: string, method: Method, path: string, body?: object) =>
  fetched(service, path, method, body, bearer(key));

t.test('keys', async (t) => {
  const wanted = { name: 'back end', environment: 'live', type: 'sk' };
  const made = (await developer.ask('POST', 'keys', wanted)).body;
  t.same(made.madeBy, byDeveloper);
  const own = (await withKey(made.key, 'POST', '/v1/keys/rotate', { overlapSeconds: 60 })).body;
  t.same(own.madeBy, byKey(made.id));
  const repeated = (await withKey(made.key, 'POST', '/v1/keys/rotate', { overlapSeconds: 60 })).body;
  t.same([repeated.id, repeated.madeBy], [own.id, byKey(made.id)]);
  const rotated = (await owner.ask('POST', `keys/${own.id}/rotate`, { overlapSeconds: 60 })).body;
  t.match(rotated.madeBy, { by: 'member', id: owner.id });
  const byOperator = (await operator.ask('POST', 'keys', { ...wanted, account: 'acme' })).body;
  t.same(byOperator.madeBy, byOlga);
  const byCommand = await service.createKey({ account: 'acme' });
  const old = await service.createKey({ account: 'acme' });
  await redis.hdel(`platen:{acme}:key:${old.id}`, 'madeBy');

  const makersOf = async (keys: readonly { id: string; madeBy: unknown }[]) =>
    Object.fromEntries(keys.map(({ id, madeBy }) => [id, madeBy]));
  const expected = {
    [made.id]: byDeveloper,
    [own.id]: byKey(made.id),
    [rotated.id]: rotated.madeBy,
    [byCommand.id]: bySomebody,
    [old.id]: null,
  };
  const seen = await makersOf((await operator.ask('GET', 'accounts/acme/keys')).body.keys);
  t.same(seen, { ...expected, [byOperator.id]: byOlga });
  const shown = await makersOf((await owner.ask('GET', 'keys')).body.keys);
  t.same(shown, { ...expected, [byOperator.id]: bySomebody }, 'customers are not told which operator');
  t.same((await owner.ask('GET', `keys/${byOperator.id}`)).body.madeBy, bySomebody);
  t.same((await operator.ask('GET', `keys/${byOperator.id}`)).body.madeBy, byOlga);
});

t.test('endpoints', async (t) => {
  const wanted = { url: 'https://acme.example/hook', events: ['job.completed'] };
  const made = (await developer.ask('POST', 'webhooks', { ...wanted, environment: 'live' })).body;
  t.same(made.madeBy, byDeveloper);
  const { key, id } = await service.createKey({ account: 'acme' });
  const byProgram = (await withKey(key, 'POST', '/v1/webhooks', wanted)).body;
  t.same(byProgram.madeBy, byKey(id));
  const old = await service.services.webhooks.endpoints.add(
    { account: 'acme', environment: 'live' },
    { url: wanted.url, events: ['job.completed'], description: '', enabled: true },
  );
  t.same((await owner.ask('PATCH', `webhooks/${made.id}`, { description: 'x' })).body.madeBy, byDeveloper);
  for (const [name, { body }] of [
    ['the console', await owner.ask('GET', 'webhooks')],
    ['the dashboard', await operator.ask('GET', 'accounts/acme/webhooks')],
    ['a program', await withKey(key, 'GET', '/v1/webhooks')],
  ] as const) {
    t.same(
      body.webhooks.map((each: { id: string; madeBy: unknown }) => [each.id, each.madeBy]),
      [
        [made.id, byDeveloper],
        [byProgram.id, byKey(id)],
        [old?.id, null],
      ],
      name,
    );
  }
});

t.test('they outlive their maker', async (t) => {
  const key = (await developer.ask('POST', 'keys', { name: 'x', environment: 'test', type: 'sk' })).body;
  t.equal((await owner.ask('PUT', `members/${developer.id}/role`, { role: 'billing' })).status, 200);
  isDelivered(t, await convert(service, key.key, docx()));
  t.equal((await owner.ask('DELETE', `members/${developer.id}`)).status, 204);
  isDelivered(t, await convert(service, key.key, docx()));
  t.same((await owner.ask('GET', `keys/${key.id}`)).body.madeBy, byDeveloper, 'it still says who made it');
  const { webhooks } = (await owner.ask('GET', 'webhooks')).body;
  t.match(webhooks, [{ enabled: true, madeBy: byDeveloper }, {}, {}]);
});
