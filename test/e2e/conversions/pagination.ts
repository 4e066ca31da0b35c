/** Whose page breaks a PDF has: Word's, if the document stores them, or the engine's. */
import t, { type Test } from 'tap';
import { reportedDocx, wordPart } from '../../support/report-documents.ts';
import { form } from '../../support/server.ts';
import { isError } from '../support/assertions.ts';
import { pdfCatalog, pdfDestinations, pdfText, pdfWords } from '../support/pdf.ts';
import { send } from '../support/requests.ts';
import { key, server } from './server.ts';

const MARK = '<w:lastRenderedPageBreak/>';
const lines = (count: number, words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`.repeat(count);
const marked = (words: string) => `<w:p><w:r>${MARK}<w:t>${words}</w:t></w:r></w:p>`;
const properties = (pages: number, application = 'Microsoft Office Word') =>
  `<Application>${application}</Application><Pages>${pages}</Pages>`;

/** Three pages in Word, one in LibreOffice. */
const shorter = lines(12, 'one') + marked('two') + lines(12, 'two') + marked('three');
/** Three pages in Word and in LibreOffice, but LibreOffice has more lines on the first two. */
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

t.test('also if LibreOffice has as many pages, which begin elsewhere', async (t) => {
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

t.test('a list item that continues has no second number, and the next one gets the next', async (t) => {
  const numbering =
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>' +
    '<w:lvlText w:val="%1."/><w:pPr><w:ind w:left="1440" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>';
  const styles =
    '<w:style w:type="paragraph" w:styleId="Item"><w:name w:val="Item"/>' +
    '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>';
  const words = (word: string, before = '') =>
    `<w:r>${before}<w:t xml:space="preserve">${`${word} `.repeat(250)}</w:t></w:r>`;
  for (const list of ['<w:numPr><w:numId w:val="1"/></w:numPr>', '<w:pStyle w:val="Item"/>']) {
    const item = (runs: string) => `<w:p><w:pPr>${list}</w:pPr>${runs}</w:p>`;
    const body = item(words('one') + words('rest', MARK)) + item(words('next')) + marked('last');
    const { pdf, pages, pagination } = await paginated(
      t,
      reportedDocx({
        body,
        parts: {
          'numbering.xml': wordPart('numbering', numbering),
          'styles.xml': wordPart('styles', styles),
        },
        properties: properties(3),
      }),
    );
    t.equal(pages, 3, list);
    t.match(pagination, { by: 'word' }, list);
    const found = await pdfWords(pdf);
    const numbers = found.filter(({ word }) => /^\d/.test(word));
    t.strictSame(
      numbers.map(({ word, page }) => [word, page]),
      [
        ['1.', 1],
        ['2.', 2],
      ],
      list,
    );
    const of = (looked: string) => found.filter(({ word }) => word === looked);
    const edge = Math.min(...of('one').map(({ x }) => x));
    const [begin] = of('rest').sort((one, other) => one.y - other.y || one.x - other.x);
    t.match(begin, { page: 2, x: edge }, `${list}: its lines begin where they did`);
  }
});

t.test('where a style begins a page, nothing is changed', async (t) => {
  const style =
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>' +
    '<w:pPr><w:pageBreakBefore/><w:spacing w:before="480"/></w:pPr></w:style>';
  const heading = `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r>${MARK}<w:t>two</w:t></w:r></w:p>`;
  const body = lines(12, 'one') + heading + lines(12, 'two') + marked('three');
  const parts = { 'styles.xml': wordPart('styles', style) };
  const document = reportedDocx({ body, parts, properties: properties(3) });
  const top = async (query: string) => {
    const { pdf } = await paginated(t, document, query);
    return (await pdfWords(pdf)).find(({ word }) => word === 'two');
  };
  t.match(await paginated(t, document), { pages: 3, pagination: { by: 'word' } });
  t.strictSame(await top(''), await top('?layout=engine'), 'the space above it stays');
});

t.test('empty lines push no content of a page to the next page', async (t) => {
  const exact = '<w:pPr><w:spacing w:line="280" w:lineRule="exact"/></w:pPr>';
  const empty = (count: number) => `<w:p>${exact}</w:p>`.repeat(count);
  const line = (word: string) => `<w:p>${exact}<w:r><w:t>${word}</w:t></w:r></w:p>`;
  const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
  // The body has room for 46 lines, and may grow by two.
  const end =
    '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" ' +
    'w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';
  const title = line('top') + empty(49) + line('bottom') + pageBreak;
  const closing = line('top') + line('bottom') + empty(44) + pageBreak;
  for (const [what, begin] of Object.entries({ 'in the middle': title, 'at the end': closing })) {
    const document = reportedDocx({
      body: begin + lines(12, 'two') + marked('three') + end,
      properties: properties(3),
    });
    t.match(
      await paginated(t, document, '?layout=engine'),
      { text: { 2: /two/ } },
      `${what}: a page too many`,
    );
    const { pages, pagination, text } = await paginated(t, document);
    t.equal(pages, 3, what);
    t.match(pagination, { by: 'word' }, what);
    t.match(text, [/^top\s+bottom/, /^two/, /^three/], what);
  }
});

t.test('a table begins a page, with its first row or with a later one', async (t) => {
  const line = (runs: string) => `<w:tr><w:tc><w:p>${runs}</w:p></w:tc></w:tr>`;
  const of = (words: string, before = '') => line(`<w:r>${before}<w:t>${words}</w:t></w:r>`);
  const rows = line('<w:r><w:t>two</w:t></w:r>').repeat(12) + of('three', MARK) + of('three').repeat(12);
  const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid>${of('two', MARK)}${rows}</w:tbl>`;
  const body = `${lines(12, 'one')}${table}<w:p/>${marked('four')}`;
  const { pagination, text } = await paginated(t, reportedDocx({ body, properties: properties(4) }));
  t.match(pagination, { by: 'word' });
  t.strictSame(
    text.map((page) => [...new Set(page.trim().split(/\s+/))]),
    [['one'], ['two'], ['three'], ['four']],
  );
});

t.test('a row goes on where Word parted it, below its header', async (t) => {
  const words = (word: string, before = '') =>
    `<w:r>${before}<w:t xml:space="preserve">${`${word} `.repeat(120)}</w:t></w:r>`;
  const cell = (content: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="4500" w:type="dxa"/></w:tcPr>${content}</w:tc>`;
  const of = (content: string) => cell(`<w:p>${content}</w:p>`);
  const head = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${of('<w:r><w:t>head</w:t></w:r>').repeat(2)}</w:tr>`;
  const going = `<w:tr>${of(words('one') + words('two', MARK))}${of('<w:r><w:t>short</w:t></w:r>')}</w:tr>`;
  const below = `<w:tr>${of(words('below', MARK))}${of('<w:r><w:t>last</w:t></w:r>')}</w:tr>`;
  const grid = '<w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid>';
  const body = `<w:tbl><w:tblPr/>${grid}${head}${going}${below}</w:tbl>${marked('three')}`;
  const { pdf, pagination } = await paginated(t, reportedDocx({ body, properties: properties(3) }));
  t.match(pagination, { by: 'word' });
  const found = await pdfWords(pdf);
  const on = (page: number) => [...new Set(found.flatMap((each) => (each.page === page ? each.word : [])))];
  t.strictSame(
    [1, 2, 3].map((page) => on(page).sort()),
    [['head', 'one', 'short'], ['below', 'head', 'last', 'two'], ['three']],
  );
  const edge = (looked: string) => Math.min(...found.flatMap(({ word, x }) => (word === looked ? x : [])));
  t.equal(edge('two'), edge('one'), 'in the same column');
});

t.test('a strict document is like any other', async (t) => {
  const section =
    '<w:sectPr><w:pgSz w:w="595pt" w:h="400pt"/><w:pgMar w:top="72pt" w:bottom="72pt"/></w:sectPr>';
  const numbering =
    '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>' +
    '<w:pPr><w:ind w:start="72pt" w:hanging="18pt"/></w:pPr></w:lvl></w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>';
  const words = (word: string, before = '') =>
    `<w:r>${before}<w:t xml:space="preserve">${`${word} `.repeat(150)}</w:t></w:r>`;
  const list = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>';
  const document = reportedDocx({
    body: `<w:p>${list}${words('one')}${words('two', MARK)}</w:p>${marked('three')}${section}`,
    parts: { 'numbering.xml': wordPart('numbering', numbering) },
    properties: properties(3),
    isStrict: true,
  });
  const { pdf, pagination, text } = await paginated(t, document);
  t.match(pagination, { by: 'word' });
  t.match(text, [/^1\. one/, /^two/, /^three/]);
  const found = await pdfWords(pdf);
  const edge = (looked: string) => Math.min(...found.flatMap(({ word, x }) => (word === looked ? x : [])));
  t.equal(edge('two'), edge('one'));
});

t.test('marks that do not count', async (t) => {
  const text = `<w:t><![CDATA[${MARK}]]></w:t>`;
  const box = (inner: string) =>
    `<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:99pt;height:99pt"><v:textbox>
<w:txbxContent>${inner}</w:txbxContent></v:textbox></v:shape></w:pict>`;
  const noted = '<w:r><w:footnoteReference w:id="2"/></w:r>';
  const notes = wordPart('footnotes', `<w:footnote w:id="2">${marked('note')}</w:footnote>`);
  const body = `<w:p><w:r>${text}</w:r><w:r>${box(marked('box'))}</w:r>${noted}</w:p>${lines(3, 'one')}`;
  const document = reportedDocx({ body, parts: { 'footnotes.xml': notes }, properties: properties(1) });
  const { pages, pagination } = await paginated(t, document);
  t.equal(pages, 1);
  t.strictSame(pagination, { by: 'engine', reason: 'no-marks' });
});

t.test('a third layout drops a break that does not fit', async (t) => {
  const high = (words: string, twips: number, before = '') =>
    `<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="${twips}" w:lineRule="exact"/></w:pPr>` +
    `<w:r>${before}<w:t>${words}</w:t></w:r></w:p>`;
  const page = (words: string) => high(words, 480, MARK) + high(words, 480).repeat(19);
  // 672 points on a page of 648; the last 72 are one line, of which only the top is known.
  const body = high('one', 480).repeat(25) + high('one', 1440) + page('two') + page('three');
  const document = reportedDocx({ body, properties: properties(3) });
  const { pages, pagination, text } = await paginated(t, document);
  t.equal(pages, 3);
  t.strictSame(pagination, { by: 'word', reason: 'marks' });
  t.match(text, [/^one/, /^one\s+two/, /^three/]);
});

t.test('the anchors by which pages are found are not in the PDF', async (t) => {
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

t.test('without marks, a document that runs over has as many pages as Word counted', async (t) => {
  const exact = '<w:pPr><w:spacing w:line="280" w:lineRule="exact"/></w:pPr>';
  const line = (word: string) => `<w:p>${exact}<w:r><w:t>${word}</w:t></w:r></w:p>`;
  const empty = `<w:p>${exact}</w:p>`;
  // The body has room for 46 lines, and may grow by two.
  const end =
    '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" ' +
    'w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';
  const counted = (pages: number, characters: number) =>
    `${properties(pages)}<Characters>${characters}</Characters>`;
  const own = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
  for (const [what, lines, pages] of [
    ['into the room above the footer', line('one').repeat(47) + line('last'), 1],
    ['over empty lines', line('one').repeat(40) + empty.repeat(12) + line('last'), 1],
    ['on its last page', line('one') + own + line('two').repeat(47) + line('last'), 2],
  ] as const) {
    const body = lines + end;
    const document = reportedDocx({ body, properties: counted(pages, 500) });
    t.match(await paginated(t, document, '?layout=engine'), { pages: pages + 1 }, what);
    const { text, pdf, ...result } = await paginated(t, document);
    t.match(result, { pages, pagination: { by: 'word', reason: 'page-count' } }, what);
    t.notMatch(pdfCatalog(pdf), '/Dests', what);
    t.match(text[pages - 1], /last/, what);
    t.match(await paginated(t, reportedDocx({ body, properties: counted(pages, 0) })), {
      pages: pages + 1,
      pagination: { by: 'engine', reason: 'no-marks' },
    });
  }
  for (const [reason, count, pages] of [
    ['does-not-fit', 50, 2],
    ['does-not-fit', 120, 3],
    ['same-pages', 40, 1],
  ] as const) {
    const document = reportedDocx({ body: line('one').repeat(count) + end, properties: counted(1, 500) });
    t.match(await paginated(t, document), { pages, pagination: { by: 'engine', reason } });
  }
});

t.test('no document has fewer words on their page of Word than with the engine alone', async (t) => {
  const exact = (twips: number) =>
    `<w:pPr><w:spacing w:before="0" w:after="0" w:line="${twips}" w:lineRule="exact"/></w:pPr>`;
  /** Lines of 24 points, with the number of their page; 27 fill the body. */
  const page = (number: number, count: number, mark = MARK) =>
    Array.from(
      { length: count },
      (_, i) => `<w:p>${exact(480)}<w:r>${i ? '' : mark}<w:t>p${number}</w:t></w:r></w:p>`,
    ).join('');
  const pages = (counts: readonly number[]) =>
    counts.map((count, i) => page(i + 1, count, i ? MARK : '')).join('');
  const empty = `<w:p>${exact(240)}</w:p>`;
  const own =
    '<w:p><w:pPr><w:pageBreakBefore/><w:spacing w:before="0" w:after="0" w:line="480" w:lineRule="exact"/></w:pPr>';
  const cell =
    '<w:tc><w:tcPr><w:tcW w:w="8000" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>p2</w:t></w:r></w:p></w:tc>';
  const floating =
    '<w:tbl><w:tblPr><w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpYSpec="bottom"/><w:tblW w:w="8000" w:type="dxa"/></w:tblPr>' +
    `<w:tblGrid><w:gridCol w:w="8000"/></w:tblGrid>${`<w:tr><w:trPr><w:trHeight w:val="1000"/></w:trPr>${cell}</w:tr>`.repeat(8)}</w:tbl>`;
  const end =
    '<w:sectPr><w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" ' +
    'w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>';
  const long = [25, ...Array(8).fill(27)];
  const documents: Record<string, readonly [body: string, counted: number]> = {
    'pages that end early': [pages([20, 20, 20]), 3],
    'pages that run over': [pages([27, 30, 27, 27, 26, 9]), 6],
    'a page that runs over, before another that ends early': [pages([26, 31, 27, 20, 27]), 5],
    'a page without a mark': [pages([20]) + page(2, 27) + page(3, 27, '') + page(4, 20) + page(5, 27), 5],
    'a count of one': [pages(long), 1],
    'a count below the number of marks': [pages(long), 7],
    'a count above it': [pages(long), 12],
    'marks that were noted twice': [pages([27]) + page(2, 7) + page(2, 20) + page(3, 27) + page(4, 20), 1],
    'breaks of the document': [
      `${page(1, 27, '')}${own}<w:r><w:t>p2</w:t></w:r></w:p>${page(3, 28)}${page(4, 27)}`,
      4,
    ],
    'empty lines': [page(1, 27, '') + empty.repeat(9) + page(2, 29) + empty.repeat(3) + page(3, 27), 3],
    'a floating table at the end': [`${page(1, 27, '')}${page(2, 3)}${floating}<w:p></w:p>`, 2],
  };
  for (const [what, [body, counted]] of Object.entries(documents)) {
    const document = reportedDocx({ body: body + end, properties: properties(counted) });
    const right = async (query: string) => {
      const { text } = await paginated(t, document, query);
      const words = text.flatMap((page, i) => page.split(/\s+/).map((word) => word === `p${i + 1}`));
      return words.filter(Boolean).length;
    };
    const [auto, engine] = [await right(''), await right('?layout=engine')];
    t.ok(auto >= engine, `${what}: ${auto} words, ${engine} with the engine alone`);
  }
});

t.test('marks of a document that another program changed', async (t) => {
  const document = (characters: number) =>
    reportedDocx({
      body: shorter,
      properties: `${properties(3)}<Characters>${characters}</Characters>`,
      isChanged: true,
    });
  // 12 and 12 lines, and one that begins a page: words of three letters, the last of five, and as many paragraph marks.
  const counted = 12 * 4 + 4 + 12 * 4 + 6;
  t.match(await paginated(t, document(counted)), { pages: 3, pagination: { by: 'word', reason: 'marks' } });
  const other = { pages: 1, pagination: { by: 'engine', reason: 'not-saved-by-word' } };
  t.match(await paginated(t, document(counted - 4)), other);
  t.match(await paginated(t, document(counted - 4), '?layout=word'), {
    pages: 3,
    pagination: { by: 'word', reason: 'marks' },
  });
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

t.test('a further layout that fails does no harm, and the log says why', async (t) => {
  // Each part of a split paragraph repeats its properties, so the document would exceed the size limit.
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

t.test('an unknown layout', async (t) => {
  const body = form(reportedDocx({ body: shorter }));
  const answer = await send(server, '/v1/convert?layout=wrd', { key, body });
  isError(t, answer, 'INVALID_PARAMETER');
});
