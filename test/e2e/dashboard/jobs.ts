/** What support asks of a job, and of who is told of its end. */
import type { Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { operatorToken } from '../support/operator.ts';
import { multipart, send } from '../support/requests.ts';
import { button, type Dashboard, heading, isAccessible, refusal } from './dashboard.ts';

const part = (name: string, data: Buffer) => ({
  headers: [`Content-Disposition: form-data; name="file"; filename="${name}"`],
  data,
});

export function jobs(t: Test, dashboard: Dashboard): void {
  t.test('why a file of a job failed, and how a job is cancelled', async (t) => {
    const { server } = dashboard;
    await server.createAccount({ name: 'Initech', plan: 'large', id: 'initech' });
    const { key } = await server.createKey({ account: 'initech', name: 'batch' });
    const takeAs = async (query: string, ...parts: ReturnType<typeof part>[]) => {
      const { body } = await send(server, `/v1/jobs${query}`, { key, ...multipart(parts) });
      return (JSON.parse(body.toString()) as { id: string }).id;
    };
    const take = (...parts: ReturnType<typeof part>[]) => takeAs('', ...parts);
    await send(server, '/v1/webhooks', {
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://shop.example/s3cret', events: ['job.completed'] }),
    });
    await send(server, '/operator/v1/accounts/initech/contacts', {
      method: 'PUT',
      key: await operatorToken(server),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ addresses: ['ops@initech.example'], warnings: true }),
    });
    const failed = await take(part('a.docx', docx()), part('b.docx', Buffer.from('no document')));

    const watched = await dashboard.visit('/accounts/initech');
    const { page } = watched;
    await page.locator('#jobs tbody tr').first().waitFor();
    t.equal(await page.locator('#jobs tbody tr').count(), 1);
    await isAccessible(t, page, 'an account with jobs');
    await page.getByLabel('Environment of jobs').selectOption('test');
    await page.getByText('No jobs.').waitFor();

    const contacts = page.locator('#contacts textarea');
    await contacts.waitFor();
    t.equal(await contacts.inputValue(), 'ops@initech.example');
    t.match(await page.locator('#webhooks tbody').innerText(), 'https://shop.example');
    t.notMatch(await page.locator('main').innerText(), /s3cret/);
    await page.locator('#webhooks').getByRole('button', { name: 'Disable' }).click();
    await isAccessible(t, page, 'an endpoint, the question');
    await button(page, 'Disable the endpoint').click();
    await page.locator('#webhooks').getByText('by an operator').waitFor();

    const search = page.getByLabel('Search by id of a request, job or key, the end of a key, or by account');
    await search.fill(`the job "${failed}"`);
    await search.press('Enter');
    await page.getByText('INVALID_FILE_TYPE').waitFor();
    await isAccessible(t, page, 'a job');
    t.notMatch(await page.locator('main').innerText(), /a\.docx/);

    const whole = await takeAs('?combine=true', part('a.docx', docx()), part('b.docx', docx({ pages: 2 })));
    await page.goto(`${server.url}/dashboard/jobs/${whole}`);
    const facts = page.locator('.facts');
    await until('the PDF of both is there', async () => {
      await button(page, 'Refresh').click();
      return /One PDF of all files\s+3 pages, \d+ kB, in .*, LibreOffice/.test(await facts.innerText());
    });
    t.match(await page.locator('thead').innerText(), /^\s*File\s+State\s+Document\s*$/);
    await isAccessible(t, page, 'a job of one PDF');
    const half = await takeAs('?combine=true', part('a.docx', docx()), part('b.docx', Buffer.from('none')));
    await page.goto(`${server.url}/dashboard/jobs/${half}`);
    await until('it has failed', async () => {
      await button(page, 'Refresh').click();
      return (await page.getByText('INVALID_FILE_TYPE').count()) === 1;
    });
    await page.getByText('because of file 2').waitFor();

    // Each takes the one worker some time, so that there is time to cancel.
    const slow = part('long.docx', docx({ pages: 200 }));
    const id = await take(...Array.from({ length: 20 }, () => slow));
    await page.goto(`${server.url}/dashboard/jobs/${id}`);
    await button(page, 'Cancel the job').click();
    await isAccessible(t, page, 'a job, the question');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
    await page.locator('main > p .badge', { hasText: 'canceled' }).waitFor();

    await search.fill('job_0123 (the rest is lost)');
    await search.press('Enter');
    await page.getByText('That is not a complete job id').waitFor();
    await page.goto(`${server.url}/dashboard/jobs/job_${'0'.repeat(32)}`);
    await page.getByText('There is no such job').waitFor();
    await heading(page, 'Job').waitFor();
    await dashboard.endsWell(t, watched, [refusal('404 (Not Found)')]);
  });
}
