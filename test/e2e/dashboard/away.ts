/** The last: the server ends. */
import type { Test } from 'tap';
import { endsCleanly } from '../support/assertions.ts';
import { button, type Dashboard, go, isAccessible } from './dashboard.ts';

export function away(t: Test, dashboard: Dashboard): void {
  t.test('the server is away', async (t) => {
    const { page } = await dashboard.visit('');
    await page.getByText('Live').waitFor();
    await endsCleanly(t, dashboard.server);
    await page.getByText('Not live, connecting again').waitFor();
    await go(page, 'Accounts');
    await page.getByText('The service cannot be reached.').first().waitFor();
    await button(page, 'Try again').waitFor();
    await isAccessible(t, page, 'the server is away');
    await page.context().close();
  });
}
