/** The rules about members, without Redis. */
import t from 'tap';
import { OperatorError } from '../../src/errors.ts';
import {
  INVITATION_MS,
  MAX_INVITATIONS,
  MAX_MEMBERS,
  MAX_PASSKEYS,
  readEmail,
  readMemberName,
  readPasskeyName,
} from '../../src/members/member.ts';
import { memberRealm, operatorRealm } from '../../src/members/realm.ts';
import { Roster } from '../../src/members/roster.ts';

const now = Date.parse('2026-11-23T08:00:00Z');
const passkey = (id: string, counter = 0) => ({
  ...{ id, publicKey: 'AA', counter, transports: [], name: 'test' },
  ...{ createdAt: '2026-11-23T08:00:00.000Z', lastUsedAt: null },
});

/** What is stored after a change. */
function stored(roster: Roster, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const after = { ...before };
  const { changes } = roster;
  for (let i = 0; i < changes.length; i += 2) after[changes[i] ?? ''] = changes[i + 1] ?? '';
  return Object.fromEntries(Object.entries(after).filter(([, text]) => text !== ''));
}

function join(roster: Roster, id: string, role: 'owner' | 'billing' = 'owner') {
  const invitation = roster.invite(`${id}@example.com`, role, 'hash');
  return roster.accept(invitation.id, `mem_${id}`, id, passkey(`key-${id}`));
}

t.test('bounds', async (t) => {
  const roster = new Roster(memberRealm, {}, now);
  for (let i = 0; i < MAX_INVITATIONS; i++) roster.invite(`${i}@example.com`, 'billing', 'hash');
  t.throws(
    () => roster.invite('more@example.com', 'billing', 'hash'),
    new OperatorError('an account can have at most 50 open invitations'),
  );
  roster.invite('0@example.com', 'owner', 'hash');
  t.equal(roster.invitations.length, MAX_INVITATIONS, 'the second takes the place of the first');
  for (const { id } of roster.invitations) roster.withdraw(id);
  for (let i = 0; i < MAX_MEMBERS; i++) join(roster, `${i}`);
  t.throws(() => join(roster, 'more'), /at most 100 members/);
  for (let i = 1; i < MAX_PASSKEYS; i++) roster.addPasskey('mem_1', passkey(`${i}`));
  t.throws(() => roster.addPasskey('mem_1', passkey('more')), /at most 10 passkeys/);
});

t.test('an invitation ends after seven days, and is forgotten with the next change', async (t) => {
  const roster = new Roster(memberRealm, {}, now);
  const { id } = roster.invite('a@example.com', 'owner', 'hash');
  const kept = stored(roster);
  t.ok(new Roster(memberRealm, kept, now + INVITATION_MS - 1).invitation(id));
  const later = new Roster(memberRealm, kept, now + INVITATION_MS);
  t.equal(later.invitation(id), undefined);
  t.same(later.expired, ['a@example.com']);
  t.equal(later.accept(id, 'mem_a', 'a', passkey('a')), undefined);
  t.strictSame(stored(later, kept), {});
});

t.test('a link for a member ends with them', async (t) => {
  const roster = new Roster(memberRealm, {}, now);
  join(roster, 'a');
  join(roster, 'b', 'billing');
  const { id, role } = roster.inviteAgain('mem_b', 'hash');
  t.equal(role, 'billing');
  roster.remove('mem_b');
  t.equal(roster.accept(id, 'mem_b', 'b', passkey('c')), undefined);
  t.throws(() => roster.inviteAgain('mem_b', 'hash'), /no member/);
  t.strictSame(
    roster.members.map((member) => member.id),
    ['mem_a'],
  );
});

t.test('the last owner stays, and the last passkey', async (t) => {
  const roster = new Roster(memberRealm, {}, now);
  join(roster, 'a');
  join(roster, 'b', 'billing');
  t.throws(() => roster.remove('mem_a'), /last owner/);
  t.throws(() => roster.setRole('mem_a', 'developer'), /last owner/);
  t.equal(roster.setRole('mem_a', 'owner').role, 'owner');
  roster.setRole('mem_b', 'owner');
  roster.remove('mem_a');
  t.throws(() => roster.removePasskey('mem_b', 'key-b'), /last passkey/);
  t.throws(() => roster.removePasskey('mem_b', 'key-a'), /no such passkey/);
  t.equal(roster.signIn('mem_b', 'key-a', 1), undefined);
  t.equal(roster.signIn('mem_a', 'key-a', 1), undefined);
});

t.test('the last admin may go, and roles of operators are their own', async (t) => {
  const roster = new Roster(operatorRealm, {}, now);
  const { id } = roster.invite('a@example.com', 'admin', 'hash');
  roster.accept(id, 'op_a', 'a', passkey('key-a'));
  t.equal(roster.setRole('op_a', 'support').role, 'support');
  roster.setRole('op_a', 'admin');
  t.throws(() => roster.member('mem_a'), new OperatorError('there is no operator "mem_a"'));
  roster.remove('op_a');
  t.strictSame(roster.members, []);
  const stored = { op_a: '{"joinedAt":""}', mem_a: '{"joinedAt":""}' };
  t.equal(new Roster(operatorRealm, stored, now).members.length, 1, 'a member of an account is none here');
  t.equal(new Roster(memberRealm, stored, now).members.length, 1);
});

t.test('addresses and names', async (t) => {
  t.equal(readEmail(' Anna.Smith+x@Example.COM '), 'anna.smith+x@example.com');
  for (const text of [
    '',
    'anna',
    '@example.com',
    'anna@',
    'a b@c',
    'a@b\r\nBcc: c@d',
    'a@b,c@d',
    `${'a'.repeat(65)}@b`,
  ]) {
    t.throws(() => readEmail(text), /e-mail/, JSON.stringify(text));
  }
  t.throws(() => readMemberName('  '), /name/);
  t.throws(() => readMemberName('a\u202eb'), /name/);
  t.equal(readPasskeyName('x'.repeat(300)).length, 100);
});
