import t from 'tap';
import { readIdempotencyKey } from '../../../src/http/access/idempotency-key.ts';

t.test('a key is the same with quotes, as in the draft, and without, as many clients send it', async (t) => {
  const keys = [
    '8e03978e-40d5-43e8-bc93-6894a57f9324',
    'a',
    'k'.repeat(255),
    "order/7:2026-11~retry!#$%&'()*+;<=>?@[]^_`{|}",
  ];
  for (const key of keys) {
    const read = readIdempotencyKey(key);
    t.match(read, /^[0-9a-f]{64}$/, key);
    t.equal(readIdempotencyKey(`"${key}"`), read, key);
  }
  t.equal(new Set(keys.map(readIdempotencyKey)).size, keys.length);
  t.equal(readIdempotencyKey(undefined), undefined);
});

t.test('INVALID_PARAMETER: malformed keys', async (t) => {
  const values = [
    ...['', '""', '"', '"open', 'open"', 'two words', '"two words"', 'one, two', '"one", "two"', 'a,b'],
    ...[
      'k'.repeat(256),
      `"${'k'.repeat(256)}"`,
      'back\\slash',
      '"a\\"b"',
      'ключ',
      'tab\there',
      '"a";b=1',
      ':YQ==:"',
    ],
  ];
  for (const value of values) t.throws(() => readIdempotencyKey(value), { code: 'INVALID_PARAMETER' }, value);
});
