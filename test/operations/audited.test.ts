/** Each entry of the audit is written before what it tells of. */
import t from 'tap';
import { KeyStore } from '../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { readConfig } from '../../src/config.ts';
import {
  createAccount,
  deleteAccount,
  removeLimit,
  renameAccount,
  restoreAccount,
  resumeAccount,
  setIsolation,
  setLimit,
  setPlan,
  suspendAccount,
} from '../../src/operations/accounts.ts';
import { setContacts } from '../../src/operations/contacts.ts';
import { changeKey, createKey, revokeKey } from '../../src/operations/keys.ts';
import { removeBanner, setBanner, setMaintenance } from '../../src/operations/service.ts';
import { openOperations } from '../../src/operations/services.ts';
import type { Audit } from '../../src/operator/audit.ts';
import type { AuditAction } from '../../src/operator/audit-entry.ts';
import { log, redisClient } from '../redis/support.ts';
import { operationsAs } from '../support/operations.ts';

const actor = { by: 'cli', who: 'test' } as const;
const redis = await redisClient(t);

/** All that is stored. */
async function everything(): Promise<string> {
  const names = (await redis.keys('*')).sort();
  return JSON.stringify(
    await Promise.all(names.map(async (name) => [name, (await redis.dumpBuffer(name))?.toString('base64')])),
  );
}

/** The entries, and all that was stored when they were written. */
const entries: { readonly action: AuditAction; readonly stored: string }[] = [];
const audit = {
  async record(_actor: unknown, action: AuditAction) {
    entries.push({ action, stored: await everything() });
  },
} as unknown as Audit;
const perform = operationsAs(
  openOperations({ config: readConfig({}), redis, plans: defaultPlans, log, audit }),
  actor,
);
const { id } = await perform(createAccount, { body: { name: 'Acme', plan: 'pro' } });
const newKey = { name: 'k', environment: 'live', type: 'sk' } as const;
const key = await perform(createKey, { account: id, body: newKey });
const params = { key: key.id };
const limit = { params: { limit: 'perMonth' }, body: { value: 7 } } as const;
const contacts = { addresses: ['anna@acme.example'], warnings: true };

const changes: readonly (readonly [AuditAction, () => Promise<unknown>])[] = [
  ['account.created', () => perform(createAccount, { body: { id: 'globex', name: 'Globex', plan: 'pro' } })],
  ['account.plan-changed', () => perform(setPlan, { account: id, body: { plan: 'free' } })],
  ['account.renamed', () => perform(renameAccount, { account: id, body: { name: 'Acme Ltd' } })],
  ['account.contacts-changed', () => perform(setContacts, { account: id, body: contacts })],
  ['account.limit-set', () => perform(setLimit, { account: id, ...limit })],
  ['account.limit-removed', () => perform(removeLimit, { account: id, params: { limit: 'perMonth' } })],
  ['account.isolation-set', () => perform(setIsolation, { account: id, body: { isolation: 'document' } })],
  ['account.suspended', () => perform(suspendAccount, { account: id })],
  ['account.resumed', () => perform(resumeAccount, { account: id })],
  ['account.deletion-planned', () => perform(deleteAccount, { account: id })],
  ['account.restored', () => perform(restoreAccount, { account: id })],
  ['key.changed', () => perform(changeKey, { params, body: { ipRestrictions: ['192.0.2.0/24'] } })],
  ['key.revoked', () => perform(revokeKey, { params })],
  ['maintenance.on', () => perform(setMaintenance, { body: { on: true, reason: 'a new version' } })],
  ['maintenance.off', () => perform(setMaintenance, { body: { on: false } })],
  ['banner.set', () => perform(setBanner, { body: { text: 'Tonight' } })],
  ['banner.removed', () => perform(removeBanner)],
];

for (const [action, change] of changes) {
  t.test(action, async (t) => {
    const stored = await everything();
    entries.length = 0;
    await change();
    t.strictSame(entries, [{ action, stored }]);
    t.not(await everything(), stored);
  });
}

t.test('what is refused has no entry', async (t) => {
  entries.length = 0;
  const refused: readonly (() => Promise<unknown>)[] = [
    () => perform(createAccount, { body: { id: 'globex', name: 'Again', plan: 'pro' } }),
    () => perform(setPlan, { account: id, body: { plan: 'none' } }),
    () => perform(setPlan, { account: 'nobody', body: { plan: 'free' } }),
    () => perform(renameAccount, { account: id, body: { name: '' } }),
    () => perform(setContacts, { account: id, body: { addresses: ['nobody'], warnings: true } }),
    () => perform(setLimit, { account: id, ...limit, body: { value: -1 } }),
    () => perform(removeLimit, { account: 'nobody', params: { limit: 'perMonth' } }),
    () => perform(changeKey, { params, body: { name: 'revoked' } }),
    () => perform(setMaintenance, { body: { on: true, until: '2001-01-01T00:00:00Z' } }),
  ];
  for (const change of refused) await t.rejects(change, { name: 'OperatorError' });
  t.same(entries, []);
});

t.test('no key changes without an entry, even if the clock of Redis is late', async (t) => {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const made = await perform(createKey, { account: id, body: { ...newKey, expiresAt } });
  entries.length = 0;
  const { now } = Date;
  t.capture(Date, 'now', () => now() + 120_000);
  await t.rejects(perform(changeKey, { params: { key: made.id }, body: { name: 'late' } }), {
    name: 'OperatorError',
  });
  t.same(entries, []);
  t.match(await new KeyStore(redis, defaultPlans).findKey(made.id), { name: newKey.name });
});
