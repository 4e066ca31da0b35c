/** The pages for integrators, as a person meets them in a real browser. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import {
  barriers,
  brokenLinks,
  isAsWideAsTheScreen,
  launchBrowser,
  openPage,
  storedBy,
  textBrightness,
} from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { endsCleanly } from './support/assertions.ts';
import { pdfPages, pdfText } from './support/pdf.ts';
import { get } from './support/requests.ts';

const server = await Server.start();
const browser = await launchBrowser();
t.teardown(() => browser.close());
const { key } = await server.createKey({ environment: 'test' });
const wrongKey = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;

t.test('the reference', async (t) => {
  const { page, problems } = await openPage(browser, server.url);
  await page.goto(`${server.url}/v1/docs`);
  await page.locator('.opblock').first().waitFor();

  t.strictSame(await shownOperations(page), await publishedOperations(), 'has every operation');
  t.strictSame(await barriers(page), [], 'has no barriers');

  const search = page.getByRole('textbox', { name: 'Search the operations' });
  await search.fill('DOCX convert');
  await page.locator('#operations-account-getUsage').waitFor({ state: 'detached' });
  const found = await shownOperations(page);
  for (const name of ['conversion-convertDocument', 'conversion-convertDocumentPublic']) {
    t.ok(found.includes(name), `finds ${name}`);
  }
  await search.fill('overlap');
  await page.locator('#operations-conversion-convertDocument').waitFor({ state: 'detached' });
  t.strictSame(await shownOperations(page), ['account-rotateKey'], 'finds what only a description says');
  await search.fill('nothing-like-this');
  await page.getByText('No page has all of these words.').waitFor();
  await search.fill('');

  t.ok(await isOnScreen(page.locator('button.authorize')), 'the first step is on the first screen');
  const operation = page.locator('#operations-conversion-convertDocument');
  await page.getByRole('link', { name: 'POST /v1/convert' }).click();
  await operation.locator('.responses-table').waitFor();
  t.ok(await isOnScreen(operation.locator('.opblock-summary')), 'the second step leads to its operation');
  t.equal(await operation.getByText('format', { exact: true }).count(), 1, 'the form asks for it once');
  const error = operation.locator('tr.response[data-code="400"]');
  const example = error.locator('.model-example');
  t.notOk(await example.isVisible(), 'the example of an error is folded');
  await error.getByText('Body, with examples').click();
  t.match(await example.innerText(), /"code": "MISSING_FILE"/, 'and opens');
  await unfold(page);
  t.strictSame(await barriers(page), [], 'an open operation has no barriers');
  await page.locator('button.authorize').first().click();
  t.strictSame(await barriers(page), [], 'nor has the dialog for the key');
  await page.getByRole('button', { name: 'Close' }).first().click();
  t.equal(
    await operation.locator('[data-param-name="Idempotency-Key"] input').inputValue(),
    '',
    'the form sends no idempotency key that the next document would clash with',
  );
  await authorize(page, wrongKey);
  await execute(operation);
  t.match(
    await operation.locator('.request-snippets').innerText(),
    'curl --fail-with-body -o document.pdf -X',
  );
  const refused = operation.locator('.live-responses-table');
  await refused.getByText('INVALID_API_KEY').waitFor();
  t.match(await refused.innerText(), /"requestId": "req_[0-9a-f]{32}"/, 'shows the error object');
  t.strictSame(await barriers(page), [], 'nor has an answer');
  // The browser says so of every answer of this kind.
  t.strictSame(problems.splice(0), [
    'Failed to load resource: the server responded with a status of 401 (Unauthorized)',
  ]);

  await authorize(page, key);
  await execute(operation);
  const link = operation.locator('.live-responses-table').getByRole('link', { name: 'Download file' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  t.equal(download.suggestedFilename(), 'report.pdf');
  const pdf = await readFile(await download.path());
  t.equal(await pdfPages(pdf), 1);
  t.match(await pdfText(pdf), 'Hello from Platen.', 'converts');

  t.notMatch(await storedBy(page), key.slice(0, 20), 'stores no key');
  await page.reload();
  await page.locator('.opblock').first().waitFor();
  t.equal(await page.locator('button.authorize.locked').count(), 0, 'the key is gone with the page');
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('on a phone, in the dark', async (t) => {
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const { page, problems } = await openPage(browser, server.url, phone);
  await page.goto(`${server.url}/v1/docs#/conversion/convertDocument`);
  await page.locator('#operations-conversion-convertDocument .responses-table').waitFor();
  await unfold(page);
  t.ok(await isAsWideAsTheScreen(page), 'the reference has no horizontal scroll');
  t.ok((await textBrightness(page, '.swagger-ui .info .title')) > 192, 'the reference is dark');
  t.strictSame(await barriers(page), [], 'the reference has no barriers');
  await page.getByRole('link', { name: 'Guide', exact: true }).click();
  await page.getByRole('heading', { name: 'The guide for integrators', exact: true }).waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'the guide has no horizontal scroll');
  t.ok((await textBrightness(page, 'main p')) > 192, 'the guide is dark');
  t.strictSame(await brokenLinks(page), [], "the guide's links lead somewhere");
  const paths = await page
    .locator('a[href^="/v1/docs/"]')
    .evaluateAll((links) => links.map((link) => (link as unknown as { pathname: string }).pathname));
  t.ok(paths.includes('/v1/docs/guide/quick-start') && paths.includes('/v1/docs/changelog'));
  for (const path of new Set(paths)) {
    await page.goto(server.url + path);
    t.strictSame(await barriers(page), [], `${path} has no barriers`);
  }
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('the guide on a wide screen has no barriers', async (t) => {
  const { page } = await openPage(browser, server.url);
  await page.goto(`${server.url}/v1/docs/guide/quick-start`);
  t.strictSame(await barriers(page), []);
  await page.context().close();
});

t.test('the server ends cleanly', async (t) => {
  await browser.close();
  await endsCleanly(t, server);
});

/** Tag and operationId of every operation in the OpenAPI document. */
async function publishedOperations(): Promise<string[]> {
  const { paths } = JSON.parse((await get(server, '/v1/openapi.json')).body.toString('utf8')) as {
    paths: Record<string, Record<string, { tags: string[]; operationId: string }>>;
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ tags: [tag], operationId }) => `${tag}-${operationId}`)
    .sort();
}

/** The same of every operation that the page shows. */
async function shownOperations(page: Page): Promise<string[]> {
  const ids = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
  return ids.map((id) => id.replace(/^operations-/, '')).sort();
}

/** Opens all that the shown operations have folded. */
async function unfold(page: Page): Promise<void> {
  await page.locator('.swagger-ui details:not([open]) > summary').evaluateAll((folds) => {
    for (const fold of folds) (fold as unknown as { click(): void }).click();
  });
}

async function isOnScreen(element: Locator): Promise<boolean> {
  const { y = -1, height = 0 } = (await element.boundingBox()) ?? {};
  return y >= 0 && y + height <= (element.page().viewportSize()?.height ?? 0);
}

/** Gives the page a key, as its introduction says. */
async function authorize(page: Page, value: string): Promise<void> {
  await page.locator('button.authorize').first().click();
  const dialog = page.locator('.auth-container', { hasText: 'API key' });
  const logOut = dialog.getByRole('button', { name: 'Logout' });
  if ((await logOut.count()) > 0) await logOut.click();
  await dialog.locator('input').fill(value);
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

/** Sends a document from the page. */
async function execute(operation: Locator): Promise<void> {
  await operation
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'report.docx', mimeType: 'application/octet-stream', buffer: docx() });
  await operation.getByRole('button', { name: 'Execute' }).click();
}
