import t from 'tap';
import { catalogue } from '../../src/errors.ts';
import { authenticate } from '../../src/keys/authenticate.ts';
import { generateKey } from '../../src/keys/format.ts';
import { KeyStore } from '../../src/keys/store.ts';
import { nextEvent, startRedis } from '../redis/support.ts';

const { client, server } = await startRedis(t);
const store = new KeyStore(client);
await store.createAccount({ id: 'acme', name: 'Acme', plan: 'pro' });
const now = new Date();

const createKey = (expiresAt?: Date) =>
  store.createKey({ account: 'acme', name: 'test', environment: 'live', type: 'sk', expiresAt });
const invalid = {
  name: 'PlatenError',
  code: 'INVALID_API_KEY',
  status: 401,
  message: catalogue.INVALID_API_KEY.message,
};

t.test('a valid key is known, however the scheme is written', async (t) => {
  const { key, ...record } = await createKey(new Date(now.getTime() + 60_000));
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    t.same(await authenticate(`${scheme} ${key}`, store, now), record);
  }
});

t.test('without a header', async (t) => {
  await t.rejects(authenticate(undefined, store, now), { code: 'MISSING_AUTH', status: 401 });
  await t.rejects(authenticate('', store, now), { code: 'MISSING_AUTH', status: 401 });
});

t.test('malformed, unknown and revoked keys get the same answer', async (t) => {
  const { key } = await createKey();
  const revoked = await createKey();
  await store.revokeKey(revoked.id);
  const unknown = generateKey({ environment: 'live', type: 'sk' });
  const headers = [
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    'Bearer',
    'Bearer ',
    `Bearer ${key} ${key}`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key}${' '.repeat(100_000)}x`,
    `Bearer ${'a'.repeat(100_000)}`,
    `Bearer ${unknown}`,
    `Bearer ${revoked.key}`,
  ];
  for (const header of headers)
    await t.rejects(authenticate(header, store, now), invalid, header.slice(0, 30));
});

t.test('a revoked key is refused from the next request on', async (t) => {
  const { key, id } = await createKey();
  await authenticate(`Bearer ${key}`, store, now);
  await store.revokeKey(id);
  await t.rejects(authenticate(`Bearer ${key}`, store, now), invalid);
});

t.test('an expired key', async (t) => {
  const expiresAt = new Date(now.getTime() + 60_000);
  const { key, id } = await createKey(expiresAt);
  const before = new Date(expiresAt.getTime() - 1);
  t.match(await authenticate(`Bearer ${key}`, store, before), { id }, 'works to the last moment');
  await t.rejects(authenticate(`Bearer ${key}`, store, expiresAt), { code: 'EXPIRED_API_KEY', status: 401 });
  await store.revokeKey(id);
  await t.rejects(authenticate(`Bearer ${key}`, store, expiresAt), invalid, 'revoked goes before expired');
});

t.test('without Redis nobody gets in, and a mistyped key is refused all the same', async (t) => {
  const { key } = await createKey();
  process.kill(server.pid, 'SIGSTOP');
  t.teardown(() => process.kill(server.pid, 'SIGCONT'));
  const unavailable = { code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 1, cause: Error };
  const away = nextEvent(client, 'reconnecting');
  await t.rejects(authenticate(`Bearer ${key}`, store, now), unavailable, 'silent');
  await away;
  await t.rejects(authenticate(`Bearer ${key}`, store, now), unavailable, 'not connected');
  await t.rejects(authenticate('Bearer svc_live_sk_typo', store, now), invalid);
  const back = nextEvent(client, 'ready');
  process.kill(server.pid, 'SIGCONT');
  await back;
  t.match(await authenticate(`Bearer ${key}`, store, now), { account: 'acme' }, 'and in again afterwards');
});
