/** Signing in and out, and how a session ends. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { isError } from '../support/assertions.ts';
import { send } from '../support/requests.ts';
import { button, type Dashboard, heading, isAccessible, refusal } from './dashboard.ts';

const LIFETIME_MS = 12 * 3_600_000;
const FEW_MINUTES_MS = 5 * 60_000;

export function sessions(t: Test, dashboard: Dashboard): void {
  t.test('only the token signs in; signing out', async (t) => {
    const watched = await dashboard.open('');
    const { page } = watched;
    await heading(page, 'Sign in').waitFor();
    await isAccessible(t, page, 'sign-in');
    await page.getByLabel('Operator token').fill('not-the-token');
    await button(page, 'Sign in with the token').click();
    await page.getByText('This is not the operator token.').waitFor();
    t.match(await page.getByRole('alert').innerText(), /Request id: req_[0-9a-f]{32}/);
    await isAccessible(t, page, 'refused');

    await dashboard.signIn(page);
    await heading(page, 'Overview').waitFor();
    t.strictSame(await dashboard.placesWith(page, dashboard.token), [], 'the token stays nowhere');
    const [cookie] = await page.context().cookies();
    t.match(cookie, { httpOnly: true, sameSite: 'Strict', expires: -1 });
    t.equal(await page.evaluate<string>('document.cookie'), '', 'no script reads it');
    await page.reload();
    await heading(page, 'Overview').waitFor();

    await button(page, 'Sign out').click();
    await page.getByText('You have signed out.').waitFor();
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` };
    isError(
      t,
      await send(dashboard.server, '/operator/v1/overview', { method: 'GET', headers }),
      'MISSING_AUTH',
    );
    await page.reload();
    await heading(page, 'Sign in').waitFor();
    await dashboard.endsWell(t, watched, [refusal('401 (Unauthorized)')]);
  });

  t.test('nothing inline, nothing of others, nothing kept by the browser', async (t) => {
    const { status, headers } = await send(dashboard.server, '/dashboard/accounts', { method: 'GET' });
    t.equal(status, 200);
    const policy = headers.get('content-security-policy') ?? '';
    t.match(policy, "default-src 'none'");
    t.match(policy, "script-src 'self';");
    t.match(policy, "style-src 'self';");
    t.equal(headers.get('cache-control'), 'no-store');
  });

  t.test('requests from outside the page are refused', async (t) => {
    const watched = await dashboard.visit('/maintenance');
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
    await dashboard.endsWell(t, watched, [forbidden, forbidden]);
  });

  t.test('whoever signs in again in another tab can go on in this one', async (t) => {
    const watched = await dashboard.open('/maintenance');
    const { page } = watched;
    const other = await page.context().newPage();
    await other.goto(page.url());
    await dashboard.signIn(page);
    await button(page, 'Show a banner').click();
    await page.getByRole('dialog').getByLabel('Text').fill('We move.');
    await dashboard.signIn(other);
    // The stream of the first session ends, and that of the second begins.
    await page.locator('.light', { hasText: 'Connecting …' }).waitFor();
    await page.locator('.light', { hasText: 'Ready' }).waitFor();
    await button(page, 'Show it').click();
    await button(page, 'Remove the banner').click();
    await page.getByText('There is no banner.').waitFor();
    await dashboard.endsWell(t, watched, [refusal('403 (Forbidden)')]);
  });

  t.test('a session ends half an hour after its last use', async (t) => {
    const watched = await dashboard.visit('/audit');
    const { page } = watched;
    await page.locator('tbody tr').first().waitFor();
    // Connected: the stream says that the session ended.
    await page.locator('.light', { hasText: 'Ready' }).waitFor();
    await (await stored(t, dashboard, page)).change({ idleUntil: 1 });
    await page.getByText('Your session has ended').waitFor();
    t.equal(await page.locator('tbody').count(), 0, 'nothing is left on the page');
    await isAccessible(t, page, 'session ended');
    await dashboard.signIn(page);
    await heading(page, 'Audit').waitFor();
    const refused = refusal('401 (Unauthorized)');
    // The stream that begins again, and the question why it was refused.
    await dashboard.endsWell(t, watched, [refused, refused]);
  });

  t.test('an idle open page does not extend the session, even if its stream breaks', async (t) => {
    const watched = await dashboard.openSignedIn('');
    const { page } = watched;
    await page.getByText('Live · as of').waitFor();
    const { read, change } = await stored(t, dashboard, page);
    const idleUntil = Date.now() + FEW_MINUTES_MS;
    await change({ idleUntil });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    let isBroken = true;
    await page.route('**/events', (route) =>
      isBroken && route.request().resourceType() === 'eventsource' ? route.abort() : route.continue(),
    );
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('Not live, connecting again').waitFor();
    isBroken = false;
    await page.getByText('Live · as of').waitFor();
    t.strictSame([...new Set(asked)], ['/operator/v1/events']);
    t.ok(asked.length >= 3, 'the stream, why it broke, and the stream again');
    t.equal((await read()).idleUntil, idleUntil, 'the session lasts no longer');
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.locator('tbody tr').first().waitFor();
    t.not((await read()).idleUntil, idleUntil, 'a click is a use');
    await dashboard.endsWell(t, watched, ['Failed to load resource: net::ERR_FAILED']);
  });

  t.test('a session ends twelve hours after it began, however much it is used', async (t) => {
    const watched = await dashboard.openSignedIn('/audit');
    const { page } = watched;
    await page.locator('tbody tr').first().waitFor();
    await page.locator('.light', { hasText: 'Ready' }).waitFor();
    // This tests the answer to the click, not the end of the stream.
    await page.route('**/events', (route) => route.abort());
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('.light', { hasText: 'Connecting' }).waitFor();
    const { read, change } = await stored(t, dashboard, page);
    const { beganAt, expiresAt } = await read();
    await change({ beganAt: beganAt - LIFETIME_MS, expiresAt: expiresAt - LIFETIME_MS });
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByText('it lasts 30 minutes without use, and 12 hours at most').waitFor();
    await dashboard.signIn(page);
    await heading(page, 'Accounts').waitFor();
    const problems = watched.problems.filter((problem) => !problem.endsWith('net::ERR_FAILED'));
    await dashboard.endsWell(t, { page, problems }, [refusal('401 (Unauthorized)')]);
  });
}

type Times = Record<'beganAt' | 'idleUntil' | 'expiresAt', number>;

/** The session of a page, as stored in Redis. */
async function stored(t: Test, { server }: Dashboard, page: Page) {
  const redis = new Redis(join(server.dataDir, 'redis/redis.sock'));
  t.teardown(() => redis.disconnect());
  const [cookie] = await page.context().cookies();
  const hash = createHash('sha256')
    .update(cookie?.value ?? '')
    .digest('hex');
  const read = async () => JSON.parse((await redis.hget('platen:operator:sessions', hash)) ?? '{}') as Times;
  return {
    read,
    change: async (times: Partial<Times>) => {
      await redis.hset('platen:operator:sessions', hash, JSON.stringify({ ...(await read()), ...times }));
    },
  };
}
