/** The console in a real browser, when answers are late: what is typed, the focus and the newest answer stay; and with several tabs. */
import type { Page, Request } from 'playwright-core';
import t, { type Test } from 'tap';
import { MemberPage } from '../http/console/support.ts';
import { filePart, post, readBody } from '../http/jobs/support.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const service = await Service.start(t);
const browser = await launchBrowser();
t.teardown(() => browser.close());
const origin = service.url.replace('127.0.0.1', 'localhost');
const DAY_MS = 86_400_000;

async function open(account: string, path: string) {
  const { cookie } = await MemberPage.join(service, account, 'owner');
  const { page, problems } = await openPage(browser, origin);
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(`${origin}/console${path}`);
  return { page, problems };
}

/** Holds the answers of a path, which are those of the time when they were asked for. */
async function hold(page: Page, path: string) {
  let isHeld = true;
  const held: (() => Promise<void>)[] = [];
  await page.route(
    (url) => url.pathname.endsWith(path),
    async (route) => {
      if (!isHeld || route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      if (!isHeld) return route.fulfill({ response });
      held.push(() => route.fulfill({ response }));
    },
  );
  return {
    count: () => held.length,
    release: async () => {
      isHeld = false;
      await Promise.allSettled(held.splice(0).map((answer) => answer()));
    },
  };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const focused = (page: Page) =>
  page.evaluate<string>(
    `(({ tagName, innerText }) => tagName + ' ' + innerText.trim().split('\\n')[0])(document.activeElement)`,
  );
/** Waits until the page has shown what it knows. */
const shown = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
const endsWell = async (t: Test, page: Page, problems: readonly string[]) => {
  t.strictSame(problems, []);
  await page.context().close();
};

t.test('data that comes late takes no focus from a field', async (t) => {
  await service.createAccount('typing', 'enterprise');
  const { id } = await service.createKey({ account: 'typing', name: 'back end' });
  const { page, problems } = await open('typing', '/keys');
  const answers = await hold(page, `/keys/${id}`);
  await page.getByRole('link', { name: 'back end' }).click();
  await page.getByText('Loading …').waitFor();
  const search = page.getByRole('searchbox');
  await search.pressSequentially('req_');
  await answers.release();
  await page.getByRole('heading', { name: 'back end' }).waitFor();
  await page.keyboard.type('0123');
  t.equal(await search.inputValue(), 'req_0123');
  await endsWell(t, page, problems);
});

t.test('the focus stays with a button that waits', async (t) => {
  await service.createAccount('lists', 'enterprise');
  for (let i = 0; i < 120; i++) await service.createKey({ account: 'lists', name: `key ${i}` });
  const { page, problems } = await open('lists', '/keys');
  await page.locator('tbody tr').first().waitFor();
  const answers = await hold(page, '/keys');
  const before = await page.locator('tbody tr').count();
  await button(page, 'Show more').press('Enter');
  await until('it asks', () => answers.count() === 1);
  await until('the button cannot be used, nor have the focus', async () =>
    /^BODY /.test(await focused(page)),
  );
  await answers.release();
  await until('there are more', async () => (await page.locator('tbody tr').count()) > before);
  await until('the button has the focus', async () => (await focused(page)) === 'BUTTON Show more');
  await endsWell(t, page, problems);
});

t.test('the focus stays in the list whose button is gone', async (t) => {
  await service.createAccount('revoked', 'enterprise');
  await service.createKey({ account: 'revoked', name: 'back end' });
  const { page, problems } = await open('revoked', '/keys');
  await button(page, /^Revoke/).press('Enter');
  await button(page, 'Revoke the key').press('Enter');
  await page.getByText('Revoked', { exact: true }).waitFor();
  t.match(await focused(page), /^TABLE /);
  await endsWell(t, page, problems);
});

t.test('another name for the account leaves alone what is typed elsewhere', async (t) => {
  await service.createAccount('former', 'enterprise');
  const { page, problems } = await open('former', '/settings');
  const contacts = page.getByLabel('Contact addresses');
  await contacts.fill('ops@former.example');
  await button(page, 'Rename').click();
  await page.getByRole('dialog').getByLabel('Name').fill('Later');
  await button(page, 'Rename the account').click();
  await page.locator('header').getByText('Later', { exact: true }).waitFor();
  await page.locator('dd').getByText('Later', { exact: true }).waitFor();
  t.equal(await contacts.inputValue(), 'ops@former.example');
  await endsWell(t, page, problems);
});

t.test('an answer from before a change does not take its place', async (t) => {
  await service.createAccount('jobs', 'enterprise');
  const { key } = await service.createKey({ account: 'jobs', name: 'back end' });
  const release = service.engine.hold();
  t.teardown(release);
  const { id } = readBody(await post(service, key, [filePart()]));
  const { page, problems } = await open('jobs', `/jobs/${id}`);
  const state = page.locator('main > p .badge');
  await state.waitFor();
  await page.route(`**/jobs/${id}`, (route) => route.abort(), { times: 1 });
  await button(page, 'Refresh').first().click();
  const alert = page.locator('main').getByText('The service cannot be reached.');
  await alert.waitFor();
  const answers = await hold(page, `/jobs/${id}`);
  const isOfJob = (request: Request) => request.method() === 'GET' && request.url().endsWith(`/jobs/${id}`);
  const ended = Promise.race([
    page.waitForEvent('requestfinished', isOfJob),
    page.waitForEvent('requestfailed', isOfJob),
  ]);
  await button(page, 'Refresh').first().click();
  await until('it asks', () => answers.count() === 1);
  await button(page, 'Cancel the job').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
  await state.getByText('canceled').waitFor();
  await alert.waitFor({ state: 'hidden' });
  await answers.release();
  await ended;
  await shown(page);
  t.equal(await state.innerText(), 'canceled');
  t.match(problems, [/ERR_FAILED/]);
  await page.context().close();
});

t.test('figures of the former month are shown as such', async (t) => {
  await service.createAccount('months', 'enterprise');
  const { page, problems } = await open('months', '/usage');
  await page.locator('#usage .summary').waitFor();
  const answers = await hold(page, '/usage');
  await page.getByLabel('Month').selectOption({ index: 1 });
  await page.locator('#usage[aria-busy=true]').waitFor();
  await answers.release();
  await page.locator('#usage[aria-busy=false]').waitFor();
  await endsWell(t, page, problems);
});

t.test('a key that expires soon is among many', async (t) => {
  await service.createAccount('many', 'enterprise');
  const expiresAt = new Date(Date.now() + 10 * DAY_MS);
  const make = (name: string, ends?: Date) =>
    service.createKey({ account: 'many', name, ...(ends && { expiresAt: ends }) });
  await make('the first', expiresAt);
  for (let i = 0; i < 200; i++) await make(`key ${i}`);
  await make('the last', expiresAt);
  const { page, problems } = await open('many', '');
  for (const name of ['the first', 'the last']) {
    await page.locator('.note').getByRole('link', { name, exact: true }).waitFor();
  }
  await endsWell(t, page, problems);
});

t.test('who signs out with two clicks has signed out', async (t) => {
  await service.createAccount('leaving', 'enterprise');
  const { page } = await open('leaving', '');
  let asked = 0;
  let answer = () => {};
  const clicked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/session', async (route) => {
    if (route.request().method() === 'DELETE') {
      asked += 1;
      await clicked;
    }
    await route.continue();
  });
  await button(page, 'Sign out').dblclick();
  answer();
  await page.getByText('You have signed out.').waitFor();
  await shown(page);
  t.ok(await page.getByText('You have signed out.').isVisible());
  t.equal(asked, 1);
  await page.context().close();
});

t.test('whoever makes no key after all gets out of the form in a new tab, too', async (t) => {
  await service.createAccount('tabs', 'enterprise');
  const { page, problems } = await open('tabs', '/keys');
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Create a key' }).click({ modifiers: ['Control'] }),
  ]);
  await tab.getByText('Cancel', { exact: true }).click();
  await tab.getByRole('heading', { name: 'Keys' }).waitFor();
  await endsWell(t, page, problems);
});

t.test('other tabs show nothing of an account after its end or the sign-in of somebody else', async (t) => {
  await service.createAccount('shown', 'enterprise');
  const { page, problems } = await open('shown', '/keys');
  await page.getByText(/There is no (live|test) key yet/).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${origin}/console`);
  const { cookie } = await MemberPage.join(service, 'lists', 'owner', 'another@lists.example');
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  await other.reload();
  await page.getByText('Another tab of this browser signed in as somebody else').waitFor();
  t.equal(await page.getByText(/There is no (live|test) key yet/).count(), 0);
  await page.goto(`${origin}/console`);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await button(other, 'Sign out').click();
  await page.getByText('Your session has ended').waitFor();
  await endsWell(t, page, problems);
});
