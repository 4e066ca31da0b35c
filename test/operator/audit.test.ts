/** Who did what: kept on a real Redis, in order, within bounds. */
import t from 'tap';
import { defaultPlans } from '../../src/limits/plans.ts';
import { Audit, type AuditEntry } from '../../src/operator/audit.ts';
import { Management } from '../../src/operator/management.ts';
import { operatorKeys } from '../../src/operator/redis-keys.ts';
import { log, recordingLog, startRedis } from '../redis/support.ts';

const { client } = await startRedis(t);
t.beforeEach(() => client.flushall());
const audit = new Audit(client, log);
const nobody = { by: 'nobody', who: '192.0.2.9' } as const;
const customer = { by: 'key', who: 'key_1' } as const;
const cli = { by: 'cli', who: 'ops' } as const;

async function all(pageSize: number): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    if (next !== undefined) t.ok(Audit.isCursor(next), next);
    const page = await audit.list(next, pageSize);
    t.ok(page.entries.length <= pageSize);
    entries.push(...page.entries);
    ({ next } = page);
  }
  return entries;
}

t.test('what was done and who was refused, newest first, whatever the size of the pages', async (t) => {
  for (let i = 0; i < 7; i++) {
    await audit.record(cli, 'account.created', { account: `acct-${i}`, details: { name: `Name, "${i}"` } });
    if (i % 3 === 0) await audit.record(nobody, 'session.refused');
  }
  const whole = await all(100);
  t.equal(whole.length, 10);
  // Of one millisecond, either may be the first.
  t.match(
    whole.find(({ by }) => by === 'nobody'),
    {
      ...{ ...nobody, action: 'session.refused', account: null, key: null, details: {} },
    },
  );
  t.match(
    whole.find(({ by }) => by === 'cli'),
    {
      ...{ ...cli, action: 'account.created', account: 'acct-6', details: { name: 'Name, "6"' } },
    },
  );
  t.strictSame(
    whole.flatMap(({ account }) => account ?? []),
    [6, 5, 4, 3, 2, 1, 0].map((i) => `acct-${i}`),
  );
  for (const size of [1, 2, 3, 9, 10, 11]) t.strictSame(await all(size), whole, `pages of ${size}`);
  t.strictSame(await all(1).then((entries) => new Set(entries.map(({ id }) => id)).size), 10);
});

t.test(
  'who guesses, or rotates without end, pushes out nothing that operators did, and neither grows for ever',
  async (t) => {
    await audit.record(cli, 'maintenance.on');
    await Promise.all(Array.from({ length: 600 }, () => audit.record(nobody, 'session.refused')));
    await Promise.all(Array.from({ length: 600 }, () => audit.record(customer, 'key.rotated')));
    t.equal(await client.xlen(operatorKeys.foreign), 1_000);
    t.equal(await client.xlen(operatorKeys.audit), 1);
  },
);

t.test('no cursor of ours', (t) => {
  for (const text of ['', '1-1', '_x', '1-1_2-2_', '$', '-_+', '1_1']) t.notOk(Audit.isCursor(text), text);
  for (const text of ['_', '1-1_', '_1-1', '1-1_2-0']) t.ok(Audit.isCursor(text), text);
  t.end();
});

t.test(
  'what the operator does has an entry, what changes nothing has none, and no key is ever in it',
  async (t) => {
    const management = new Management({ redis: client, plans: defaultPlans, audit });
    const { id } = await management.createAccount(cli, { name: 'Acme', plan: 'free', id: 'acme' });
    await management.setPlan(cli, id, 'pro');
    const wanted = { account: id, name: 'back end', environment: 'live', type: 'sk' } as const;
    const key = await management.createKey(cli, wanted);
    const { successor, previous } = await management.rotateKey(cli, key.id, 60);
    await management.revokeKey(cli, key.id);
    await management.revokeKey(cli, key.id);
    for (const on of [true, true, false, false]) await management.setMaintenance(cli, on);
    await t.rejects(management.createAccount(cli, { name: 'Acme', plan: 'free', id }), /exists already/);
    await t.rejects(management.rotateKey(cli, key.id, 60), /revoked or expired/);
    const entries = (await all(100)).reverse();
    t.match(entries, [
      { action: 'account.created', account: id, key: null, details: { name: 'Acme', plan: 'free' } },
      { action: 'account.plan-changed', account: id, details: { plan: 'pro', formerPlan: 'free' } },
      {
        action: 'key.created',
        account: id,
        key: key.id,
        details: { display: key.display, name: 'back end' },
      },
      {
        action: 'key.rotated',
        key: key.id,
        details: { successor: successor.id, expiresAt: previous.expiresAt },
      },
      { action: 'key.revoked', account: id, key: key.id },
      { action: 'maintenance.on' },
      { action: 'maintenance.off' },
    ]);
    t.equal(entries.length, 7);
    const raw = JSON.stringify(await client.xrange(operatorKeys.audit, '-', '+'));
    for (const secret of [key.key, successor.key]) t.notOk(raw.includes(secret.slice(12, 40)));
  },
);

t.test('an audit that cannot be written fails nothing', async (t) => {
  const { client: away } = await startRedis(t);
  const { log: recording, messages } = recordingLog();
  away.disconnect();
  await new Audit(away, recording).record(cli, 'maintenance.on');
  t.strictSame(messages, ['the audit could not be written']);
});
