/** What support asks of an account. */
import type { Locator } from 'playwright-core';
import type { Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { isError } from '../support/assertions.ts';
import { getAsOperator } from '../support/operator.ts';
import { convert } from '../support/requests.ts';
import { button, type Dashboard, go, heading, isAccessible, PER_HOUR, refusal } from './dashboard.ts';

export function accounts(t: Test, dashboard: Dashboard): void {
  t.test('why a customer got a 429', async (t) => {
    await dashboard.server.createAccount({ name: 'Globex', plan: 'small', id: 'globex' });
    const { key } = await dashboard.server.cli<{ key: string }>(
      ...['keys', 'create', '--account', 'globex', '--name', 'loop', '--env', 'live', '--type', 'sk'],
    );
    for (let i = 0; i < PER_HOUR; i += 1) await convert(dashboard.server, key, Buffer.from('text'));
    const { requestId } = isError(t, await convert(dashboard.server, key, docx()), 'RATE_LIMIT_EXCEEDED');
    await areListed(dashboard, 'globex', PER_HOUR + 1);

    const watched = await dashboard.visit('');
    const { page } = watched;
    const search = page.getByLabel('Search by id of a request, job or key, the end of a key, or by account');
    await search.fill(`Your id: ${requestId}.`);
    await search.press('Enter');
    await page.getByText(/The window of an hour was full; all live keys/).waitFor();
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

    await search.fill('glob');
    await search.press('Enter');
    await page.getByText('1 of 2').waitFor();
    await page.getByRole('link', { name: 'Globex' }).waitFor();
    await isAccessible(t, page, 'accounts found');

    await search.fill(`req_${'0'.repeat(32)}`);
    await search.press('Enter');
    await page.getByText('There is no such request').waitFor();
    await isAccessible(t, page, 'no such request');
    t.equal(
      await page.getByText('Request id: ').count(),
      0,
      'no other id beside the one that was looked for',
    );
    await search.fill('req_0123 (the rest is lost)');
    await search.press('Enter');
    await page.getByText('That is no whole request id').waitFor();
    await page.goto(`${dashboard.server.url}/dashboard/nowhere`);
    await heading(page, 'There is no such page').waitFor();
    await dashboard.endsWell(t, watched, [refusal('404 (Not Found)')]);
  });

  t.test('a late or missing answer is not shown under another name', async (t) => {
    const { key } = await dashboard.server.createKey({ account: 'globex', name: 'again' });
    for (let i = 0; i < 26; i += 1) await convert(dashboard.server, key, Buffer.from('text'));
    await areListed(dashboard, 'globex', PER_HOUR + 27);
    const watched = await dashboard.visit('/accounts/globex');
    const { page } = watched;
    const requests = page.locator('#requests');
    await requests.locator('tbody tr').first().waitFor();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route(/\/requests\?.*after=/, async (route) => {
      await held;
      await route.continue();
    });
    const late = page.waitForResponse(/\/requests\?.*after=/);
    await button(page, 'Show more').click();
    await page.getByLabel('Outcome').selectOption('CONVERSION_FAILED');
    await page.getByText('No such request in the last seven days.').waitFor();
    letGo();
    await (await late).finished();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    t.equal(await requests.locator('tbody tr').count(), 0, 'the second page of all others');

    await page.locator('#usage .summary').waitFor();
    await page.route(/\/usage\?/, (route) => route.abort());
    await page.getByLabel('Month').selectOption({ index: 1 });
    await page.getByText('The service cannot be reached.').waitFor();
    t.equal(await page.locator('#usage .summary').count(), 0, 'the figures of the month before');
    await dashboard.endsWell(t, watched, ['Failed to load resource: net::ERR_FAILED']);
  });

  t.test('a secret pasted into the wrong field is neither sent nor kept', async (t) => {
    const wanted = { account: 'globex', name: 'quoted', environment: 'test' } as const;
    const { key, id, display } = await dashboard.server.createKey(wanted);
    const watched = await dashboard.openSignedIn('/accounts');
    const { page } = watched;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData()}`));
    // Input is looked up after a short delay.
    await page.clock.install();
    const paste = async (field: Locator, secret: string, answer: string | RegExp) => {
      await field.fill(secret);
      await page.getByText(answer).waitFor();
      await page.clock.runFor(1_000);
      t.strictSame(await placesOf(secret), ['fields'], 'only in the field itself');
    };
    const placesOf = async (secret: string) => [
      ...(await dashboard.placesWith(page, secret)),
      ...sent.filter((request) => request.includes(secret)),
    ];

    const search = page.getByLabel('Part of a name or id');
    for (const [secret, answer] of [
      [key, 'That was a whole key.'],
      [`Mine is ${key}!`, 'That was a whole key.'],
      [dashboard.token, /^That was the operator token\./],
    ] as const) {
      await paste(search, secret, answer);
      await search.fill('glob');
      await page.getByText('1 of 2').waitFor();
      t.strictSame(await placesOf(secret), []);
    }
    await isAccessible(t, page, 'accounts found');

    const everywhere = page.getByLabel(
      'Search by id of a request, job or key, the end of a key, or by account',
    );
    await everywhere.fill(key);
    await everywhere.press('Enter');
    await page.getByText('That was a whole key.').waitFor();
    t.strictSame(await placesOf(key), []);
    await everywhere.fill(display);
    await everywhere.press('Enter');
    await page.locator('#find').getByRole('link', { name: 'quoted' }).waitFor();
    t.equal(await page.getByText('That was a whole key.').count(), 0, 'its short form is no secret');
    await everywhere.fill(`Mine is the one of the loop (${id}).`);
    await everywhere.press('Enter');
    await heading(page, 'quoted').waitFor();

    await go(page, 'Keys');
    await page.getByRole('link', { name: 'Create a key' }).click();
    const account = page.getByRole('combobox', { name: 'Account' });
    await paste(account, key, 'That is a key, not the id of an account.');
    await account.fill('globex');
    await page.getByText('Globex, plan small').waitFor();
    t.strictSame(await placesOf(key), []);
    await dashboard.endsWell(t, watched);
  });

  t.test('another plan', async (t) => {
    const watched = await dashboard.visit('/accounts/globex');
    const { page } = watched;
    await button(page, 'Change the plan').click();
    t.ok(await page.getByRole('dialog').getByRole('button', { name: 'Change the plan' }).isDisabled());
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('large');
    await page.getByText('no quota.').waitFor();
    await isAccessible(t, page, 'change of plan');
    await page.getByRole('dialog').getByRole('button', { name: 'Change the plan' }).click();
    await page.getByText('plan large').waitFor();
    await page.getByText('It has no rate windows.').waitFor();
    t.match(await page.locator('#quota').innerText(), '0 conversions, no limit');
    await dashboard.endsWell(t, watched);
  });

  t.test('the life of an account', async (t) => {
    const watched = await dashboard.visit('/accounts/globex');
    const { page } = watched;
    const dialog = page.getByRole('dialog');
    const answer = async (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    await button(page, 'Rename').click();
    await dialog.getByLabel('Name').fill('Globex Corp');
    await answer('Rename the account');
    await heading(page, 'Globex Corp').waitFor();
    await button(page, 'Set a limit').click();
    await dialog.getByLabel('Value').fill('7000');
    await dialog.getByLabel('Until (optional)').fill('2020-01-01T00:00');
    await dialog.getByText('It must end in the future, and after it began.').waitFor();
    await dialog.getByLabel('Until (optional)').fill('2999-01-01T00:00');
    await isAccessible(t, page, 'a limit of its own');
    await answer('Set the limit');
    await page.locator('#quota').getByText('of 7,000').waitFor();
    await button(page, 'Suspend the account').click();
    await answer('Suspend the account');
    await page.getByText('Its keys get 403.').waitFor();
    await button(page, 'Delete the account').click();
    t.ok(await dialog.getByRole('button', { name: 'Delete the account' }).isDisabled());
    await dialog.getByLabel('Its id, globex').fill('globex');
    await answer('Delete the account');
    await page.getByText('Until then it can be restored').waitFor();
    await isAccessible(t, page, 'an account that is to be deleted');
    await page.getByRole('link', { name: 'Its audit' }).click();
    await page.getByRole('cell', { name: 'Account to be deleted' }).waitFor();
    await page.getByLabel('What was done').selectOption('Account renamed');
    await until('only that', async () => (await page.locator('tbody tr').count()) === 1);
    await isAccessible(t, page, 'the audit of one account');
    await page.goBack();
    await button(page, 'Restore the account').click();
    await page.getByText('It stays suspended').waitFor();
    await answer('Restore the account');
    await button(page, 'Resume the account').click();
    await answer('Resume the account');
    await button(page, 'Suspend the account').waitFor();
    t.equal(await page.getByText('Its keys get 403.').count(), 0);
    await dashboard.endsWell(t, watched);
  });

  t.test('another name and other restrictions for a key, and a banner', async (t) => {
    const watched = await dashboard.visit('/accounts/globex');
    const { page } = watched;
    const dialog = page.getByRole('dialog');
    await button(page, /^Edit /)
      .first()
      .click();
    await dialog.getByLabel('Name').fill('renamed');
    await dialog.getByLabel('IP restrictions').fill('nowhere');
    await dialog.getByText('“nowhere” is neither an IP address nor a CIDR block.').waitFor();
    await dialog.getByLabel('IP restrictions').fill('192.0.2.0/24');
    await isAccessible(t, page, 'a key is edited');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('from 192.0.2.0/24').waitFor();
    const link = page.getByRole('link', { name: 'renamed' });
    await link.waitFor();
    const id = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
    await dashboard.server.cli('keys', 'edit', id, '--ip', '198.51.100.0/24');
    await button(page, /^Edit /)
      .first()
      .click();
    t.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), 'nothing is edited yet');
    await dialog.getByLabel('Name').fill('renamed again');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'renamed again' }).waitFor();
    await page.getByText('from 198.51.100.0/24').waitFor();

    await go(page, 'Maintenance');
    await button(page, 'Show a banner').click();
    await dialog.getByLabel('Text').fill('We move.');
    await dialog.getByRole('button', { name: 'Show it' }).click();
    await page.locator('aside.banner').getByText('We move.').waitFor();
    await isAccessible(t, page, 'a banner');
    await button(page, 'Remove the banner').click();
    await page.getByText('There is no banner.').waitFor();
    await until('it has gone', async () => (await page.locator('aside.banner').count()) === 0);
    await dashboard.endsWell(t, watched);
  });
}

/** Waits until the requests of an account can be found: the service writes them a moment after their answers. */
function areListed({ server }: Dashboard, account: string, count: number): Promise<void> {
  return until(`${count} requests of ${account} are listed`, async () => {
    const { body } = await getAsOperator(server, `/operator/v1/accounts/${account}/requests?limit=100`);
    return (JSON.parse(String(body)) as { requests: unknown[] }).requests.length === count;
  });
}
