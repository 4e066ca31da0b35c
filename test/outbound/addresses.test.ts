/** Addresses that lead nowhere but into somebody's network, in all notations. Nothing is asked and nothing connected to. */
import t from 'tap';
import { readNetwork } from '../../src/outbound/addresses.ts';
import { readTarget } from '../../src/outbound/target.ts';

const refused = { name: 'OutboundError', failure: 'forbidden' };
const rules = { allowHttp: true, allowNetworks: [] };

const forbidden = {
  'this machine': [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.255.255.254/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0x7F.1/',
    'http://00000177.0x0.0.1/',
    'http://127。0。0。1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127%2E0%2E0%2E1/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1./',
    'http://0.0.0.0/',
    'http://0/',
    'http://0.1.2.3/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  ],
  'private networks': [
    'https://10.0.0.1/',
    'https://10.255.255.255/',
    'https://167772161/',
    'https://172.16.0.1/',
    'https://172.31.255.2/',
    'https://192.168.1.1/',
    'https://0300.0250.1.1/',
    'https://100.64.0.1/',
    'https://100.127.255.254/',
    'https://[fc00::1]/',
    'https://[fd12:3456:789a::1]/',
    'https://[fec0::1]/',
  ],
  'metadata of clouds': [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://168.63.129.16/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:a9fe:a9fe]/',
  ],
  'links and groups': [
    'https://169.254.1.1/',
    'https://[fe80::1]/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://255.255.255.255/',
    'https://[ff02::1]/',
  ],
  'IPv4 in IPv6': [
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[::7f00:1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b::808:808]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[64:ff9b:1:ffff::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[2001:0:53aa:64c:0:0:80ff:fffe]/',
    'https://[2001:10::1]/',
  ],
  'reserved and for examples': [
    'https://192.0.2.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://198.18.0.1/',
    'https://192.88.99.1/',
    'https://240.0.0.1/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[100::1]/',
    'https://[5f00::1]/',
    'https://[4000::1]/',
  ],
  'schemes, ports, credentials and what is no address': [
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'https:example.com:22/',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:1023/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://8.8.8.8@127.0.0.1/',
    'https://example.com\\@127.0.0.1/',
    'https://example.com/\r\nHost: other',
    'https://exam\nple.com/',
    ' https://example.com/',
    'https://example.com/a b',
    'https://[fe80::1%25eth0]/',
    'https://[::1/',
    'https://256.256.256.256/',
    'https://',
    'https:///',
    '//example.com/',
    '/etc/passwd',
    'example.com',
    '',
    `https://example.com/${'a'.repeat(2_048)}`,
  ],
};

for (const [what, addresses] of Object.entries(forbidden)) {
  t.test(`forbidden: ${what}`, async (t) => {
    for (const address of addresses) {
      t.throws(() => readTarget(address, rules), refused, address);
    }
  });
}

t.test('the public Internet is allowed', async (t) => {
  for (const [address, host, port] of [
    ['https://example.com/a?b=c#d', 'example.com', 443],
    ['http://example.com/', 'example.com', 80],
    ['https://example.com:8443/', 'example.com', 8_443],
    ['https://8.8.8.8/', '8.8.8.8', 443],
    ['https://134744072/', '8.8.8.8', 443],
    ['https://172.32.0.1/', '172.32.0.1', 443],
    ['https://[2001:4860:4860::8888]/', '2001:4860:4860::8888', 443],
    ['https://bücher.example/', 'xn--bcher-kva.example', 443],
  ] as const) {
    t.match(readTarget(address, rules), { host, port }, address);
  }
  t.equal(readTarget('https://example.com/ä?b=c#d', rules).path, '/%C3%A4?b=c');
  t.throws(() => readTarget('http://example.com/', { ...rules, allowHttp: false }), refused);
});

t.test('networks of the operator are allowed, in their own form only', async (t) => {
  const allowNetworks = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'].map(readNetwork);
  const own = { allowHttp: true, allowNetworks };
  for (const address of [
    'http://10.1.2.3/',
    'http://0x0a010203/',
    'http://127.0.0.1/',
    'http://[fd00::1]/',
  ]) {
    t.ok(readTarget(address, own), address);
  }
  for (const address of [
    'http://10.2.0.1/',
    'http://127.0.0.2/',
    'http://[::ffff:10.1.2.3]/',
    'http://[fc00::1]/',
  ]) {
    t.throws(() => readTarget(address, own), refused, address);
  }
});
