/** Operators who sign in at a real issuer of OpenID Connect, beside members who do, and whoever should not. */
import t, { type Test } from 'tap';
import { operatorToken } from '../../e2e/support/operator.ts';
import { client, OidcIssuer, type Person } from '../../support/oidc-issuer.ts';
import { Service } from '../../support/service.ts';
import * as consolePages from '../console/support.ts';
import { fromPage, ORIGIN, type Sent } from '../console/support.ts';
import { accept, invite, OperatorPage, send } from './people.ts';

const DASHBOARD = `${ORIGIN}/dashboard/signed-in`;
const CONSOLE = `${ORIGIN}/console/signed-in`;
const issuer = await OidcIssuer.start(t, DASHBOARD, CONSOLE);
const env = {
  PUBLIC_URL: ORIGIN,
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  AUTH_FAILURES_PER_MINUTE: '100000',
};
const service = await Service.start(t, { env });
await service.createAccount('acme', 'free');

/** Somebody whom the issuer knows. @returns their `sub`. */
function known(email: string, others: Person = {}): string {
  const sub = `sub-${issuer.people.size}`;
  issuer.people.set(sub, { email, email_verified: true, name: 'Olga Weber', ...others });
  return sub;
}

const cookieValue = ({ headers }: Sent, name: string) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(';')[0]
    ?.slice(name.length + 1) ?? '';

/** Each place with its address, its cookie and where the issuer sends people back. */
const dashboard = { to: send, cookie: 'platen-operator-oidc', back: DASHBOARD } as const;
const console_ = { to: consolePages.send, cookie: 'platen-oidc', back: CONSOLE } as const;
type Place = typeof dashboard | typeof console_;

async function begin({ to, cookie }: Place, at = service) {
  const started = await to(at, 'oidc', {});
  if (started.status !== 200) throw new Error(started.text);
  return { url: String(started.body.url), secret: cookieValue(started, cookie) };
}

const finish = ({ to, cookie }: Place, query: string, secret: string, at = service) =>
  to(at, 'oidc/session', { query: query.replace(/^\?/, '') }, { ...fromPage, cookie: `${cookie}=${secret}` });

async function signIn(place: Place, sub: string, at = service): Promise<Sent> {
  const { url, secret } = await begin(place, at);
  const { search } = await issuer.signIn(url, sub, place.back);
  return finish(place, search, secret, at);
}

function isRefused(t: Test, answer: Sent, code: string, message: RegExp, name: string) {
  t.match(answer.body, { code, message }, name);
  for (const cookie of ['platen-session', 'platen-console']) t.equal(cookieValue(answer, cookie), '', name);
}

t.test('an invited address joins, and signs in from then on', async (t) => {
  await invite(service, 'support', 'olga@example.com');
  const { url } = await begin(dashboard);
  t.equal(new URL(url).searchParams.get('redirect_uri'), DASHBOARD);
  const sub = known('Olga@Example.com');
  const first = await signIn(dashboard, sub);
  const operator = { name: 'Olga Weber', email: 'olga@example.com', role: 'support', passkeys: 0 };
  t.match([first.status, first.body], [201, { role: 'support', operator }]);
  const page = new OperatorPage(service, await signIn(dashboard, sub));
  t.equal(page.id, first.body.operator.id);
  t.equal((await page.ask('GET', 'accounts')).status, 200);
  t.equal((await page.ask('POST', 'accounts', { name: 'x', plan: 'free' })).status, 403);
  t.match((await service.services.audit.list(undefined, 1)).entries, [
    { by: 'operator', who: 'Olga Weber <olga@example.com>', details: { by: 'oidc' } },
  ]);
});

t.test('who is not let in', async (t) => {
  await consolePages.invite(service, 'acme', 'owner', 'member@example.com');
  await invite(service, 'admin', 'paul@example.com');
  const none = /^Nobody with your e-mail address is an operator/;
  const member = await signIn(dashboard, known('member@example.com'));
  isRefused(t, member, 'INSUFFICIENT_PERMISSIONS', none, 'a member');
  const operator = await signIn(console_, known('paul@example.com'));
  isRefused(t, operator, 'INSUFFICIENT_PERMISSIONS', /is a member of an account/, 'an operator');
  const unverified = await signIn(dashboard, known('paul@example.com', { email_verified: false }));
  isRefused(t, unverified, 'INSUFFICIENT_PERMISSIONS', /has not verified/, 'not verified');
});

t.test('a sign-in begun in one place cannot be completed in the other', async (t) => {
  const email = 'both@example.com';
  await invite(service, 'admin', email);
  await consolePages.invite(service, 'acme', 'owner', email);
  const sub = known(email);
  for (const [from, into] of [
    [console_, dashboard],
    [dashboard, console_],
  ] as const) {
    const begun = await begin(from);
    const { search } = await issuer.signIn(begun.url, sub, from.back);
    const name = `${from.cookie} to ${into.cookie}`;
    const crossed = await finish(into, search, begun.secret);
    isRefused(t, crossed, 'INVALID_API_KEY', /was not accepted/, name);
    // With an attempt of its own, but the answer to the other.
    const other = await begin(into);
    const mixed = await finish(into, search, other.secret);
    isRefused(t, mixed, 'INVALID_API_KEY', /was not accepted/, `${name}, mixed`);
    t.equal((await finish(from, search, begun.secret)).status, 201, `${name}: it was not used up`);
  }
});

t.test('the issuer ends sessions in both places', async (t) => {
  const email = 'fred@example.com';
  await invite(service, 'admin', email);
  await consolePages.invite(service, 'acme', 'billing', email);
  const sub = known(email);
  const operator = new OperatorPage(service, await signIn(dashboard, sub));
  const joined = await signIn(console_, sub);
  const member = { ...fromPage, cookie: `platen-console=${cookieValue(joined, 'platen-console')}` };
  const states = async () => [
    (await operator.ask('GET', 'session')).status,
    (await fetch(`${service.url}/account/v1/session`, { headers: member })).status,
  ];
  t.strictSame(await states(), [200, 200]);
  const { status } = await fetch(`${service.url}/account/v1/oidc/logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: await issuer.logoutToken({ sub }) }),
  });
  t.equal(status, 200);
  t.strictSame(await states(), [401, 401]);
  const { entries } = await service.services.audit.list(undefined, 3, { action: 'session.ended' });
  const ended = entries.find(({ account }) => account === null);
  t.match(ended, { by: 'service', details: { operator: 'Olga Weber', email, by: 'oidc' } });
});

t.test('with OIDC_ONLY there are no passkeys, and the token signs in all the same', async (t) => {
  const only = await Service.start(t, { env: { ...env, OIDC_ONLY: 'true' } });
  const token = await invite(only, 'admin', 'gina@example.com');
  t.match(await (await fetch(`${only.url}/dashboard`)).text(), 'data-sign-in="oidc"');
  t.notOk('options' in (await send(only, 'invitation', { token })).body);
  const refused = (answer: { body: unknown }, name: string) =>
    t.match(answer.body, { code: 'INSUFFICIENT_PERMISSIONS', message: /Passkeys are turned off/ }, name);
  refused(await send(only, 'sign-in', {}), 'sign-in');
  const page = new OperatorPage(only, await signIn(dashboard, known('gina@example.com'), only));
  refused(await page.ask('POST', 'passkeys/options', {}), 'passkeys/options');
  t.equal((await send(only, 'session', { token: await operatorToken(only) })).status, 201);

  const plain = await Service.start(t, { env: { PUBLIC_URL: ORIGIN } });
  for (const [path, body] of [
    ['oidc', {}],
    ['oidc/session', { query: 'code=x' }],
  ] as const) {
    const answer = await send(plain, path, body);
    t.match([answer.status, answer.body], [404, { message: /no identity provider: operators/ }], path);
  }
  t.equal((await accept(plain, await invite(plain, 'admin'))).answer.status, 201);
});
