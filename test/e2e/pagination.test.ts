/** Whose pages a PDF has: Word's, where the document says where they began, or the engine's. */
import t, { type Test } from 'tap';
import { reportedDocx } from '../support/report-documents.ts';
import { form, Server } from '../support/server.ts';
import { endsCleanly, isError } from './support/assertions.ts';
import { pdfCatalog, pdfDestinations, pdfText } from './support/pdf.ts';
import { send } from './support/requests.ts';

const server = await Server.start();
const { key } = await server.createKey();

const MARK = '<w:lastRenderedPageBreak/>';
const lines = (count: number, words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`.repeat(count);
const marked = (words: string) => `<w:p><w:r>${MARK}<w:t>${words}</w:t></w:r></w:p>`;
const properties = (pages: number, application = 'Microsoft Office Word') =>
  `<Application>${application}</Application><Pages>${pages}</Pages>`;

/** Word has three pages of it, LibreOffice one. */
const shorter = lines(12, 'one') + marked('two') + lines(12, 'two') + marked('three');
/** Word has three pages of it, and so has LibreOffice, with more lines on the first two. */
const drifting = lines(30, 'one') + marked('two') + lines(29, 'two') + marked('three') + lines(39, 'three');

async function paginated(t: Test, document: Buffer, query = '') {
  const answer = await send(server, `/v1/convert${query}`, { key, body: form(document) });
  t.equal(answer.status, 200, answer.body.toString('latin1', 0, 200));
  const id = answer.headers.get('x-request-id');
  const report = await send(server, `/v1/conversions/${id}`, { method: 'GET', key });
  const { pagination } = JSON.parse(report.body.toString()) as { pagination: unknown };
  const pages = Number(answer.headers.get('x-conversion-pages'));
  return { pages, pagination, pdf: answer.body, text: (await pdfText(answer.body)).split('\f') };
}

t.test('each page begins where Word began it', async (t) => {
  const { pages, pagination, text } = await paginated(
    t,
    reportedDocx({ body: shorter, properties: properties(3) }),
  );
  t.equal(pages, 3);
  t.strictSame(pagination, { by: 'word', reason: 'marks' });
  t.match(text, [/^one/, /^two/, /^three/]);
});

t.test('so they do where there are as many pages, which begin elsewhere', async (t) => {
  const document = reportedDocx({ body: drifting, properties: properties(3) });
  const engine = await paginated(t, document, '?layout=engine');
  t.equal(engine.pages, 3);
  t.match(engine.text, [/^one[\s\S]*two/, /^two[\s\S]*three/, /^three/]);
  const { pages, pagination, text } = await paginated(t, document);
  t.equal(pages, 3);
  t.strictSame(pagination, { by: 'word', reason: 'marks' });
  t.strictSame(
    text.map((page) => [...new Set(page.trim().split(/\s+/))]),
    [['one'], ['two'], ['three']],
  );
});

t.test('a break that turns out not to fit is let go in a third layout', async (t) => {
  const high = (words: string, twips: number, before = '') =>
    `<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="${twips}" w:lineRule="exact"/></w:pPr>` +
    `<w:r>${before}<w:t>${words}</w:t></w:r></w:p>`;
  const page = (words: string) => high(words, 480, MARK) + high(words, 480).repeat(19);
  // 672 points for a page of 648, the last 72 of which are one line: of it only the top is known.
  const body = high('one', 480).repeat(25) + high('one', 1440) + page('two') + page('three');
  const document = reportedDocx({ body, properties: properties(3) });
  const { pages, pagination, text } = await paginated(t, document);
  t.equal(pages, 3);
  t.strictSame(pagination, { by: 'word', reason: 'marks' });
  t.match(text, [/^one/, /^one\s+two/, /^three/]);
});

t.test('what pages were found by is not in the PDF', async (t) => {
  const bookmark = '<w:bookmarkStart w:id="1" w:name="own"/><w:bookmarkEnd w:id="1"/>';
  const own = `<w:p>${bookmark}<w:r><w:t>one</w:t></w:r></w:p>`;
  const kept = `${own}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${marked('two')}${lines(60, 'two')}${marked('three')}`;
  for (const [body, by] of [
    [own + shorter, 'word'],
    [kept, 'engine'],
  ] as const) {
    const document = reportedDocx({ body, properties: properties(3) });
    for (const query of ['', '?pdfa=2b']) {
      const { pdf, pagination } = await paginated(t, document, query);
      t.match(pagination, { by }, `${by}${query}`);
      t.notMatch(pdfCatalog(pdf), '/Dests', `${by}${query}`);
      t.strictSame(await pdfDestinations(pdf), [], `${by}${query}`);
    }
  }
});

t.test('where Word noted no number of pages, the marks alone count', async (t) => {
  const document = reportedDocx({ body: shorter, properties: properties(1) });
  t.match(await paginated(t, document), { pages: 3, pagination: { by: 'word' } });
});

t.test('the engine alone lays out', async (t) => {
  const cases: [string, Buffer, string][] = [
    ['not-word', reportedDocx({ body: shorter, properties: properties(3, 'Writer') }), ''],
    ['no-marks', reportedDocx({ body: lines(3, 'one'), properties: properties(3) }), ''],
    ['stale-marks', reportedDocx({ body: shorter, properties: properties(7) }), ''],
    [
      'does-not-fit',
      reportedDocx({ body: lines(100, 'one') + marked('two'), properties: properties(2) }),
      '',
    ],
    ['requested', reportedDocx({ body: shorter, properties: properties(3) }), '?layout=engine'],
  ];
  for (const [reason, document, query] of cases) {
    const { pages, pagination, text } = await paginated(t, document, query);
    t.strictSame(pagination, { by: 'engine', reason }, reason);
    t.equal(pages, reason === 'does-not-fit' ? 3 : 1, reason);
    const { text: alone } = await paginated(t, document, '?layout=engine');
    t.strictSame(text, alone, `${reason}: the same pages as ever`);
  }
  const same = reportedDocx({
    body: `${lines(2, 'one')}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${lines(60, 'two')}${marked('three')}`,
    properties: properties(3),
  });
  t.match(await paginated(t, same), { pages: 3, pagination: { by: 'engine', reason: 'same-pages' } });
});

t.test('a further layout that fails costs nothing, and the log says why', async (t) => {
  // Each part of the paragraph has its properties: with all of them the document would be larger than one may be.
  const parts = `${'<w:r><w:t>one</w:t><w:br/></w:r>'.repeat(20)}<w:r>${MARK}<w:t>two</w:t></w:r>`.repeat(60);
  const style = `<w:pPr><w:pStyle w:val="${'a'.repeat(1_000_000)}"/></w:pPr>`;
  const body = form(reportedDocx({ body: `<w:p>${style}${parts}</w:p>`, properties: properties(61) }));
  const answer = await send(server, '/v1/convert', { key, body });
  t.equal(answer.status, 200);
  const id = answer.headers.get('x-request-id');
  t.match(await server.logged('request', ({ reqId }) => reqId === id), {
    conversion: {
      pagination: { by: 'engine', reason: 'failed' },
      layoutFailure: 'CORRUPTED_FILE part-too-large',
    },
  });
});

t.test('a layout that there is not', async (t) => {
  const body = form(reportedDocx({ body: shorter }));
  const answer = await send(server, '/v1/convert?layout=wrd', { key, body });
  isError(t, answer, 'INVALID_PARAMETER');
});

t.test('the service ends as cleanly as ever', (t) => endsCleanly(t, server));
