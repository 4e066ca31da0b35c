/** Every page on a small phone, in the dark; tables on a tablet. */
import type { Test } from 'tap';
import { isAsWideAsTheScreen, textBrightness } from '../../support/browser.ts';
import { type Dashboard, follow, go, heading, isAccessible } from './dashboard.ts';

export function smallScreen(t: Test, dashboard: Dashboard): void {
  t.test('on a small phone, in the dark', async (t) => {
    const options = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;
    const name = 'W'.repeat(200);
    await dashboard.server.createAccount({ name, plan: 'small', id: 'wide' });
    const watched = await dashboard.open('', options);
    const { page } = watched;
    await heading(page, 'Sign in').waitFor();
    t.ok(await isAsWideAsTheScreen(page), 'sign-in: no horizontal scroll');
    await isAccessible(t, page, 'sign-in, dark');
    await dashboard.signIn(page);
    await page.locator('#period').waitFor();
    t.ok((await textBrightness(page, 'h1')) > 192, 'is dark');
    for (const [path, title, done] of [
      ['', 'Overview', '#period'],
      ['/accounts', 'Accounts', 'tbody tr'],
      ['/accounts/acme', 'Acme Ltd', '#requests tbody tr'],
      ['/keys', 'Keys', 'tbody tr'],
      ['/keys/new', 'Create a key', 'form.form'],
      ['/keys/new?account=wide', 'Create a key', '.hint:has-text("WWW")'],
      ['/accounts/wide', name, '#usage .summary'],
      ['/maintenance', 'Maintenance', '.state'],
      ['/audit', 'Audit', 'tbody tr'],
    ] as const) {
      await follow(page, path);
      await heading(page, title).waitFor();
      await page.locator(done).first().waitFor();
      t.ok(await isAsWideAsTheScreen(page), `${path}: no horizontal scroll`);
      await isAccessible(t, page, `${path}, dark`);
    }
    await dashboard.endsWell(t, watched);
  });

  t.test('on a tablet nothing is squeezed', async (t) => {
    const watched = await dashboard.openSignedIn('/keys', { viewport: { width: 820, height: 1_180 } });
    const { page } = watched;
    await page.locator('tbody tr').first().waitFor();
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('tbody button')].map(({ offsetHeight }) => offsetHeight)`,
    );
    t.ok(heights.length > 0 && Math.max(...heights) < 40, `the words of buttons stay whole: ${heights}`);
    await go(page, 'Audit');
    await page.locator('tbody tr').first().waitFor();
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('tbody td:last-child > div')].map(({ offsetWidth }) => offsetWidth)`,
    );
    t.ok(Math.min(...widths) > 150, `the last column has its place: ${Math.min(...widths)} px`);
    t.ok(await isAsWideAsTheScreen(page), 'no horizontal scroll');
    await dashboard.endsWell(t, watched);
  });
}
