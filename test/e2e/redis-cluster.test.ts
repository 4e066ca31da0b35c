/** A server on a Redis Cluster, of which it was told one node. */
import { createHash } from 'node:crypto';
import { Cluster } from 'ioredis';
import t from 'tap';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { signIn } from './support/operator-session.ts';
import { startRedisCluster } from './support/redis-cluster.ts';
import { convert, get, send } from './support/requests.ts';

/** An outage is reported within a second; the rest is for a slow machine. */
const ANSWER_MS = 2_500;

const cluster = await startRedisCluster(t);
const redis = new Cluster([cluster.url]);
t.teardown(() => redis.disconnect());

/** Writes a revoked key as old versions did, which kept it for ever. @returns the names of its Redis keys. */
async function writeEndedKey(n: number): Promise<string[]> {
  const [account, id] = [`old-${n}`, `key_old${n}`];
  const sha256 = createHash('sha256').update(id).digest('hex');
  const record = `platen:{${account}}:key:${id}`;
  const [owner, locator] = [`platen:key-owner:${id}`, `platen:locator:${sha256}`];
  await redis.hset(record, { id, account, revokedAt: Date.now() });
  await redis.set(owner, account);
  await redis.set(locator, `${account} ${id}`);
  return [record, owner, locator];
}

const endedKeys = (await Promise.all(Array.from({ length: 20 }, (_, n) => writeEndedKey(n)))).flat();
const server = await Server.start({ env: { REDIS_URL: cluster.url } });
const accounts = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
const keys = new Map<string, string>();

async function create(id: string): Promise<string> {
  await server.createAccount({ id, name: id, plan: 'free' });
  return (await server.createKey({ account: id })).key;
}

/** A command takes far longer. */
async function createByCommand(id: string): Promise<string> {
  await server.cli('accounts', 'create', '--id', id, '--name', id, '--plan', 'free');
  const kind = ['--env', 'live', '--type', 'sk'];
  const { key } = await server.cli<{ key: string }>(
    ...['keys', 'create', '--account', id, '--name', 'test', ...kind],
  );
  return key;
}

t.test('ended keys of an older version expire, on every node', async () => {
  const lifetimes = () => Promise.all(endedKeys.map((name) => redis.pttl(name)));
  await until('all of it expires', async () => (await lifetimes()).every((lifetime) => lifetime > 0));
});

t.test('accounts whose data lie on different nodes', async (t) => {
  for (const id of accounts) {
    const key = id === 'alpha' ? await createByCommand(id) : await create(id);
    keys.set(id, key);
    const answer = await convert(server, key, docx());
    await isPdf(t, answer, 'Hello from Platen.');
    const report = `/v1/conversions/${answer.headers.get('x-request-id')}`;
    t.equal((await send(server, report, { method: 'GET', key })).status, 200);
    isError(t, await convert(server, key, Buffer.from('no')), 'INVALID_FILE_TYPE');
    const { status, body } = await send(server, '/v1/usage', { method: 'GET', key });
    t.equal(status, 200);
    t.match(JSON.parse(body.toString()), {
      account: id,
      conversions: { used: 1 },
      days: [{ conversions: 1, failures: { INVALID_FILE_TYPE: 1 } }],
    });
  }
  t.equal((await server.cli<unknown[]>('accounts', 'list')).length, accounts.length);
  const month = new Date().toISOString().slice(0, 7);
  t.equal((await server.cli<unknown[]>('usage', 'export', '--month', month)).length, accounts.length);
});

t.test('keys rotate and end', async (t) => {
  const key = keys.get('alpha') ?? '';
  const { status, body } = await send(server, '/v1/keys/rotate', { key });
  t.equal(status, 201);
  const successor = JSON.parse(body.toString()) as { id: string; key: string };
  await isPdf(t, await convert(server, successor.key, docx()), 'Hello from Platen.');
  await server.cli('keys', 'revoke', successor.id);
  isError(t, await convert(server, successor.key, docx()), 'INVALID_API_KEY');
});

t.test('the public endpoint and maintenance', async (t) => {
  await isPdf(t, await convert(server, undefined, docx()), 'Hello from Platen.');
  await server.cli('maintenance', 'on');
  isError(t, await convert(server, keys.get('beta'), docx()), 'SERVICE_UNAVAILABLE');
  await server.cli('maintenance', 'off');
  t.equal((await get(server, '/health/ready')).status, 200);
});

t.test('what the operator sees of all of them', async (t) => {
  const session = await signIn(server);
  const { accounts: listed } = await session.read<{ accounts: { id: string }[] }>('/operator/v1/accounts');
  t.strictSame(
    listed.map(({ id }) => id),
    [...accounts].sort(),
  );
  t.match(listed[0], { used: 2, keys: 2 });
  for (const id of accounts) {
    const { requests } = await session.read<{ requests: { requestId: string }[] }>(
      `/operator/v1/accounts/${id}/requests`,
    );
    t.match(await session.read(`/operator/v1/requests/${requests[0]?.requestId}`), { account: id });
  }
  await until('all is counted', async () => {
    const { lastHour } = await session.read<{ lastHour: { total: { conversions: number } } }>(
      '/operator/v1/overview',
    );
    return lastHour.total.conversions === accounts.length + 2;
  });
  t.match(await session.read('/operator/v1/audit?limit=1'), { entries: [{ action: 'session.began' }] });
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const wanted = { account: 'beta', name: 'trial', environment: 'test', type: 'sk', expiresAt };
  t.equal((await session.ask('POST', '/operator/v1/keys', wanted)).status, 201);
  t.match(await session.read('/operator/v1/keys/expiring'), { keys: [{ account: 'beta' }], more: false });
  t.equal((await session.ask('DELETE', '/operator/v1/session')).status, 204);
});

t.test('SERVICE_UNAVAILABLE: the nodes hang, and go on', async (t) => {
  for (const node of cluster.nodes) await node.signal('SIGSTOP');
  for (const key of keys.values()) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    isError(t, await send(server, '/v1/convert', { key, signal }), 'SERVICE_UNAVAILABLE');
  }
  isError(t, await get(server, '/health/ready'), 'SERVICE_UNAVAILABLE');
  for (const node of cluster.nodes) await node.signal('SIGCONT');
  await until('it recovers', async () => {
    const answers = [];
    for (const key of keys.values()) answers.push(await send(server, '/v1/usage', { method: 'GET', key }));
    return answers.every(({ status }) => status === 200);
  });
  await isPdf(t, await convert(server, keys.get('zeta'), docx()), 'Hello from Platen.');
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
