/** Every page of the console for every role, in a real browser: light, dark, on a phone; what a role may not see is refused. */
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { invite, MemberPage } from '../http/console/support.ts';
import { ended, filePart, post, readBody } from '../http/jobs/support.ts';
import {
  barriers,
  isAsWideAsTheScreen,
  launchBrowser,
  openPage,
  textBrightness,
} from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { isDelivered } from './support/assertions.ts';
import { convert } from './support/requests.ts';

const service = await Service.start(t);
const browser = await launchBrowser();
t.teardown(() => browser.close());
/** Passkeys need a name of the host. */
const origin = service.url.replace('127.0.0.1', 'localhost');
const DESK = { width: 1_280, height: 800 };
const PHONE = { width: 320, height: 640 };

await service.createAccount('acme', 'enterprise');
const key = await service.createKey({ account: 'acme', name: 'back end' });
const answer = await convert(service, key.key, docx());
isDelivered(t, answer);
const { id: job } = readBody(
  await post(service, key.key, [filePart(), filePart()], { query: '?format=png&width=40' }),
);
await ended(service, key.key, job);
const webhook = await service.services.webhooks.endpoints.add(
  { account: 'acme', environment: 'live' },
  { url: 'https://hooks.example.com/', events: ['job.completed'], description: '', enabled: true },
);
await invite(service, 'acme', 'billing', 'guest@acme.example');
await service.services.requests.flush();

type Role = MemberPage['role'];
const everyone = ['owner', 'developer', 'billing'] as const;
const keepers: readonly Role[] = ['owner', 'developer'];
const owners: readonly Role[] = ['owner'];

interface Place {
  /** Behind /console. */
  readonly path: string;
  readonly title: string | RegExp;
  readonly roles: readonly Role[];
  /** Text to wait for. */
  readonly shows: string;
}

const places: readonly Place[] = [
  { path: '', title: 'Overview', roles: everyone, shows: '#quota' },
  { path: '/requests', title: 'Requests', roles: keepers, shows: 'td' },
  {
    path: `/requests/${answer.headers.get('x-request-id')}`,
    ...{ title: /^Request/, roles: keepers, shows: '#report dd' },
  },
  { path: '/jobs', title: 'Jobs', roles: keepers, shows: 'td' },
  { path: `/jobs/${job}`, title: /^Job/, roles: keepers, shows: 'td' },
  { path: '/usage', title: 'Usage', roles: everyone, shows: 'figure, td' },
  { path: '/keys', title: 'Keys', roles: keepers, shows: 'td' },
  { path: '/keys/new', title: 'Create a key', roles: keepers, shows: 'form' },
  { path: `/keys/${key.id}`, title: /back end/, roles: keepers, shows: 'dd' },
  { path: '/webhooks', title: 'Webhooks', roles: keepers, shows: 'td' },
  { path: `/webhooks/${webhook?.id}`, title: 'Endpoint', roles: keepers, shows: 'dd' },
  { path: '/docs', title: 'Documentation', roles: keepers, shows: 'article' },
  { path: '/docs/quick-start', title: 'Quick start', roles: keepers, shows: 'article' },
  { path: '/members', title: 'Members', roles: keepers, shows: 'td' },
  { path: '/audit', title: 'Audit', roles: owners, shows: 'td' },
  { path: '/settings', title: 'Settings', roles: owners, shows: 'dd' },
  { path: '/you', title: 'You', roles: everyone, shows: '#passkeys td' },
];

/** Actions of a role on a page: names of buttons and links. */
const actions: readonly { readonly path: string; readonly name: RegExp; readonly roles: readonly Role[] }[] =
  [
    { path: '/keys', name: /^Create a key/, roles: keepers },
    { path: '/webhooks', name: /^Add an endpoint/, roles: keepers },
    { path: `/webhooks/${webhook?.id}`, name: /^Rotate the secret/, roles: keepers },
    { path: '/usage', name: /^Ledger as CSV/, roles: ['owner', 'billing'] },
    { path: '/members', name: /^Invite somebody/, roles: owners },
    { path: '/members', name: /^(Change the role|New link|Remove|Withdraw)/, roles: owners },
    { path: '/settings', name: /^Rename/, roles: owners },
    { path: '/you', name: /^Add a passkey/, roles: everyone },
  ];

/** Goes to a path as a link does: to load the page anew costs three times as much. */
async function follow(page: Page, path: string): Promise<void> {
  const nowhere = 'There is no such page';
  // So that the heading of the former page is not taken for that of the next.
  await move(page, '/nowhere');
  await page.locator('main h1', { hasText: nowhere }).waitFor();
  await move(page, path);
  await page.locator('main h1', { hasNotText: nowhere }).waitFor();
}

async function move(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/console${path}')`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
}

async function isFitFor(t: Test, page: Page, state: string): Promise<void> {
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Plots follow the size of the window a moment later.
  await until(`${state} fits a phone`, () => isAsWideAsTheScreen(page));
  t.ok((await textBrightness(page, 'h1')) > 150, `${state}: is dark`);
  t.strictSame(await barriers(page), [], `${state}: no barriers on a phone, dark`);
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light' });
}

for (const role of everyone) {
  t.test(role, async (t) => {
    const member = await MemberPage.join(service, 'acme', role);
    const { page, problems } = await openPage(browser, origin, { viewport: DESK });
    const [name = '', value = ''] = member.cookie.split('=');
    await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
    await page.goto(`${origin}/console`);
    await page.locator('main h1').waitFor();
    const links = await page.getByRole('navigation').getByRole('link').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    const sections = places.filter(
      (place) => place.roles.includes(role) && !place.path.slice(1).includes('/'),
    );
    t.strictSame(
      paths.map((path) => path?.replace('/console', '')),
      sections.map(({ path }) => path),
      'the navigation',
    );
    for (const { path, title, roles: allowed, shows } of places) {
      await follow(page, path);
      const heading = page.locator('main h1');
      if (!allowed.includes(role)) {
        t.equal(await heading.innerText(), 'Not for your role', path);
        continue;
      }
      await page.locator('main').locator(shows).first().waitFor();
      t.match(await heading.innerText(), title, path);
      if (path.includes(job)) {
        const pictures = () =>
          page.evaluate<string>(`Array.from(document.querySelectorAll('td[data-title="Picture"] img'),
            ({ alt, naturalWidth, offsetWidth, offsetHeight }) => [alt, naturalWidth, offsetWidth, offsetHeight].join(' ')).join()`);
        await until('the pictures are there', async () => !/ 0 /.test(await pictures()));
        t.equal(await pictures(), 'Page of file 1 40 96 96,Page of file 2 40 96 96');
      }
      for (const action of actions.filter((each) => each.path === path)) {
        const found = page.locator('main').locator('button, a').filter({ hasText: action.name });
        t.equal((await found.count()) > 0, action.roles.includes(role), `${path}: ${action.name}`);
      }
      if (role === 'owner') await isFitFor(t, page, path);
    }
    if (role === 'owner') {
      const makersOn = async (path: string, caption: string) => {
        await follow(page, path);
        const cells = page.getByRole('table', { name: caption }).locator('td[data-title="Made by"]');
        await cells.first().waitFor();
        return cells.allInnerTexts();
      };
      t.match(await makersOn('/keys', 'Keys'), ['an operator']);
      t.match(await makersOn('/members', 'Open invitations'), ['an operator']);
      t.match(await makersOn('/webhooks', 'Webhook endpoints'), ['–'], 'nobody was named');
    }
    if (role === 'billing') {
      await follow(page, '/keys/new');
      await isFitFor(t, page, 'not for this role');
    }
    t.strictSame(problems, [], 'no console error, no request to another host');
    await page.context().close();
  });
}

t.test('an owner of a suspended account', async (t) => {
  const member = await MemberPage.join(service, 'acme', 'owner', 'suspended@acme.example');
  await service.suspend('acme');
  const { page, problems } = await openPage(browser, origin, { viewport: DESK });
  const [name = '', value = ''] = member.cookie.split('=');
  await page.context().addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(`${origin}/console`);
  const note = page.getByRole('complementary', { name: 'About this account' });
  await note.waitFor();
  t.match(
    await note.innerText(),
    /^This account is suspended\. .*you can read and export\. Ask your operator why\.$/,
  );
  t.equal(await page.getByRole('navigation').getByRole('link').count(), 11, 'all sections');
  const stay = ['/usage', '/you'];
  for (const { path, title, shows } of places) {
    await follow(page, path);
    const heading = page.locator('main h1');
    if (path === '/keys/new') {
      t.equal(await heading.innerText(), 'Not now');
      continue;
    }
    await page.locator('main').locator(shows).first().waitFor();
    t.match(await heading.innerText(), title, path);
    for (const action of actions.filter((each) => each.path === path)) {
      const found = page.locator('main').locator('button, a').filter({ hasText: action.name });
      t.equal((await found.count()) > 0, stay.includes(path), `${path}: ${action.name}`);
    }
  }
  await isFitFor(t, page, 'suspended');
  await service.resume('acme');
  await follow(page, '/keys');
  await page.getByRole('link', { name: 'Create a key' }).waitFor();
  t.equal(await note.count(), 0, 'all is as before');
  t.strictSame(problems, [], 'no console error, no request to another host');
  await page.context().close();
});
