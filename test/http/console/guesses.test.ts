/** Guesses from many addresses: each address has its limit, none gets in, and nothing stays in Redis. */
import t from 'tap';
import { Authenticator } from '../../support/authenticator.ts';
import { client, OidcIssuer } from '../../support/oidc-issuer.ts';
import { Service } from '../../support/service.ts';
import { fromPage, invite, MemberPage, ORIGIN, type Sent, send, site } from './support.ts';

const issuer = await OidcIssuer.start(t, `${ORIGIN}/console/signed-in`);
const service = await Service.start(t, {
  env: {
    ...{ TRUST_PROXY: '127.0.0.1', AUTH_FAILURES_PER_MINUTE: '10', PUBLIC_URL: ORIGIN },
    ...{ OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
  },
});
const { redis } = service.services;
await service.createAccount('ours', 'free');
const { authenticator, id } = await MemberPage.join(service, 'ours', 'owner');
await invite(service, 'ours', 'billing', 'guest@ours.example');
const { options } = (await send(service, 'sign-in', {})).body;
const liar = new Authenticator(site);
liar.register({ challenge: '', user: { id: 'x' } });
const NETWORKS = 12;

const from = (address: string, cookie = '') => ({ ...fromPage, 'x-forwarded-for': address, cookie });
const guesses: Readonly<Record<string, (address: string) => Promise<Sent>>> = {
  'a passkey': (address) =>
    send(service, 'session', { response: liar.signIn(options, { id: authenticator.id }) }, from(address)),
  'an invitation': (address) =>
    send(
      service,
      'invitation',
      { token: Buffer.from(address).toString('base64url').padEnd(43, 'A').slice(0, 43) },
      from(address),
    ),
  'a sign-in that began': (address) =>
    send(
      service,
      'oidc/session',
      { query: 'code=x&state=x' },
      from(address, `platen-oidc=${'A'.repeat(72)}`),
    ),
  'a person who chooses': (address) =>
    send(service, 'oidc/choice', { account: 'ours' }, from(address, `platen-oidc=${'A'.repeat(43)}`)),
};

/** What is in Redis besides the counters of addresses, which go within a minute. */
async function kept(): Promise<string[]> {
  const names = await redis.keys('*');
  const counters = names.filter((name) => /^platen:(sign-in|failed-authentication):/.test(name));
  for (const name of counters) {
    const left = await redis.pttl(name);
    if (left > 60_000 || left === -1) t.fail(`${name} stays for ${left} ms`);
  }
  return names.filter((name) => !counters.includes(name) && !name.includes('{servers}')).sort();
}

t.test('nothing is stored of a guesser after a minute', async (t) => {
  const before = await kept();
  for (const [name, guess] of Object.entries(guesses)) {
    const networks = Array.from({ length: NETWORKS }, (_, i) => `2001:db8:${i.toString(16)}::1`);
    const answers = await Promise.all(networks.map(guess));
    t.strictSame(
      [...new Set(answers.map(({ status }) => status))],
      name === 'an invitation' ? [404] : [401],
      name,
    );
  }
  const begun = await Promise.all(
    Array.from({ length: NETWORKS }, (_, i) => send(service, 'oidc', {}, from(`192.0.2.${i}`))),
  );
  t.ok(begun.every(({ status }) => status === 200));
  await Promise.all(
    begun.map(({ body, headers }, i) => {
      const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const state = new URL(body.url).searchParams.get('state') ?? '';
      const query = `code=x&state=${state}&iss=${encodeURIComponent(issuer.url)}`;
      return send(service, 'oidc/session', { query }, from(`192.0.2.${i}`, cookie));
    }),
  ).then((answers) => t.ok(answers.every(({ status }) => status === 401)));
  await Promise.all(
    Array.from({ length: NETWORKS }, (_, i) => send(service, 'sign-in', {}, from(`198.51.100.${i}`))),
  );
  t.strictSame(await kept(), before);
  t.equal((await service.services.members.sessions.list(`ours.${id}`)).length, 1);
});

t.test('addresses of one /64 are one client, and addresses that a client claims do not count', async (t) => {
  const guess = guesses['an invitation'] as (address: string) => Promise<Sent>;
  for (let i = 0; i < 10; i++) t.equal((await guess(`2001:db8:ffff:1::${i}`)).status, 404);
  t.equal((await guess('2001:db8:ffff:1:ffff::1')).status, 429);
  t.equal((await guess('2001:db8:ffff:2::1')).status, 404);
  // The proxy appends the address that it sees.
  t.equal((await guess('203.0.113.9, 2001:db8:ffff:1::77')).status, 429);
  t.equal((await guess('2001:db8:ffff:1::77, 2001:db8:ffff:3::1')).status, 404);
});

t.test('guesses do not keep out clients at other addresses', async (t) => {
  const { options } = (await send(service, 'sign-in', {}, from('203.0.113.1'))).body;
  const answer = await send(
    service,
    'session',
    { response: authenticator.signIn(options) },
    from('203.0.113.1'),
  );
  t.equal(answer.status, 201);
});
