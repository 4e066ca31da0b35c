/** Who did what: kept on a real Redis, in order, within bounds. */
import { once } from 'node:events';
import t from 'tap';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { readConfig } from '../../src/config.ts';
import { createAccount, setPlan } from '../../src/operations/accounts.ts';
import { createKey, revokeKey, rotateKey } from '../../src/operations/keys.ts';
import { setMaintenance } from '../../src/operations/service.ts';
import { openOperations } from '../../src/operations/services.ts';
import { Audit, type AuditFilter } from '../../src/operator/audit.ts';
import { auditCsv } from '../../src/operator/audit-csv.ts';
import type { AuditEntry } from '../../src/operator/audit-entry.ts';
import { operatorKeys } from '../../src/operator/redis-keys.ts';
import { log, recordingLog, startRedis } from '../redis/support.ts';
import { startClockedRedis } from '../support/clocked-redis.ts';
import { operationsAs } from '../support/operations.ts';

const redis = await startClockedRedis(t);
const client = redis.connectPatiently();
t.beforeEach(async () => {
  redis.setClock(Date.now());
  await client.flushall();
});
const audit = new Audit(client, log);
const nobody = { by: 'nobody', who: '192.0.2.9' } as const;
const DAY_MS = 86_400_000;

function refuse(network = '192.0.2.9'): Promise<void> {
  return audit.refuse({ action: 'session.refused', who: network, network });
}
const customer = { by: 'key', who: 'key_1' } as const;
const cli = { by: 'cli', who: 'ops' } as const;
const perform = operationsAs(
  openOperations({ config: readConfig({}), redis: client, plans: defaultPlans, log, audit }),
  cli,
);

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
    if (i % 3 === 0) await refuse(`192.0.2.${i}`);
  }
  const whole = await all(100);
  t.equal(whole.length, 10);
  // Of one millisecond, either may be the first.
  t.match(
    whole.find(({ by }) => by === 'nobody'),
    {
      ...{ ...nobody, who: '192.0.2.6', action: 'session.refused', account: null, key: null },
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
    await audit.record(customer, 'key.rotated');
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => refuse(`network-${i}`)));
    t.equal(await client.xlen(operatorKeys.audit('customers')), 1);
    await Promise.all(Array.from({ length: 1_100 }, () => audit.record(customer, 'key.rotated')));
    t.equal(await client.xlen(operatorKeys.audit('customers')), 1_000);
    t.equal(await client.xlen(operatorKeys.audit('refused')), 1_000);
    t.equal(await client.xlen(operatorKeys.audit('done')), 1);
  },
);

t.test('the refusals of a network in an hour are one entry', async (t) => {
  const start = Date.now();
  redis.setClock(start);
  await refuse();
  redis.setClock(start + 1_000);
  await refuse('192.0.2.10');
  redis.setClock(start + 3_599_000);
  await refuse();
  await audit.refuse({ action: 'token.refused', who: '192.0.2.9', network: '192.0.2.9' });
  const iso = (at: number) => new Date(at).toISOString();
  t.match((await all(10)).map(({ at, action, who, details }) => [at, action, who, details]).sort(), [
    [iso(start + 1_000), 'session.refused', '192.0.2.10', { attempts: '1', since: iso(start + 1_000) }],
    [iso(start + 3_599_000), 'session.refused', '192.0.2.9', { attempts: '2', since: iso(start) }],
    [iso(start + 3_599_000), 'token.refused', '192.0.2.9', { attempts: '1' }],
  ]);
  redis.setClock(start + 3_601_000);
  await refuse();
  t.equal((await all(10)).length, 4, 'then the next begins');
  t.match((await all(1))[0]?.details, { attempts: '1', since: iso(start + 3_601_000) });
});

t.test('addresses are not kept for ever', async (t) => {
  const start = Date.now() - 10 * DAY_MS;
  redis.setClock(start);
  await refuse();
  await audit.record(cli, 'maintenance.on');
  redis.setClock(start + 60 * DAY_MS);
  await refuse('192.0.2.10');
  await audit.record(cli, 'maintenance.off');
  redis.setClock(start + 91 * DAY_MS);
  await refuse('192.0.2.11');
  t.equal(await client.xlen(operatorKeys.audit('refused')), 2);
  redis.setClock(start + 401 * DAY_MS);
  await audit.record(cli, 'maintenance.on');
  t.equal(await client.xlen(operatorKeys.audit('done')), 2);
  redis.setClock(start + 802 * DAY_MS);
  t.strictSame(await client.keys('*'), [], 'also where nothing comes after them');
});

t.test('no cursor of ours', (t) => {
  const no = ['', '1-1', '1-1-', '$', '-', '+', '1_1', '0-0-0', '18446744073709551616-0-1'];
  for (const text of no) t.notOk(Audit.isCursor(text), text);
  for (const text of ['1-1-0', '1-0-2', '18446744073709551615-0-1']) t.ok(Audit.isCursor(text), text);
  t.end();
});

t.test(
  'what the operator does has an entry, what changes nothing has none, and no key is ever in it',
  async (t) => {
    const { id } = await perform(createAccount, { body: { name: 'Acme', plan: 'free', id: 'acme' } });
    await perform(setPlan, { account: id, body: { plan: 'pro' } });
    const wanted = { name: 'back end', environment: 'live', type: 'sk' } as const;
    const ipRestrictions = ['192.0.2.0/24', '2001:db8::1'];
    const key = await perform(createKey, { account: id, body: { ...wanted, ipRestrictions } });
    const params = { key: key.id };
    const successor = await perform(rotateKey, { params, body: { overlapSeconds: 60 } });
    await perform(revokeKey, { params });
    await perform(revokeKey, { params });
    for (const on of [true, true, false, false]) await perform(setMaintenance, { body: { on } });
    await t.rejects(perform(createAccount, { body: { name: 'Acme', plan: 'free', id } }), /exists already/);
    await t.rejects(perform(rotateKey, { params }), /revoked or expired/);
    const entries = (await all(100)).reverse();
    t.match(entries, [
      { action: 'account.created', account: id, key: null, details: { name: 'Acme', plan: 'free' } },
      { action: 'account.plan-changed', account: id, details: { plan: 'pro', formerPlan: 'free' } },
      {
        action: 'key.created',
        account: id,
        key: key.id,
        details: { display: key.display, name: 'back end', ipRestrictions: ipRestrictions.join(' ') },
      },
      {
        action: 'key.rotated',
        key: key.id,
        details: {
          successor: successor.id,
          display: successor.display,
          overlapSeconds: '60',
          ipRestrictions: ipRestrictions.join(' '),
        },
      },
      { action: 'key.revoked', account: id, key: key.id },
      { action: 'maintenance.on' },
      { action: 'maintenance.off' },
    ]);
    t.equal(entries.length, 7);
    const raw = JSON.stringify(await client.xrange(operatorKeys.audit('done'), '-', '+'));
    for (const secret of [key.key, successor.key]) t.notOk(raw.includes(secret.slice(12, 40)));
  },
);

t.test('what is done to keys is in the audit before it is done', async (t) => {
  const { id: account } = await perform(createAccount, { body: { name: 'Acme', plan: 'free' } });
  const wanted = { name: 'back end', environment: 'live', type: 'sk' } as const;
  const key = await perform(createKey, { account, body: wanted });
  const params = { key: key.id };
  // A Redis user that may write nothing but the audit stands in for the end of the process just before the change.
  await client.acl('SETUSER', 'default', 'resetkeys', '%R~*', '~platen:{audit}*');
  const changes: readonly (() => Promise<unknown>)[] = [
    () => perform(createKey, { account, body: wanted }),
    () => perform(rotateKey, { params }),
    () => perform(revokeKey, { params }),
  ];
  for (const change of changes) await t.rejects(change(), /NOPERM/);
  await client.acl('SETUSER', 'default', 'allkeys');
  const entries = await all(100);
  t.match(entries, [
    { action: 'key.revoked', key: key.id },
    { action: 'key.rotated', key: key.id },
    { action: 'key.created', account },
    { action: 'key.created', key: key.id },
    { action: 'account.created' },
  ]);
  t.equal(entries.length, 5);
  t.match(await new KeyStore(client, defaultPlans).getKey(account, key.id), {
    revokedAt: null,
    successor: null,
  });
  await t.rejects(perform(rotateKey, { params: { key: 'key_none' } }), /no key/);
  await t.rejects(perform(createKey, { account: 'nobody', body: wanted }), /no account/);
  t.equal((await all(100)).length, 5, 'what cannot be done is not announced');
});

t.test('an audit that cannot be written fails nothing', async (t) => {
  const { client: away } = await startRedis(t);
  const { log: recording, messages } = recordingLog();
  const gone = once(away, 'end');
  away.disconnect();
  await gone;
  const unwritten = new Audit(away, recording);
  await unwritten.record(cli, 'maintenance.on');
  await unwritten.record(cli, 'maintenance.off');
  t.equal(messages.length, 2, 'whatever the operator did');
  const refusal = { action: 'token.refused', who: '192.0.2.9', network: '192.0.2.9' } as const;
  for (let i = 0; i < 3; i++) await unwritten.refuse(refusal);
  t.strictSame(messages, Array(3).fill('the audit could not be written'), 'of strangers one for all');
  await away.connect();
  await unwritten.refuse(refusal);
  away.disconnect();
  await unwritten.refuse(refusal);
  t.equal(messages.length, 4, 'and one of the next outage');
});

t.test('entries that fit, and as CSV', async (t) => {
  await audit.record(cli, 'account.created', { account: 'acme', details: { name: 'Acme, "Ltd"' } });
  await audit.record({ by: 'session', who: '2001:DB8::1' }, 'key.revoked', { account: 'acme', key: 'key_1' });
  await audit.record({ by: 'cli', who: '=1+1' }, 'maintenance.on');
  await audit.record(customer, 'key.rotated', { account: 'other', key: 'key_1' });
  const found = async (filter: AuditFilter) =>
    (await audit.list(undefined, 10, filter)).entries.map(({ action }) => action);
  t.same(await found({ account: 'acme' }), ['key.revoked', 'account.created']);
  t.same((await found({ key: 'key_1' })).sort(), ['key.revoked', 'key.rotated']);
  t.same(await found({ action: 'maintenance.on' }), ['maintenance.on']);
  t.same(await found({ who: 'db8' }), ['key.revoked']);
  t.same(await found({ account: 'acme', action: 'key.rotated' }), []);
  t.same(await found({ from: Date.now() + DAY_MS }), []);
  t.equal((await found({ from: Date.now() - DAY_MS, until: Date.now() + DAY_MS })).length, 4);
  const { next } = await audit.list(undefined, 1, { account: 'acme' });
  t.match(await audit.list(next ?? undefined, 1, { account: 'acme' }), {
    entries: [{ action: 'account.created' }],
    next: null,
  });
  const { entries } = await audit.list(undefined, 10);
  const rows = auditCsv(entries).split('\n');
  t.equal(rows[0], 'at,by,who,action,account,key,details');
  t.equal(rows.length, 6);
  t.match(
    rows.find((row) => row.includes('created')),
    /^[^,]+,cli,ops,account\.created,acme,,"\{""name"":""Acme, \\""Ltd\\""""\}"$/,
  );
  t.match(
    rows.find((row) => row.includes('maintenance')),
    /,'=1\+1,/,
    'no formula',
  );
});
