import ipaddr from 'ipaddr.js';
import t from 'tap';
import { addressBits, assertRestrictions, blockPrefix } from '../../../src/accounts/keys/restrictions.ts';

/** What the script of the admission does. */
function isInside(address: string, block: string): boolean {
  const bits = addressBits(address);
  return bits !== '' && bits.startsWith(blockPrefix(block));
}

t.test('bits of addresses', async (t) => {
  const cases: readonly [address: string, bits: string][] = [
    ['0.0.0.0', `4${'0'.repeat(32)}`],
    ['255.255.255.255', `4${'1'.repeat(32)}`],
    ['192.0.2.1', '411000000000000000000001000000001'],
    ['::ffff:192.0.2.1', '411000000000000000000001000000001'],
    ['::ffff:c000:201', '411000000000000000000001000000001'],
    ['::', `6${'0'.repeat(128)}`],
    ['::1', `6${'0'.repeat(127)}1`],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', `6${'1'.repeat(128)}`],
    ['2001:DB8::', `600100000000000010000110110111000${'0'.repeat(96)}`],
    ['fe80::%eth0', `61111111010${'0'.repeat(118)}`],
    ['fe80::%br_0.100', `61111111010${'0'.repeat(118)}`],
  ];
  for (const [address, bits] of cases) t.equal(addressBits(address), bits, address);
});

t.test('prefixes of blocks', async (t) => {
  const cases: readonly [block: string, prefix: string][] = [
    ['0.0.0.0/0', '4'],
    ['10.0.0.0/8', '400001010'],
    ['10.0.0.5/8', '400001010'],
    ['10.255.255.255/08', '400001010'],
    ['192.0.2.1', '411000000000000000000001000000001'],
    ['192.0.2.1/32', '411000000000000000000001000000001'],
    ['192.0.2.0/31', '41100000000000000000000100000000'],
    ['::/0', '6'],
    ['2001:db8::/32', '600100000000000010000110110111000'],
    ['2001:db8:ffff::1/32', '600100000000000010000110110111000'],
    ['::1', `6${'0'.repeat(127)}1`],
    ['::ffff:10.0.0.0/104', '400001010'],
    ['::ffff:10.9.9.9/104', '400001010'],
    ['::ffff:0:0/96', '4'],
    ['::ffff:0:0/95', `6${'0'.repeat(80)}${'1'.repeat(15)}`],
    ['::ffff:192.0.2.1', '411000000000000000000001000000001'],
  ];
  for (const [block, prefix] of cases) {
    assertRestrictions([block]);
    t.equal(blockPrefix(block), prefix, block);
  }
});

t.test('an address is inside a block or not', async (t) => {
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
    // Wider than the mapped addresses, so not one of IPv4.
    ['::ffff:0:0/95', ['::fffe:1:1'], ['192.0.2.1', '::ffff:192.0.2.1', '::fffd:1:1']],
    ['fe80::/64', ['fe80::1', 'fe80::1%eth0'], ['fe80:0:0:1::1%eth0']],
  ];
  for (const [restriction, allowed, refused] of cases) {
    assertRestrictions([restriction]);
    for (const address of allowed) t.ok(isInside(address, restriction), `${restriction}: ${address}`);
    for (const address of refused) t.notOk(isInside(address, restriction), `${restriction}: no ${address}`);
  }
});

/** Every bit that is set or not in turn: addresses that share prefixes of every length with one another. */
function neighbours(address: string): string[] {
  const bytes = ipaddr.parse(address).toByteArray();
  const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) =>
    bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (0x80 >> (bit & 7)) : byte)),
  );
  return [bytes, ...flipped].map((each) => ipaddr.fromByteArray(each).toString());
}

t.test('the prefixes say what ipaddr.js says, for every length and difference', async (t) => {
  for (const base of ['192.0.2.171', '2001:db8:5555:aaaa:1234:5678:9abc:def0']) {
    const addresses = neighbours(base);
    const wrong: string[] = [];
    let inside = 0;
    for (let length = 0; length < addresses.length; length++) {
      const block = `${base}/${length}`;
      for (const address of addresses) {
        const expected = ipaddr.parse(address).match(ipaddr.parseCIDR(block));
        if (expected) inside++;
        if (isInside(address, block) !== expected) wrong.push(`${address} in ${block}`);
      }
    }
    t.strictSame(wrong, []);
    // The address itself in every block, and each neighbour in the blocks that end before their difference.
    const bits = addresses.length - 1;
    t.equal(inside, bits + 1 + (bits * (bits + 1)) / 2);
  }
});

t.test('what is no address is inside no block', async (t) => {
  const wrong = ['', 'unknown', 'localhost', '192.0.2', '192.0.2.1, 192.0.2.2', '192.0.2.1:80', '[::1]'];
  for (const address of [...wrong, '192.0.2.1%eth0', '10', '010.0.0.1', '%eth0', ' ::1']) {
    t.equal(addressBits(address), '', `"${address}"`);
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
