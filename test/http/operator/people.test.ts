/** Operators with a name: joining, signing in, roles, sessions, and refused attempts. */
import t, { type Test } from 'tap';
import { NO_ACCOUNT } from '../../../src/members/realm.ts';
import { operatorToken } from '../../e2e/support/operator.ts';
import { Authenticator } from '../../support/authenticator.ts';
import { Service } from '../../support/service.ts';
import * as consolePages from '../console/support.ts';
import { fromPage, MemberPage, type Sent, site } from '../console/support.ts';
import { accept, invite, OperatorPage, send, signIn } from './people.ts';

const service = await Service.start(t, { env: { AUTH_FAILURES_PER_MINUTE: '100000' } });
const { operators, audit, redis } = service.services;
const actor = { by: 'cli', who: 'test' } as const;
const read = () => operators.read(NO_ACCOUNT);

function isRefused(t: Test, { status, body, headers }: Sent, code: string, name = '') {
  t.match(body, { code }, name);
  t.ok(status >= 400 && headers.getSetCookie().length === 0, `${name}: no session`);
}

t.beforeEach(async () => {
  const limits = await redis.keys('platen:sign-in:*');
  if (limits.length > 0) await redis.del(...limits);
  for (const { id } of (await read()).members) await operators.remove(actor, NO_ACCOUNT, id);
});

t.test('an invitation makes an operator, whose passkey signs in, and the audit names them', async (t) => {
  const token = await invite(service, 'admin', ' Olga@Example.com ');
  const seen = await send(service, 'invitation', { token });
  t.match(seen.body, {
    ...{ email: 'olga@example.com', role: 'admin', name: null },
    options: { rp: { id: 'localhost' }, user: { name: 'olga@example.com (operator)' } },
  });
  const { answer, authenticator } = await accept(service, token, { name: 'Olga Weber' });
  t.match(
    [answer.status, answer.body],
    [
      201,
      {
        by: 'session',
        role: 'admin',
        operator: { name: 'Olga Weber', email: 'olga@example.com', passkeys: 1 },
      },
    ],
  );
  t.match(
    answer.headers.get('set-cookie'),
    /^platen-session=-\.op_[0-9a-f]{18}~[\w-]{43}; Path=\/; HttpOnly/,
  );
  isRefused(t, await send(service, 'invitation', { token }), 'NOT_FOUND', 'used up');
  const page = new OperatorPage(service, await signIn(service, authenticator), authenticator);
  t.equal((await page.ask('POST', 'accounts', { id: 'by-name', name: 'By name', plan: 'free' })).status, 201);
  const who = 'Olga Weber <olga@example.com>';
  t.equal(await redis.xlen('platen:{audit}:own'), 2, 'sign-ins are apart: they push out nothing else');
  const { entries } = await audit.list(undefined, 10);
  const listed = (action: string) => entries.filter((entry) => entry.action === action);
  t.match(listed('session.began'), [
    { by: 'operator', who, account: null, details: { by: 'passkey' } },
    { who },
  ]);
  t.match(
    entries.filter(({ action }) => action !== 'session.began'),
    [
      { by: 'operator', who, action: 'account.created', account: 'by-name' },
      { by: 'operator', who, action: 'operator.joined', details: { role: 'admin' } },
      { by: 'cli', action: 'operator.invited' },
    ],
  );
  for (const part of ['olga weber', 'olga@EXAMPLE.com']) {
    const found = await audit.list(undefined, 10, { who: part });
    t.equal(found.entries.length, 4, part);
  }
  const csv = await page.ask('GET', `audit.csv?who=${encodeURIComponent('Olga Weber <')}`);
  t.match(csv.text, /,operator,Olga Weber <olga@example\.com>,account\.created,by-name,/);
  t.equal((await page.ask('DELETE', 'session')).status, 204);
  isRefused(t, (await page.ask('GET', 'session')) as Sent, 'MISSING_AUTH');

  const owner = await MemberPage.join(service, 'by-name', 'owner');
  const { text } = await owner.ask('GET', 'audit');
  t.match(text, '"by":"operator","who":"operator"', 'customers are not told the names of operators');
  t.notMatch(text, /Olga|olga@/);
});

t.test('Redis has neither a token nor a session id', async (t) => {
  const token = await invite(service, 'admin', 'other@ops.example');
  const page = await OperatorPage.join(service, 'support');
  const kept = JSON.stringify([await redis.keys('*'), await redis.hgetall('platen:operators'), service.log]);
  for (const secret of [token, page.cookie.split('~')[1] ?? '', page.csrfToken])
    t.notOk(kept.includes(secret));
});

t.test('roles change with the next request, and whoever is removed is out', async (t) => {
  const admin = await OperatorPage.join(service, 'admin');
  const support = await OperatorPage.join(service, 'support');
  const { operators: listed } = (await support.ask('GET', 'operators')).body;
  t.match(listed, [{ id: admin.id, role: 'admin', lastSignInAt: String }, { id: support.id }]);
  t.notMatch(JSON.stringify(listed), /handle|publicKey|hash/);
  const rename = () => support.ask('PUT', 'banner', { text: 'Hello' });
  t.match([(await rename()).status, (await rename()).body], [403, { code: 'INSUFFICIENT_PERMISSIONS' }]);
  t.match((await rename()).body.message, /^Your role is support/);
  const role = `operators/${support.id}/role`;
  t.match((await admin.ask('PUT', role, { role: 'admin' })).body, { role: 'admin' });
  t.equal((await rename()).status, 200);
  t.equal((await admin.ask('PUT', role, { role: 'support' })).status, 200);
  t.equal((await rename()).status, 403);
  t.equal((await admin.ask('PUT', role, { role: 'owner' })).status, 400, 'a role of members');

  t.equal((await admin.ask('DELETE', `operators/${support.id}/sessions`)).status, 204);
  isRefused(t, (await support.ask('GET', 'session')) as Sent, 'MISSING_AUTH');
  const back = new OperatorPage(service, await signIn(service, support.authenticator));
  t.equal((await back.ask('GET', 'session')).status, 200);
  t.equal((await admin.ask('DELETE', `operators/${support.id}`)).status, 204);
  isRefused(t, (await back.ask('GET', 'session')) as Sent, 'MISSING_AUTH');
  isRefused(t, await signIn(service, support.authenticator), 'INVALID_API_KEY');
  t.equal((await admin.ask('DELETE', `operators/${admin.id}`)).status, 204, 'the last admin may go');
  isRefused(t, (await admin.ask('GET', 'operators')) as Sent, 'MISSING_AUTH');
  t.match((await audit.list(undefined, 2)).entries, [
    { by: 'operator', who: 'Olga <admin@ops.example>', action: 'operator.removed' },
    { action: 'operator.removed', details: { operator: 'Olga', email: 'support@ops.example' } },
  ]);
});

t.test('a new link replaces the passkeys, and ends the sessions', async (t) => {
  const admin = await OperatorPage.join(service, 'admin');
  const lost = await OperatorPage.join(service, 'support');
  const made = (await admin.ask('POST', `operators/${lost.id}/invitation`)).body;
  t.match(made, {
    operator: lost.id,
    mailed: null,
    link: /^http:\/\/localhost:\d+\/dashboard\/invite#[\w-]{43}$/,
  });
  const token = made.link.split('#')[1];
  t.match((await send(service, 'invitation', { token })).body, { name: 'Olga', role: 'support' });
  const { authenticator } = await accept(service, token);
  isRefused(t, (await lost.ask('GET', 'session')) as Sent, 'MISSING_AUTH');
  isRefused(t, await signIn(service, lost.authenticator), 'INVALID_API_KEY');
  t.equal((await signIn(service, authenticator)).body.operator.id, lost.id);

  const invited = (await admin.ask('POST', 'invitations', { email: 'paul@ops.example', role: 'support' }))
    .body;
  t.match((await admin.ask('GET', 'operators')).body.invitations, [{ id: invited.id, operator: null }]);
  t.equal((await admin.ask('DELETE', `invitations/${invited.id}`)).status, 204);
  t.equal((await admin.ask('DELETE', `invitations/${invited.id}`)).status, 404);
  isRefused(t, await send(service, 'invitation', { token: invited.link.split('#')[1] }), 'NOT_FOUND');
});

t.test('own passkeys and sessions, also of support', async (t) => {
  const page = await OperatorPage.join(service, 'support');
  const other = new OperatorPage(service, await signIn(service, page.authenticator));
  const second = new Authenticator(site);
  const { options } = (await page.ask('POST', 'passkeys/options', {})).body;
  const added = await page.ask('POST', 'passkeys', { name: 'second', response: second.register(options) });
  t.match([added.status, added.body], [201, { name: 'second' }]);
  const replay = await page.ask('POST', 'passkeys', { name: 'third', response: second.register(options) });
  t.equal(replay.status, 401, 'a challenge is answered once');
  t.equal((await signIn(service, second)).status, 201);
  const { sessions } = (await page.ask('GET', 'sessions')).body;
  t.strictSame(
    sessions.map(({ current }: { current: boolean }) => current),
    [false, false, true],
  );
  t.equal((await page.ask('DELETE', `sessions/${sessions[1].id}`)).status, 204);
  t.equal((await page.ask('DELETE', `sessions/${sessions[1].id}`)).status, 404);
  isRefused(t, (await other.ask('GET', 'session')) as Sent, 'MISSING_AUTH');
  const { passkeys } = (await page.ask('GET', 'passkeys')).body;
  t.equal((await page.ask('DELETE', `passkeys/${passkeys[0].id}`)).status, 204);
  t.equal((await page.ask('DELETE', `passkeys/${passkeys[1].id}`)).status, 400, 'the last one stays');
  isRefused(t, await signIn(service, page.authenticator), 'INVALID_API_KEY');
  t.equal((await page.ask('GET', 'sessions')).body.sessions.length, 1, 'others ended with the passkey');

  const stranger = await OperatorPage.join(service, 'admin');
  const [theirs] = (await page.ask('GET', 'sessions')).body.sessions;
  t.equal((await stranger.ask('DELETE', `sessions/${theirs.id}`)).status, 404, 'not those of others');
  t.equal((await stranger.ask('DELETE', `passkeys/${passkeys[1].id}`)).status, 404);
  const headers = { 'x-csrf-token': stranger.csrfToken };
  t.equal((await page.ask('DELETE', 'session', undefined, headers)).status, 403, 'CSRF');
});

t.test('the token has sessions and no passkeys', async (t) => {
  const token = await operatorToken(service);
  const page = new OperatorPage(service, await send(service, 'session', { token }));
  t.match((await page.ask('GET', 'session')).body, { by: 'session', role: 'admin', operator: null });
  t.match((await page.ask('GET', 'passkeys')).body, { passkeys: [] });
  const refused = await page.ask('POST', 'passkeys/options', {});
  t.match([refused.status, refused.body], [403, { message: /Invite yourself/ }]);
  const { sessions } = (await page.ask('GET', 'sessions')).body;
  t.match(sessions, [{ current: true }]);
  t.equal((await page.ask('DELETE', `sessions/${sessions[0].id}`)).status, 204);
  t.equal((await page.ask('GET', 'session')).status, 401);
});

t.test('nothing of a member opens the dashboard, and nothing of an operator the console', async (t) => {
  await service.createAccount('both', 'free');
  const email = 'both@example.com';
  const operator = await OperatorPage.join(service, 'admin', { email });
  const member = await MemberPage.join(service, 'both', 'owner', email);

  // Passkeys: each is right, for the other place.
  isRefused(t, await signIn(service, member.authenticator), 'INVALID_API_KEY', 'the passkey of a member');
  const ofOperator = await consolePages.signIn(service, operator.authenticator);
  isRefused(t, ofOperator, 'INVALID_API_KEY', 'the passkey of an operator');

  // Challenges: signed by the right passkey, but asked for in the other place.
  const forConsole = (await consolePages.send(service, 'sign-in', {})).body.options;
  const forDashboard = (await send(service, 'sign-in', {})).body.options;
  const dashboard = (response: object) => send(service, 'sign-in/session', { response });
  const console_ = (response: object) => consolePages.send(service, 'session', { response });
  isRefused(
    t,
    await dashboard(operator.authenticator.signIn(forConsole)),
    'INVALID_API_KEY',
    'its challenge',
  );
  isRefused(t, await console_(member.authenticator.signIn(forDashboard)), 'INVALID_API_KEY', 'its challenge');
  t.equal((await dashboard(operator.authenticator.signIn(forDashboard))).status, 201, 'it was not used up');
  t.equal((await console_(member.authenticator.signIn(forConsole))).status, 201);

  // A whole answer, sent to the other place.
  const again = (await consolePages.send(service, 'sign-in', {})).body.options;
  isRefused(t, await dashboard(member.authenticator.signIn(again)), 'INVALID_API_KEY', 'a whole answer');

  // Invitations.
  const toConsole = await consolePages.invite(service, 'both', 'billing', 'new@example.com');
  const toDashboard = await invite(service, 'support', 'new@example.com');
  isRefused(t, await send(service, 'invitation', { token: toConsole }), 'NOT_FOUND', 'an invitation');
  isRefused(
    t,
    await consolePages.send(service, 'invitation', { token: toDashboard }),
    'NOT_FOUND',
    'as well',
  );
  const { options } = (await consolePages.send(service, 'invitation', { token: toConsole })).body;
  const response = new Authenticator(site).register(options);
  const crossed = { token: toDashboard, name: 'X', passkey: 'x', response };
  isRefused(t, await send(service, 'invitation/accept', crossed), 'INVALID_API_KEY', 'its registration');
  const intoConsole = { ...crossed, token: toConsole };
  isRefused(t, await send(service, 'invitation/accept', intoConsole), 'NOT_FOUND', 'its registration, whole');

  // Registrations of another passkey.
  const mine = (await member.ask('POST', 'passkeys/options', {})).body.options;
  const crossedKey = { name: 'x', response: new Authenticator(site).register(mine) };
  isRefused(
    t,
    (await operator.ask('POST', 'passkeys', crossedKey)) as Sent,
    'INVALID_API_KEY',
    'a new passkey',
  );

  // Sessions.
  const [, ofMember = ''] = member.cookie.split('=');
  const [, ofOperatorId = ''] = operator.cookie.split('=');
  for (const [name, cookie, path] of [
    ['a member', `platen-session=${ofMember}`, '/operator/v1/session'],
    [
      'a member, as an operator',
      `platen-session=-.${operator.id}~${ofMember.split('~')[1]}`,
      '/operator/v1/session',
    ],
    ['a cookie of the console', `platen-console=${ofMember}`, '/operator/v1/session'],
    ['an operator', `platen-console=${ofOperatorId}`, '/account/v1/session'],
    [
      'an operator, as a member',
      `platen-console=both.${member.id}~${ofOperatorId.split('~')[1]}`,
      '/account/v1/session',
    ],
    ['a cookie of the dashboard', `platen-session=${ofOperatorId}`, '/account/v1/session'],
  ] as const) {
    const answer = await fetch(service.url + path, { headers: { ...fromPage, cookie } });
    t.match([answer.status, await answer.json()], [401, { code: 'MISSING_AUTH' }], name);
  }
  // Both at once are two sessions.
  const cookie = `${operator.cookie}; ${member.cookie}`;
  t.match((await operator.ask('GET', 'session', undefined, { cookie })).body, {
    operator: { id: operator.id },
  });
  t.match((await member.ask('GET', 'session', undefined, { cookie })).body, { member: { id: member.id } });
  const headers = { cookie, 'x-csrf-token': member.csrfToken };
  t.equal((await operator.ask('PUT', 'banner', { text: 'x' }, headers)).status, 403, 'nor the CSRF token');
  t.equal((await operator.ask('DELETE', 'session')).status, 204);
  t.equal((await member.ask('GET', 'session')).status, 200, 'signing out here leaves the other');

  // Accounts with names that are used in Redis keys.
  for (const id of ['operators', 'operator']) {
    await service.createAccount(id, 'free');
    await MemberPage.join(service, id, 'owner');
  }
  t.strictSame(
    (await read()).members.map(({ email: each }) => each),
    [email],
  );
});

t.test('each step is limited, and the token signs in all the same', async (t) => {
  const few = await Service.start(t, { env: { AUTH_FAILURES_PER_MINUTE: '3' } });
  const guesses: number[] = [];
  for (let i = 0; i < 5; i++) guesses.push((await send(few, 'invitation', { token: `guess-${i}` })).status);
  t.strictSame(guesses, [404, 404, 404, 429, 429], 'guesses count as failures');
  for (let i = 0; i < 60; i++) {
    const { status } = await send(few, 'sign-in', {});
    if (status === 429) break;
    if (i === 59) t.fail('no limit of steps');
  }
  const limited = await send(few, 'oidc', {});
  t.match([limited.status, limited.body], [429, { code: 'RATE_LIMIT_EXCEEDED', retryAfter: Number }]);
  const token = await operatorToken(few);
  t.equal((await send(few, 'session', { token })).status, 201);
});

t.test('only pages of ours sign in, under the name that the operator gives', async (t) => {
  for (const foreign of [{}, { ...fromPage, 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
    for (const [path, body] of [
      ['sign-in', {}],
      ['invitation', { token: 'x' }],
      ['oidc', {}],
    ] as const) {
      isRefused(t, await send(service, path, body, foreign), 'INSUFFICIENT_PERMISSIONS', path);
    }
  }
  const DASHBOARD_URL = 'https://ops.example.com';
  const named = await Service.start(t, { env: { PUBLIC_URL: 'https://pdf.example.com', DASHBOARD_URL } });
  t.equal((await send(named, 'sign-in', {})).body.options.rpId, 'ops.example.com');
  t.equal((await consolePages.send(named, 'sign-in', {})).body.options.rpId, 'pdf.example.com');
  const authorization = `Bearer ${await operatorToken(named)}`;
  const made = await send(named, 'invitations', { email: 'a@b.example', role: 'admin' }, { authorization });
  t.match(made.body.link, /^https:\/\/ops\.example\.com\/dashboard\/invite#/);
});
