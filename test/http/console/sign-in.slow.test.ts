/** Joining, signing in and out, and refused attempts. */
import t, { type Test } from 'tap';
import { IDLE_MS } from '../../../src/operator/sessions.ts';
import { Authenticator, type Lies } from '../../support/authenticator.ts';
import { Service } from '../../support/service.ts';
import { accept, fromPage, invite, MemberPage, type Sent, send, signIn, site } from './support.ts';

const service = await Service.start(t, { env: { AUTH_FAILURES_PER_MINUTE: '100000' } });
const { members, redis } = service.services;
let accounts = 0;

async function account(): Promise<string> {
  accounts += 1;
  return (await service.createAccount(`a${accounts}`, 'free')).id;
}

function isRefused(t: Test, { status, body }: Sent, code: string, message?: string | RegExp): void {
  const statuses: Readonly<Record<string, number>> = {
    INVALID_API_KEY: 401,
    MISSING_AUTH: 401,
    INSUFFICIENT_PERMISSIONS: 403,
    NOT_FOUND: 404,
    INVALID_PARAMETER: 400,
    INVALID_REQUEST: 400,
    RATE_LIMIT_EXCEEDED: 429,
  };
  t.match([status, body], [statuses[code], { code, ...(message && { message }) }]);
}

t.beforeEach(async () => {
  const limits = await redis.keys('platen:sign-in:*');
  if (limits.length > 0) await redis.del(...limits);
});

t.test('an invitation makes a member, whose passkey signs in', async (t) => {
  const ours = await account();
  const token = await invite(service, ours, 'owner', ' Anna@Example.com ');
  const seen = await send(service, 'invitation', { token });
  t.match(seen.body, {
    account: ours,
    email: 'anna@example.com',
    role: 'owner',
    name: null,
    options: {
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
    },
  });
  const { answer, authenticator } = await accept(service, token, { name: ' Anna ' });
  t.equal(answer.status, 201);
  t.match(answer.headers.get('set-cookie'), /^platen-console=\S+; Path=\/; HttpOnly; SameSite=Strict$/);
  t.match(answer.body, {
    account: { id: ours },
    member: { name: 'Anna', email: 'anna@example.com', role: 'owner', passkeys: 1 },
  });
  t.ok(answer.body.may.includes('inviteMember'));
  t.equal(Date.parse(answer.body.idleUntil) - Date.parse(answer.body.now), IDLE_MS);

  const options = (await send(service, 'sign-in', {})).body.options;
  t.match(options, { rpId: 'localhost', userVerification: 'required' });
  t.notOk(options.allowCredentials?.length, 'it names nobody');
  const again = await signIn(service, authenticator);
  t.equal(again.status, 201);
  t.match(again.body, { member: { id: answer.body.member.id } });
  const page = new MemberPage(service, again, authenticator);
  t.match((await page.ask('GET', 'session')).body, { account: { id: ours, name: ours } });
  t.match((await page.ask('GET', 'audit')).body.entries, [
    { by: 'member', who: 'Anna', action: 'session.began' },
    { action: 'session.began' },
    { action: 'member.joined', details: { email: 'anna@example.com', role: 'owner' } },
    { by: 'cli', who: 'operator', action: 'member.invited' },
    { by: 'cli', who: 'operator', action: 'account.created' },
  ]);

  t.equal((await page.ask('DELETE', 'session')).status, 204);
  isRefused(t, await page.ask('GET', 'session'), 'MISSING_AUTH');
});

t.test('Redis has neither a token nor a session id', async (t) => {
  const ours = await account();
  const token = await invite(service, ours, 'owner');
  const page = await MemberPage.join(service, ours, 'developer');
  const hash = await redis.hgetall(`platen:{${ours}}:members`);
  const kept = JSON.stringify([await redis.keys('*'), hash]);
  for (const secret of [token, page.cookie.split('~')[1] ?? '', page.csrfToken])
    t.notOk(kept.includes(secret));
  t.notOk(JSON.stringify(service.log).includes(token), 'nor has the log');
});

t.test('an invitation is used once', async (t) => {
  const ours = await account();
  const token = await invite(service, ours, 'owner');
  // Each has a challenge of its own.
  const both = await Promise.all(
    [new Authenticator(site), new Authenticator(site)].map(async (authenticator) => {
      const { body } = await send(service, 'invitation', { token });
      return { token, name: 'Somebody', passkey: 'test', response: authenticator.register(body.options) };
    }),
  );
  // At once: one of them is first.
  const answers = await Promise.all(both.map((each) => send(service, 'invitation/accept', each)));
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 401]);
  for (const each of both) isRefused(t, await send(service, 'invitation/accept', each), 'NOT_FOUND');
  isRefused(t, await send(service, 'invitation', { token }), 'NOT_FOUND', /used or withdrawn, or is older/);
  t.equal((await members.read(ours)).members.length, 1);
});

t.test('an invitation that ended', async (t) => {
  const ours = await account();
  for (const end of ['withdrawn', 'replaced', 'too old'] as const) {
    const token = await invite(service, ours, 'owner');
    const [invitation] = (await members.read(ours)).invitations;
    const id = invitation?.id ?? '';
    if (end === 'withdrawn') await members.withdraw({ by: 'cli', who: 'test' }, ours, id);
    if (end === 'replaced') await invite(service, ours, 'owner');
    if (end === 'too old') {
      const expiresAt = new Date().toISOString();
      await redis.hset(`platen:{${ours}}:members`, id, JSON.stringify({ ...invitation, expiresAt }));
    }
    isRefused(t, await send(service, 'invitation', { token }), 'NOT_FOUND');
  }
  for (const token of ['x', 'A'.repeat(43), '__proto__']) {
    isRefused(t, await send(service, 'invitation', { token }), 'NOT_FOUND');
  }
});

t.test('invalid answers of an authenticator at the registration', async (t) => {
  const ours = await account();
  const token = await invite(service, ours, 'owner');
  const other = await invite(service, ours, 'billing');
  const ofOther = (await send(service, 'invitation', { token: other })).body.options.challenge;
  const forSignIn = (await send(service, 'sign-in', {})).body.options.challenge;
  const lies: Readonly<Record<string, Lies>> = {
    'another origin': { origin: 'http://localhost:4000' },
    'an origin of elsewhere': { origin: 'https://evil.example' },
    'another RP id': { host: 'evil.example' },
    'a challenge of its own': { challenge: Buffer.alloc(54, 7).toString('base64url') },
    'a short challenge': { challenge: 'AAAA' },
    'the challenge of another invitation': { challenge: ofOther },
    'the challenge of a sign-in': { challenge: forSignIn },
    'the type of a sign-in': { type: 'webauthn.get' },
    'nobody was verified': { flags: 0x01 },
    'nobody was there': { flags: 0x04 },
  };
  for (const [name, lie] of Object.entries(lies)) {
    const { answer } = await accept(service, token, { lies: lie });
    t.match([answer.status, answer.body], [401, { code: 'INVALID_API_KEY' }], name);
  }
  const { body } = await send(service, 'invitation', { token });
  const right = new Authenticator(site).register(body.options);
  for (const part of ['clientDataJSON', 'attestationObject']) {
    for (const value of ['AAAA', 'e30']) {
      const response = { ...right, response: { ...right.response, [part]: value } };
      const sent = { token, name: 'x', passkey: 'x', response };
      isRefused(t, await send(service, 'invitation/accept', sent), 'INVALID_API_KEY');
    }
  }
  t.equal((await members.read(ours)).members.length, 0);
  t.equal((await accept(service, token)).answer.status, 201, 'it is still open');
});

t.test('invalid answers of an authenticator at the sign-in', async (t) => {
  const ours = await account();
  const { authenticator, id } = await MemberPage.join(service, ours, 'owner');
  const stranger = new Authenticator(site);
  const lies: Readonly<Record<string, Lies>> = {
    'another origin': { origin: 'http://localhost:4000' },
    'another RP id': { host: 'evil.example' },
    'a challenge of its own': { challenge: Buffer.alloc(54, 7).toString('base64url') },
    'the type of a registration': { type: 'webauthn.create' },
    'another user': { userHandle: Buffer.alloc(32).toString('base64url') },
    'nobody was verified': { flags: 0x01 },
    'nobody was there': { flags: 0x04 },
    'another credential': { id: stranger.id },
  };
  for (const [name, lie] of Object.entries(lies)) {
    const answer = await signIn(service, authenticator, lie);
    t.match([answer.status, answer.body], [401, { code: 'INVALID_API_KEY' }], name);
  }
  stranger.register({ challenge: '', user: { id: '' } });
  const handle = (await members.find(ours, id))?.handle ?? '';
  const answer = await signIn(service, stranger, { id: authenticator.id, userHandle: handle });
  isRefused(t, answer, 'INVALID_API_KEY');
  t.equal((await signIn(service, authenticator)).status, 201);
});

t.test('an answer of an authenticator signs in once', async (t) => {
  const { authenticator } = await MemberPage.join(service, await account(), 'owner');
  const { body } = await send(service, 'sign-in', {});
  const response = authenticator.signIn(body.options);
  const answers = await Promise.all([1, 2].map(() => send(service, 'session', { response })));
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 401]);
  isRefused(t, await send(service, 'session', { response }), 'INVALID_API_KEY');
});

t.test('a passkey that counts, and was copied', async (t) => {
  const { authenticator } = await MemberPage.join(service, await account(), 'owner');
  for (const [counter, status] of [
    [5, 201],
    [6, 201],
    [6, 401],
    [5, 401],
    [0, 401],
    [7, 201],
  ] as const) {
    t.equal((await signIn(service, authenticator, { counter })).status, status, `${counter}`);
  }
});

t.test('only our own pages sign in, under a host name with passkeys', async (t) => {
  const path = 'sign-in';
  for (const foreign of [
    {},
    { ...fromPage, 'sec-fetch-site': 'cross-site' },
    { ...fromPage, 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    isRefused(t, await send(service, path, {}, foreign), 'INSUFFICIENT_PERMISSIONS', /same origin/);
  }
  for (const origin of ['https://evil.example', 'http://127.0.0.1:3000', 'http://localhost.evil.example']) {
    const headers = { ...fromPage, origin };
    isRefused(t, await send(service, path, {}, headers), 'INSUFFICIENT_PERMISSIONS', /PUBLIC_URL/);
  }
  const headers = { ...fromPage, 'content-type': 'application/x-www-form-urlencoded' };
  isRefused(t, await send(service, path, {}, headers), 'INVALID_REQUEST');
});

t.test('if the operator configures the site, the host of a request does not matter', async (t) => {
  const named = await Service.start(t, { env: { PUBLIC_URL: 'https://pdf.example.com' } });
  await named.createAccount('ours', 'free');
  const token = await invite(named, 'ours', 'owner');
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' };
  const { body } = await send(named, 'invitation', { token }, headers);
  t.equal(body.options.rp.id, 'pdf.example.com');
  const attempt = (at: { host: string; origin: string }) => {
    const response = new Authenticator(at).register(body.options);
    return send(named, 'invitation/accept', { token, name: 'x', passkey: 'x', response }, headers);
  };
  isRefused(t, await attempt({ host: 'evil.example', origin: 'https://evil.example' }), 'INVALID_API_KEY');
  isRefused(t, await attempt({ host: 'pdf.example.com', origin: 'https://evil.example' }), 'INVALID_API_KEY');
  t.equal((await attempt({ host: 'pdf.example.com', origin: 'https://pdf.example.com' })).status, 201);
});

t.test('changes with a session come only from our own pages', async (t) => {
  const ours = await account();
  const page = await MemberPage.join(service, ours, 'owner');
  const another = await MemberPage.join(service, ours, 'owner', 'another@example.com');
  const body = { email: 'guest@example.com', role: 'billing' };
  for (const headers of [
    { 'x-csrf-token': '' },
    { 'x-csrf-token': another.csrfToken },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    isRefused(
      t,
      await page.ask('POST', 'invitations', body, headers),
      'INSUFFICIENT_PERMISSIONS',
      /same origin/,
    );
  }
  t.equal((await page.ask('POST', 'invitations', body)).status, 201);
});

t.test('every sign-in creates a new session, whatever the cookie of the request', async (t) => {
  const { authenticator, cookie } = await MemberPage.join(service, await account(), 'owner');
  const { body } = await send(service, 'sign-in', {});
  const planted = { ...fromPage, cookie };
  const answer = await send(service, 'session', { response: authenticator.signIn(body.options) }, planted);
  const page = new MemberPage(service, answer, authenticator);
  t.not(page.cookie, cookie);
  t.equal((await page.ask('GET', 'session')).status, 200);
  isRefused(t, await page.ask('GET', 'session', undefined, { cookie }), 'MISSING_AUTH');
});

t.test('steps of one address are limited', async (t) => {
  for (let i = 0; i < 60; i++) await send(service, 'sign-in', {});
  isRefused(t, await send(service, 'sign-in', {}), 'RATE_LIMIT_EXCEEDED', /sign in/);
  isRefused(t, await send(service, 'invitation', { token: 'x' }), 'RATE_LIMIT_EXCEEDED');
  const elsewhere = { ...fromPage, 'x-forwarded-for': '192.0.2.1' };
  isRefused(t, await send(service, 'sign-in', {}, elsewhere), 'RATE_LIMIT_EXCEEDED');
});

t.test('changes of one address are limited', async (t) => {
  const page = await MemberPage.join(service, await account(), 'owner');
  t.teardown(async () => redis.del(...(await redis.keys('platen:console:*'))));
  for (let i = 0; i < 120; i++) await page.ask('DELETE', `invitations/inv_${'0'.repeat(18)}`);
  isRefused(t, await page.ask('DELETE', `members/${page.id}`), 'RATE_LIMIT_EXCEEDED', /changes/);
  t.equal((await page.ask('GET', 'members')).status, 200);
});

t.test('a member who lost their passkey gets a link, which ends what they had', async (t) => {
  const ours = await account();
  const owner = await MemberPage.join(service, ours, 'owner');
  const lost = await MemberPage.join(service, ours, 'developer');
  const made = (await owner.ask('POST', `members/${lost.id}/invitation`)).body;
  t.match(made.link, /^http:\/\/localhost:\d+\/console\/invite#[\w-]{43}$/);
  t.equal((await lost.ask('GET', 'session')).status, 200, 'until it is accepted');
  const token = made.link.split('#')[1];
  const seen = await send(service, 'invitation', { token });
  t.match(seen.body, { name: 'Somebody', email: `developer@${ours}.example` });
  const { answer, authenticator } = await accept(service, token, { name: 'ignored' });
  t.match(answer.body.member, { id: lost.id, name: 'Somebody', role: 'developer', passkeys: 1 });
  isRefused(t, await lost.ask('GET', 'session'), 'MISSING_AUTH');
  isRefused(t, await signIn(service, lost.authenticator), 'INVALID_API_KEY');
  t.equal((await signIn(service, authenticator)).status, 201);
});

t.test('a member’s own passkeys', async (t) => {
  const ours = await account();
  const page = await MemberPage.join(service, ours, 'billing');
  const second = new Authenticator(site);
  const add = async (authenticator: Authenticator, lies: Lies = {}) => {
    const { options } = (await page.ask('POST', 'passkeys/options', {})).body;
    return page.ask('POST', 'passkeys', { name: 'phone', response: authenticator.register(options, lies) });
  };
  isRefused(t, await add(second, { origin: 'https://evil.example' }), 'INVALID_API_KEY');
  const added = await add(second);
  t.match([added.status, added.body], [201, { id: second.id, name: 'phone' }]);
  isRefused(t, await add(second), 'INVALID_API_KEY');
  const third = await MemberPage.join(service, ours, 'owner');
  isRefused(t, await add(third.authenticator), 'INVALID_API_KEY');
  t.equal((await signIn(service, third.authenticator)).status, 201, 'it stays with whom it is of');
  const elsewhere = new MemberPage(service, await signIn(service, second), second);
  const { passkeys } = (await page.ask('GET', 'passkeys')).body;
  t.strictSame(
    passkeys.map(({ name }: { name: string }) => name),
    ['test', 'phone'],
  );
  t.equal((await page.ask('DELETE', `passkeys/${second.id}`)).status, 204);
  isRefused(t, await signIn(service, second), 'INVALID_API_KEY');
  isRefused(t, await elsewhere.ask('GET', 'session'), 'MISSING_AUTH');
  t.equal((await page.ask('GET', 'session')).status, 200, 'this session goes on');
  isRefused(
    t,
    await page.ask('DELETE', `passkeys/${page.authenticator.id}`),
    'INVALID_PARAMETER',
    /last passkey/,
  );
  isRefused(t, await page.ask('DELETE', `passkeys/${second.id}`), 'NOT_FOUND');
});

t.test('a member’s own sessions', async (t) => {
  const page = await MemberPage.join(service, await account(), 'billing');
  const other = new MemberPage(service, await signIn(service, page.authenticator), page.authenticator);
  const { sessions } = (await page.ask('GET', 'sessions')).body;
  t.match(sessions, [{ current: false, address: '127.0.0.1' }, { current: true }]);
  t.equal((await page.ask('DELETE', `sessions/${sessions[0].id}`)).status, 204);
  isRefused(t, await other.ask('GET', 'session'), 'MISSING_AUTH');
  isRefused(t, await page.ask('DELETE', `sessions/${sessions[0].id}`), 'NOT_FOUND');
});

t.test('a new role, and a removal, take effect with the next request', async (t) => {
  const ours = await account();
  const owner = await MemberPage.join(service, ours, 'owner');
  const member = await MemberPage.join(service, ours, 'developer');
  t.equal((await member.ask('GET', 'keys')).status, 200);
  t.match((await owner.ask('PUT', `members/${member.id}/role`, { role: 'billing' })).body, {
    role: 'billing',
  });
  isRefused(t, await member.ask('GET', 'keys'), 'INSUFFICIENT_PERMISSIONS', /role/);
  t.equal((await owner.ask('DELETE', `members/${member.id}/sessions`)).status, 204);
  isRefused(t, await member.ask('GET', 'usage'), 'MISSING_AUTH');
  t.equal((await signIn(service, member.authenticator)).status, 201);
  t.equal((await owner.ask('DELETE', `members/${member.id}`)).status, 204);
  isRefused(t, await signIn(service, member.authenticator), 'INVALID_API_KEY');
  isRefused(t, await owner.ask('DELETE', `members/${member.id}`), 'NOT_FOUND');
  for (const [method, path, body] of [
    ['DELETE', `members/${owner.id}`, undefined],
    ['PUT', `members/${owner.id}/role`, { role: 'billing' }],
  ] as const) {
    isRefused(t, await owner.ask(method, path, body), 'INVALID_PARAMETER', /last owner/);
  }
  isRefused(t, await owner.ask('POST', 'invitations', { email: 'x@y', role: 'root' }), 'INVALID_PARAMETER');
  isRefused(
    t,
    await owner.ask('POST', 'invitations', { email: 'a b@y', role: 'owner' }),
    'INVALID_PARAMETER',
  );
  isRefused(
    t,
    await owner.ask('POST', 'invitations', { email: `OWNER@${ours}.example`, role: 'owner' }),
    'INVALID_PARAMETER',
    /member already/,
  );
});

t.test('two owners who remove each other at once leave one', async (t) => {
  const ours = await account();
  const [a, b] = [
    await MemberPage.join(service, ours, 'owner', 'a@example.com'),
    await MemberPage.join(service, ours, 'owner', 'b@example.com'),
  ];
  await Promise.all([a.ask('DELETE', `members/${b.id}`), b.ask('DELETE', `members/${a.id}`)]);
  t.equal((await members.read(ours)).members.length, 1);
});
