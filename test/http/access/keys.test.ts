/** Keys: where they work, the record of their last use, and that they do not leak. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t from 'tap';
import { keysOf } from '../../accounts/keys/support.ts';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import { withChecksum } from '../../e2e/support/keys.ts';
import { type Answer, convert, type SendOptions, send } from '../../e2e/support/requests.ts';
import { docx, rtf } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';

/** Every request of these tests comes through a proxy, which says for whom it is. */
const service = await Service.start(t, {
  env: { TRUST_PROXY: '127.0.0.1', AUTH_FAILURES_PER_MINUTE: '5', LOG_LEVEL: 'trace' },
});
const errors: Answer[] = [];

async function from(address: string, path: string, options: SendOptions): Promise<Answer> {
  const headers = { 'x-forwarded-for': address, ...options.headers };
  const answer = await send(service, path, { ...options, headers });
  if (answer.status >= 400) errors.push(answer);
  return answer;
}

const usageFrom = (address: string, key: string) => from(address, '/v1/usage', { method: 'GET', key });

t.test('IP_NOT_ALLOWED: addresses and blocks, IPv4, IPv6 and mapped', async (t) => {
  const keys = {
    IPv4: ['192.0.2.7', '10.1.0.0/16'],
    IPv6: ['2001:db8:1::/48', '2001:db8::7'],
    mapped: ['::ffff:192.0.2.0/120'],
  };
  const allowed: readonly (readonly [keyof typeof keys, string, boolean])[] = [
    ['IPv4', '192.0.2.7', true],
    ['IPv4', '192.0.2.8', false],
    ['IPv4', '10.1.255.255', true],
    ['IPv4', '10.2.0.0', false],
    ['IPv4', '::ffff:10.1.2.3', true],
    ['IPv4', '10.1.2.3:8080', true],
    ['IPv4', '::ffff:10.2.2.3', false],
    ['IPv4', '2001:db8::7', false],
    // Only the last address comes from the proxy; clients may have written the others.
    ['IPv4', '192.0.2.7, 198.51.100.1', false],
    ['IPv4', '198.51.100.1, 192.0.2.7', true],
    ['IPv4', 'unknown', false],
    ['IPv4', '192.0.2.7.', false],
    ['IPv6', '2001:db8::7', true],
    ['IPv6', '2001:0DB8:0:0:0:0:0:7', true],
    ['IPv6', '[2001:db8::7]:443', true],
    ['IPv6', '[2001:db8::8]:443', false],
    ['IPv6', '2001:db8::8', false],
    ['IPv6', '2001:db8:1:ffff::1', true],
    ['IPv6', '2001:db8:2::1', false],
    ['IPv6', '192.0.2.7', false],
    ['mapped', '192.0.2.200', true],
    ['mapped', '::ffff:192.0.2.200', true],
    ['mapped', '192.0.3.1', false],
  ];
  const names = Object.keys(keys) as (keyof typeof keys)[];
  const created = await Promise.all(names.map((name) => service.createKey({ ipRestrictions: keys[name] })));
  for (const [name, address, works] of allowed) {
    const answer = await usageFrom(address, String(created[names.indexOf(name)]?.key));
    const what = `${name}, ${address}`;
    if (works) t.equal(answer.status, 200, what);
    else isError(t, answer, 'IP_NOT_ALLOWED', 403, what);
  }
});

t.test('the last use of a key', async (t) => {
  const { id, key, account } = await service.createKey({ ipRestrictions: ['192.0.2.0/24'] });
  const lastUse = async () => {
    const keys = await keysOf(service.services.keys, account);
    return keys.find((listed) => listed.id === id);
  };
  isError(t, await usageFrom('198.51.100.1', key), 'IP_NOT_ALLOWED');
  t.match(await lastUse(), { lastUsedAt: null, lastUsedAddress: null }, 'none, as what was refused is none');
  for (const address of ['192.0.2.1', '192.0.2.2:50000']) await usageFrom(address, key);
  const { lastUsedAt, lastUsedAddress } = { ...(await lastUse()) };
  t.equal(lastUsedAddress, '192.0.2.2');
  t.equal(new Date(String(lastUsedAt)).toISOString(), lastUsedAt);
  t.ok(Math.abs(Date.now() - Date.parse(String(lastUsedAt))) < 60_000);
});

/** A well-formed key that does not exist. */
const unknownKey = withChecksum(`svc_live_sk_${'7'.repeat(43)}`);

t.test('INVALID_API_KEY: malformed, unknown and revoked keys get the same answer', async (t) => {
  const revoked = await service.createKey();
  t.equal((await usageFrom('203.0.113.1', revoked.key)).status, 200);
  await service.revokeKey(revoked.id);
  t.equal(
    withChecksum(revoked.key.slice(0, -6)),
    revoked.key,
    'the unknown key differs in being unknown alone',
  );
  const answers = new Set<string>();
  for (const [what, key] of Object.entries({
    malformed: 'svc_live_sk_short',
    'wrong checksum': `${revoked.key.slice(0, -1)}${revoked.key.endsWith('a') ? 'b' : 'a'}`,
    unknown: unknownKey,
    revoked: revoked.key,
  })) {
    const answer = await usageFrom('203.0.113.2', key);
    const { requestId, timestamp, ...body } = isError(t, answer, 'INVALID_API_KEY', 401, what);
    const headers = new Map(answer.headers);
    for (const own of ['x-request-id', 'date']) t.ok(headers.delete(own), `${what}: ${own}`);
    answers.add(JSON.stringify([body, [...headers]]));
  }
  t.equal(answers.size, 1, 'nothing tells them apart');
});

t.test('RATE_LIMIT_EXCEEDED: failed authentications of an address', async (t) => {
  const { key } = await service.createKey();
  const fail = (address: string) => usageFrom(address, 'svc_live_sk_short');
  // A request without a key is not a guess.
  for (let i = 0; i < 6; i++) {
    isError(t, await from('198.51.100.7', '/v1/usage', { method: 'GET' }), 'MISSING_AUTH');
  }
  for (let i = 0; i < 5; i++) isError(t, await fail('198.51.100.7'), 'INVALID_API_KEY');
  const { retryAfter } = isError(t, await fail('198.51.100.7'), 'RATE_LIMIT_EXCEEDED');
  t.ok(Number(retryAfter) <= 60, 'within the minute');
  isError(t, await fail('::ffff:198.51.100.7'), 'RATE_LIMIT_EXCEEDED', 429, 'the same address, mapped');
  t.equal((await usageFrom('198.51.100.7', key)).status, 200, 'a valid key works');
  isError(t, await fail('198.51.100.8'), 'INVALID_API_KEY', 401, 'another address');

  for (let i = 0; i < 5; i++) isError(t, await fail(`2001:db8:a:b::${i}`), 'INVALID_API_KEY');
  isError(t, await fail('2001:db8:a:b:ffff::1'), 'RATE_LIMIT_EXCEEDED', 429, 'the same /64');
  isError(t, await fail('2001:db8:a:c::1'), 'INVALID_API_KEY', 401, 'another /64');
});

/** Everything that is in Redis, names included. */
async function redisContents(): Promise<string> {
  const redis = new Redis(service.redis);
  const contents: unknown[] = [];
  for await (const names of redis.scanStream({ count: 1_000 })) {
    for (const name of names as string[]) contents.push(name, await redis.dump(name));
  }
  redis.disconnect();
  return contents.join('\n');
}

async function filesUnder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')] as const)),
  );
}

t.test('no key is stored, logged or returned, except at its creation', async (t) => {
  const created = await service.createKey();
  const address = '203.0.113.7';
  isDelivered(t, await convert(service, created.key, docx(), { headers: { 'x-forwarded-for': address } }));
  const rotated = await from(address, '/v1/keys/rotate', { key: created.key });
  const { key: successor } = JSON.parse(rotated.body.toString('utf8')) as { key: string };
  const byOperator = await service.rotateKey((await service.createKey()).id);
  const secrets = [created.key, successor, byOperator.key, unknownKey];

  for (const key of secrets) {
    // Also keys in places where people put them by mistake.
    const query = `?key=${key}&month=${key}`;
    isError(
      t,
      await from(address, `/v1/usage${query}`, { method: 'GET', key: created.key }),
      'INVALID_PARAMETER',
    );
    isError(t, await from(address, `/${key}`, { method: 'GET' }), 'NOT_FOUND');
    isError(t, await from(address, `/v1/convert/${key}`, { key }), 'NOT_FOUND');
    isError(t, await from(address, '/v1/keys/rotate', { key: created.key, body: key }), 'INVALID_REQUEST');
    const basic = { authorization: `Basic ${key}` };
    isError(
      t,
      await from(`2001:db8:${secrets.indexOf(key) + 1}::1`, '/v1/convert', { headers: basic }),
      'INVALID_API_KEY',
    );
    const form = new FormData();
    form.set('file', new Blob([rtf() as Uint8Array<ArrayBuffer>]), `${key}.docx`);
    isError(t, await from(address, '/v1/convert', { key: created.key, body: form }), 'INVALID_FILE_TYPE');
  }

  const hash = createHash('sha256').update(created.key).digest('hex');
  const contents = await redisContents();
  t.ok(contents.includes(hash), 'Redis has the hash of a key');
  const places = new Map([
    ['Redis', contents],
    ['the log', service.log.map((line) => JSON.stringify(line)).join('\n')],
    ['errors', errors.map(({ headers, body }) => `${JSON.stringify([...headers])}${body}`).join('\n')],
    ...(await filesUnder(service.dataDir)),
  ]);
  for (const [place, text] of places) {
    for (const key of secrets) {
      // Half of it would be too much as well.
      const random = key.slice('svc_live_sk_'.length);
      const found = [random.slice(0, 20), random.slice(-20)].filter((part) => text.includes(part));
      if (found.length > 0) t.fail(`a key is in ${place}`);
    }
  }
});
