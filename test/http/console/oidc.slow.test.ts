/** Signing in at a real OpenID Connect issuer, and refused attempts. */
import { createHash } from 'node:crypto';
import { generateKeyPair } from 'jose';
import t, { type Test } from 'tap';
import { Challenges } from '../../../src/members/challenges.ts';
import { ATTEMPT_MS } from '../../../src/members/oidc.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { client, OidcIssuer, type Person } from '../../support/oidc-issuer.ts';
import { Service } from '../../support/service.ts';
import { accept, fromPage, invite, MemberPage, ORIGIN, type Sent, send } from './support.ts';

const BACK = `${ORIGIN}/console/signed-in`;
const issuer = await OidcIssuer.start(t, BACK);
const env = {
  PUBLIC_URL: ORIGIN,
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  AUTH_FAILURES_PER_MINUTE: '100000',
};
const service = await Service.start(t, { env });
const { members, redis } = service.services;
let accounts = 0;

async function account(): Promise<string> {
  accounts += 1;
  return (await service.createAccount(`o${accounts}`, 'free')).id;
}

/** Somebody whom the issuer knows. @returns their `sub`. */
function known(email: string, others: Person = {}): string {
  const sub = `sub-${issuer.people.size}`;
  issuer.people.set(sub, { email, email_verified: true, name: 'Anna Smith', ...others });
  return sub;
}

const cookieOf = ({ headers }: Sent, name: string) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';
const withCookie = (cookie: string) => ({ ...fromPage, cookie });

async function begin(): Promise<{ url: URL; cookie: string }> {
  const started = await send(service, 'oidc', {});
  if (started.status !== 200) throw new Error(started.text);
  return { url: new URL(started.body.url), cookie: cookieOf(started, 'platen-oidc') };
}

const finish = (query: string, cookie: string) =>
  send(service, 'oidc/session', { query: query.replace(/^\?/, '') }, withCookie(cookie));

async function signIn(sub: string): Promise<Sent> {
  const { url, cookie } = await begin();
  const { search } = await issuer.signIn(url.href, sub, BACK);
  return finish(search, cookie);
}

function isRefused(t: Test, { status, body, headers }: Sent, code: string, message: RegExp = /./, name = '') {
  t.match(body, { code, message }, name);
  t.ok(status >= 400 && cookieOf({ headers } as Sent, 'platen-console') === '', `${name}: no session`);
}

t.beforeEach(async () => {
  const limits = await redis.keys('platen:sign-in:*');
  if (limits.length > 0) await redis.del(...limits);
});

t.test('an invited address joins, and signs in from then on', async (t) => {
  const ours = await account();
  const token = await invite(service, ours, 'owner', 'anna@example.com');
  const started = await send(service, 'oidc', {});
  t.match(
    started.headers.get('set-cookie'),
    /^platen-oidc=[\w-]{72}; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const url = new URL(started.body.url);
  t.match(Object.fromEntries(url.searchParams), {
    client_id: 'platen',
    response_type: 'code',
    redirect_uri: BACK,
    code_challenge_method: 'S256',
    scope: 'openid email profile',
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
  });
  const sub = known('Anna@Example.com');
  const first = await signIn(sub);
  t.equal(first.status, 201, first.text);
  t.match(first.body, {
    account: { id: ours },
    member: { name: 'Anna Smith', email: 'anna@example.com', role: 'owner', passkeys: 0 },
  });
  isRefused(t, await send(service, 'invitation', { token }), 'NOT_FOUND', undefined, 'the link is used up');
  const again = await signIn(sub);
  t.match([again.status, again.body], [201, { member: { id: first.body.member.id } }]);
  const page = new MemberPage(service, again, new Authenticator({ host: 'localhost', origin: ORIGIN }));
  t.match((await page.ask('GET', 'audit')).body.entries, [
    { who: 'Anna Smith', action: 'session.began', details: { by: 'oidc' } },
    { action: 'session.began' },
    { action: 'member.joined' },
  ]);
  const kept = JSON.stringify([await redis.keys('*'), service.log]);
  for (const secret of ['anna@example.com', client.secret]) t.notOk(kept.includes(secret), secret);
});

t.test('an address of several accounts chooses one, once', async (t) => {
  const [one, two, theirs] = [await account(), await account(), await account()];
  for (const each of [one, two]) await invite(service, each, 'billing', 'ben@example.com');
  await invite(service, theirs, 'owner', 'other@example.com');
  const sub = known('ben@example.com', { name: '' });
  const asked = await signIn(sub);
  t.match([asked.status, asked.body], [200, { accounts: [{ id: one, isNew: true }, { id: two }] }]);
  const choice = cookieOf(asked, 'platen-oidc');
  const choose = (id: string) => send(service, 'oidc/choice', { account: id }, withCookie(choice));
  const chosen = await choose(two);
  t.match([chosen.status, chosen.body], [201, { account: { id: two }, member: { name: 'ben@example.com' } }]);
  isRefused(t, await choose(one), 'INVALID_API_KEY', undefined, 'a second time');
  const stranger = cookieOf(await signIn(sub), 'platen-oidc');
  isRefused(
    t,
    await send(service, 'oidc/choice', { account: theirs }, withCookie(stranger)),
    'INSUFFICIENT_PERMISSIONS',
    /Nobody with your e-mail address/,
    'the account of others',
  );
  const member = (await members.read(two)).members[0]?.id ?? '';
  await members.invite({ by: 'cli', who: 'test' }, two, 'boss@example.com', 'owner');
  await members.remove({ by: 'cli', who: 'test' }, two, member);
  t.match((await signIn(sub)).body, { account: { id: one } }, 'a member who was removed has one left');
});

t.test('who is not let in', async (t) => {
  const ours = await account();
  await invite(service, ours, 'owner', 'cleo@example.com');
  const message = /^Nobody with your e-mail address is a member/;
  isRefused(t, await signIn(known('nobody@example.com')), 'INSUFFICIENT_PERMISSIONS', message, 'unknown');
  for (const [name, person] of Object.entries({
    'not verified': { email_verified: false },
    'verified in words': { email_verified: 'true' as unknown as boolean },
    'no address': { email: undefined as unknown as string },
    'no address at all': { email: 'cleo@example.com, eve@example.com' },
  })) {
    const answer = await signIn(known('cleo@example.com', person));
    isRefused(t, answer, 'INSUFFICIENT_PERMISSIONS', /has not verified/, name);
  }
  const [open] = (await members.read(ours)).invitations;
  await members.withdraw({ by: 'cli', who: 'test' }, ours, open?.id ?? '');
  isRefused(t, await signIn(known('cleo@example.com')), 'INSUFFICIENT_PERMISSIONS', message, 'withdrawn');
});

t.test('invalid answers of the issuer', async (t) => {
  const ours = await account();
  await invite(service, ours, 'owner', 'dora@example.com');
  const sub = known('dora@example.com');
  const used = await begin();
  const answer = await issuer.signIn(used.url.href, sub, BACK);
  const another = await begin();
  const refused = async (name: string, query: string, cookie: string) =>
    isRefused(t, await finish(query, cookie), 'INVALID_API_KEY', /This sign-in was not accepted/, name);
  await refused('the attempt of another browser', answer.search, another.cookie);
  await refused('no cookie', answer.search, 'platen-oidc=');
  t.equal((await finish(answer.search, used.cookie)).status, 201, 'the right one');
  await refused('a replay', answer.search, used.cookie);

  issuer.isForgetful = true;
  const again = await begin();
  const { search } = await issuer.signIn(again.url.href, sub, BACK);
  const both = await Promise.all([1, 2].map(() => finish(search, again.cookie)));
  t.strictSame(both.map(({ status }) => status).sort(), [201, 401], 'at an issuer that takes a code twice');
  issuer.isForgetful = false;

  const changed = async (name: string, change: (parameters: URLSearchParams) => void, isAnswer = true) => {
    const { url, cookie } = await begin();
    if (!isAnswer) change(url.searchParams);
    const back = await issuer.signIn(url.href, sub, BACK);
    if (isAnswer) change(back.searchParams);
    await refused(name, back.search, cookie);
  };
  await changed('another state', (query) => query.set('state', 'x'.repeat(43)));
  await changed('no state', (query) => query.delete('state'));
  await changed('another issuer (mix-up)', (query) => query.set('iss', 'https://evil.example'));
  await changed('no issuer, though it names itself', (query) => query.delete('iss'));
  await changed('another code', (query) => query.set('code', 'x'.repeat(43)));
  await changed('a code and an error', (query) => query.set('error', 'access_denied'));
  await changed('a nonce of another attempt', (query) => query.set('nonce', 'n'.repeat(43)), false);
  await changed(
    'a challenge of another attempt',
    (query) => query.set('code_challenge', 'c'.repeat(43)),
    false,
  );
  const { cookie } = await begin();
  await refused('nothing', 'error=access_denied', cookie);

  // No request says where to go afterwards.
  const elsewhere = { 'x-forwarded-host': 'evil.example', referer: 'https://evil.example/' };
  const planted = await send(service, 'oidc', {}, { ...fromPage, ...elsewhere });
  t.equal(new URL(planted.body.url).searchParams.get('redirect_uri'), BACK);
  for (const name of ['redirect_uri', 'returnTo', 'next']) {
    isRefused(t, await send(service, 'oidc', { [name]: 'https://evil.example/' }), 'INVALID_PARAMETER');
  }
  const { url } = await begin();
  url.searchParams.set('redirect_uri', 'https://evil.example/console/signed-in');
  await t.rejects(issuer.signIn(url.href, sub, BACK), /redirect_uri/, 'the issuer sends nobody elsewhere');
  for (const headers of [{}, { ...fromPage, 'sec-fetch-site': 'cross-site' }]) {
    isRefused(t, await send(service, 'oidc', {}, headers), 'INSUFFICIENT_PERMISSIONS', /./, 'another page');
  }
  const limited = await send(service, 'oidc/session', { query: '' });
  isRefused(t, limited, 'INVALID_PARAMETER');
});

t.test('a sign-in that began too long ago, or as something else', async (t) => {
  const ours = await account();
  await invite(service, ours, 'owner', 'zoe@example.com');
  const sub = known('zoe@example.com');
  const secret = service.services.operatorToken.tie('challenges of passkeys');
  const challenges = new Challenges(redis, secret, ATTEMPT_MS);
  const now = Date.now();
  const attempt = async (begun: string) => {
    const { url } = await begin();
    const part = (name: string) => challenges.secretOf(begun, `oidc ${name}`);
    url.searchParams.set('state', part('state'));
    url.searchParams.set('nonce', part('nonce'));
    url.searchParams.set('code_challenge', createHash('sha256').update(part('verifier')).digest('base64url'));
    const { search } = await issuer.signIn(url.href, sub, BACK);
    return finish(search, `platen-oidc=${begun}`);
  };
  for (const begun of [
    challenges.issue('oidc', now - ATTEMPT_MS),
    challenges.issue('sign-in', now),
    new Challenges(redis, 'another', ATTEMPT_MS).issue('oidc', now),
  ]) {
    isRefused(t, await attempt(begun.toString('base64url')), 'INVALID_API_KEY');
  }
  const right = challenges.issue('oidc', now - ATTEMPT_MS + 60_000).toString('base64url');
  t.equal((await attempt(right)).status, 201);
});

t.test('the issuer is away', async (t) => {
  const ours = await account();
  await invite(service, ours, 'owner', 'eve@example.com');
  const sub = known('eve@example.com');
  const { url, cookie } = await begin();
  const { search } = await issuer.signIn(url.href, sub, BACK);
  const late = await Service.start(t, { env: { ...env, OIDC_ISSUER: issuer.url } });
  issuer.isAway = true;
  t.teardown(() => {
    issuer.isAway = false;
  });
  const away = await finish(search, cookie);
  t.match([away.status, away.body], [503, { code: 'SERVICE_UNAVAILABLE', message: /identity provider/ }]);
  t.equal(away.headers.get('retry-after'), '5');
  t.equal((await send(late, 'oidc', {})).status, 503, 'a server that started without it');
  issuer.isAway = false;
  t.equal((await send(late, 'oidc', {})).status, 200, 'it is asked again');
  t.equal((await signIn(sub)).status, 201);
});

t.test('the issuer ends sessions', async (t) => {
  const ours = await account();
  await invite(service, ours, 'owner', 'fred@example.com');
  const sub = known('fred@example.com');
  const pages: MemberPage[] = [];
  const sids: string[] = [];
  for (let i = 0; i < 3; i++) {
    pages.push(
      new MemberPage(service, await signIn(sub), new Authenticator({ host: 'localhost', origin: ORIGIN })),
    );
    sids.push(issuer.sid);
  }
  const states = () => Promise.all(pages.map(async (page) => (await page.ask('GET', 'session')).status));
  const logout = (token: string) =>
    fetch(`${service.url}/account/v1/oidc/logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: token }),
    });
  t.strictSame(await states(), [200, 200, 200]);
  const { privateKey } = await generateKeyPair('RS256');
  const now = Math.floor(Date.now() / 1_000);
  for (const [name, token] of Object.entries({
    'no token': 'x.y.z',
    'another key': await issuer.logoutToken({ sub }, { key: privateKey }),
    'another issuer': await issuer.logoutToken({ sub, iss: 'https://evil.example' }),
    'another client': await issuer.logoutToken({ sub, aud: 'other' }),
    'an ID token': await issuer.logoutToken({ sub, events: {} }),
    'with a nonce': await issuer.logoutToken({ sub, nonce: 'n' }),
    'an old one': await issuer.logoutToken({ sub, iat: now - 600 }),
    nobody: await issuer.logoutToken({}),
  })) {
    const answer = await logout(token);
    t.match([answer.status, await answer.json()], [400, { code: 'INVALID_PARAMETER' }], name);
  }
  t.strictSame(await states(), [200, 200, 200]);
  t.equal((await logout(await issuer.logoutToken({ sub, sid: sids[1] ?? '' }))).status, 200);
  t.strictSame(await states(), [200, 401, 200], 'one session of the issuer');
  const token = await issuer.logoutToken({ sub });
  // Redis refuses to read the list of sessions while it is no list.
  const list = `platen:oidc-sessions:${createHash('sha256').update(`sub ${sub}`).digest('hex')}`;
  await redis.rename(list, `${list}:away`);
  await redis.set(list, 'no list');
  t.equal((await logout(token)).status, 500);
  await redis.rename(`${list}:away`, list);
  t.equal((await logout(token)).status, 200, 'the issuer tries again');
  t.strictSame(await states(), [401, 401, 401], 'all of the person');
  t.equal((await logout(token)).status, 400, 'a replay');
  const [entry] = (await service.services.audit.listOf(ours, undefined, 1)).entries;
  t.match(entry, { action: 'session.ended', by: 'service', details: { by: 'oidc' } });
});

t.test('one address sends a limited number of logout tokens', async (t) => {
  const send = () => fetch(`${service.url}/account/v1/oidc/logout`, { method: 'POST' });
  await send();
  const [counter = '', ...others] = await redis.keys('platen:logout:*');
  t.strictSame(others, []);
  await redis.set(counter, '600', 'KEEPTTL');
  t.teardown(() => redis.del(counter));
  const limited = await send();
  t.match([limited.status, await limited.json()], [429, { code: 'RATE_LIMIT_EXCEEDED', retryAfter: Number }]);
  t.match(limited.headers.get('retry-after'), /^[1-9]\d?$/);
});

t.test('with OIDC_ONLY there are no passkeys', async (t) => {
  const only = await Service.start(t, { env: { ...env, OIDC_ONLY: 'true' } });
  await only.createAccount('only', 'free');
  const token = await invite(only, 'only', 'owner', 'gina@example.com');
  for (const [each, ways] of [
    [only, 'oidc'],
    [service, 'passkey oidc'],
  ] as const) {
    for (const path of ['/console', '/dashboard']) {
      const page = await fetch(each.url + path);
      t.match(await page.text(), `data-sign-in="${ways}"`, path);
    }
  }
  const shown = await (await fetch(`${only.url}/console`)).text();
  t.match(shown, `data-url="${ORIGIN}"`, 'whose examples have the address that customers know');
  const seen = await send(only, 'invitation', { token });
  t.match([seen.status, seen.body], [200, { email: 'gina@example.com', account: 'only' }]);
  t.notOk('options' in seen.body);
  const refused = (answer: Sent, name: string) =>
    isRefused(t, answer, 'INSUFFICIENT_PERMISSIONS', /Passkeys are turned off/, name);
  refused(await send(only, 'sign-in', {}), 'sign-in');
  // Both begun while passkeys were on.
  await service.createAccount('before', 'free');
  const authenticator = new Authenticator({ host: 'localhost', origin: ORIGIN });
  await accept(service, await invite(service, 'before', 'owner', 'h@example.com'), { authenticator });
  const { body } = await send(service, 'sign-in', {});
  refused(await send(only, 'session', { response: authenticator.signIn(body.options) }), 'session');
  const other = await invite(service, 'before', 'billing', 'i@example.com');
  const { options } = (await send(service, 'invitation', { token: other })).body;
  const response = new Authenticator({ host: 'localhost', origin: ORIGIN }).register(options);
  refused(
    await send(only, 'invitation/accept', { token, name: 'Gina', passkey: 'x', response }),
    'invitation/accept',
  );
  const started = await send(only, 'oidc', {});
  const { search } = await issuer.signIn(started.body.url, known('gina@example.com'), BACK);
  const done = await send(
    only,
    'oidc/session',
    { query: search.slice(1) },
    withCookie(cookieOf(started, 'platen-oidc')),
  );
  t.equal(done.status, 201);
  const page = new MemberPage(only, done, authenticator);
  refused((await page.ask('POST', 'passkeys/options', {})) as Sent, 'passkeys/options');
});

t.test('without an issuer', async (t) => {
  const plain = await Service.start(t, { env: { PUBLIC_URL: ORIGIN } });
  for (const [path, body] of [
    ['oidc', {}],
    ['oidc/session', { query: 'code=x' }],
    ['oidc/choice', { account: 'x' }],
  ] as const) {
    isRefused(t, await send(plain, path, body), 'NOT_FOUND', /no identity provider/, path);
  }
});
