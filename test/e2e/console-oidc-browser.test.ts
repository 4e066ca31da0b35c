/** Signing in to the console at an identity provider, in a real browser: one service for all, so in this order. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { barriers, isAsWideAsTheScreen, launchBrowser, openPage, storedBy } from '../support/browser.ts';
import { client, OidcIssuer } from '../support/oidc-issuer.ts';
import { Service } from '../support/service.ts';

/** The address of the service must be known before it starts. */
const sockets = new Set<Socket>();
let target = 0;
const door = createServer((browser) => {
  const upstream = connect(target, '127.0.0.1');
  for (const socket of [browser, upstream]) {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .once('close', () => {
        sockets.delete(socket);
        browser.destroy();
        upstream.destroy();
      });
  }
  browser.pipe(upstream).pipe(browser);
});
door.listen(0, '127.0.0.1');
await once(door, 'listening');
t.teardown(async () => {
  door.close();
  for (const socket of sockets) socket.destroy();
  await once(door, 'close');
});
const origin = `http://localhost:${(door.address() as AddressInfo).port}`;
const issuer = await OidcIssuer.start(t, `${origin}/console/signed-in`);
const env = {
  PUBLIC_URL: origin,
  OIDC_ISSUER: issuer.url,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
};
const service = await Service.start(t, { env });
target = (service.app.server.address() as AddressInfo).port;
const browser = await launchBrowser();
t.teardown(() => browser.close());
const { members } = service.services;
await service.createAccount('acme', 'pro');
await service.createAccount('globex', 'pro');
const { token } = await members.invite({ by: 'cli', who: 'test' }, 'acme', 'anna@example.com', 'owner');
issuer.people.set('anna', { email: 'anna@example.com', email_verified: true, name: 'Anna' });
issuer.people.set('eve', { email: 'eve@example.com', email_verified: true });

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name });
const isAccessible = async (t: Test, page: Page, state: string) => {
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
  t.ok(await isAsWideAsTheScreen(page), `${state}: a phone`);
};

/** At the provider, whose pages are not ours. */
async function signInThere(page: Page, sub: string): Promise<void> {
  await button(page, 'Sign in with your organization').click();
  await page.locator('input[name=login]').fill(sub);
  await page.locator('input[name=password]').fill('any');
  await page.locator('form button[type=submit]').click();
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('form button[type=submit]').click();
  await page.waitForURL((url) => url.origin === origin);
}

t.test('an invitation, a choice of two accounts, and a return to the former page', async (t) => {
  const options = { viewport: { width: 360, height: 700 } };
  const { page, problems } = await openPage(browser, origin, options);
  await page.goto(`${origin}/console/invite#${token}`);
  await page.getByText('invites anna@example.com').waitFor();
  await isAccessible(t, page, 'an invitation');
  t.strictSame(problems, []);
  await signInThere(page, 'anna');
  await heading(page, 'Overview').waitFor();
  problems.length = 0;
  t.equal(page.url(), `${origin}/console`);
  t.notMatch(await storedBy(page), /code=|state=/, 'what came back is in no history');
  await page.reload();
  await heading(page, 'Overview').waitFor();
  await button(page, 'Sign out').click();

  await members.invite({ by: 'cli', who: 'test' }, 'globex', 'anna@example.com', 'developer');
  await page.context().clearCookies();
  await page.goto(`${origin}/console/keys`);
  await heading(page, 'Sign in').waitFor();
  await isAccessible(t, page, 'sign in');
  t.strictSame(problems, []);
  await signInThere(page, 'anna');
  await heading(page, 'Choose an account').waitFor();
  problems.length = 0;
  await isAccessible(t, page, 'a choice');
  await button(page, 'Join globex').click();
  await heading(page, 'Keys').waitFor();
  t.equal(page.url(), `${origin}/console/keys`);
  await page.locator('header').getByText('globex').waitFor();
  t.strictSame(problems, [], 'no console error, no request to another host');
  await page.context().close();
});

t.test('somebody unknown, and a link that somebody else made', async (t) => {
  const { page } = await openPage(browser, origin);
  await page.goto(`${origin}/console`);
  await signInThere(page, 'eve');
  await page.getByText('Nobody with your e-mail address is a member').waitFor();
  await isAccessible(t, page, 'unknown');
  await button(page, 'Sign in again').click();
  await button(page, 'Sign in with your organization').waitFor();
  await page.goto(`${origin}/console/signed-in?code=another&state=another`);
  await page.getByText('This sign-in was not accepted').waitFor();
  t.notMatch(JSON.stringify(service.log), /code=|state=/, 'what came back is in no log');
  await page.context().close();
});

t.test('with OIDC_ONLY nobody is promised a passkey', async (t) => {
  const only = await Service.start(t, { env: { ...env, OIDC_ONLY: 'true' } });
  target = (only.app.server.address() as AddressInfo).port;
  await only.createAccount('only', 'pro');
  await only.services.members.invite({ by: 'cli', who: 'test' }, 'only', 'anna@example.com', 'owner');
  const { page, problems } = await openPage(browser, origin);
  await page.goto(`${origin}/console/members`);
  problems.splice(0);
  await signInThere(page, 'anna');
  await heading(page, 'Members').waitFor();
  await button(page, 'Change the role').waitFor();
  t.equal(await button(page, 'New link').count(), 0, 'there is no passkey to replace');
  await button(page, 'Invite somebody').click();
  await page.getByLabel('E-mail').fill('ben@example.com');
  await button(page, 'Make the link').click();
  await heading(page, 'The link for ben@example.com').waitFor();
  t.match(await page.locator('.secret').innerText(), /only for a person who signs in with this address/);
  t.notMatch(await page.locator('main').innerText(), /passkey/i);
  await page.context().close();
});
