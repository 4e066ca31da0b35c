/** "From a browser" of the guide: its page, served from an origin of its own, in a real browser. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { launchBrowser, openPage } from '../support/browser.ts';
import { docx } from '../support/documents.ts';
import { fences } from '../support/guide.ts';
import { Server } from '../support/server.ts';
import { pdfText } from './support/pdf.ts';

const server = await Server.start();
t.teardown(() => server.stop());
const browser = await launchBrowser();
t.teardown(() => browser.close());

const { code = '' } = fences.find(({ page, name }) => page === 'browser.md' && name === 'upload.html') ?? {};
/** The key in the page that is served. */
let key = '';
const site = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(code.replace('https://platen.example.com', server.url).replace('svc_live_pk_…', key));
}).listen(0, '127.0.0.1');
await once(site, 'listening');
t.teardown(() => site.close());
const origin = `http://localhost:${(site.address() as AddressInfo).port}`;

const report = {
  name: 'Report.docx',
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: docx({ pages: 2, paragraphs: ['Dear visitor'] }),
};

/** The page, opened anew. */
async function open() {
  const { page } = await openPage(browser, origin);
  await page.goto(origin);
  const choose = (file: typeof report) => page.getByLabel('Document').setInputFiles(file);
  return {
    page,
    choose,
    link: page.getByRole('link', { name: 'Save the PDF' }),
    output: page.getByRole('status'),
  };
}

t.test('the page has twenty lines', async (t) => {
  t.ok(code.trimEnd().split('\n').length <= 20);
});

t.test('a visitor gets the PDF of a document, and sees the error of another', async (t) => {
  ({ key } = await server.createKey({ type: 'pk', permissions: ['convert'], origins: [origin] }));
  const { page, choose, link, output } = await open();
  await choose(report);
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  t.equal(download.suggestedFilename(), 'Report.pdf');
  t.match(await pdfText(await readFile(await download.path())), 'Dear visitor');
  t.match(await output.innerText(), 'Pages: 2.', 'it reads a header of the answer');
  await choose({ ...report, buffer: Buffer.from('no document') });
  await output.getByText('plain text').waitFor();
  t.notOk(await link.isVisible());
});

t.test('a key without the origin, and a secret key, work in no page', async (t) => {
  const keys = [
    await server.createKey({ type: 'pk', permissions: ['convert'], origins: ['http://localhost:1'] }),
    await server.createKey(),
  ];
  for (const { id, key: other } of keys) {
    key = other;
    const { page, choose, link } = await open();
    const failed = page.waitForEvent('pageerror');
    await choose(report);
    t.match(String(await failed), 'Failed to fetch', 'the page is not told why');
    const refused = await server.logged('request', (line) => line.key === id);
    t.match(refused, { status: 403, code: 'ORIGIN_NOT_ALLOWED' });
    t.notOk(await link.isVisible());
  }
});

t.test('without a key, any page may use the public endpoint', async (t) => {
  const { page } = await open();
  const url = JSON.stringify(`${server.url}/v1/public/convert`);
  const bytes = JSON.stringify([...report.buffer]);
  const read = await page.evaluate<unknown>(
    `(async () => {
      const body = new FormData();
      body.set('file', new File([new Uint8Array(${bytes})], 'a.docx'));
      const answer = await fetch(${url}, { method: 'POST', body });
      return [answer.status, (await answer.blob()).type, answer.headers.get('x-request-id').slice(0, 4)];
    })()`,
  );
  t.same(read, [200, 'application/pdf', 'req_']);
});
