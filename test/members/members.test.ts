/** Each entry of the audit about members is written before what it tells of. */
import t from 'tap';
import { newId } from '../../src/accounts/keys/records.ts';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { Members } from '../../src/members/members.ts';
import { memberRealm } from '../../src/members/realm.ts';
import { MemberStore } from '../../src/members/store.ts';
import type { Audit } from '../../src/operator/audit.ts';
import type { AuditAction } from '../../src/operator/audit-entry.ts';
import { redisClient } from '../redis/support.ts';

const actor = { by: 'cli', who: 'test' } as const;
const redis = await redisClient(t);
const store = new MemberStore(redis, memberRealm);
const { id: account } = await new KeyStore(redis, defaultPlans).createAccount({ name: 'Acme', plan: 'pro' });

/** What is stored of the members. */
async function stored() {
  const { members, invitations } = await store.read(account);
  return { members, invitations };
}

/** The entries, and what was stored when they were written. */
const entries: { readonly action: AuditAction; readonly at: unknown }[] = [];
const audit = {
  async record(_actor: unknown, action: AuditAction) {
    entries.push({ action, at: await stored() });
  },
} as unknown as Audit;
const members = new Members(redis, memberRealm, audit);

/** Somebody who has accepted an invitation. */
async function join(email: string): Promise<string> {
  const { id } = await members.invite(actor, account, email, 'owner');
  const member = newId(memberRealm.prefix);
  await store.change(account, (roster) => roster.accept(id, member, email, null));
  return member;
}

const anna = await join('anna@acme.example');
const ben = await join('ben@acme.example');
const { id: open } = await members.invite(actor, account, 'carla@acme.example', 'billing');

const changes: readonly (readonly [AuditAction, () => Promise<unknown>])[] = [
  ['member.invited', () => members.invite(actor, account, 'dora@acme.example', 'developer')],
  ['member.invited', () => members.inviteAgain(actor, account, ben)],
  ['invitation.withdrawn', () => members.withdraw(actor, account, open)],
  ['member.role-changed', () => members.setRole(actor, account, ben, 'developer')],
  ['member.removed', () => members.remove(actor, account, ben)],
];

for (const [action, change] of changes) {
  t.test(action, async (t) => {
    const before = await stored();
    entries.length = 0;
    await change();
    t.strictSame(entries, [{ action, at: before }]);
    t.notSame(await stored(), before);
  });
}

t.test('what is refused, or changes nothing, has no entry', async (t) => {
  entries.length = 0;
  const refused: readonly (() => Promise<unknown>)[] = [
    () => members.invite(actor, account, 'anna@acme.example', 'owner'),
    () => members.setRole(actor, account, anna, 'billing'),
    () => members.remove(actor, account, 'mem_nobody'),
    () => members.withdraw(actor, account, open),
  ];
  for (const change of refused) await t.rejects(change, { name: 'OperatorError' });
  t.same(entries, []);
});
