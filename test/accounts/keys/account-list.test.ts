/** Accounts by name, page by page, on a real Redis. */
import t from 'tap';
import { AccountList } from '../../../src/accounts/keys/account-list.ts';
import { inBatches } from '../../../src/accounts/keys/batches.ts';
import { redisKeys } from '../../../src/accounts/keys/redis-keys.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { redisClient } from '../../redis/support.ts';

const client = await redisClient(t);
t.beforeEach(() => client.flushdb());
const store = new KeyStore(client, defaultPlans);
const list = new AccountList(client, store);

async function create(...names: readonly string[]): Promise<void> {
  for (const name of names)
    await store.createAccount({ name, plan: 'free', id: `id-${Buffer.from(name).toString('hex')}` });
}

async function names(search: string | undefined, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await list.page({ search, after, limit });
    t.ok(page.accounts.length <= limit);
    found.push(...page.accounts.map(({ name }) => name));
    after = page.next;
  }
  return found;
}

t.test('by name, whatever the size of the pages', async (t) => {
  await create('zeta', 'Beta GmbH', 'alpha', 'Ärzte', 'Alpha 2', 'beta');
  const sorted = ['alpha', 'Alpha 2', 'beta', 'Beta GmbH', 'zeta', 'Ärzte'];
  for (const limit of [1, 2, 5, 6, 7, 100]) t.strictSame(await names(undefined, limit), sorted, `${limit}`);
  t.equal(await list.count(), 6);
});

t.test('a part of the name or the id, capital letters or not', async (t) => {
  await create('Beta GmbH', 'alpha', 'Ärzte');
  await store.createAccount({ name: 'Somebody', plan: 'free', id: 'gmbh-7' });
  t.strictSame(await names('GMBH', 1), ['Beta GmbH', 'Somebody']);
  t.strictSame(await names('är', 10), ['Ärzte']);
  t.strictSame(await names('alpha\0id', 10), [], 'nothing reaches over the end of the name');
  t.strictSame(await names('nobody', 10), []);
});

t.test('more than are looked at at once', async (t) => {
  const count = 2_345;
  await inBatches(
    Array.from({ length: count }, (_, i) => `Customer ${i}`),
    (name) => create(name),
  );
  t.equal((await names(undefined, 200)).length, count);
  t.strictSame(await names('customer 2344', 50), ['Customer 2344']);
  t.equal(
    (await names('customer 7', 100)).length,
    Array.from({ length: count }, (_, i) => `${i}`).filter((n) => n.startsWith('7')).length,
  );
});

t.test('an id that is taken is listed once', async (t) => {
  await store.createAccount({ id: 'acme', name: 'Acme', plan: 'free' });
  await t.rejects(store.createAccount({ id: 'acme', name: 'Other', plan: 'free' }), /exists already/);
  t.equal(await list.count(), 1);
  // Asked for at once, each is listed before it is known whose id it is.
  const attempts = ['A', 'B', 'b', 'C'].map((name) =>
    store.createAccount({ id: 'both', name, plan: 'free' }),
  );
  const made = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled');
  t.equal(made.length, 1);
  t.equal(await list.count(), 2);
  t.equal((await names(undefined, 10)).length, 2);
});

t.test('what a creation that broke off has left is nobody', async (t) => {
  await client.zadd(
    redisKeys.accountsByName,
    0,
    'ghost\0ghost',
    0,
    `former name\0id-${Buffer.from('alpha').toString('hex')}`,
  );
  await create('alpha');
  t.strictSame(await names(undefined, 1), ['alpha']);
});
