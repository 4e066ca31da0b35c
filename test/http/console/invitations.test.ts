/** An invitation names who made it, and ends with their right to invite. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { Service } from '../../support/service.ts';
import * as operators from '../operator/people.ts';
import { accept, invite, MemberPage, send } from './support.ts';

const service = await Service.start(t);
const { members, audit, redis } = service.services;

/** An account with two owners. */
async function account(id: string) {
  await service.createAccount(id, 'pro');
  const first = await MemberPage.join(service, id, 'owner', `first@${id}.example`);
  return { id, first, second: await MemberPage.join(service, id, 'owner', `second@${id}.example`) };
}

const tokenIn = ({ body }: { body: { link: string } }) => body.link.split('#')[1] ?? '';
const maker = (page: MemberPage, email: string) => ({ by: 'member', id: page.id, name: 'Somebody', email });

async function isOver(t: Test, token: string, name: string) {
  const { status, body } = await send(service, 'invitation', { token });
  t.match([status, body], [404, { code: 'NOT_FOUND' }], name);
}

t.test('lists say who made what', async (t) => {
  const { first, second } = await account('lists');
  const made = await first.ask('POST', 'invitations', { email: 'a@lists.example', role: 'billing' });
  const madeBy = maker(first, 'first@lists.example');
  t.same(made.body.madeBy, madeBy);
  const again = await second.ask('POST', `members/${first.id}/invitation`);
  t.same(again.body.madeBy, maker(second, 'second@lists.example'));
  const operator = await operators.OperatorPage.join(service, 'admin');
  const byOperator = { by: 'operator', id: operator.id, name: 'Olga', email: 'admin@ops.example' };
  const path = 'accounts/lists';
  const third = await operator.ask('POST', `${path}/invitations`, {
    email: 'b@lists.example',
    role: 'owner',
  });
  t.same(third.body.madeBy, byOperator);

  const listed = async (page: { ask: MemberPage['ask'] }, where: string) => {
    const { invitations } = (await page.ask('GET', where)).body;
    return Object.fromEntries(
      invitations.map(({ email, role, madeBy }: Record<string, unknown>) => [`${email} ${role}`, madeBy]),
    );
  };
  const old = { ...made.body, id: `inv_${'0'.repeat(18)}`, email: 'old@lists.example', madeBy: undefined };
  await redis.hset('platen:{lists}:members', old.id, JSON.stringify(old));
  const others = {
    'a@lists.example billing': madeBy,
    'first@lists.example owner': again.body.madeBy,
    'old@lists.example billing': null,
  };
  t.same(await listed(operator, `${path}/members`), { ...others, 'b@lists.example owner': byOperator });
  const somebody = { by: 'operator', id: null, name: null, email: null };
  t.same(await listed(first, 'members'), { ...others, 'b@lists.example owner': somebody });
});

t.test('whoever is removed cannot come back', async (t) => {
  const { id, first, second } = await account('removed');
  const own = tokenIn(await first.ask('POST', 'invitations', { email: 'x@evil.example', role: 'owner' }));
  const link = tokenIn(await first.ask('POST', `members/${second.id}/invitation`));
  const other = tokenIn(await second.ask('POST', 'invitations', { email: 'y@ok.example', role: 'billing' }));
  t.equal((await second.ask('DELETE', `members/${first.id}`)).status, 204);
  await isOver(t, own, 'an invitation');
  await isOver(t, link, 'a link for another member');
  t.match((await second.ask('GET', 'members')).body.invitations, [{ email: 'y@ok.example' }]);
  t.match((await audit.listOf(id, undefined, 3)).entries, [
    { action: 'invitation.withdrawn' },
    { action: 'invitation.withdrawn' },
    { action: 'member.removed', who: 'Somebody' },
  ]);
  const digest = createHash('sha256').update('x@evil.example').digest('hex');
  t.equal(await redis.exists(`platen:email:${digest}`), 0, 'no entry leads to the address');
  t.equal((await accept(service, other)).answer.status, 201, 'that of another owner stays');
});

t.test('nor whoever is an owner no more, or was when the request came', async (t) => {
  const { id, first, second } = await account('demoted');
  const own = tokenIn(await first.ask('POST', 'invitations', { email: 'x@evil.example', role: 'owner' }));
  t.equal((await second.ask('PUT', `members/${first.id}/role`, { role: 'owner' })).status, 200);
  t.equal((await send(service, 'invitation', { token: own })).status, 200, 'the same role');
  t.equal((await second.ask('PUT', `members/${first.id}/role`, { role: 'developer' })).status, 200);
  await isOver(t, own, 'an invitation');
  t.match((await audit.listOf(id, undefined, 2)).entries, [
    { action: 'invitation.withdrawn', details: { email: 'x@evil.example' } },
    { action: 'member.role-changed', details: { role: 'developer' } },
  ]);
  t.equal((await second.ask('PUT', `members/${first.id}/role`, { role: 'owner' })).status, 200);
  await isOver(t, own, 'it stays over');
  const late = { by: 'member', who: 'Somebody', person: { id: first.id, name: 'x', email: 'y' } } as const;
  t.equal((await second.ask('DELETE', `members/${first.id}`)).status, 204);
  await t.rejects(members.invite(late, id, 'x@evil.example', 'owner'), {
    message: 'only an owner may invite',
  });
  await t.rejects(members.inviteAgain(late, id, second.id), { message: 'only an owner may invite' });
  t.same((await second.ask('GET', 'members')).body.invitations, []);
});

t.test('what operators make outlives no account, and not their right to the dashboard', async (t) => {
  const { id, second } = await account('operated');
  const admin = await operators.OperatorPage.join(service, 'admin', { email: 'one@ops.example' });
  const other = await operators.OperatorPage.join(service, 'admin', { email: 'two@ops.example' });
  const wanted = { email: 'z@operated.example', role: 'billing' };
  const toAccount = tokenIn(await admin.ask('POST', `accounts/${id}/invitations`, wanted));
  const toDashboard = tokenIn(
    await admin.ask('POST', 'invitations', { email: 'evil@ops.example', role: 'admin' }),
  );
  const kept = await operators.invite(service, 'support', 'kept@ops.example');
  t.equal((await other.ask('PUT', `operators/${admin.id}/role`, { role: 'support' })).status, 200);
  const refused = await operators.send(service, 'invitation', { token: toDashboard });
  t.match([refused.status, refused.body], [404, { code: 'NOT_FOUND' }]);
  t.equal((await operators.send(service, 'invitation', { token: kept })).status, 200);
  t.equal((await send(service, 'invitation', { token: toAccount })).status, 200, 'that to an account stays');
  t.equal((await other.ask('DELETE', `operators/${admin.id}`)).status, 204);
  t.equal((await send(service, 'invitation', { token: toAccount })).status, 200);
  const { invitations } = (await other.ask('GET', 'operators')).body;
  t.match(invitations, [{ email: 'kept@ops.example', madeBy: { by: 'operator', id: null, name: null } }]);
  const byName = await invite(service, id, 'billing', 'q@operated.example');
  t.equal((await second.ask('DELETE', `members/${second.id}`)).status, 204, 'an owner may leave');
  t.equal((await send(service, 'invitation', { token: byName })).status, 200);
});
