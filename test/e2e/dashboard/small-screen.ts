/** Every page on a small phone, in the dark. */
import type { Test } from 'tap';
import { isAsWideAsTheScreen, textBrightness } from '../../support/browser.ts';
import { type Dashboard, endsWell, heading, isAccessible } from './dashboard.ts';

export function smallScreen(t: Test, dashboard: Dashboard): void {
  t.test('on a small phone, in the dark', async (t) => {
    const options = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const;
    const watched = await dashboard.open('', options);
    const { page } = watched;
    await heading(page, 'Sign in').waitFor();
    t.ok(await isAsWideAsTheScreen(page), 'sign-in: no horizontal scroll');
    await isAccessible(t, page, 'sign-in, dark');
    await dashboard.signIn(page);
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
      await page.goto(`${dashboard.server.url}/dashboard${path}`);
      await page.locator(done).first().waitFor();
      t.ok(await isAsWideAsTheScreen(page), `${path}: no horizontal scroll`);
      await isAccessible(t, page, `${path}, dark`);
    }
    await endsWell(t, watched);
  });
}
