/** Two servers make the same bytes of the same document; and what the PDFs say of themselves. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { documentInEveryFont, documentWithEverything } from '../../support/archive-documents.ts';
import { CORE_NAME, coreProperties, docxWithCore, modified } from '../../support/core-properties.ts';
import { docx, imageDocx } from '../../support/documents.ts';
import { reportedDocx, savedByWord } from '../../support/report-documents.ts';
import { form, Server } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { endsCleanly } from '../support/assertions.ts';
import { type Answer, send } from '../support/requests.ts';
import { key, server } from './server.ts';

const run = promisify(execFile);
const elsewhere = await Server.start({ env: { TZ: 'Pacific/Auckland' } });
const servers = [server, elsewhere] as const;
const keys = [key, (await elsewhere.createKey()).key] as const;

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
const paginated = reportedDocx({
  body: `<w:p><w:r><w:t>1</w:t></w:r></w:p>${marked}`,
  properties: savedByWord(2),
});
const everything = documentWithEverything();

t.test('the same document, options, engine and fonts give the same bytes', async (t) => {
  await same(t, docx(), '', 'plain');
  await same(t, dated, 'pdfa=2b', 'dated');
  await same(t, imageDocx(3, 200), '', 'pictures');
  await same(t, documentInEveryFont(['']), 'pdfa=2b', 'fonts');
  await same(t, paginated, 'pdfa=2b', 'paginated');
  await same(t, reportedDocx({ body: [1, 2, 3].map((n) => page(String(n))).join('') }), 'pages=2-', 'pages');
  for (const query of [
    '',
    'pdfa=1b&watermark=DRAFT',
    'pdfa=2b&title=A&keywords=b%20c',
    'pdfa=3b&fields=updated',
    'linearize=true&title=A&keywords=b%20c',
    'changes=original&images=jpeg&imageDpi=75&tagged=false',
  ]) {
    await same(t, everything, query, 'everything');
  }
});

const corpus = resolve(import.meta.dirname, '../../../../shared/corpus');
if (existsSync(join(corpus, 'index.tsv'))) {
  t.test('so do some documents of a corpus', async (t) => {
    const [, ...rows] = readFileSync(join(corpus, 'index.tsv'), 'utf8').trim().split('\n');
    const files = rows.filter((row) => row.endsWith('\tconverts')).map((row) => row.split('\t')[0] ?? '');
    for (const file of files.filter((_, i) => i % 40 === 0)) {
      await same(t, await readFile(join(corpus, file)), 'pdfa=2b', file);
    }
  });
}

/** What pdfinfo says of a PDF. */
async function pdfinfo(t: Test, body: Buffer, option: '-meta' | '-rawdates'): Promise<string> {
  const file = join(t.testdir(), 'document.pdf');
  await writeFile(file, body);
  return (await run('pdfinfo', [option, file])).stdout;
}

/** Its information dictionary, by the names of the entries. */
async function informationOf(t: Test, { body }: Answer) {
  const text = await pdfinfo(t, body, '-rawdates');
  return (name: string) => new RegExp(`^${name}: +(.*)$`, 'm').exec(text)?.[1];
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

t.test('the time is that of the document, in UTC', async (t) => {
  const plain = await informationOf(t, await convert(dated, ''));
  t.equal(plain('CreationDate'), "D:20210506050809Z'");
  for (const query of ['', 'pdfa=2b', 'fields=updated', 'pdfa=3b&fields=updated']) {
    const dates = async (document: Buffer) => {
      const metadata = await pdfinfo(t, (await convert(document, query)).body, '-meta');
      return new Set(
        [...metadata.matchAll(/<xmp:\w+Date>([^<]+)<|<rdf:li>(\d{4}-[^<]+)</g)].map(
          ([, one, other]) => one ?? other,
        ),
      );
    };
    t.strictSame([...(await dates(dated))], ['2021-05-06T05:08:09Z'], query);
    t.strictSame([...(await dates(docx()))], ['2000-01-01T00:00:00Z'], `${query}, of one that says none`);
  }
  const undated = await informationOf(t, await convert(docx(), ''));
  t.equal(undated('CreationDate'), "D:20000101000000Z'", 'of one that says none');
});

t.test('title, author, subject and keywords', async (t) => {
  const texts = {
    title: 'A <b> & "c" \'d\' – שלום 🎉 ]]>',
    author: 'Müller, Jörg; משה',
    subject: 'é'.repeat(500),
    keywords: 'annual report; naïve, 日本 語 &amp; 🎉',
  };
  const query = new URLSearchParams(texts);
  for (const [document, more] of [
    [docx(), ''],
    [docx(), '&pdfa=2b'],
    [dated, '&pdfa=1b'],
    [dated, '&linearize=true'],
    [paginated, '&pdfa=2b'],
    [paginated, '&linearize=true'],
  ] as const) {
    const answer = await convert(document, `${query}${more}`);
    t.equal(answer.status, 200, answer.body.toString('latin1', 0, 300));
    const entry = await informationOf(t, answer);
    t.equal(entry('Title'), texts.title, more);
    t.equal(entry('Author'), texts.author);
    t.equal(entry('Subject'), texts.subject);
    t.equal(entry('Keywords'), texts.keywords);
    if (!more.includes('pdfa')) continue;
    const xmp = await pdfinfo(t, answer.body, '-meta');
    for (const text of Object.values(texts)) t.ok(xmp.includes(`>${escaped(text)}<`), text.slice(0, 40));
  }
  const entry = await informationOf(t, await convert(dated, 'author=New'));
  t.equal(entry('Title'), 'Old', 'what is not asked for stays');
  t.equal(entry('Author'), 'New');
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

t.test('the other server ends cleanly', (t) => endsCleanly(t, elsewhere));
