/** The keys of an account, page by page, on a real Redis. */
import t from 'tap';
import { AccountKeys } from '../../../src/accounts/keys/account-keys.ts';
import { inBatches } from '../../../src/accounts/keys/batches.ts';
import { Rotation } from '../../../src/accounts/keys/rotation.ts';
import { KeyStore } from '../../../src/accounts/keys/store.ts';
import { defaultPlans } from '../../../src/accounts/plans/plans.ts';
import { patientClient, startRedis } from '../../redis/support.ts';

const client = patientClient(t, (await startRedis(t)).server);
const store = new KeyStore(client, defaultPlans);
const rotation = new Rotation(client, store);
const list = new AccountKeys(client);
t.beforeEach(async () => {
  await client.flushall();
  for (const id of ['acme', 'other']) await store.createAccount({ id, name: id, plan: 'free' });
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

function create(expiresAt?: Date, account = 'acme') {
  return store.createKey({ account, name: 'k', environment: 'live', type: 'sk', expiresAt });
}

/** The ids on all pages. */
async function pages(limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    if (after !== undefined) t.ok(AccountKeys.isCursor(after), after);
    const page = await list.page('acme', after, limit);
    t.ok(page.keys.length <= limit);
    ids.push(...page.keys.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}

t.test('those that work first, then those that ended, whatever the size of the pages', async (t) => {
  const oldest = await create();
  const dated = await create(inDays(20));
  const revoked = await create();
  const soon = await create(inDays(2));
  const sooner = await create(inDays(1));
  const rotated = await create(inDays(30));
  await create(undefined, 'other');
  await store.revokeKey(revoked.id);
  const { successor } = await rotation.rotate(rotated.id, 3_600);
  const own = { account: 'acme', id: oldest.id, environment: 'live' } as const;
  const { successor: ownSuccessor } = await rotation.rotateOwn(own, oldest.key, 7_200);
  const rest = [successor, dated, soon, sooner, oldest, rotated, revoked].map(({ id }) => id);
  for (const limit of [1, 2, 3, 7, 8, 9, 200]) t.strictSame(await pages(limit), [ownSuccessor.id, ...rest]);
  t.equal(await list.count('acme'), 8);

  await store.revokeKey(ownSuccessor.id);
  const before = await store.getKey('acme', ownSuccessor.id);
  await store.revokeKey(ownSuccessor.id);
  t.same(await store.getKey('acme', ownSuccessor.id), before, 'revoked again, it stays as it is');
  const [last, secondLast] = [rest.pop() ?? '', rest.splice(-2)];
  t.strictSame(await pages(3), [...rest, ...secondLast, ownSuccessor.id, last], 'a key is listed once');
  t.equal(await list.count('acme'), 8);
});

t.test('many that end at one moment', async (t) => {
  const expiresAt = inDays(10);
  const keys = await inBatches(Array.from({ length: 250 }), () => create(expiresAt));
  const ids = keys.map(({ id }) => id).sort();
  for (const limit of [7, 50, 200]) t.strictSame((await pages(limit)).sort(), ids);
});

t.test('a page reads its own keys and no others', async (t) => {
  await inBatches(Array.from({ length: 120 }), () => create());
  await client.config('RESETSTAT');
  await list.page('acme', undefined, 20);
  const stats = await client.info('commandstats');
  t.match(stats, /cmdstat_hgetall:calls=20,/);
  t.match(stats, /cmdstat_zrange:calls=1,/);
  t.notMatch(stats, /scan|smembers|keys/);
});

t.test('no cursor of ours', (t) => {
  const [time, never] = ['001795246836000', '9'.repeat(15)];
  for (const text of ['', 'key_1', `${never}-${time}`, `${never}-${time}-a b`, `1-${time}-key_1`, '+', '-']) {
    t.notOk(AccountKeys.isCursor(text), text);
  }
  t.ok(AccountKeys.isCursor(`${never}-${time}-key_1`));
  t.end();
});
