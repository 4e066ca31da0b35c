/** The dashboard, as an operator meets it in a real browser. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { BrowserContextOptions, Page } from 'playwright-core';
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
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { operatorToken } from './support/operator.ts';
import { writePlans } from './support/plans.ts';
import { convert, send } from './support/requests.ts';

const PER_HOUR = 4;
const PER_MONTH = 8;

const folder = await mkdtemp(join(tmpdir(), 'platen-dashboard-'));
const server = await Server.start({
  env: {
    PLANS_FILE: await writePlans(folder, { small: { perHour: PER_HOUR, perMonth: PER_MONTH }, large: {} }),
  },
});
const token = await operatorToken(server);
const browser = await launchBrowser();
t.teardown(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

const refusal = (status: string) =>
  `Failed to load resource: the server responded with a status of ${status}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** The dashboard in a browser of its own, at the sign-in. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, server.url, { timezoneId: 'Asia/Tokyo', ...options });
  await watched.page.goto(`${server.url}/dashboard${path}`);
  return watched;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Operator token').fill(token);
  await button(page, 'Sign in').click();
  await button(page, 'Sign out').waitFor();
}

async function openSignedIn(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await open(path, options);
  await signIn(watched.page);
  return watched;
}

/** Goes where a link of the page leads. */
async function go(page: Page, link: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: link }).click();
  await heading(page, link).waitFor();
}

async function isAccessible(t: Test, page: Page, state: string): Promise<void> {
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
}

/** Asserts that the page loaded nothing and met nothing that it should not. */
async function endsWell(
  t: Test,
  { page, problems }: WatchedPage,
  expected: readonly string[] = [],
): Promise<void> {
  t.strictSame(problems, expected, 'no console error, no request to another host');
  await page.context().close();
}

/** What a text stands in: the page as it is now, its address, its storage, and the log of the service. */
async function placesWith(page: Page, text: string): Promise<string[]> {
  const places = {
    html: await page.content(),
    fields: await page.evaluate<string>(
      `JSON.stringify([...document.querySelectorAll('input, textarea')].map(({ value }) => value))`,
    ),
    stored: await storedBy(page),
    log: JSON.stringify(server.log),
    printed: server.printed.join('\n'),
  };
  return Object.entries(places).flatMap(([place, content]) => (content.includes(text) ? [place] : []));
}

t.test('who has not the token does not get in; who has it does, and out again', async (t) => {
  const watched = await open('');
  const { page } = watched;
  await heading(page, 'Sign in').waitFor();
  await isAccessible(t, page, 'sign-in');
  await page.getByLabel('Operator token').fill('not-the-token');
  await button(page, 'Sign in').click();
  await page.getByText('This is not the operator token.').waitFor();
  t.match(await page.getByRole('alert').innerText(), /Request id: req_[0-9a-f]{32}/);
  await isAccessible(t, page, 'refused');

  await signIn(page);
  await heading(page, 'Overview').waitFor();
  t.strictSame(await placesWith(page, token), [], 'the token stays nowhere');
  const [cookie] = await page.context().cookies();
  t.match(cookie, { httpOnly: true, sameSite: 'Strict', expires: -1 });
  t.equal(await page.evaluate<string>('document.cookie'), '', 'no script reads it');
  await page.reload();
  await heading(page, 'Overview').waitFor();

  await button(page, 'Sign out').click();
  await page.getByText('You have signed out.').waitFor();
  const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
  isError(t, await send(server, '/operator/v1/overview', { method: 'GET', headers }), 'MISSING_AUTH');
  await page.reload();
  await heading(page, 'Sign in').waitFor();
  await endsWell(t, watched, [refusal('401 (Unauthorized)')]);
});

t.test('nothing inline, nothing of others, nothing kept by the browser', async (t) => {
  const { status, headers } = await send(server, '/dashboard/accounts', { method: 'GET' });
  t.equal(status, 200);
  const policy = headers.get('content-security-policy') ?? '';
  t.match(policy, "default-src 'none'");
  t.match(policy, "script-src 'self';");
  t.match(policy, "style-src 'self';");
  t.equal(headers.get('cache-control'), 'no-store');
});

t.test('the overview without traffic, then live', async (t) => {
  const watched = await openSignedIn('');
  const { page } = watched;
  await page.getByText('All is well.').waitFor();
  await page.getByText('No request in the last hour.').first().waitFor();
  t.equal(await page.getByText('No conversion in the last hour.').count(), 2);
  await isAccessible(t, page, 'overview without traffic');
  await page.evaluate('window.isSame = true');

  await isPdf(t, await convert(server, undefined, docx()), /./);
  isError(t, await convert(server, undefined, Buffer.from('%PDF-1.7')), 'INVALID_FILE_TYPE');
  await page.getByText('INVALID_FILE_TYPE').waitFor();
  t.match(await page.locator('#period .summary').innerText(), /Conversions\s+1\s+Not converted\s+1\s/);
  t.equal(await page.getByText(/^No (request|conversion) in the last hour\.$/).count(), 0);
  await page.getByText('As a table').first().click();
  t.match(await page.locator('.figures').innerText(), /\t1\t1$/m, 'the figures of the plot');
  await isAccessible(t, page, 'overview with traffic');
  await page.getByLabel('Last day').check();
  await page.getByText('Outcomes').waitFor();
  t.equal(await page.evaluate('window.isSame'), true, 'the page was never loaded again');
  await endsWell(t, watched);
});

t.test('the life of a key', async (t) => {
  const watched = await openSignedIn('/accounts');
  const { page } = watched;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('There is no account yet.').waitFor();
  await isAccessible(t, page, 'no accounts');
  await button(page, 'New account').click();
  await page.getByLabel('Name', { exact: true }).fill('Acme Ltd');
  await page.getByLabel('Id (optional)').fill('ACME');
  await page.getByText('Small letters, digits').waitFor();
  t.ok(await button(page, 'Create the account').isDisabled());
  await isAccessible(t, page, 'new account');
  await page.getByLabel('Id (optional)').fill('acme');
  await button(page, 'Create the account').click();
  await heading(page, 'Acme Ltd').waitFor();
  await page.getByText('It has no key yet.').waitFor();
  await isAccessible(t, page, 'a new account');

  await page.getByRole('link', { name: 'Create a key' }).click();
  await heading(page, 'Create a key').waitFor();
  await page.getByText('Acme Ltd, plan small').waitFor();
  await page.getByLabel('IP restrictions').fill('127.0.0.1/33');
  await page.getByText('“127.0.0.1/33” is neither an IP address nor a CIDR block.').waitFor();
  await page.getByLabel('Expires').fill('2020-01-01T10:00');
  await page.getByText('That is not in the future.').waitFor();
  await page.getByRole('combobox', { name: 'Account' }).fill('nobody');
  await page.getByText('There is no such account.').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('back end');
  await button(page, 'Create the key').click();
  t.ok(
    await page.getByRole('combobox', { name: 'Account' }).evaluate((field) => field.matches(':focus')),
    'the first mistake',
  );
  await isAccessible(t, page, 'a key with mistakes');
  await page.getByLabel(/^pk /).check();
  t.ok(await page.getByLabel('usage').isDisabled(), 'a public key can only convert');
  await page.getByLabel(/^sk /).check();
  await page.getByRole('combobox', { name: 'Account' }).fill('acme');
  await page.getByLabel('IP restrictions').fill('127.0.0.0/8\n2001:db8::/32');
  await page.getByLabel('Expires').fill('2100-01-01T09:00');
  await page.getByText('2100-01-01 00:00:00 UTC').waitFor();
  await page.getByText('Acme Ltd, plan small').waitFor();
  await button(page, 'Create the key').click();

  const first = await takeKey(t, page, 'back end');
  await isPdf(t, await convert(server, first, docx({ pages: 3 })), 'Page 3', 3);
  isError(t, await convert(server, first, Buffer.from('%PDF-1.7')), 'INVALID_FILE_TYPE');
  await page.reload();
  const row = page.locator('tr', { hasText: 'back end' });
  await row.getByText('just now').waitFor();
  t.match(await row.innerText(), /127\.0\.0\.0\/8, 2001:db8::\/32/);
  t.match(await row.innerText(), '1 Jan 2100, 09:00');
  t.equal(await row.locator('time').last().getAttribute('title'), '2100-01-01 00:00:00 UTC');
  t.match(await page.locator('#quota').innerText(), `1 of ${PER_MONTH}`);
  t.match(await page.locator('main').innerText(), new RegExp(`This hour\\s+2 of ${PER_HOUR}`));
  t.match(await page.locator('#usage .summary').innerText(), /Conversions\s+1\s+Failures\s+1\s+Pages\s+3\s/);
  t.ok(await hasColour(page, '#usage canvas'), 'the plot has bars');
  await isAccessible(t, page, 'an account in use');
  const [ledger] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Ledger as CSV' }).click(),
  ]);
  t.match(ledger.suggestedFilename(), /^platen-acme-\d{4}-\d\d\.csv$/);

  await row.getByRole('button', { name: /^Rotate/ }).click();
  await page.getByText('give the new one to all programs before').waitFor();
  await isAccessible(t, page, 'rotate');
  await page.getByRole('dialog').getByRole('combobox').selectOption('ends at once');
  await page.getByText('get 401 with their next request').waitFor();
  await button(page, 'Rotate the key').click();
  const second = await takeKey(t, page, 'back end');
  t.not(second, first);
  isError(t, await convert(server, first, docx()), 'EXPIRED_API_KEY');
  await isPdf(t, await convert(server, second, docx()), /./);

  const valid = page.locator('tr', { hasText: 'Valid' });
  await valid.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByText('This cannot be undone.').waitFor();
  await isAccessible(t, page, 'revoke');
  await button(page, 'Cancel').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await isPdf(t, await convert(server, second, docx()), /./);
  await valid.getByRole('button', { name: /^Revoke/ }).click();
  await button(page, 'Revoke the key').click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  isError(t, await convert(server, second, docx()), 'INVALID_API_KEY');
  await page.reload();
  await page.getByText('Revoked', { exact: true }).waitFor();
  t.equal(await page.getByRole('button', { name: /^(Revoke|Rotate)/ }).count(), 0, 'nothing is left to do');

  for (const key of [first, second]) t.strictSame(await placesWith(page, key), []);
  await endsWell(t, watched);

  async function takeKey(t: Test, page: Page, name: string): Promise<string> {
    await heading(page, `The key of “${name}”`).waitFor();
    const key = await page.locator('.secret code').innerText();
    t.match(key, /^svc_live_sk_\w{40,}$/);
    await isAccessible(t, page, 'a key is shown');
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    t.equal(await page.evaluate<string>('navigator.clipboard.readText()'), key);
    await button(page, 'I have it, hide it').click();
    await page.locator('.secret').waitFor({ state: 'detached' });
    t.strictSame(await placesWith(page, key), [], 'it was shown once');
    return key;
  }
});

t.test('why a customer got a 429', async (t) => {
  await server.cli('accounts', 'create', '--name', 'Globex', '--plan', 'small', '--id', 'globex');
  const { key } = await server.cli<{ key: string }>(
    ...['keys', 'create', '--account', 'globex', '--name', 'loop', '--env', 'live', '--type', 'sk'],
  );
  for (let i = 0; i < PER_HOUR; i += 1) await convert(server, key, Buffer.from('text'));
  const { requestId } = isError(t, await convert(server, key, docx()), 'RATE_LIMIT_EXCEEDED');

  const watched = await openSignedIn('');
  const { page } = watched;
  const search = page.getByLabel('Search by request id, key id or account');
  await search.fill(`Your id: ${requestId}.`);
  await search.press('Enter');
  await page.getByText(/The window of an hour was full, which all live keys/).waitFor();
  t.match(await page.locator('main').innerText(), '429 RATE_LIMIT_EXCEEDED');
  t.equal(new URL(page.url()).pathname, `/dashboard/requests/${requestId}`);
  await isAccessible(t, page, 'a request');
  await page.locator('main').getByRole('link', { name: 'globex' }).click();
  await heading(page, 'Globex').waitFor();
  await page.locator('#requests tbody tr').first().waitFor();
  t.equal(await page.locator('#requests tbody tr').count(), PER_HOUR + 1);
  await page.getByLabel('Outcome').selectOption('RATE_LIMIT_EXCEEDED');
  await until('only those', async () => (await page.locator('#requests tbody tr').count()) === 1);
  await page.getByLabel('Outcome').selectOption('CONVERSION_FAILED');
  await page.getByText('No such request in the last seven days.').waitFor();

  await search.fill(key);
  await search.press('Enter');
  await page.getByText('That was a whole key.').waitFor();
  t.strictSame(await placesWith(page, key), [], 'a key that was pasted goes nowhere');
  await search.fill('glob');
  await search.press('Enter');
  await page.getByText('1 of 2').waitFor();
  await page.getByRole('link', { name: 'Globex' }).waitFor();
  await isAccessible(t, page, 'accounts found');

  await search.fill(`req_${'0'.repeat(32)}`);
  await search.press('Enter');
  await page.getByText('There is no such request').waitFor();
  await isAccessible(t, page, 'no such request');
  await page.goto(`${server.url}/dashboard/nowhere`);
  await heading(page, 'There is no such page').waitFor();
  await endsWell(t, watched, [refusal('404 (Not Found)')]);
});

t.test('another plan', async (t) => {
  const watched = await openSignedIn('/accounts/globex');
  const { page } = watched;
  await button(page, 'Change the plan').click();
  t.ok(await page.getByRole('dialog').getByRole('button', { name: 'Change the plan' }).isDisabled());
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('large');
  await page.getByText('no quota.').waitFor();
  await isAccessible(t, page, 'change of plan');
  await page.getByRole('dialog').getByRole('button', { name: 'Change the plan' }).click();
  await page.getByText('plan large').waitFor();
  await page.getByText('Its plan has no rate windows.').waitFor();
  t.match(await page.locator('#quota').innerText(), '0 conversions, no limit');
  await endsWell(t, watched);
});

t.test('keys that expire soon', async (t) => {
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  const { id, display } = await server.cli<{ id: string; display: string }>(
    ...['keys', 'create', '--account', 'globex', '--name', 'trial', '--env', 'test', '--type', 'pk'],
    ...['--expires', expires],
  );
  const watched = await openSignedIn('/keys');
  const { page } = watched;
  await page.getByText('Expiring soon').last().waitFor();
  t.match(await page.locator('tbody').innerText(), display);
  await isAccessible(t, page, 'keys');
  await page.getByRole('link', { name: 'trial' }).click();
  await heading(page, 'trial').waitFor();
  t.equal(new URL(page.url()).pathname, `/dashboard/keys/${id}`);
  t.ok(await heading(page, 'trial').evaluate((element) => element.matches(':focus')), 'where the focus is');
  await isAccessible(t, page, 'a key');
  await page.goBack();
  await heading(page, 'Keys').waitFor();
  await endsWell(t, watched);
});

t.test('maintenance on and off', async (t) => {
  const watched = await openSignedIn('/maintenance');
  const { page } = watched;
  await page.getByText('Maintenance is off.').waitFor();
  await isAccessible(t, page, 'maintenance off');
  await button(page, 'Turn maintenance on').click();
  await page.getByText('every customer gets 503').waitFor();
  await isAccessible(t, page, 'maintenance, the question');
  await button(page, 'Turn it on').click();
  await page.getByText('Maintenance is on').waitFor();
  await page.locator('.light', { hasText: 'Maintenance' }).waitFor();
  await isAccessible(t, page, 'maintenance on');
  isError(t, await convert(server, undefined, docx()), 'SERVICE_UNAVAILABLE');
  await go(page, 'Overview');
  await page.getByText('Conversions are refused').waitFor();
  await isAccessible(t, page, 'overview in maintenance');
  await page.getByRole('link', { name: 'Turn it off' }).click();
  await button(page, 'Turn maintenance off').click();
  await button(page, 'Turn it off').click();
  await page.getByText('Maintenance is off.').waitFor();
  await page.locator('.light', { hasText: 'Ready' }).waitFor();
  await isPdf(t, await convert(server, undefined, docx()), /./);
  await endsWell(t, watched);
});

t.test('who did what', async (t) => {
  const watched = await openSignedIn('/audit');
  const { page } = watched;
  await page.locator('tbody tr').first().waitFor();
  const text = (await page.locator('tbody').innerText()).replace(/\s+/g, ' ');
  for (const what of [
    'Maintenance turned off – 127.0.0.1 on the dashboard',
    'Maintenance turned on – 127.0.0.1 on the dashboard',
    'Plan changed globex 127.0.0.1 on the dashboard plan: large, formerPlan: small',
    'Key revoked acme key_',
    'Key rotated acme key_',
    'Key created acme key_',
    /Key created globex key_\w+ \S+ on the command line/,
    'Account created acme 127.0.0.1 on the dashboard',
    'Signed out – 127.0.0.1 on the dashboard',
    'Sign-in refused – 127.0.0.1 without the token',
  ]) {
    t.match(text, what);
  }
  await isAccessible(t, page, 'audit');
  await endsWell(t, watched);
});

t.test('a session that ends', async (t) => {
  const redis = new Redis(join(server.dataDir, 'redis/redis.sock'));
  t.teardown(() => redis.disconnect());
  const watched = await openSignedIn('/audit');
  const { page } = watched;
  await page.locator('tbody tr').first().waitFor();
  // Connected: the stream says that the session ended.
  await page.locator('.light', { hasText: 'Ready' }).waitFor();
  const [cookie] = await page.context().cookies();
  const hash = createHash('sha256')
    .update(cookie?.value ?? '')
    .digest('hex');
  // What half an hour without a request does.
  await redis.hset(`platen:operator:session:${hash}`, 'idleUntil', 1);
  await page.getByText('Your session has ended.').waitFor();
  t.equal(await page.locator('tbody').count(), 0, 'nothing is left on the page');
  await isAccessible(t, page, 'session ended');
  await signIn(page);
  await heading(page, 'Audit').waitFor();
  await endsWell(t, watched);
});

t.test('what does not come from the page is refused', async (t) => {
  const watched = await openSignedIn('/maintenance');
  const { page } = watched;
  await page.getByText('Maintenance is off.').waitFor();
  const put = (headers: Record<string, string>) =>
    page.evaluate<number>(
      `fetch('/operator/v1/maintenance', {
        method: 'PUT', body: '{"on":true}',
        headers: ${JSON.stringify({ 'content-type': 'application/json', ...headers })},
      }).then(({ status }) => status)`,
    );
  t.equal(await put({}), 403, 'without the CSRF token');
  t.equal(await put({ 'x-csrf-token': 'A'.repeat(43) }), 403, 'with another');
  await page.reload();
  await page.getByText('Maintenance is off.').waitFor();
  const forbidden = refusal('403 (Forbidden)');
  await endsWell(t, watched, [forbidden, forbidden]);
});

t.test('on a small phone, in the dark', async (t) => {
  const options = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;
  const watched = await open('', options);
  const { page } = watched;
  await heading(page, 'Sign in').waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'sign-in: no horizontal scroll');
  await isAccessible(t, page, 'sign-in, dark');
  await signIn(page);
  await page.locator('#period').waitFor();
  t.ok((await textBrightness(page, 'h1')) > 192, 'is dark');
  for (const [path, done] of [
    ['', '#period'],
    ['/accounts', 'tbody tr'],
    ['/accounts/acme', '#requests tbody tr'],
    ['/keys', 'tbody tr'],
    ['/keys/new', 'form.form'],
    ['/maintenance', '.state'],
    ['/audit', 'tbody tr'],
  ] as const) {
    await page.goto(`${server.url}/dashboard${path}`);
    await page.locator(done).first().waitFor();
    t.ok(await isAsWideAsTheScreen(page), `${path}: no horizontal scroll`);
    await isAccessible(t, page, `${path}, dark`);
  }
  await endsWell(t, watched);
});

t.test('the server is away', async (t) => {
  const { page } = await openSignedIn('');
  await page.getByText('Live').waitFor();
  await endsCleanly(t, server);
  await page.getByText('Not live, connecting again').waitFor();
  await go(page, 'Accounts');
  await page.getByText('The service cannot be reached.').first().waitFor();
  await button(page, 'Try again').waitFor();
  await isAccessible(t, page, 'the server is away');
  await page.context().close();
});

/** Whether a canvas has a pixel of a strong colour: axes and grid are grey. */
function hasColour(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector(${JSON.stringify(selector)});
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let i = 0; i < data.length; i += 4) {
      const pixel = [data[i], data[i + 1], data[i + 2]];
      if (data[i + 3] === 255 && Math.max(...pixel) - Math.min(...pixel) > 120) return true;
    }
    return false;
  })()`);
}
