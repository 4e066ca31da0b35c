/** The documentation of the console, as a member meets it: what it shows is pasted and run. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { barriers, brokenLinks, isAsWideAsTheScreen, launchBrowser, storedBy } from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { withChecksum } from './support/keys.ts';
import { heading, joinConsole, originOf } from './support/member-browser.ts';
import { pdfText } from './support/pdf.ts';

const run = promisify(execFile);
const server = await Server.start();
t.teardown(() => server.stop());
const browser = await launchBrowser();
t.teardown(() => browser.close());
const origin = originOf(server);
await server.createAccount({ id: 'acme', name: 'Acme Ltd', plan: 'pro' });
const folder = await mkdtemp(join(tmpdir(), 'platen-docs-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'document.docx'), docx({ paragraphs: ['Dear integrator'] }));

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const example = (page: Page, text: string) => page.locator('pre', { hasText: text }).first();

/** Runs the copied text in a shell, without the environment of this test. */
async function paste(t: Test, text: string) {
  await rm(join(folder, 'document.pdf'), { force: true });
  const { PATH } = process.env;
  await run('bash', ['-c', text], { cwd: folder, env: { PATH } });
  t.match(await pdfText(await readFile(join(folder, 'document.pdf'))), 'Dear integrator');
}

t.test('examples with the own address and a test key', async (t) => {
  const { page, problems } = await joinConsole({ server, browser }, 'acme', 'developer');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Docs' }).click();
  await heading(page, 'Documentation').waitFor();
  await example(page, '/v1/convert').waitFor();
  t.equal(await page.locator('.own .copyable code').innerText(), origin);
  t.match(
    await example(page, '/v1/convert').innerText(),
    `Bearer $PLATEN_API_KEY" \\\n  -F file=@document.docx "${origin}/v1/convert"`,
  );
  t.strictSame(await barriers(page), [], 'no barriers');

  const field = page.getByLabel('Paste a test key');
  for (const [text, mistake] of [
    [withChecksum(`svc_live_sk_${'0'.repeat(43)}`), 'That is a live key'],
    ['svc_test_sk_…', 'That is no whole test key'],
  ] as const) {
    await field.fill(text);
    await button(page, 'Use it').click();
    await page.getByText(mistake).waitFor();
    t.notOk((await page.locator('article').innerText()).includes(text), mistake);
  }

  await button(page, 'Create a test key').click();
  await heading(page, 'The key of “documentation”').waitFor();
  const key = await page.locator('.secret code').first().innerText();
  t.match(key, /^svc_test_sk_\w{49}$/);
  t.strictSame(await barriers(page), [], 'with a key: no barriers');
  await paste(t, await example(page, '/v1/convert').innerText());

  await page.locator('article').getByRole('link', { name: 'Quick start' }).click();
  await heading(page, 'Quick start').waitFor();
  t.equal(new URL(page.url()).pathname, '/console/docs/quick-start');
  await paste(t, await example(page, 'curl --fail-with-body').innerText());
  const environment = `export PLATEN_URL=${origin}\nexport PLATEN_API_KEY=${key}\n`;
  for (const [language, command] of [
    ['bash', 'bash quick-start.sh'],
    ['js', 'node quick-start.mjs'],
    ['python', 'python3 quick-start.py'],
  ] as const) {
    const code = page.locator('.example', { has: page.locator(`.language-${language}`) }).last();
    const before = code.locator('xpath=preceding-sibling::*[1]');
    t.equal(await before.locator('pre').textContent(), environment, `${command}: with its environment`);
    const text = (await code.locator('pre').textContent()) ?? '';
    t.notOk(text.includes(key), `${command}: no key in source code`);
    const [, file = ''] = command.split(' ');
    await writeFile(join(folder, file), text);
    await paste(t, `${environment}${command} document.docx document.pdf`);
  }
  t.strictSame(await brokenLinks(page), [], 'links within the page');
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Python' }).click();
  t.equal(new URL(page.url()).hash, '#python');
  await page.getByText('The examples hold').waitFor();

  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Webhooks' }).click();
  await heading(page, 'Webhooks').waitFor();
  t.match(
    await example(page, '/v1/webhooks').innerText(),
    `"${origin}/v1/webhooks" -H "Authorization: Bearer ${key}"`,
  );
  t.strictSame(await barriers(page), [], 'Webhooks: no barriers');
  t.equal(
    await page.locator('article a:not([href^="#"], [href^="/console/"], [target="_blank"])').count(),
    0,
  );
  await page.setViewportSize({ width: 320, height: 640 });
  t.ok(await isAsWideAsTheScreen(page), 'a phone');

  t.notOk((await storedBy(page)).includes(key.slice(12)), 'the key is stored nowhere');
  await page.goBack();
  await heading(page, 'Quick start').waitFor();
  t.ok((await page.locator('article').innerText()).includes(key), 'another page of the console keeps it');
  await button(page, 'Forget it').click();
  await field.fill(key);
  await button(page, 'Use it').click();
  await page.getByText(`The examples hold svc_test_sk_…${key.slice(-4)}.`).waitFor();
  await page.reload();
  await field.waitFor();
  t.notOk((await page.content()).includes(key), 'gone with the page');
  for (const name of ['nothing', '%2e%2e%2fchangelog']) {
    await page.goto(`${origin}/console/docs/${name}`);
    await page.getByText('The guide has no such page.').waitFor();
  }
  t.strictSame(problems, ['Failed to load resource: the server responded with a status of 404 (Not Found)']);
  await page.context().close();
});
