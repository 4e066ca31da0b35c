import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { encodeBase62 } from '../../../src/accounts/keys/base62.ts';
import { displayKey, generateKey, hashKey, parseKey } from '../../../src/accounts/keys/format.ts';

const kinds = [
  { environment: 'test', type: 'pk' },
  { environment: 'test', type: 'sk' },
  { environment: 'live', type: 'pk' },
  { environment: 'live', type: 'sk' },
] as const;

t.test('a new key has the form, and is what it says', async (t) => {
  for (const kind of kinds) {
    const key = generateKey(kind);
    t.match(key, new RegExp(`^svc_${kind.environment}_${kind.type}_[0-9A-Za-z]{49}$`));
    t.same(parseKey(key), kind);
  }
  const keys = Array.from({ length: 1000 }, () => generateKey(kinds[3]));
  t.equal(new Set(keys).size, 1000, 'no two are alike');
  t.ok(
    keys.every((key) => parseKey(key)),
    'each is valid, whatever its random number',
  );
});

t.test('the checksum is the CRC-32 of all that comes before it', async (t) => {
  const body = `svc_live_sk_${'0'.repeat(43)}`;
  const key = body + encodeBase62(BigInt(crc32(body)), 6);
  t.same(parseKey(key), { environment: 'live', type: 'sk' });
  t.equal(parseKey(key.replace('live', 'test')), undefined, 'the prefix is covered');
});

t.test('one wrong character anywhere is noticed', async (t) => {
  const key = generateKey({ environment: 'live', type: 'sk' });
  for (let index = 0; index < key.length; index++) {
    for (const other of ['0', 'z']) {
      if (key[index] === other) continue;
      const mistyped = key.slice(0, index) + other + key.slice(index + 1);
      t.equal(parseKey(mistyped), undefined, `character ${index}`);
    }
  }
});

t.test('what is no key is not parsed', async (t) => {
  const key = generateKey({ environment: 'live', type: 'sk' });
  const others = ['', 'svc_', key.slice(1), key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`];
  for (const text of [...others, key.toUpperCase(), key.repeat(10_000)]) t.equal(parseKey(text), undefined);
});

t.test('what is kept and shown of a key', async (t) => {
  const key = generateKey({ environment: 'live', type: 'sk' });
  t.equal(hashKey(key), createHash('sha256').update(key).digest('hex'));
  t.equal(displayKey(key), `svc_live_sk_…${key.slice(-4)}`);
});

t.test('base 62', async (t) => {
  t.equal(encodeBase62(0n, 1), '0');
  t.equal(encodeBase62(61n, 3), '00z');
  t.equal(encodeBase62(62n, 2), '10');
  t.equal(encodeBase62(2n ** 256n - 1n, 43).length, 43, 'the width of a key holds every random number');
  t.equal(encodeBase62(2n ** 32n - 1n, 6).length, 6, 'and that of the checksum every checksum');
  t.throws(() => encodeBase62(62n, 1), RangeError);
  t.throws(() => encodeBase62(-1n, 6), RangeError);
});
