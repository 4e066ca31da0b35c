/** Two servers make the same bytes of the same document; and what the PDFs say of themselves. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { documentInEveryFont, documentWithEverything } from '../support/archive-documents.ts';
import { CORE_NAME, coreProperties, docxWithCore, modified } from '../support/core-properties.ts';
import { docx, imageDocx } from '../support/documents.ts';
import { reportedDocx, savedByWord } from '../support/report-documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly } from './support/assertions.ts';
import { send } from './support/requests.ts';

const run = promisify(execFile);
const servers = [await Server.start(), await Server.start({ env: { TZ: 'Pacific/Auckland' } })] as const;
const keys = [(await servers[0].createKey()).key, (await servers[1].createKey()).key] as const;

async function convert(document: Buffer, query: string, server: 0 | 1 = 0) {
  return send(servers[server], `/v1/convert?${query}`, { key: keys[server], body: form(document) });
}

/** The PDF from both servers, which is the same. */
async function same(t: Test, document: Buffer, query: string, what: string): Promise<void> {
  const [one, other] = await Promise.all([convert(document, query, 0), convert(document, query, 1)]);
  t.equal(one.status, 200, `${what}: ${one.body.toString('latin1', 0, 300)}`);
  t.equal(other.status, 200, `${what}: ${other.body.toString('latin1', 0, 300)}`);
  t.equal(other.headers.get('repr-digest'), one.headers.get('repr-digest'), `${what} ${query}`);
  t.ok(other.body.equals(one.body), `${what} ${query}`);
}

const page = (words: string) => `<w:p><w:r><w:br w:type="page"/><w:t>${words}</w:t></w:r></w:p>`;
const marked = '<w:p><w:r><w:br w:type="page"/></w:r><w:r><w:lastRenderedPageBreak/><w:t>2</w:t></w:r></w:p>';
const dated = docxWithCore({
  [CORE_NAME]: coreProperties(`<d:title>Old</d:title>${modified('2021-05-06T07:08:09+02:00')}`),
});
const documents = {
  plain: docx(),
  dated,
  pictures: imageDocx(3, 200),
  everything: documentWithEverything(),
  fonts: documentInEveryFont(),
  paginated: reportedDocx({
    body: `<w:p><w:r><w:t>1</w:t></w:r></w:p>${marked}`,
    properties: savedByWord(2),
  }),
  pages: reportedDocx({ body: [1, 2, 3].map((n) => page(String(n))).join('') }),
};

t.test('the same document, options, engine and fonts give the same bytes', async (t) => {
  for (const [name, document] of Object.entries(documents)) {
    if (document !== documents.fonts) await same(t, document, '', name);
    await same(t, document, 'pdfa=2b', name);
  }
  for (const query of [
    ...[
      'pdfa=1b',
      'pdfa=3b',
      'linearize=true',
      'changes=original',
      'images=jpeg&imageDpi=75',
      'tagged=false',
    ],
    ...['watermark=DRAFT', 'fields=updated', 'title=A&keywords=b%20c', 'title=A&keywords=b%20c&pdfa=2b'],
  ]) {
    await same(t, documents.everything, query, 'everything');
  }
  await same(t, documents.pages, 'pages=2-', 'pages');
});

const corpus = resolve(import.meta.dirname, '../../../shared/corpus');
if (existsSync(join(corpus, 'index.tsv'))) {
  t.test('so do some documents of a corpus', async (t) => {
    const [, ...rows] = readFileSync(join(corpus, 'index.tsv'), 'utf8').trim().split('\n');
    const files = rows.filter((row) => row.endsWith('\tconverts')).map((row) => row.split('\t')[0] ?? '');
    for (const file of files.filter((_, i) => i % 20 === 0)) {
      await same(t, await readFile(join(corpus, file)), 'pdfa=2b', file);
    }
  });
}

/** What a PDF says of itself: its information dictionary, and its XMP, if any. */
async function said(t: Test, body: Buffer) {
  const file = join(t.testdir(), 'document.pdf');
  await writeFile(file, body);
  const { stdout } = await run('pdfinfo', ['-rawdates', file]);
  const line = (name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(stdout)?.[1];
  const { stdout: xmp } = await run('pdfinfo', ['-meta', file]);
  return { line, xmp };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

t.test('the time is that of the document, in UTC', async (t) => {
  const plain = await said(t, (await convert(dated, '')).body);
  t.equal(plain.line('CreationDate'), "D:20210506050809Z'");
  const { xmp } = await said(t, (await convert(dated, 'pdfa=2b')).body);
  t.match(xmp, '<xmp:CreateDate>2021-05-06T05:08:09Z<');
  const { line } = await said(t, (await convert(docx(), '')).body);
  t.equal(line('CreationDate'), "D:20000101000000Z'", 'of one that says none');
});

t.test('title, author, subject and keywords', async (t) => {
  const texts = {
    title: 'A <b> & "c" \'d\' – שלום 🎉 ]]>',
    author: 'Müller, Jörg; משה',
    subject: 'é'.repeat(500),
    keywords: 'annual report; naïve, 日本 語 &amp; 🎉',
  };
  const query = new URLSearchParams(texts);
  for (const document of [docx(), dated, documents.paginated]) {
    for (const more of ['', '&pdfa=1b', '&pdfa=2b', '&linearize=true']) {
      const answer = await convert(document, `${query}${more}`);
      t.equal(answer.status, 200, answer.body.toString('latin1', 0, 300));
      const { line, xmp } = await said(t, answer.body);
      t.equal(line('Title'), texts.title, more);
      t.equal(line('Author'), texts.author);
      t.equal(line('Subject'), texts.subject);
      t.equal(line('Keywords'), texts.keywords);
      if (!more.includes('pdfa')) continue;
      for (const text of Object.values(texts)) t.ok(xmp.includes(`>${escaped(text)}<`), text.slice(0, 40));
    }
  }
  const { line } = await said(t, (await convert(dated, 'author=New')).body);
  t.equal(line('Title'), 'Old', 'what is not asked for stays');
  t.equal(line('Author'), 'New');
});

t.test('both servers have the same receipt', async (t) => {
  const receipts: unknown[] = [];
  for (const server of [0, 1] as const) {
    const { headers } = await convert(dated, 'pdfa=2b&title=secret', server);
    const path = `/v1/conversions/${headers.get('x-request-id')}`;
    await until('there is a report', async () => {
      const { status, body } = await send(servers[server], path, { method: 'GET', key: keys[server] });
      if (status !== 200) return false;
      receipts.push(JSON.parse(body.toString()).receipt);
      return true;
    });
  }
  t.match(receipts[0], {
    libreOffice: /^\d+\.\d+/,
    fontSet: /^[0-9a-f]{64}$/,
    options: { pdfa: '2b', title: 'given' },
  });
  t.strictSame(receipts[1], receipts[0]);
});

t.test('the servers end cleanly', async (t) => {
  for (const server of servers) await endsCleanly(t, server);
});
