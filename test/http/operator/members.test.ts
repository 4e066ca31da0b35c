/** What the operator does about members of accounts, over HTTP. */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { signIn } from '../../e2e/support/operator-session.ts';
import { failNext, readingOnceInvited } from '../../support/failing-command.ts';
import { Service } from '../../support/service.ts';
import { MemberPage } from '../console/support.ts';

const service = await Service.start(t);
const operator = await signIn(service);
await service.createAccount('acme', 'free');
const path = '/operator/v1/accounts/acme';

t.test('inviting, changing and removing members', async (t) => {
  const wanted = { email: 'anna@example.com', role: 'owner' };
  const made = JSON.parse(String((await operator.ask('POST', `${path}/invitations`, wanted)).body));
  t.match(made, { ...wanted, member: null, link: /^http:\/\/localhost:\d+\/console\/invite#[\w-]{43}$/ });
  const { link: _, mailed: __, ...listed } = made;
  t.same(await operator.read(`${path}/members`), { members: [], invitations: [listed] });
  t.equal((await operator.ask('DELETE', `${path}/invitations/${made.id}`)).status, 204);
  isError(t, await operator.ask('DELETE', `${path}/invitations/${made.id}`), 'NOT_FOUND');

  const owner = await MemberPage.join(service, 'acme', 'owner');
  const guest = await MemberPage.join(service, 'acme', 'billing');
  t.match(await operator.read(`${path}/members`), {
    members: [{ id: owner.id, role: 'owner', passkeys: 1 }, { id: guest.id }],
    invitations: [],
  });
  const { members } = await operator.read<{ members: object[] }>(`${path}/members`);
  t.notMatch(JSON.stringify(members), /handle|publicKey/);
  const changed = await operator.ask('PUT', `${path}/members/${guest.id}/role`, { role: 'developer' });
  t.match(JSON.parse(String(changed.body)), { id: guest.id, role: 'developer' });
  const again = await operator.ask('POST', `${path}/members/${guest.id}/invitation`);
  t.match(JSON.parse(String(again.body)), { member: guest.id, link: /#/ });
  isError(t, await operator.ask('DELETE', `${path}/members/${owner.id}`), 'INVALID_PARAMETER');
  t.equal((await operator.ask('DELETE', `${path}/members/${guest.id}`)).status, 204);
  t.equal((await guest.ask('GET', 'session')).status, 401);
  const { entries } = await operator.read<{ entries: object[] }>('/operator/v1/audit');
  t.match(entries[0], { by: 'session', action: 'member.removed', account: 'acme' });
});

t.test('unknown members are not found', async (t) => {
  const member = `mem_${'0'.repeat(18)}`;
  for (const [method, url, body] of [
    ['POST', `${path}/members/${member}/invitation`, undefined],
    ['PUT', `${path}/members/${member}/role`, { role: 'owner' }],
    ['DELETE', `${path}/members/${member}`, undefined],
  ] as const) {
    isError(t, await operator.ask(method, url, body), 'NOT_FOUND');
  }
  isError(t, await operator.ask('DELETE', `${path}/members/x`), 'INVALID_PARAMETER');
  isError(
    t,
    await operator.ask('POST', `${path}/invitations`, { email: 'no address', role: 'owner' }),
    'INVALID_PARAMETER',
  );
});

t.test('the link of an invitation needs nothing more of Redis', async (t) => {
  for (const [account, url] of [
    ['globex', 'invitations'],
    ['initech', 'members/:owner/invitation'],
  ] as const) {
    await service.createAccount(account, 'free');
    const { id } = await MemberPage.join(service, account, 'owner');
    const wanted = url === 'invitations' ? { email: 'ben@example.com', role: 'billing' } : undefined;
    failNext(service.services.redis, readingOnceInvited(account));
    const target = `/operator/v1/accounts/${account}/${url.replace(':owner', id)}`;
    const { status, body } = await operator.ask('POST', target, wanted);
    t.match([status, JSON.parse(String(body))], [201, { link: /#/ }], url);
  }
});
