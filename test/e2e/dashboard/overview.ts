/** How the service is, live. */
import type { Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { convert } from '../support/requests.ts';
import { type Dashboard, isAccessible } from './dashboard.ts';

export function overview(t: Test, dashboard: Dashboard): void {
  t.test('the overview without traffic, then live', async (t) => {
    const watched = await dashboard.visit('');
    const { page } = watched;
    await page.getByText('All is well.').waitFor();
    await page.getByText('No request in the last hour.').first().waitFor();
    t.equal(await page.getByText('No conversion in the last hour.').count(), 2);
    await isAccessible(t, page, 'overview without traffic');
    await page.evaluate('window.isSame = true');

    await isPdf(t, await convert(dashboard.server, undefined, docx()), /./);
    isError(t, await convert(dashboard.server, undefined, Buffer.from('%PDF-1.7')), 'INVALID_FILE_TYPE');
    await page.getByText('INVALID_FILE_TYPE').waitFor();
    t.match(await page.locator('#period .summary').innerText(), /Conversions\s+1\s+Not converted\s+1\s/);
    t.equal(await page.getByText(/^No (request|conversion) in the last hour\.$/).count(), 0);
    await page.getByText('As a table').first().click();
    const figures = await page.locator('.figures').innerText();
    const minutes = [...figures.matchAll(/^\d+ \w+ \d{4}, \d\d:\d\d \(\d\d:\d\d UTC\)\t(\d+)\t(\d+)$/gm)];
    // A minute may end between the two.
    const sums = [1, 2].map((column) => minutes.reduce((sum, row) => sum + Number(row[column]), 0));
    t.strictSame(sums, [1, 1], 'the figures of the plot, in both times');
    await isAccessible(t, page, 'overview with traffic');
    await page.getByLabel('Last day').check();
    await page.getByText('Outcomes').waitFor();
    t.equal(await page.evaluate('window.isSame'), true, 'the page was never loaded again');
    await dashboard.endsWell(t, watched);
  });
}
