/** All data of an account as one file. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { Settlement } from '../../src/accounts/billing/settlement.ts';
import { defaultPlans } from '../../src/accounts/plans/plans.ts';
import { readConfig } from '../../src/config.ts';
import { setLimit } from '../../src/operations/accounts.ts';
import { setContacts } from '../../src/operations/contacts.ts';
import { exportAccount, exported } from '../../src/operations/export.ts';
import { createKey } from '../../src/operations/keys.ts';
import { inviteMember } from '../../src/operations/members.ts';
import { openOperations } from '../../src/operations/services.ts';
import { createOwnWebhook } from '../../src/operations/webhooks.ts';
import { Audit } from '../../src/operator/audit.ts';
import { figures, reservation } from '../accounts/billing/samples.ts';
import { log, redisClient } from '../redis/support.ts';
import { operationsAs } from '../support/operations.ts';

const redis = await redisClient(t);
const audit = new Audit(redis, log);
const config = readConfig({ PUBLIC_URL: 'https://pdf.example.com' });
const services = openOperations({ config, redis, plans: defaultPlans, log, audit });
const acme = await services.keys.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
await services.keys.createAccount({ id: 'other', name: 'Other', plan: 'pro' });
const anna = { by: 'member', who: 'Anna' } as const;
const owner = operationsAs(services, anna, acme);
const operator = operationsAs(services, { by: 'cli', who: 'root' });

const secrets: string[] = [];
for (const name of ['front', 'back', 'old']) {
  const body = { name, environment: 'live', type: 'sk' } as const;
  secrets.push((await owner(createKey, { body })).key);
}
const other = { name: 'theirs', environment: 'live', type: 'sk' } as const;
await operator(createKey, { account: 'other', body: other });
const { secret } = await owner(createOwnWebhook, {
  body: { environment: 'test', url: 'https://acme.example/s3cret', events: ['job.completed'] },
});
const { link } = await owner(inviteMember, { body: { email: 'ben@acme.example', role: 'developer' } });
secrets.push(secret, link.split('#')[1] ?? '');
await owner(setContacts, { body: { addresses: ['anna@acme.example'] } });
await operator(setLimit, { account: 'acme', params: { limit: 'perDay' }, body: { value: 7 } });
await new Settlement(redis).settle(reservation('req_1', { at: Date.now() }), figures);
// As of now: with its limit.
const ownerNow = operationsAs(services, anna, await services.keys.getAccount('acme'));

const fileOf = async (given: Awaited<ReturnType<typeof exporting>>) =>
  JSON.parse(await text(Readable.from(given.text)));
const exporting = (by = ownerNow) => by(exportAccount, { account: 'acme' });

t.test('an owner gets all of the account, and no secret', async (t) => {
  const given = await exporting();
  t.equal(given.name, 'platen-acme.json');
  const written = await text(Readable.from(given.text));
  const file = JSON.parse(written);
  t.match(file, {
    exportedAt: /^\d{4}-/,
    account: { id: 'acme', ownLimits: [{ limit: 'perDay', value: 7 }], used: 1 },
    contacts: { addresses: ['anna@acme.example'] },
    invitations: [{ email: 'ben@acme.example' }],
    webhooks: [{ url: 'https://acme.example/s3cret', origin: 'https://acme.example', environment: 'test' }],
    usage: [{ environment: 'live', used: 1, days: [{ conversions: 1, pages: 3 }], keys: [{ key: 'key_1' }] }],
    requests: [],
    jobs: [],
    cut: [],
  });
  t.same(file.keys.map(({ name }: { name: string }) => name).sort(), ['back', 'front', 'old']);
  t.equal(file.usage.length, 1, 'no month without use');
  t.match(file.audit[0], { action: 'account.exported', by: 'member', who: 'Anna' });
  const { entries } = await audit.list(undefined, 100);
  t.notOk(
    entries.some(({ action }) => action === 'account.exported'),
    'one account cannot fill the list of all',
  );
  t.match(file.audit[1], { action: 'account.limit-set', who: 'operator' });
  t.equal(secrets.length, 5);
  for (const each of secrets) t.notOk(written.includes(each), each);
  t.notMatch(written, /theirs|whsec_/);
});

t.test('an operator sees no more of URLs of webhooks than elsewhere', async (t) => {
  const file = await fileOf(await exporting(operator));
  t.match(file.webhooks, [{ url: null, description: null, origin: 'https://acme.example' }]);
  t.match(file.audit[0], { action: 'account.exported', who: 'operator' });
});

t.test('a list that has more than fits is named', async (t) => {
  const caller = { account: acme, actor: anna, role: 'owner', port: null } as const;
  const read = async (most: number) => {
    const rows = new Map<string, unknown[]>();
    let cut: unknown;
    for await (const [name, value] of exported(services, caller, most)) {
      if (name === 'cut') cut = value;
      if (typeof value === 'string' || !(Symbol.asyncIterator in value)) continue;
      rows.set(name, []);
      for await (const page of value) rows.get(name)?.push(...page);
    }
    return { cut, keys: rows.get('keys')?.length };
  };
  t.same(await read(2), { cut: ['keys', 'audit'], keys: 2 });
  t.same(await read(3), { cut: ['audit'], keys: 3 }, 'exactly what fits is whole');
});
