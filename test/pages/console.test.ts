/** What the console says of keys and browsers. */
import t from 'tap';
import type { Key } from '../../src/pages/app/api-types.ts';
import { browserOf } from '../../src/pages/app/sign-in/browser-name.ts';
import { isOld, OLD_DAYS } from '../../src/pages/console/old-keys.ts';

t.test('browsers', async (t) => {
  const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
  for (const [agent, name] of [
    [`${linux} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0 Safari/537.36 Edg/131.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_1) Version/17.1 Safari/605.1.15', 'Safari on Mac'],
    ['Mozilla/5.0 (Linux; Android 14; Mobile) Gecko/132.0 Firefox/132.0', 'Firefox on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) Version/17.1 Safari/604.1', 'Safari on iPhone'],
    ['curl/8', 'A browser'],
    ['', 'A browser'],
  ] as const) {
    t.equal(browserOf(agent), name);
  }
});

t.test('a working key of more than 90 days is pointed out', async (t) => {
  const now = Date.parse('2026-11-23T08:00:00Z');
  const key = (days: number, rest: Partial<Key> = {}) =>
    ({
      ...{ state: 'valid', successor: null, createdAt: new Date(now - days * 86_400_000).toISOString() },
      ...rest,
    }) as Key;
  t.notOk(isOld(key(OLD_DAYS), now));
  t.ok(isOld(key(OLD_DAYS + 1), now));
  t.notOk(isOld(key(OLD_DAYS + 1, { state: 'revoked' }), now));
  t.notOk(isOld(key(OLD_DAYS + 1, { successor: 'key_1' }), now));
});
