/** Members of an account that is suspended, or will be deleted: they may read and export only, and are told why. */
import t, { type Test } from 'tap';
import { consoleOperations } from '../../../src/http/console/operations.ts';
import { deleteAccount, restoreAccount } from '../../../src/operations/accounts.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { Service } from '../../support/service.ts';
import { accept, invite, MemberPage, signIn, site } from './support.ts';

const service = await Service.start(t);
const { audit } = service.services;
await service.createAccount('acme', 'pro');
const owner = await MemberPage.join(service, 'acme', 'owner');
const other = await MemberPage.join(service, 'acme', 'developer');
const token = await invite(service, 'acme', 'owner', 'guest@acme.example');
const key = await service.createKey({ account: 'acme' });
const { body: webhook } = await owner.ask('POST', 'webhooks', {
  ...{ environment: 'test', url: 'https://acme.example/', events: ['job.completed'] },
});
const { body: message } = await owner.ask('POST', `webhooks/${webhook.id}/test`, {});
const [invitation] = (await owner.ask('GET', 'members')).body.invitations as { id: string }[];
const ids: Readonly<Record<string, string>> = {
  member: other.id,
  invitation: invitation?.id ?? '',
  key: key.id,
  job: `job_${'0'.repeat(32)}`,
  webhook: webhook.id,
  delivery: message.id,
};
/** A valid body of each operation that has one. */
const bodies: Readonly<Record<string, object>> = {
  renameOwnAccount: { name: 'Ours' },
  setOwnContacts: { warnings: true },
  createOwnKey: { name: 'mine', environment: 'test', type: 'sk' },
  changeOwnKey: { name: 'mine' },
  rotateOwnKey: { overlapSeconds: 0 },
  createOwnWebhook: { environment: 'live', url: 'https://ours.example/', events: ['job.completed'] },
  changeOwnWebhook: { url: 'https://ours.example/' },
  rotateOwnJobSecret: { environment: 'live' },
  testOwnWebhook: {},
  inviteMember: { email: 'new@acme.example', role: 'billing' },
  setRole: { role: 'billing' },
};
const own = ['endOwnSession', 'startPasskey', 'addPasskey', 'removePasskey', 'endListedSession'];
const changes = consoleOperations.filter(
  ({ method, roles, schema }) => method !== 'GET' && roles !== 'anybody' && !own.includes(schema.operationId),
);

/** Every operation that changes something is refused with this message, and nothing has changed. */
async function isReadOnly(t: Test, message: string | RegExp) {
  const before = (await audit.listOf('acme', undefined, 1)).entries;
  for (const { method, path, schema } of changes) {
    const url = path.replaceAll(/:(\w+)/g, (_, parameter: string) => ids[parameter] ?? '');
    const answer = await owner.ask(method, url, bodies[schema.operationId]);
    t.match([answer.status, answer.body], [403, { code: 'ACCOUNT_SUSPENDED', message }], schema.operationId);
  }
  t.same((await audit.listOf('acme', undefined, 1)).entries, before, 'nothing was done');
  for (const path of [
    'account',
    'usage',
    'ledger',
    'keys',
    'requests',
    'jobs',
    'webhooks',
    'members',
    'audit',
  ])
    t.equal((await owner.ask('GET', path)).status, 200, path);
  const { account, may } = (await owner.ask('GET', 'session')).body;
  t.match(may, ['getOwnSession', ...own.slice(0, 1)]);
  t.same(
    changes.filter(({ schema }) => may.includes(schema.operationId)),
    [],
    'it says so',
  );
  for (const name of own) t.ok(may.includes(name), name);
  return account;
}

t.test('of a suspended account', async (t) => {
  const open = (await owner.ask('GET', 'session')).body;
  t.match(open.account, { suspendedAt: null, deletesAt: null });
  await service.suspend('acme');
  const account = await isReadOnly(
    t,
    'This account is suspended: its members may read and export, but change nothing. Ask your operator why.',
  );
  t.match(account, { suspendedAt: String, deletesAt: null });
  await service.resume('acme');
  t.same((await owner.ask('GET', 'session')).body.may, open.may, 'all is allowed again');
  t.equal((await owner.ask('POST', 'keys', bodies.createOwnKey)).status, 201);
});

t.test('of one that will be deleted', async (t) => {
  const { deletesAt } = await service.perform(deleteAccount, { account: 'acme' });
  const account = await isReadOnly(
    t,
    `This account will be deleted at ${deletesAt}: its members may read and export, but change nothing. ` +
      'Ask your operator, who can restore it until then.',
  );
  t.match(account, { suspendedAt: null, deletesAt });
  await service.perform(restoreAccount, { account: 'acme' });
  t.equal((await owner.ask('PUT', 'account/name', bodies.renameOwnAccount)).status, 200);
});

t.test('their own sessions and passkeys stay theirs', async (t) => {
  await service.suspend('acme');
  const second = new Authenticator(site);
  const { options } = (await owner.ask('POST', 'passkeys/options', {})).body;
  const added = await owner.ask('POST', 'passkeys', { name: 'phone', response: second.register(options) });
  t.equal(added.status, 201);
  const page = new MemberPage(service, await signIn(service, second), second);
  const { sessions } = (await page.ask('GET', 'sessions')).body;
  t.equal((await page.ask('DELETE', `sessions/${sessions[1].id}`)).status, 204);
  t.equal((await owner.ask('GET', 'session')).status, 401);
  t.equal((await page.ask('DELETE', `passkeys/${added.body.id}`)).status, 204);
  t.equal((await page.ask('DELETE', 'session')).status, 204);
  t.equal((await page.ask('GET', 'session')).status, 401);
  const joined = await accept(service, token);
  t.match([joined.answer.status, joined.answer.body], [201, { account: { suspendedAt: String } }]);
});

t.test('nobody enters an account that is being removed', async (t) => {
  await service.createAccount('gone', 'pro');
  const page = await MemberPage.join(service, 'gone', 'owner');
  const { redis } = service.services;
  await redis.del('platen:{gone}:account');
  await redis.hset('platen:{gone}:account', 'removal', 'deleted_1');
  for (const path of ['session', 'account', 'keys', 'members']) {
    const answer = await page.ask('GET', path);
    t.match([answer.status, answer.body], [401, { code: 'MISSING_AUTH' }], path);
  }
});
