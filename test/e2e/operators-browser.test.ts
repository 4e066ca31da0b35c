/** Operators with a name, as they meet the dashboard in a real browser, whose authenticator is virtual. */
import type { Browser, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { barriers, isAsWideAsTheScreen, launchBrowser, openPage, storedBy } from '../support/browser.ts';
import { Server } from '../support/server.ts';
import { button, endsWell, go, heading, refusal } from './dashboard/dashboard.ts';
import { operatorToken } from './support/operator.ts';

const server = await Server.start();
t.teardown(() => server.stop());
const browser: Browser = await launchBrowser();
t.teardown(() => browser.close());
/** Passkeys need a name of the host. */
const origin = server.url.replace('127.0.0.1', 'localhost');
await server.cli('accounts', 'create', '--name', 'Acme Ltd', '--plan', 'pro', '--id', 'acme');
await server.cli(
  ...['keys', 'create', '--account', 'acme', '--name', 'back end', '--env', 'live', '--type', 'sk'],
);

/** Invites somebody on the command line, and opens the link. */
async function open(email: string, role: string) {
  const watched = await openPage(browser, origin);
  const devTools = await watched.page.context().newCDPSession(watched.page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const { link } = await server.cli<{ link: string }>(
    'operators',
    'invite',
    '--email',
    email,
    '--role',
    role,
  );
  // A command does not know the port that this server chose.
  await watched.page.goto(origin + link.slice(link.indexOf('/dashboard')));
  return { ...watched, token: link.split('#')[1] ?? '' };
}

async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await button(page, 'Make a passkey and join').click();
  await heading(page, 'Overview').waitFor();
}

const isAccessible = async (t: Test, page: Page, state: string) =>
  t.strictSame(await barriers(page), [], `${state}: no barriers`);

t.test('support sees all and changes nothing, until an admin changes the role', async (t) => {
  const olga = await open('olga@example.com', 'support');
  const { page } = olga;
  await page.getByText('You, olga@example.com, are invited to run this service as support').waitFor();
  await isAccessible(t, page, 'an invitation');
  await join(page, 'Olga Weber');
  t.notOk((await storedBy(page)).includes(olga.token), 'the token is in no history');
  await button(page, 'Sign out').click();
  await page.getByText('You have signed out.').waitFor();
  await isAccessible(t, page, 'signed out');
  await button(page, 'Sign in with a passkey').click();
  await heading(page, 'Overview').waitFor();

  for (const place of ['Accounts', 'Keys', 'Maintenance', 'Audit', 'Operators', 'You']) {
    await go(page, place);
    await page.locator('main table, main .state, main .empty, main form').first().waitFor();
    await isAccessible(t, page, place);
  }
  t.strictSame(await offers(page, '/operators'), []);
  t.strictSame(await offers(page, '/accounts'), []);
  t.strictSame(await offers(page, '/maintenance'), []);
  const ofAccount = await offers(page, '/accounts/acme');
  t.strictSame(
    ofAccount.filter((each) => !['Refresh', 'Ledger as CSV', 'Its audit'].includes(each)),
    [],
  );
  await isAccessible(t, page, 'an account');
  await page.getByRole('link', { name: 'back end' }).click();
  await heading(page, 'back end').waitFor();
  t.equal(await button(page, /Edit|Rotate|Revoke/).count(), 0);
  await page.goto(`${origin}/dashboard/keys/new`);
  await heading(page, 'Not for your role').waitFor();
  await isAccessible(t, page, 'not for this role');

  const paul = await open('paul@example.com', 'admin');
  await join(paul.page, 'Paul');
  await go(paul.page, 'Operators');
  await isAccessible(t, paul.page, 'operators, for an admin');
  const setRole = async (role: string) => {
    const row = paul.page.locator('tr', { hasText: 'Olga Weber' });
    await row.getByRole('button', { name: /^Change the role/ }).click();
    await paul.page.getByRole('dialog').getByLabel('Role').selectOption(role);
    await button(paul.page, 'Change the role').last().click();
    await row.getByText(role, { exact: true }).waitFor();
  };
  await setRole('admin');
  await page.goto(`${origin}/dashboard/accounts`);
  await create('By Olga');
  await heading(page, 'By Olga').waitFor();

  await setRole('support');
  await go(page, 'Accounts');
  await create('Too late');
  await page.getByText('Your role is support').waitFor();
  await isAccessible(t, page, 'refused');

  await go(paul.page, 'Audit');
  const entry = paul.page.locator('tr', { hasText: 'Account created' }).first();
  t.match(await entry.innerText(), /Olga Weber <olga@example\.com>/);
  await paul.page.setViewportSize({ width: 360, height: 700 });
  await go(paul.page, 'Operators');
  t.ok(await isAsWideAsTheScreen(paul.page), 'a phone');
  await paul.page.setViewportSize({ width: 1_280, height: 720 });
  await paul.page
    .locator('tr', { hasText: 'Olga Weber' })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await button(paul.page, 'Remove the operator').click();
  await paul.page.locator('tr', { hasText: 'Olga Weber' }).waitFor({ state: 'detached' });
  await page.getByText('Your session has ended').waitFor();
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('This passkey was not accepted.').waitFor();
  await endsWell(t, paul);
  await page.context().close();
  // The console shows the refused requests, and on a busy machine more.
  const others = olga.problems.filter((problem) => !problem.startsWith(refusal('')));
  t.strictSame(others, [], 'no other console error, no request to another host');

  /** The buttons of a page, without those of every page. */
  async function offers(page: Page, path: string): Promise<string[]> {
    await page.goto(`${origin}/dashboard${path}`);
    await page.locator('main table, main .state, main .tile').first().waitFor();
    if (path.includes('acme')) await page.locator('#members .empty').waitFor();
    return page.locator('main button, main a.button').allInnerTexts();
  }

  async function create(name: string): Promise<void> {
    await button(page, 'New account').click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
    await button(page, 'Create the account').click();
  }
});

t.test('another tab signs in with the token: this one changes nothing under another name', async (t) => {
  const rita = await open('rita@example.com', 'admin');
  const { page } = rita;
  const other = await page.context().newPage();
  // What one tab tells the others may come late.
  await other.addInitScript('BroadcastChannel.prototype.postMessage = () => {}');
  await other.goto(`${origin}/dashboard`);
  await join(page, 'Rita');
  await go(page, 'Accounts');
  await button(page, 'New account').click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('By Rita');
  await page.getByRole('button', { name: 'Create the account', disabled: false }).waitFor();
  await other.getByLabel('Operator token').fill(await operatorToken(server));
  await button(other, 'Sign in with the token').click();
  await heading(other, 'Overview').waitFor();
  // On a busy machine the page may have noticed before, by what it reads from time to time, and has no dialog any more.
  const pressed = await page.evaluate<number>(
    `[...document.querySelectorAll('dialog [type=submit]')].map((each) => each.click()).length`,
  );
  await page.getByText('Another tab of this browser signed in as somebody else').waitFor();
  await go(other, 'Accounts');
  await other.getByText('Acme Ltd').waitFor();
  t.equal(await other.getByText('By Rita').count(), 0);
  await endsWell(t, rita, pressed > 0 ? [refusal('403 (Forbidden)')] : []);
});
