import t from 'tap';
import { clientNetwork } from '../../../src/http/core/client-network.ts';

t.test('an IPv4 client is its address, however it is written', async (t) => {
  t.equal(clientNetwork('192.0.2.1'), '192.0.2.1');
  t.equal(clientNetwork('::ffff:192.0.2.1'), '192.0.2.1');
  t.equal(clientNetwork('::ffff:c000:201'), '192.0.2.1');
  t.not(clientNetwork('192.0.2.2'), clientNetwork('192.0.2.1'));
});

t.test('an IPv6 client is its /64', async (t) => {
  const network = '2001:db8:1:2::/64';
  for (const address of ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::']) {
    t.equal(clientNetwork(address), network, address);
  }
  for (const address of ['2001:db8:1:3::1', '2001:db8:2:2::1', '2001:db8::1']) {
    t.not(clientNetwork(address), network, address);
  }
  t.equal(clientNetwork('2001:db8::1'), '2001:db8:0:0::/64');
  t.equal(clientNetwork('::1'), '0:0:0:0::/64');
});

t.test('all that is no address is one client', async (t) => {
  for (const address of ['1.2.3.4:5678', '10', 'unknown', '', undefined])
    t.equal(clientNetwork(address), 'unknown');
});

t.test('a zone does not make another client', async (t) => {
  t.equal(clientNetwork('fe80::1%eth0'), clientNetwork('fe80::2%eth1'));
  t.equal(clientNetwork('fe80::1%br_0.100'), clientNetwork('fe80::1'));
});
