import t from 'tap';
import { addressAllowed, assertRestrictions } from '../../src/keys/restrictions.ts';

t.test('a key without restrictions works from everywhere', async (t) => {
  t.ok(addressAllowed([], '192.0.2.1'));
  t.ok(addressAllowed([], '2001:db8::1'));
});

t.test('a key with restrictions works from there only', async (t) => {
  const cases: readonly [restriction: string, allowed: readonly string[], refused: readonly string[]][] = [
    ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'], ['192.0.2.2', '::1', '::c000:201']],
    ['192.0.2.0/24', ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.9'], ['192.0.3.0', '192.0.1.255']],
    ['192.0.2.77/24', ['192.0.2.1'], ['192.0.3.1']],
    ['192.0.2.0/31', ['192.0.2.1'], ['192.0.2.2']],
    ['0.0.0.0/0', ['203.0.113.9', '::ffff:203.0.113.9'], ['2001:db8::1']],
    ['2001:db8::1', ['2001:DB8:0:0::1'], ['2001:db8::2', '32.1.13.184']],
    ['2001:db8::/32', ['2001:db8:ffff::9'], ['2001:db9::1', '192.0.2.1']],
    ['::/0', ['2001:db8::1'], ['192.0.2.1']],
    ['::ffff:192.0.2.0/120', ['192.0.2.7', '::ffff:192.0.2.7'], ['192.0.3.1', '2001:db8::1']],
    ['::ffff:192.0.2.1', ['192.0.2.1'], ['192.0.2.2']],
  ];
  for (const [restriction, allowed, refused] of cases) {
    assertRestrictions([restriction]);
    for (const address of allowed) t.ok(addressAllowed([restriction], address), `${restriction}: ${address}`);
    for (const address of refused)
      t.notOk(addressAllowed([restriction], address), `${restriction}: no ${address}`);
  }
});

t.test('one of several restrictions is enough', async (t) => {
  const restrictions = ['192.0.2.1', '2001:db8::/32'];
  t.ok(addressAllowed(restrictions, '2001:db8::5'));
  t.ok(addressAllowed(restrictions, '192.0.2.1'));
  t.notOk(addressAllowed(restrictions, '192.0.2.9'));
});

t.test('what is no address is refused', async (t) => {
  for (const address of ['', 'unknown', 'localhost', '192.0.2', '192.0.2.1, 192.0.2.2']) {
    t.notOk(addressAllowed(['0.0.0.0/0', '::/0'], address), `"${address}"`);
  }
});

t.test('a restriction that could mean something else is not stored', async (t) => {
  const wrong = ['', 'localhost', '192.0.2.1/33', '2001:db8::/129', '192.0.2.0/', '/24', '192.0.2.0/-1', '*'];
  // Older notations: octal, hexadecimal, fewer than four parts. "010.0.0.1" would be 8.0.0.1.
  const old = ['10', '10.0.0', '10/8', '010.0.0.1', '010.0.0.0/8', '0x0a.0.0.1', '192.0.2.0/0x8'];
  const more = ['192.0.2.1 192.0.2.2', '192.0.2.0/255.255.255.0', 'fe80::1%eth0', 'fe80::%eth0/64'];
  for (const text of [...wrong, ...old, ...more]) {
    t.throws(() => assertRestrictions([text]), { name: 'OperatorError', message: `"${text}"` }, `"${text}"`);
  }
});
