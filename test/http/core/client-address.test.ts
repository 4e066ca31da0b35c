/** The client's address, from X-Forwarded-For of trusted proxies. */
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { clientAddressOf, trustedProxies } from '../../../src/http/core/client-address.ts';

const PROXY = '10.0.0.1';

/** A server that answers with the address that it takes the client for. */
function serve(t: Test, networks: readonly string[]) {
  const app = Fastify({ trustProxy: trustedProxies(networks) });
  t.teardown(() => app.close());
  app.get('/', async (request) => ({ address: clientAddressOf(request) ?? null }));
  return async (forwarded: string | undefined, remoteAddress = PROXY) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const answer = await app.inject({ url: '/', headers, remoteAddress });
    return answer.json().address as string | null;
  };
}

t.test('without proxies it is the address of the connection', async (t) => {
  const ask = serve(t, []);
  t.equal(await ask('192.0.2.1'), PROXY);
  t.equal(await ask(undefined, '::ffff:192.0.2.9'), '192.0.2.9', 'IPv4-mapped');
  t.equal(await ask(undefined, 'fe80::1%eth0'), 'fe80::1', 'with a zone');
});

t.test('a hop is read in every form that proxies write', async (t) => {
  const ask = serve(t, [PROXY]);
  for (const [hop, address] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:8080', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['fe80::1%eth0', 'fe80::1'],
  ] as const) {
    t.equal(await ask(hop), address, hop);
  }
});

t.test('an invalid address is replaced by that of the proxy that sent it', async (t) => {
  const ask = serve(t, [PROXY, '10.0.0.2']);
  for (const hop of [
    '<script>alert(1)</script>',
    'unknown',
    'unix:',
    '010.0.0.1',
    '10',
    '192.0.2.1:',
    '192.0.2.1:port',
    '192.0.2.1:123456',
    '192.0.2.256',
    '[2001:db8::1',
    '2001:db8::1]:443',
    '[2001:db8::1]443',
    '1:2:3:4:5:6:7:8:443',
  ]) {
    t.equal(await ask(hop), PROXY, hop);
    t.equal(await ask(`192.0.2.1, ${hop}`), PROXY, `a claim, ${hop}`);
    t.equal(await ask(`${hop}, 10.0.0.2`), '10.0.0.2', `${hop}, then a second proxy`);
  }
  for (const none of ['', ' ', ' , ,']) t.equal(await ask(none), PROXY, `"${none}"`);
});

t.test('the client is the first that is no trusted proxy', async (t) => {
  const ask = serve(t, ['10.0.0.0/8', '2001:db8:1::/48']);
  t.equal(await ask('192.0.2.7, 192.0.2.1, 10.0.0.2'), '192.0.2.1');
  t.equal(await ask('192.0.2.1, 10.0.0.2:5000, [2001:db8:1::5]:80, ::ffff:10.0.0.4'), '192.0.2.1');
  t.equal(await ask('10.0.0.3, 10.0.0.2'), '10.0.0.3', 'all are trusted');
  t.equal(await ask('192.0.2.7', '192.0.2.1'), '192.0.2.1', 'the connection is not');
  t.equal(await ask('192.0.2.7', '::ffff:10.0.0.1'), '192.0.2.7', 'the connection is IPv4-mapped');
});

t.test('a proxy that is trusted may also say how the client connected', async (t) => {
  const app = Fastify({ trustProxy: trustedProxies(['10.0.0.0/8']) });
  t.teardown(() => app.close());
  app.get('/', async ({ protocol }) => protocol);
  const headers = { 'x-forwarded-proto': 'https' };
  for (const [remoteAddress, protocol] of [
    ['10.0.0.1', 'https'],
    ['::ffff:10.0.0.1', 'https'],
    ['192.0.2.1', 'http'],
  ] as const) {
    t.equal((await app.inject({ url: '/', headers, remoteAddress })).body, protocol, remoteAddress);
  }
});
