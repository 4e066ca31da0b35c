/** The console, as customers meet it in a real browser, whose authenticator is virtual: one server for all, so in this order. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  barriers,
  isAsWideAsTheScreen,
  launchBrowser,
  openPage,
  storedBy,
  textBrightness,
  type WatchedPage,
} from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { isError, isPdf } from './support/assertions.ts';
import { convert } from './support/requests.ts';

const server = await Server.start();
t.teardown(() => server.stop());
const browser: Browser = await launchBrowser();
t.teardown(() => browser.close());
/** Passkeys need a name of the host. */
const origin = server.url.replace('127.0.0.1', 'localhost');
await server.cli('accounts', 'create', '--name', 'Acme Ltd', '--plan', 'pro', '--id', 'acme');

async function open(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, origin, options);
  await load(watched.page, path);
  return watched;
}

async function load(page: Page, path: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await page.goto(`${origin}${path}`);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const go = async (page: Page, link: string) => {
  await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
  await heading(page, link).waitFor();
};
const isAccessible = async (t: Test, page: Page, state: string) =>
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
const endsWell = async (t: Test, { page, problems }: WatchedPage, expected: readonly string[] = []) => {
  t.strictSame(problems, expected, 'no console error, no request to another host');
  await page.context().close();
};

/** The path of an invitation link, which is of another port than this server's where a command made it. */
const pathOf = (link: string) => link.slice(link.indexOf('/console'));

async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await button(page, 'Make a passkey and join').click();
  await heading(page, 'Overview').waitFor();
}

t.test('from an invitation to the first PDF, and to the end of a key', async (t) => {
  const { link } = await server.cli<{ link: string }>(
    ...['members', 'invite', '--account', 'acme', '--email', 'anna@example.com', '--role', 'owner'],
  );
  t.match(link, /^http:\/\/localhost:\d+\/console\/invite#[\w-]{43}$/);
  const watched = await open(pathOf(link));
  const { page } = watched;
  await page.getByText('Acme Ltd invites anna@example.com').waitFor();
  await isAccessible(t, page, 'an invitation');
  await join(page, 'Anna Smith');
  t.notOk((await storedBy(page)).includes(link.split('#')[1] ?? ''), 'the token is in no history');
  await heading(page, 'Three steps to your first PDF').waitFor();
  await isAccessible(t, page, 'overview');

  await button(page, 'Sign out').click();
  await page.getByText('You have signed out.').waitFor();
  await isAccessible(t, page, 'signed out');
  await page.reload();
  await button(page, 'Sign in with a passkey').press('Enter');
  await heading(page, 'Overview').waitFor();
  await page.reload();
  await heading(page, 'Overview').waitFor();

  await go(page, 'Keys');
  await page.getByRole('link', { name: 'Create a key' }).click();
  await heading(page, 'Create a key').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('back end');
  await page.getByLabel('IP restrictions').fill('127.0.0.0/8');
  await page.locator('main').getByLabel(/^live/).check();
  await isAccessible(t, page, 'a new key');
  await button(page, 'Create the key').click();
  const first = await takeKey(page);
  t.match(first, /^svc_live_sk_\w{40,}$/);
  await isPdf(t, await convert(server, first, docx()), /./);
  const { requestId, message } = isError(
    t,
    await convert(server, first, Buffer.from('no document')),
    'INVALID_FILE_TYPE',
  );

  await go(page, 'Requests');
  await until('both are there', async () => {
    await page.reload();
    await page.locator('#requests tbody tr, #requests .empty').first().waitFor();
    return (await page.locator('#requests tbody tr').count()) === 2;
  });
  await isAccessible(t, page, 'requests');
  const search = page.getByLabel('Find a request, job, message or key by its id, or by an error message');
  await search.fill(`{"code":"INVALID_FILE_TYPE","requestId":"${requestId}"}`);
  await search.press('Enter');
  await page.getByText('400 INVALID_FILE_TYPE').waitFor();
  await page.locator('q', { hasText: message }).waitFor();
  t.equal(new URL(page.url()).pathname, `/console/requests/${requestId}`);
  await isAccessible(t, page, 'a request');

  await go(page, 'Keys');
  await button(page, /^Rotate/).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption('ends at once');
  await button(page, 'Rotate the key').click();
  const second = await takeKey(page);
  isError(t, await convert(server, first, docx()), 'EXPIRED_API_KEY');
  await isPdf(t, await convert(server, second, docx()), /./);
  await page
    .locator('tr', { hasText: 'Valid' })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await button(page, 'Revoke the key').click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  isError(t, await convert(server, second, docx()), 'INVALID_API_KEY');
  await isAccessible(t, page, 'keys');

  await go(page, 'Overview');
  await page.locator('#errors').getByText('INVALID_FILE_TYPE').first().waitFor();
  t.match(await page.locator('#quota').innerText(), /2 of /);
  t.equal(await page.locator('#first-steps').count(), 0, 'the account has its first live PDF');
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
  await heading(page, 'Jobs').waitFor();
  await page.locator('#jobs .empty').waitFor();
  await isAccessible(t, page, 'jobs');
  await go(page, 'Webhooks');
  await page.locator('#webhooks .empty').waitFor();
  await isAccessible(t, page, 'webhooks');
  for (const place of ['Usage', 'Members', 'Audit', 'You']) {
    await go(page, place);
    await page.locator('main table, main figure').first().waitFor();
    await isAccessible(t, page, place);
  }
  for (const secret of [first, second]) {
    const places = [await page.content(), await storedBy(page), JSON.stringify(server.log)];
    t.notOk(places.some((place) => place.includes(secret)));
  }
  await endsWell(t, watched);

  async function takeKey(page: Page): Promise<string> {
    await heading(page, 'The key of “back end”').waitFor();
    const [key, example] = await page.locator('.secret .copyable code').allInnerTexts();
    t.equal(
      example,
      `curl --fail-with-body -o document.pdf -H 'Authorization: Bearer ${key}' -F file=@document.docx ${origin}/v1/convert` +
        ' || { [ $? -eq 22 ] && cat document.pdf && rm -f document.pdf; false; }',
    );
    await isAccessible(t, page, 'a key is shown');
    await button(page, 'I have it, hide it').click();
    await page.locator('.secret').waitFor({ state: 'detached' });
    return key ?? '';
  }
});

t.test('a colleague, their role, and a second link', async (t) => {
  const { link } = await server.cli<{ link: string }>(
    ...['members', 'invite', '--account', 'acme', '--email', 'ben@example.com', '--role', 'owner'],
  );
  const owner = await open(pathOf(link));
  await join(owner.page, 'Ben');
  await go(owner.page, 'Members');
  await button(owner.page, 'Invite somebody').click();
  await owner.page.getByLabel('E-mail').fill('cleo@example.com');
  await owner.page.getByLabel('Role').selectOption('billing');
  await isAccessible(t, owner.page, 'invite');
  await button(owner.page, 'Make the link').click();
  await heading(owner.page, 'The link for cleo@example.com').waitFor();
  await isAccessible(t, owner.page, 'a link is shown');
  const shown = await owner.page.locator('.secret code').innerText();
  t.ok(shown.startsWith(`${origin}/console/invite#`));
  for (const role of ['billing', 'developer']) {
    await button(owner.page, 'Invite somebody').click();
    await owner.page.getByLabel('E-mail').fill('dan@example.com');
    await owner.page.getByLabel('Role').selectOption(role);
    await button(owner.page, 'Make the link').click();
    await owner.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  t.strictSame(
    await owner.page.locator('.secret h2').allInnerTexts(),
    ['The link for dan@example.com', 'The link for cleo@example.com'],
    'links that work stay',
  );
  await isAccessible(t, owner.page, 'two links are shown');
  await button(owner.page, 'I have it, hide it').first().click();
  await heading(owner.page, 'The link for dan@example.com').waitFor({ state: 'detached' });
  t.equal(await owner.page.locator('.secret code').innerText(), shown);

  await go(owner.page, 'Settings');
  await isAccessible(t, owner.page, 'settings');
  await button(owner.page, 'Rename').click();
  await owner.page.getByRole('dialog').getByLabel('Name').fill('Acme Corp');
  await button(owner.page, 'Rename the account').click();
  await owner.page.locator('header').getByText('Acme Corp').waitFor();
  await go(owner.page, 'Members');

  const guest = await open(pathOf(shown), { colorScheme: 'dark', viewport: { width: 360, height: 700 } });
  await join(guest.page, 'Cleo');
  t.strictSame(
    await guest.page.getByRole('navigation').getByRole('link').allInnerTexts(),
    ['Overview', 'Usage', 'You'],
    'what billing sees',
  );
  for (const path of ['', '/usage', '/you']) {
    await guest.page.goto(`${origin}/console${path}`);
    await guest.page.locator('main table, main figure, main .tile').first().waitFor();
    t.ok(await isAsWideAsTheScreen(guest.page), `${path}: a phone`);
    t.ok((await textBrightness(guest.page, 'h1')) > 150, `${path}: dark`);
    await isAccessible(t, guest.page, `${path} on a phone, dark`);
  }
  await button(guest.page, 'Add a passkey').click();
  await guest.page.getByText('This device has a passkey of yours already.').waitFor();
  await guest.page.goto(`${origin}/console/keys`);
  await guest.page.getByText('Your role in this account does not allow this.').waitFor();

  const again = await open(pathOf(shown));
  await again.page.getByText('This invitation is not valid').waitFor();
  await isAccessible(t, again.page, 'a used link');
  await endsWell(t, again, [
    'Failed to load resource: the server responded with a status of 404 (Not Found)',
  ]);

  await owner.page.reload();
  const row = owner.page.locator('tr', { hasText: 'Cleo' });
  await row.getByRole('button', { name: /^Remove/ }).click();
  await isAccessible(t, owner.page, 'remove');
  await button(owner.page, 'Remove the member').click();
  await row.waitFor({ state: 'detached' });
  await guest.page.goto(`${origin}/console/usage`);
  await guest.page.getByText('Your session has ended').waitFor();
  await button(guest.page, 'Sign in with a passkey').click();
  await guest.page.getByText('This passkey was not accepted.').waitFor();
  await isAccessible(t, guest.page, 'not accepted');
  await guest.page.context().close();
  await endsWell(t, owner);
});

t.test('a tab whose session another tab has replaced', async (t) => {
  await server.cli('accounts', 'create', '--name', 'Globex', '--plan', 'pro', '--id', 'globex');
  const invite = async (account: string, email: string) => {
    const { link } = await server.cli<{ link: string }>(
      ...['members', 'invite', '--account', account, '--email', email, '--role', 'owner'],
    );
    return pathOf(link);
  };
  const watched = await open(await invite('acme', 'eve@example.com'));
  const { page } = watched;
  await join(page, 'Eve');
  await go(page, 'Settings');
  await button(page, 'Rename').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Acme of Eve');

  const other = await page.context().newPage();
  // What one tab tells the others may come late.
  await other.addInitScript('BroadcastChannel.prototype.postMessage = () => {}');
  await load(other, await invite('globex', 'eve@example.com'));
  await join(other, 'Eve');
  await page.bringToFront();
  await button(page, 'Rename the account').click();
  await page.getByText('Another tab of this browser signed in as somebody else').waitFor();
  t.equal(await page.getByText('Acme').count(), 0, 'nothing of the account is left on the page');
  await isAccessible(t, page, 'a replaced session');
  await other.reload();
  await other.locator('header').getByText('Globex', { exact: true }).waitFor();
  await endsWell(t, watched, [
    'Failed to load resource: the server responded with a status of 403 (Forbidden)',
  ]);
});

t.test('by the keyboard alone', async (t) => {
  const { link } = await server.cli<{ link: string }>(
    ...['members', 'invite', '--account', 'acme', '--email', 'dora@example.com', '--role', 'developer'],
  );
  const watched = await open(pathOf(link));
  const { page } = watched;
  const focused = () =>
    page.evaluate<string>(
      `(({ labels, innerText }) => (labels?.[0] ?? { innerText }).innerText.trim())(document.activeElement)`,
    );
  const tabTo = async (name: string) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      if ((await focused()).startsWith(name)) return;
    }
    t.fail(`no way to ${name}`);
  };
  await page.getByText('invites dora@example.com').waitFor();
  await tabTo('Your name');
  await page.keyboard.type('Dora');
  await page.keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
  await tabTo('Keys');
  await page.keyboard.press('Enter');
  await heading(page, 'Keys').waitFor();
  await tabTo('Create a key');
  await page.keyboard.press('Enter');
  await heading(page, 'Create a key').waitFor();
  await tabTo('Name');
  await page.keyboard.type('by keyboard');
  await page.keyboard.press('Enter');
  await heading(page, 'The key of “by keyboard”').waitFor();
  await tabTo('I have it, hide it');
  await page.keyboard.press('Enter');
  const row = page.locator('tr', { hasText: 'by keyboard' });
  await row.waitFor();
  await tabTo('Revoke');
  await page.keyboard.press('Enter');
  await page.getByText('This cannot be undone.').waitFor();
  t.equal(await focused(), 'Cancel', 'Enter alone does no damage');
  await tabTo('Revoke the key');
  await page.keyboard.press('Enter');
  await row.getByText('Revoked', { exact: true }).waitFor();
  await tabTo('Sign out');
  await page.keyboard.press('Enter');
  await page.getByText('You have signed out.').waitFor();
  await endsWell(t, watched);
});
