/** The life of a key. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { until } from '../../support/until.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { convert } from '../support/requests.ts';
import {
  button,
  type Dashboard,
  go,
  heading,
  isAccessible,
  PER_HOUR,
  PER_MONTH,
  refusal,
} from './dashboard.ts';

export function keys(t: Test, dashboard: Dashboard): void {
  t.test('the life of a key', async (t) => {
    const watched = await dashboard.visit('/accounts');
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
    await page.getByLabel(/^live/).check();
    await page.getByRole('combobox', { name: 'Account' }).fill('acme');
    await page.getByLabel('IP restrictions').fill('127.0.0.0/8\n2001:db8::/32');
    await page.getByLabel('Expires').fill('2100-01-01T09:00');
    await page.getByText('2100-01-01 00:00:00 UTC').waitFor();
    await page.getByText('Acme Ltd, plan small').waitFor();
    await button(page, 'Create the key').click();

    const first = await takeKey(t, page, 'back end');
    await isPdf(t, await convert(dashboard.server, first, docx({ pages: 3 })), 'Page 3', 3);
    isError(t, await convert(dashboard.server, first, Buffer.from('%PDF-1.7')), 'INVALID_FILE_TYPE');
    await page.reload();
    const row = page
      .getByRole('table', { name: 'Keys of the account' })
      .locator('tr', { hasText: 'back end' });
    await row.getByText('just now').waitFor();
    t.match(await row.innerText(), /127\.0\.0\.0\/8, 2001:db8::\/32/);
    t.match(await row.innerText(), '1 Jan 2100, 09:00');
    t.equal(await row.locator('time').last().getAttribute('title'), '2100-01-01 00:00:00 UTC');
    t.match(await page.locator('#quota').innerText(), `1 of ${PER_MONTH}`);
    t.match(await page.locator('main').innerText(), new RegExp(`This hour\\s+2 of ${PER_HOUR}`));
    t.match(
      await page.locator('#usage .summary').innerText(),
      /Conversions\s+1\s+Failures\s+1\s+Pages\s+3\s/,
    );
    t.match(
      await page.getByRole('table', { name: 'Use by key' }).innerText(),
      /back end\s+svc_live_sk_…\w{4}\s+1\s+3/,
    );
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
    await page.getByText('get 401 from their next request').waitFor();
    await button(page, 'Rotate the key').click();
    const second = await takeKey(t, page, 'back end');
    t.not(second, first);
    isError(t, await convert(dashboard.server, first, docx()), 'EXPIRED_API_KEY');
    await isPdf(t, await convert(dashboard.server, second, docx()), /./);

    const valid = page.locator('tr', { hasText: 'Valid' });
    await valid.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText('This cannot be undone.').waitFor();
    t.ok(
      await button(page, 'Cancel').evaluate((element) => element.matches(':focus')),
      'Enter revokes nothing',
    );
    await isAccessible(t, page, 'revoke');
    await button(page, 'Cancel').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.ok(
      await valid.getByRole('button', { name: /^Revoke/ }).evaluate((element) => element.matches(':focus')),
      'the focus is where it was before the question',
    );
    await isPdf(t, await convert(dashboard.server, second, docx()), /./);
    await valid.getByRole('button', { name: /^Revoke/ }).click();
    await button(page, 'Revoke the key').click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    isError(t, await convert(dashboard.server, second, docx()), 'INVALID_API_KEY');
    await page.reload();
    await page.getByText('Revoked', { exact: true }).waitFor();
    t.equal(await page.getByRole('button', { name: /^(Revoke|Rotate)/ }).count(), 0, 'nothing is left to do');

    for (const key of [first, second]) t.strictSame(await dashboard.placesWith(page, key), []);
    await dashboard.endsWell(t, watched);

    async function takeKey(t: Test, page: Page, name: string): Promise<string> {
      await heading(page, `The key of “${name}”`).waitFor();
      const key = await page.locator('.secret .copyable code').innerText();
      t.match(key, /^svc_live_sk_\w{40,}$/);
      await isAccessible(t, page, 'a key is shown');
      await button(page, 'Copy').click();
      await button(page, 'Copied').waitFor();
      t.equal(await page.evaluate<string>('navigator.clipboard.readText()'), key);
      await button(page, 'I have it, hide it').click();
      await page.locator('.secret').waitFor({ state: 'detached' });
      t.strictSame(await dashboard.placesWith(page, key), [], 'it was shown once');
      return key;
    }
  });

  t.test('new keys stay until the operator hides them, and an outdated page is updated', async (t) => {
    const create = (name: string) =>
      dashboard.server.createKey({ account: 'acme', name, environment: 'test' });
    await create('one');
    await create('two');
    const third = await create('three');
    const watched = await dashboard.visit('/accounts/acme');
    const { page } = watched;
    for (const name of ['one', 'two']) {
      await page
        .locator('tr', { hasText: name })
        .getByRole('button', { name: /^Rotate/ })
        .click();
      await button(page, 'Rotate the key').click();
      const note = heading(page, `The key of “${name}”`);
      await note.waitFor();
      t.ok(await note.evaluate((element) => element.matches(':focus')));
    }
    t.equal(await page.locator('.secret').count(), 2, 'the second does not take the place of the first');
    t.equal(
      await page.locator('.secret').first().getByRole('link', { name: 'guide' }).getAttribute('target'),
      '_blank',
      'reading how to use it does not lose it',
    );
    await isAccessible(t, page, 'two keys are shown');
    for (const left of [1, 0]) {
      await button(page, 'I have it, hide it').first().click();
      await until('it is hidden', async () => (await page.locator('.secret').count()) === left);
    }

    await page.goto(`${dashboard.server.url}/dashboard/keys/${third.id}`);
    await button(page, /^Rotate/).waitFor();
    await dashboard.server.revokeKey(third.id);
    await button(page, /^Rotate/).click();
    await button(page, 'Rotate the key').click();
    await page.getByRole('alert').getByText('is revoked or expired').waitFor();
    await button(page, 'Cancel').click();
    await page.getByText('Revoked', { exact: true }).first().waitFor();
    t.equal(await page.getByRole('button', { name: /^(Revoke|Rotate)/ }).count(), 0);
    await dashboard.endsWell(t, watched, [refusal('400 (Bad Request)')]);
  });

  t.test('leaving before a new key is shown leaves no key behind', async (t) => {
    const watched = await dashboard.visit('/keys/new?account=acme');
    const { page } = watched;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/operator/v1/keys', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByText('Acme Ltd, plan small').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('nobody has it');
    await button(page, 'Create the key').click();
    await button(page, 'One moment …').waitFor();
    await go(page, 'Audit');
    const revoked = page.waitForResponse(/\/revoke$/);
    letGo();
    t.equal((await revoked).status(), 200);
    await page.goto(`${dashboard.server.url}/dashboard/accounts/acme`);
    const row = page.locator('tr', { hasText: 'nobody has it' });
    await row.getByText('Revoked', { exact: true }).waitFor();
    await dashboard.endsWell(t, watched);
  });

  t.test('the origins of a public key', async (t) => {
    const watched = await dashboard.visit('/keys/new?account=acme');
    const { page } = watched;
    await page.getByText('Acme Ltd, plan small').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('shop');
    t.equal(await page.getByLabel('Origins').count(), 0, 'a secret key has none');
    await page.getByLabel(/^pk /).check();
    await page.getByLabel('Origins').fill('https://shop.example/');
    await page.getByText('must be written as browsers send it: https://shop.example.').waitFor();
    await isAccessible(t, page, 'a wrong origin');
    await page.getByLabel('Origins').fill('https://shop.example');
    await button(page, 'Create the key').click();
    await heading(page, 'The key of “shop”').waitFor();
    await button(page, 'I have it, hide it').click();
    const row = page.locator('tr', { hasText: 'shop' });
    await row.getByText('pages of https://shop.example', { exact: true }).waitFor();

    await row.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Origins').fill('http://shop.example');
    await dialog.getByText('must begin with https').waitFor();
    const save = dialog.getByRole('button', { name: 'Save' });
    t.ok(await save.isDisabled());
    await isAccessible(t, page, 'editing a key');
    await dialog.getByLabel('Origins').fill('https://shop.example\nhttp://localhost:3000');
    await save.click();
    await row.getByText('pages of https://shop.example, http://localhost:3000').waitFor();
    await row.getByRole('link', { name: 'shop' }).click();
    await page.getByText('https://shop.example, http://localhost:3000', { exact: true }).waitFor();
    await dashboard.endsWell(t, watched);
  });

  t.test('keys that expire soon', async (t) => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const { id, display } = await dashboard.server.createKey({
      ...{ account: 'acme', name: 'trial', environment: 'test', type: 'pk', expiresAt },
    });
    const watched = await dashboard.visit('/keys');
    const { page } = watched;
    await page.getByText('Expiring soon').last().waitFor();
    t.match(await page.locator('tbody').innerText(), display);
    await isAccessible(t, page, 'keys');
    await page.getByRole('link', { name: 'trial' }).click();
    await heading(page, 'trial').waitFor();
    t.equal(new URL(page.url()).pathname, `/dashboard/keys/${id}`);
    // It takes it once it has been painted.
    await until('the heading has the focus', () =>
      heading(page, 'trial').evaluate((element) => element.matches(':focus')),
    );
    await isAccessible(t, page, 'a key');
    await page.goBack();
    await heading(page, 'Keys').waitFor();
    await dashboard.endsWell(t, watched);
  });

  t.test('that no key has an end is said once it is known', async (t) => {
    const watched = await dashboard.visit('/keys');
    const { page } = watched;
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      void page.route('**/operator/v1/keys?ending=*', (route) => {
        answer = () => void route.continue();
        resolve();
      });
    });
    await page.getByText('Expiring soon').last().waitFor();
    await page.getByLabel('Last four characters of a key').pressSequentially('zzzz');
    await isAsked;
    await page.locator('#find').getByText('Loading …').waitFor();
    t.equal(await page.getByText('No key ends with that.').count(), 0);
    answer();
    await page.getByText('No key ends with that.').waitFor();
    await dashboard.endsWell(t, watched);
  });
}

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
