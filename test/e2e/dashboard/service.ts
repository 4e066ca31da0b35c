/** The maintenance mode, and the audit of what was done before. */
import type { Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { redisOf } from '../support/processes.ts';
import { convert, get } from '../support/requests.ts';
import { button, type Dashboard, go, isAccessible, refusal } from './dashboard.ts';

export function service(t: Test, dashboard: Dashboard): void {
  t.test('maintenance on and off', async (t) => {
    const watched = await dashboard.visit('/maintenance');
    const { page } = watched;
    await page.getByText('Maintenance is off.').waitFor();
    await isAccessible(t, page, 'maintenance off');
    await dashboard.server.cli('maintenance', 'on');
    await page.getByText('Maintenance is on').waitFor();
    await dashboard.server.cli('maintenance', 'off');
    await page.getByText('Maintenance is off.').waitFor();
    await button(page, 'Turn maintenance on').click();
    await page.getByText('every customer gets 503').waitFor();
    await isAccessible(t, page, 'maintenance, the question');
    // A year of five digits, where the browser takes one.
    await page.getByLabel('Expected end (optional)').pressSequentially('0101120260100AM');
    await page.getByText('That is not in the future.').waitFor();
    await button(page, 'Cancel').click();
    await button(page, 'Turn maintenance on').click();
    await button(page, 'Turn it on').click();
    await page.getByText('Maintenance is on').waitFor();
    await page.locator('.light', { hasText: 'Maintenance' }).waitFor();
    await isAccessible(t, page, 'maintenance on');
    isError(t, await convert(dashboard.server, undefined, docx()), 'SERVICE_UNAVAILABLE');
    await go(page, 'Overview');
    await page.getByText('Conversions are refused').waitFor();
    await isAccessible(t, page, 'overview in maintenance');
    await page.getByRole('link', { name: 'Turn it off' }).click();
    await button(page, 'Turn maintenance off').click();
    await button(page, 'Turn it off').click();
    await page.getByText('Maintenance is off.').waitFor();
    await page.locator('.light', { hasText: 'Ready' }).waitFor();
    await isPdf(t, await convert(dashboard.server, undefined, docx()), /./);
    await dashboard.endsWell(t, watched);
  });

  t.test('maintenance that began while the page had no connection', async (t) => {
    const { server } = dashboard;
    const { page } = await dashboard.openSignedIn('');
    await page.locator('.light', { hasText: 'Ready' }).waitFor();
    await page.route('**/operator/v1/events', (route) => route.abort());
    // As after a while in another tab.
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('.light', { hasText: 'Connecting' }).waitFor();
    await server.cli('maintenance', 'on');
    t.teardown(() => server.cli('maintenance', 'off'));
    await go(page, 'Maintenance');
    await page.getByText('Maintenance is on').waitFor();
    await page.context().close();
  });

  t.test('Redis is away: when to try again, as a person understands', async (t) => {
    const watched = await dashboard.openSignedIn('');
    const { page } = watched;
    const redis = redisOf(dashboard.server);
    process.kill(redis, 'SIGSTOP');
    t.teardown(() => process.kill(redis, 'SIGCONT'));
    await go(page, 'Accounts');
    await page.getByText('The service is not available now. Try again in 1 second.').first().waitFor();
    t.notMatch(await page.locator('main').innerText(), /header/i);
    process.kill(redis, 'SIGCONT');
    await until('Redis is back', async () => (await get(dashboard.server, '/health/ready')).status === 200);
    await button(page, 'Try again').click();
    await page.locator('tbody tr').first().waitFor();
    await page.context().close();
  });

  t.test('an address that somebody mangled', async (t) => {
    const path = '/accounts/%E0%A4%A';
    const { status, headers, body } = await get(dashboard.server, `/dashboard${path}`);
    const { body: page } = await get(dashboard.server, '/dashboard');
    t.equal(status, 200);
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    t.ok(body.equals(page), 'the document of the dashboard');
    const watched = await dashboard.visit(path);
    await watched.page.getByText('There is no such account').first().waitFor();
    await isAccessible(t, watched.page, 'no such account');
    await dashboard.endsWell(t, watched, [refusal('404 (Not Found)')]);
  });

  t.test('who did what', async (t) => {
    const watched = await dashboard.visit('/audit');
    const { page } = watched;
    await button(page, 'Show more').click();
    await until('the second page', async () => (await page.locator('tbody tr').count()) > 50);
    const text = (await page.locator('tbody').innerText()).replace(/\s+/g, ' ');
    for (const what of [
      'Maintenance turned off – 127.0.0.1 on the dashboard',
      'Maintenance turned on – 127.0.0.1 on the dashboard',
      'Plan changed globex 127.0.0.1 on the dashboard plan: large, former plan: small',
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
    await dashboard.endsWell(t, watched);
  });
}
