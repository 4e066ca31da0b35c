/** The maintenance mode, and the audit of what was done before. */
import type { Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { convert } from '../support/requests.ts';
import { button, type Dashboard, endsWell, go, isAccessible } from './dashboard.ts';

export function service(t: Test, dashboard: Dashboard): void {
  t.test('maintenance on and off', async (t) => {
    const watched = await dashboard.openSignedIn('/maintenance');
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
    await endsWell(t, watched);
  });

  t.test('who did what', async (t) => {
    const watched = await dashboard.openSignedIn('/audit');
    const { page } = watched;
    await page.locator('tbody tr').first().waitFor();
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
    await endsWell(t, watched);
  });
}
