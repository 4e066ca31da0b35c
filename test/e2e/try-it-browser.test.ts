/** The page to try the service, as a person meets it in a real browser. */
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import {
  barriers,
  isAsWideAsTheScreen,
  launchBrowser,
  openPage,
  storedBy,
  textBrightness,
  type WatchedPage,
} from '../support/browser.ts';
import { docx, docxOfSize, slowDocx } from '../support/documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError } from './support/assertions.ts';
import { pdfPages, pdfText } from './support/pdf.ts';
import { runningJob } from './support/processes.ts';
import { send } from './support/requests.ts';

const MEGABYTE = 1_048_576;
const PER_HOUR = 3;

// Each test comes from an address of its own.
const server = await Server.start({
  env: {
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_PER_HOUR: `${PER_HOUR}`,
    PUBLIC_PER_SECOND: '100',
    PUBLIC_MAX_FILE_MB: '1',
  },
});
const browser = await launchBrowser();
t.teardown(() => browser.close());
let addresses = 0;

const refusal = (status: string) =>
  `Failed to load resource: the server responded with a status of ${status}`;

async function open(
  options: BrowserContextOptions = {},
  visitor = browser,
): Promise<WatchedPage & { readonly from: string }> {
  addresses += 1;
  const from = `192.0.2.${addresses}`;
  const extraHTTPHeaders = { 'x-forwarded-for': from };
  const watched = await openPage(visitor, server.url, { ...options, extraHTTPHeaders });
  await watched.page.goto(server.url);
  return { ...watched, from };
}

/** Gives the page a document, as the dialog of the browser does. */
function choose(page: Page, buffer: Buffer, name = 'report.docx'): Promise<void> {
  return chooseAll(page, { [name]: buffer });
}

/** Gives it several at once, by their names. */
async function chooseAll(page: Page, files: Readonly<Record<string, Buffer>>): Promise<void> {
  const mimeType = 'application/octet-stream';
  const chosen = Object.entries(files).map(([name, buffer]) => ({ name, mimeType, buffer }));
  await page.locator('input[type=file]').setInputFiles(chosen);
}

async function enterKey(page: Page, key: string): Promise<void> {
  const field = page.getByLabel('API key', { exact: true });
  if (!(await field.isVisible())) await page.getByText('Several documents', { exact: true }).click();
  await field.fill(key);
}

/** Drops files that the page itself creates on it. */
async function drop(page: Page, files: readonly { name: string; content: Buffer }[]): Promise<void> {
  const encoded = JSON.stringify(
    files.map(({ name, content }) => ({ name, content: content.toString('base64') })),
  );
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    for (const { name, content } of ${encoded}) {
      data.items.add(new File([Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0))], name));
    }
    return data;
  })()`);
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.getByText('Let go to convert it').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

const button = (page: Page, name: string) => page.getByRole('button', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, exact: true });

async function downloaded(
  page: Page,
  link = page.getByRole('link', { name: 'Download the PDF' }),
): Promise<{ name: string; pdf: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return { name: download.suggestedFilename(), pdf: await readFile(await download.path()) };
}

async function isAccessible(t: Test, page: Page, state: string): Promise<void> {
  t.strictSame(await barriers(page), [], `${state}: no barriers`);
}

t.test('a document becomes a PDF beside it', async (t) => {
  const viewer = await launchBrowser({ hasViewer: true });
  t.teardown(() => viewer.close());
  const { page, problems } = await open({}, viewer);
  const text = await page.locator('main').innerText();
  t.match(text, /Up to 1 MB a document, and 3 documents an hour and 100 a second/, 'says the limits before');
  t.match(text, /With an API key: up to 25 MB/);
  t.match(
    text,
    `curl --fail-with-body -o document.pdf -F file=@document.docx '${server.url}/v1/public/convert' || { [ $? -eq 22 ] && cat document.pdf`,
  );
  await isAccessible(t, page, 'empty');

  const states = page.evaluate<string[]>(`new Promise((resolve) => {
    const main = document.querySelector('main');
    const states = [];
    new MutationObserver(() => {
      states.push(main.dataset.state);
      if (main.dataset.state === 'done') resolve(states);
    }).observe(main, { attributeFilter: ['data-state'] });
  })`);
  const answered = page.waitForResponse(`${server.url}/v1/public/convert`);
  await choose(page, docx({ pages: 3 }));
  t.strictSame(await states, ['uploading', 'converting', 'done']);
  await heading(page, 'report.pdf').waitFor();
  const answer = await answered;
  const headers = await answer.allHeaders();
  const times = [...(headers['server-timing'] ?? '').matchAll(/dur=([\d.]+)/g)].map(([, ms]) => Number(ms));
  const total = times.reduce((sum, ms) => sum + ms, 0);
  const shown = total < 999.5 ? `${Math.round(total)} ms` : `${(total / 1_000).toFixed(1)} s`;
  t.equal(await page.locator('#pages').innerText(), '3');
  t.equal(await page.locator('#time').innerText(), shown);
  await isAccessible(t, page, 'done');

  const frame = page.frames().find((each) => each.url().startsWith('blob:'));
  t.equal(await frame?.evaluate<string>('document.contentType'), 'application/pdf', 'the PDF is shown');
  const { name, pdf } = await downloaded(page);
  t.equal(name, 'report.pdf');
  t.equal(await pdfPages(pdf), 3);
  t.match(await pdfText(pdf), 'Page 3');
  t.equal(`${pdf.length}`, headers['content-length'], 'the bytes of the answer');
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Open in a new tab' }).click(),
  ]);
  t.match(tab.url(), /^blob:/);

  t.match(await storedBy(page), '[{},{},"",', 'nothing is stored');
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('options', async (t) => {
  const { page, problems } = await open();
  await page.getByText('Options', { exact: true }).click();
  const pages = page.getByRole('textbox', { name: 'Pages' });
  await pages.fill('3-1x');
  await pages.press('Tab');
  await page.getByText('Write pages and ranges such as').waitFor();
  await choose(page, docx({ pages: 3 }));
  t.equal(await page.locator('main').getAttribute('data-state'), 'idle', 'nothing is sent');
  await isAccessible(t, page, 'options');
  await pages.fill('2 - 3, 9');
  await page.getByLabel('Pages begin').selectOption('engine');
  t.match(
    await page.locator('#curl').innerText(),
    `'${server.url}/v1/public/convert?pages=2-3,9&layout=engine'`,
  );
  await choose(page, docx({ pages: 3 }));
  await heading(page, 'report.pdf').waitFor();
  t.equal(await page.locator('#pages').innerText(), '2');
  await page.getByText('Not all of the pages exist: the PDF has 2.').waitFor();
  await pages.fill('9');
  await choose(page, docx({ pages: 3 }));
  await heading(page, 'The options do not fit').waitFor();
  await page.getByText('The document has 3 pages, and the parameter pages asks for none of them').waitFor();
  t.strictSame(problems, [refusal('400 (Bad Request)')]);
  await page.context().close();
});

/** The width of a picture that the page shows, in its own pixels. */
async function widthOf(page: Page, selector: string): Promise<number> {
  let width = 0;
  await until('the picture is there', async () => {
    width = await page.evaluate<number>(`document.querySelector('${selector}')?.naturalWidth ?? 0`);
    return width > 0;
  });
  return width;
}

t.test('a picture of the first page', async (t) => {
  const { page, problems } = await open();
  await page.getByText('Options', { exact: true }).click();
  await page.getByLabel('Result').selectOption('png');
  const command = await page.locator('#curl').innerText();
  t.match(command, `-o document.png -F file=@document.docx '${server.url}/v1/public/convert?format=png'`);
  await choose(page, docx({ pages: 3 }));
  await heading(page, 'report.png').waitFor();
  t.equal(await page.locator('#pages').innerText(), '3');
  t.equal(await widthOf(page, '#viewer img'), 1240);
  await isAccessible(t, page, 'a picture');
  const { name, pdf } = await downloaded(page, page.getByRole('link', { name: 'Download the picture' }));
  t.equal(name, 'report.png');
  t.equal(pdf.toString('latin1', 1, 4), 'PNG');

  await enterKey(page, (await server.createKey()).key);
  await chooseAll(page, { 'a.docx': docx(), 'b.docx': docx() });
  await heading(page, '2 pictures').waitFor();
  t.equal(await widthOf(page, '.thumbnail'), 1240);
  const button = page.getByRole('button', { name: 'Download b.png' });
  t.equal((await downloaded(page, button)).name, 'b.png');
  await isAccessible(t, page, 'a job of pictures');
  t.strictSame(problems, []);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.context().close();
});

t.test('a document is dropped, and another one on its PDF', async (t) => {
  const { page, problems } = await open();
  await drop(page, [{ name: 'first.docx', content: docx() }]);
  await heading(page, 'first.pdf').waitFor();
  await drop(page, [
    { name: 'Zweites Äpfel.final.docx', content: docx({ paragraphs: ['The second one.'] }) },
  ]);
  await heading(page, 'Zweites Äpfel.final.pdf').waitFor();
  const { name, pdf } = await downloaded(page);
  t.equal(name, 'Zweites Äpfel.final.pdf');
  t.match(await pdfText(pdf), 'The second one.');
  const content = docx();
  const two = [
    { name: 'a.docx', content },
    { name: 'b.docx', content },
  ];
  await drop(page, two);
  await heading(page, 'Several documents need an API key').waitFor();
  const { key } = await server.createKey();
  await enterKey(page, key);
  await button(page, 'Try again').click();
  await heading(page, '2 PDFs').waitFor();
  t.strictSame(problems, []);

  const job = await page.locator('#job-id').innerText();
  await send(server, `/v1/jobs/${job}`, { method: 'DELETE', key });
  await button(page, 'Download all (ZIP)').click();
  await page.getByText('The job is gone. It was deleted').waitFor();
  page.on('dialog', (dialog) => dialog.accept());
  await button(page, 'Delete').click();
  await button(page, 'Choose documents').waitFor();

  const keys: unknown[] = [];
  await page.route('**/v1/jobs', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    return route.abort();
  });
  await choose(page, content);
  await heading(page, 'The service cannot be reached').waitFor();
  await button(page, 'Try again').click();
  await heading(page, '1 PDF').waitFor();
  await choose(page, content);
  await until('another job is sent', async () => keys.length === 3);
  t.match(keys[0], /^[0-9a-f-]{16,}$/);
  t.equal(keys[1], keys[0], 'another try is the same job, as the answer may have been lost');
  t.not(keys[2], keys[0], 'the same document, chosen again, is another');
  await heading(page, '1 PDF').waitFor();
  await page.context().close();
});

t.test('several documents are one job of the key', async (t) => {
  const { page, problems } = await open();
  const { id: keyId, key } = await server.createKey({ environment: 'test' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  await enterKey(page, key);
  t.match(
    await page.locator('#several').innerText(),
    /up to 100 with 25 MB each and 500 MB together \(100 MB for one PDF of all\), sent within 120 s; .*The PDFs stay for 24 h/s,
    'says the limits before',
  );
  t.match(await page.locator('#curl').innerText(), `-F file=@two.docx '${server.url}/v1/jobs'`);
  await isAccessible(t, page, 'with a key');
  await page.getByText('Options', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Pages' }).fill('1-2');
  const script = '<img src=x onerror=alert(1)>.docx';
  await chooseAll(page, {
    'report.docx': docx({ pages: 3 }),
    'no.docx': Buffer.from('text'),
    [script]: docx(),
  });
  await heading(page, '2 PDFs of 3 documents').waitFor();
  // The page asks for the files once it knows of the end.
  await button(page, 'Download report.pdf').waitFor();
  const rows = page.locator('#job-files > li');
  t.match(await rows.nth(0).innerText(), /^report\.docx\s+2 pages, \d+ kB\s+Download/);
  t.match(await rows.nth(1).innerText(), /^no\.docx\s+This is not a Word document\s+This is plain text\./);
  t.match(await rows.nth(2).innerText(), /onerror=alert\(1\).*\.docx\s+1 page, /, 'a name is no markup');
  t.match(await rows.nth(2).innerText(), 'does not have all of the pages', 'a warning');
  await isAccessible(t, page, 'a job that has ended');

  const { name, pdf } = await downloaded(page, button(page, 'Download report.pdf'));
  t.equal(name, 'report.pdf');
  t.equal(await pdfPages(pdf), 2);
  const job = await page.locator('#job-id').innerText();
  const { name: zip, pdf: archive } = await downloaded(page, button(page, 'Download all (ZIP)'));
  t.equal(zip, `${job}.zip`);
  t.ok(archive.includes('1-report.pdf') && archive.includes('manifest.json'));

  t.match(await storedBy(page), '[{},{},"",', 'nothing is stored');
  const places = [await page.content(), asked.join(), JSON.stringify(server.log), await storedBy(page)];
  for (const place of places) t.notOk(place.includes(key), 'the key is in its field only');
  page.on('dialog', (dialog) => dialog.accept());
  await button(page, 'Delete').click();
  await button(page, 'Choose documents').waitFor();
  isError(t, await send(server, `/v1/jobs/${job}`, { method: 'GET', key }), 'NOT_FOUND');
  t.ok(
    asked.filter((each) => each.includes('/v1/jobs')).length <= 10,
    'few requests: six, and more only if it takes long',
  );

  await server.revokeKey(keyId);
  await choose(page, docx());
  await heading(page, 'The API key does not work').waitFor();
  t.strictSame(problems, [refusal('401 (Unauthorized)')]);
  await page.context().close();
});

t.test('several documents become one PDF', async (t) => {
  const { page, problems } = await open();
  const { key } = await server.createKey();
  await page.getByText('Options', { exact: true }).click();
  const choice = page.getByLabel('PDFs', { exact: true });
  t.notOk(await choice.isVisible(), 'without a key there is one document');
  await enterKey(page, key);
  await page.getByRole('textbox', { name: 'Pages' }).fill('1-2');
  await choice.selectOption('true');
  t.match(await page.locator('#curl').innerText(), `'${server.url}/v1/jobs?pages=1-2&combine=true'`);
  await isAccessible(t, page, 'options with a key');
  await chooseAll(page, { 'one.docx': docx({ pages: 3 }), 'two.docx': docx() });
  await heading(page, '1 PDF of 2 documents').waitFor();
  await button(page, 'Download combined.pdf').waitFor();
  const rows = page.locator('#job-files > li');
  t.match(await rows.nth(0).innerText(), /^combined\.pdf\s+3 pages, \d+ kB\s+Download/);
  t.match(await rows.nth(0).innerText(), 'two.docx: The document does not have all of the pages');
  t.match(await rows.nth(1).innerText(), /^one\.docx\s+In the PDF$/);
  t.match(await rows.nth(2).innerText(), /^two\.docx\s+In the PDF$/);
  t.notOk(await button(page, 'Download all (ZIP)').isVisible());
  await isAccessible(t, page, 'one PDF of all');
  const { name, pdf } = await downloaded(page, button(page, 'Download combined.pdf'));
  t.equal(name, 'combined.pdf');
  t.equal(await pdfPages(pdf), 3);

  await chooseAll(page, { 'one.docx': docx(), 'no.docx': Buffer.from('text') });
  await heading(page, '0 PDFs of 2 documents').waitFor();
  await page.getByText('Without a PDF').waitFor();
  t.match(await rows.nth(0).innerText(), /^one\.docx\s+Without a PDF$/);
  t.match(await rows.nth(1).innerText(), /^no\.docx\s+This is not a Word document\s+no\.docx: This is plain/);
  await isAccessible(t, page, 'no PDF of any');

  await enterKey(page, '');
  t.match(await page.locator('#curl').innerText(), `'${server.url}/v1/public/convert?pages=1-2'`);
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('the key is gone when the visitor leaves, even if the browser keeps the page', async (t) => {
  const { page, problems } = await open();
  await enterKey(page, 'svc_test_sk_1');
  await page.getByRole('heading', { name: 'Drop Word documents here' }).waitFor();
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
  t.equal(await page.getByLabel('API key').inputValue(), '');
  await page.getByRole('heading', { name: 'Drop a Word document here' }).waitFor();
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('a job that goes on: the connection breaks, the key ends, it is cancelled', async (t) => {
  const { page, problems } = await open({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
  const { id, key } = await server.createKey();
  await enterKey(page, key);
  t.ok(await isAsWideAsTheScreen(page), 'with a key: no horizontal scroll');
  let isBroken = true;
  await page.route('**/events', (route) => (isBroken ? route.abort() : route.continue()));
  const long = `${'a-very-long-name-of-a-document'.repeat(4)}.docx`;
  await choose(page, slowDocx(), long);
  await heading(page, 'Converting 1 document …').waitFor();
  // Stopped, so that it does not end during the rest of the test.
  process.kill((await runningJob(server)).child, 'SIGSTOP');
  await page
    .getByText(
      'The service cannot be reached. The job does not need this page, which asks again in 2 seconds.',
    )
    .waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'a job: no horizontal scroll');
  await isAccessible(t, page, 'a job without a connection, dark');
  await server.revokeKey(id);
  isBroken = false;
  await page.getByText('The API key does not work.').waitFor();
  const refused = page.waitForResponse(/\/v1\/jobs\/job_\w+$/);
  await button(page, 'Ask again').click();
  t.equal((await refused).status(), 401, 'still');
  await enterKey(page, (await server.createKey()).key);
  await button(page, 'Ask again').click();
  await page.locator('#job-notice').waitFor({ state: 'hidden' });
  // An answer that never comes, and a page that waits for a moment only.
  await page.route('**/cancel', () => {}, { times: 1 });
  await page.evaluate(`AbortSignal.usual = AbortSignal.timeout;
  AbortSignal.timeout = () => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(), 500);
    return limit.signal;
  }`);
  await button(page, 'Cancel').click();
  await page.getByText('The service cannot be reached.').waitFor();
  // A busy machine needs longer.
  await page.evaluate('AbortSignal.timeout = AbortSignal.usual');
  await button(page, 'Cancel').click();
  await heading(page, /^Cancelled: /).waitFor();
  t.ok(await isFocused(heading(page, /^Cancelled: /)), 'the focus of the button that is gone');
  // The page asks again every two seconds: once while it has no connection, or more often on a busy machine.
  const [broken, ...others] = [...new Set(problems)];
  t.match(broken, /ERR_FAILED/);
  t.strictSame(others, [refusal('401 (Unauthorized)')]);
  await page.context().close();
});

t.test('with the keyboard only', async (t) => {
  const { page, problems } = await open();
  // The browser is told of the wait for its dialog before the dialog opens.
  const chooser = page.waitForEvent('filechooser');
  const first = button(page, 'Choose a document');
  for (let i = 0; i < 10 && !(await isFocused(first)); i += 1) await page.keyboard.press('Tab');
  t.ok(await isFocused(first), 'is reached with Tab');
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'report.docx', mimeType: '', buffer: docx() });
  await heading(page, 'report.pdf').waitFor();
  t.ok(await isFocused(heading(page, 'report.pdf')), 'the result has the focus');
  await page.keyboard.press('Tab');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  t.equal(download.suggestedFilename(), 'report.pdf', 'the next stop downloads it');
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('what is no DOCX', async (t) => {
  const { page, problems } = await open();
  const answered = page.waitForResponse(`${server.url}/v1/public/convert`);
  await choose(page, Buffer.from('%PDF-1.7\n'), 'not really.docx');
  await heading(page, 'This is not a Word document').waitFor();
  const { requestId, message } = (await (await answered).json()) as { requestId: string; message: string };
  await page.getByText(message).waitFor();
  t.match(message, 'This is a PDF');
  t.equal(await page.locator('#request-id').innerText(), requestId);
  t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'another try would not help');
  await isAccessible(t, page, 'failed');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.failed').getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  t.equal(await page.evaluate<string>('navigator.clipboard.readText()'), requestId);
  t.strictSame(problems, [refusal('400 (Bad Request)')]);
  await page.context().close();
});

t.test('what is too large is not sent', async (t) => {
  const { page, problems } = await open();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await choose(page, docxOfSize(MEGABYTE + 1));
  await heading(page, 'The document is too large').waitFor();
  await page.getByText('It has 1.1 MB. This page takes documents up to 1 MB.').waitFor();
  t.strictSame(sent, []);
  await choose(page, docxOfSize(MEGABYTE));
  await heading(page, 'report.pdf').waitFor();
  sent.length = 0;
  await enterKey(page, 'a key');
  const many = Array.from({ length: 101 }, (_, number) => [`${number}.docx`, Buffer.from('text')]);
  await chooseAll(page, Object.fromEntries(many));
  await heading(page, 'That is too many at once').waitFor();
  t.strictSame(sent, []);
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('an upload shows its progress and can be cancelled', async (t) => {
  const { page, problems } = await open();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200_000,
  });
  await choose(page, docxOfSize(MEGABYTE));
  await page.getByText(/^Uploading … [1-9]\d? %$/).waitFor();
  await isAccessible(t, page, 'uploading');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const first = button(page, 'Choose a document');
  await first.waitFor();
  t.ok(await isFocused(first));
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('the limit of an hour', async (t) => {
  const { page, problems, from } = await open();
  const headers = { 'x-forwarded-for': from };
  for (let i = 0; i < PER_HOUR; i += 1) {
    await send(server, '/v1/public/convert', { body: form(docx()), headers });
  }
  await choose(page, docx());
  await heading(page, 'That was the limit for now').waitFor();
  await page
    .getByText(/^Without an API key, an address may send 3 documents an hour and 100 a second\. Try again in/)
    .waitFor();
  const retry = page.getByRole('button', { name: /^Try again in (60|59) minutes$/ });
  t.ok(await retry.isDisabled(), 'not before it makes sense');
  t.match(await page.locator('#request-id').innerText(), /^req_[0-9a-f]{32}$/);
  t.strictSame(problems, [refusal('429 (Too Many Requests)')]);
  await page.context().close();
});

t.test('on a small phone, in the dark', async (t) => {
  const { page, problems } = await open({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
  t.ok(await isAsWideAsTheScreen(page), 'empty: no horizontal scroll');
  t.ok((await textBrightness(page, 'h1')) > 192, 'is dark');
  await isAccessible(t, page, 'empty, dark');
  const name = `${'a-very-long-name-of-a-document'.repeat(4)}.docx`;
  await choose(page, Buffer.from('text'), name);
  await heading(page, 'This is not a Word document').waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'failed: no horizontal scroll');
  await isAccessible(t, page, 'failed, dark');
  await choose(page, docx(), name);
  await heading(page, name.replace('.docx', '.pdf')).waitFor();
  t.ok(await isAsWideAsTheScreen(page), 'done: no horizontal scroll');
  await isAccessible(t, page, 'done, dark');
  t.strictSame(problems, [refusal('400 (Bad Request)')]);
  await page.context().close();
});

t.test('where the browser shows no PDF inside a page, it is opened or downloaded', async (t) => {
  const { page, problems } = await open();
  await choose(page, docx());
  await page.getByText('This browser shows no PDF inside a page.').waitFor();
  t.equal(await page.locator('iframe').count(), 0);
  t.equal((await downloaded(page)).name, 'report.pdf');
  t.strictSame(problems, []);
  await page.context().close();
});

t.test('where the browser shows no PDF, it shows a picture of the first page when asked', async (t) => {
  const { page, problems } = await open();
  await choose(page, docx({ pages: 2 }));
  await heading(page, 'report.pdf').waitFor();
  await page.getByText('That counts as another document.').waitFor();
  await button(page, 'Show the first page here').click();
  t.equal(await widthOf(page, '#viewer img'), 1240);
  await isAccessible(t, page, 'the first page');
  t.equal(await heading(page, 'report.pdf').count(), 1, 'the PDF stays');
  // The third document of the hour, and the fourth.
  await choose(page, docx());
  const shows = button(page, 'Show the first page here');
  await shows.click();
  await page.locator('#see-page-note').getByText(/hour/).waitFor();
  t.strictSame(problems, [refusal('429 (Too Many Requests)')]);
  await page.context().close();
});

t.test('the server is away', async (t) => {
  const { page, problems } = await open();
  await endsCleanly(t, server);
  await choose(page, docx());
  await heading(page, 'The service cannot be reached').waitFor();
  t.ok(await page.getByRole('button', { name: 'Try again' }).isEnabled());
  t.ok(await page.locator('#failure-request').isHidden(), 'there is no request id');
  t.strictSame(problems, ['Failed to load resource: net::ERR_CONNECTION_REFUSED']);
  await browser.close();
});

function isFocused(locator: ReturnType<Page['locator']>): Promise<boolean> {
  return locator.evaluate((element) => element.matches(':focus'));
}
