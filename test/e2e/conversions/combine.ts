/** Several documents in one PDF, as other programs find it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { accessibleDocx } from '../../support/accessible-document.ts';
import { documentWithEverything } from '../../support/archive-documents.ts';
import { type Profile, violations } from '../../support/conformance.ts';
import { countedDocx, facingDocx } from '../../support/counted-document.ts';
import { docx, docxWithParts, mainPart } from '../../support/documents.ts';
import { invoice } from '../../support/invoices.ts';
import { relationships, XML } from '../../support/office-package.ts';
import { until } from '../../support/until.ts';
import { isDelivered, isError } from '../support/assertions.ts';
import { pdfPageTexts } from '../support/pdf.ts';
import { type Answer, send } from '../support/requests.ts';
import { key, server } from './server.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'platen-combine-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

const texts = ['Alpha', 'Beta', 'Gamma'];
const documents = texts.map((text, index) => docx({ paragraphs: [text], pages: index + 1 }));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Sent {
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string | Blob>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

async function combine(contents: readonly Buffer[], { query = '', fields = {}, ...rest }: Sent = {}) {
  const body = new FormData();
  for (const [index, content] of contents.entries())
    body.append('file', new Blob([content as Buffer<ArrayBuffer>]), `${texts[index] ?? index}.docx`);
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append('attachment', value, name);
  }
  return send(server, `/v1/combine?${query}`, { key, body, ...rest });
}

async function json(path: string) {
  return JSON.parse((await send(server, path, { method: 'GET', key })).body.toString());
}

/** What the account has used, in all ways in which it is told. */
async function usage() {
  const { conversions, days } = await json('/v1/usage');
  const [{ conversions: ofDay = 0, pages = 0 } = {}] = days.slice(-1);
  return { used: conversions.used, ofDay, pages };
}

const written = async (pdf: Buffer, name = 'whole.pdf') => {
  const path = join(folder, name);
  await writeFile(path, pdf);
  return path;
};

/** The bookmarks, as qpdf reads them. */
async function bookmarksOf(path: string): Promise<{ title: string; kids: unknown[] }[]> {
  const { stdout } = await run('qpdf', ['--json=2', '--json-key=outlines', path]);
  return JSON.parse(stdout).outlines;
}

async function isInOrder(t: Test, answer: Answer): Promise<string> {
  isDelivered(t, answer, 6);
  const pages = await pdfPageTexts(answer.body);
  t.strictSame(
    pages.map((text) => text.trim().split(/\s+/).join(' ')),
    ['Alpha Page 1', 'Beta Page 1', 'Page 2', 'Gamma Page 1', 'Page 2', 'Page 3'],
  );
  const path = await written(answer.body);
  await run('qpdf', ['--check', path]);
  return path;
}

t.test('three documents become one PDF, in their order', async (t) => {
  const before = await usage();
  const answer = await combine(documents, { query: 'title=All%20of%20it' });
  const path = await isInOrder(t, answer);
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="All of it.pdf"');
  t.strictSame(
    (await bookmarksOf(path)).map(({ title }) => title),
    ['Alpha.docx', 'Beta.docx', 'Gamma.docx'],
  );
  const { stdout } = await run('pdfinfo', [path]);
  t.match(stdout, /^Title: +All of it$/m);
  t.match(stdout, /^Tagged: +yes$/m);
  const after = await usage();
  t.strictSame(after, { used: before.used + 3, ofDay: before.ofDay + 3, pages: before.pages + 6 });

  const report = await json(`/v1/conversions/${answer.headers.get('x-request-id')}`);
  t.match(report, { outcome: 'success', pages: 6, bytesOut: answer.body.length, accessibility: [] });
  const digests = documents.map(sha256);
  t.strictSame(report.receipt.documents, [
    { sha256: digests[0], pages: 1 },
    { sha256: digests[1], pages: 2 },
    { sha256: digests[2], pages: 3 },
  ]);
  t.equal(report.receipt.documentSha256, sha256(Buffer.from(digests.join(''))));
  t.equal(report.receipt.pdfSha256, sha256(answer.body));
});

t.test('the same documents give the same bytes, and another order others', async (t) => {
  const [one, two] = [await combine(documents), await combine(documents)];
  t.ok(one.body.equals(two.body));
  t.equal(one.headers.get('content-disposition'), 'attachment; filename="combined.pdf"');
  t.notOk(one.body.equals((await combine(documents.toReversed())).body));
  const [same] = [await combine(documents.slice(0, 1))];
  isDelivered(t, same);
});

t.test('the fourth is broken', async (t) => {
  const before = await usage();
  const broken = documents[0]?.subarray(0, -100) as Buffer;
  const answer = await combine([...documents, broken]);
  const { message, file, fileName, code } = JSON.parse(answer.body.toString());
  t.strictSame({ code, file, fileName }, { code: 'CORRUPTED_FILE', file: 3, fileName: '3.docx' });
  t.match(message, /^files\[3\]: /);
  t.strictSame(await usage(), before, 'nothing is billed');
  t.strictSame(await server.jobs(), [], 'nothing is left');
});

t.test('a repetition is not billed again', async (t) => {
  const before = await usage();
  const headers = { 'idempotency-key': 'combined-once' };
  const first = await combine(documents, { headers });
  t.equal(first.headers.get('idempotent-replayed'), null);
  const again = await combine(documents, { headers });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.ok(first.body.equals(again.body));
  t.equal((await usage()).used, before.used + 3);
  isError(t, await combine(documents.toReversed(), { headers }), 'IDEMPOTENCY_KEY_REUSED');
  t.equal((await usage()).used, before.used + 3);
});

t.test('warnings say of which file they are', async (t) => {
  const tracked = documentWithEverything();
  const answer = await combine([documents[0] as Buffer, tracked], { query: 'pages=1-9' });
  t.equal(answer.status, 200);
  t.match(answer.headers.get('x-conversion-warnings'), /PAGES_CLAMPED;file=0;pages=1, PAGES_CLAMPED;file=1/);
  const { warnings } = await json(`/v1/conversions/${answer.headers.get('x-request-id')}`);
  t.match(warnings, [{ code: 'PAGES_CLAMPED', file: 0, message: /^files\[0\]: The document does not/ }]);
  const refused = await combine([documents[2] as Buffer, documents[0] as Buffer], {
    query: 'pages=1-3&failOn=PAGES_CLAMPED',
  });
  const { code, file, warnings: why } = JSON.parse(refused.body.toString());
  t.strictSame({ code, file }, { code: 'CONVERSION_FAILED', file: 1 });
  t.match(why, [{ code: 'PAGES_CLAMPED' }]);
  const none = await combine([documents[2] as Buffer, documents[0] as Buffer], { query: 'pages=3' });
  t.match(JSON.parse(none.body.toString()), {
    code: 'INVALID_PARAMETER',
    file: 1,
    message: /^files\[1\]: The document has 1 page/,
  });
});

/** A document of a year, with so many links to its begin. */
function dated(year: number, links: number): Buffer {
  const link = '<w:p><w:hyperlink w:anchor="a"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>';
  const begin = '<w:bookmarkStart w:id="1" w:name="a"/><w:r><w:t>begin</w:t></w:r><w:bookmarkEnd w:id="1"/>';
  const core = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';
  return docxWithParts({
    'word/document.xml': mainPart(`<w:p>${begin}</w:p>${link.repeat(links)}`),
    'docProps/core.xml': `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" \
xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\
<dcterms:modified xsi:type="dcterms:W3CDTF">${year}-05-06T07:08:09Z</dcterms:modified></cp:coreProperties>`,
    '_rels/.rels': relationships([
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>',
      `<Relationship Id="rId2" Type="${core}" Target="docProps/core.xml"/>`,
    ]),
  });
}

t.test('archives of documents with other dates, and many links', async (t) => {
  const answer = await combine([dated(2001, 150), dated(2002, 150)], {
    query: 'pdfa=2b&pdfua=true&title=Whole',
  });
  isDelivered(t, answer, Number(answer.headers.get('x-conversion-pages')));
  const path = await written(answer.body, 'links.pdf');
  for (const profile of ['2b', 'ua'] as const) t.strictSame(await violations(path, profile), [], profile);
});

t.test('archives, accessible and encrypted PDFs, attachments and invoices', async (t) => {
  for (const [query, profiles] of [
    ['pdfa=1b', ['1b']],
    ['pdfa=2b&author=Me&keywords=one,%20two', ['2b']],
    ['pdfa=2b&pdfua=true&title=Whole', ['2b', 'ua']],
    ['pdfua=true&title=Whole', ['ua']],
  ] as const) {
    const answer = await combine(
      [...documents, query.includes('ua') ? accessibleDocx() : documentWithEverything()],
      {
        query,
      },
    );
    t.equal(answer.status, 200, answer.status === 200 ? query : answer.body.toString());
    const levels = profiles.map((profile) => (profile === 'ua' ? 'PDF/UA-1' : `PDF/A-${profile}`));
    t.equal(
      answer.headers.get('x-conversion-conformance'),
      levels.map((level) => `${level};verdict=pass`).join(', '),
      'the verdict is of the whole',
    );
    const path = await written(answer.body, 'archive.pdf');
    for (const profile of profiles) {
      t.strictSame(await violations(path, profile as Profile), [], `${query}: ${profile}`);
    }
  }
  const invoiced = await combine(documents, {
    query: 'pdfa=3b&facturx=basic',
    fields: { 'factur-x.xml': new Blob([invoice('basic') as Buffer<ArrayBuffer>], { type: 'text/xml' }) },
  });
  await isInOrder(t, invoiced);
  t.strictSame(await violations(await written(invoiced.body), '3b'), []);
  t.match((await run('qpdf', ['--list-attachments', join(folder, 'whole.pdf')])).stdout, /^factur-x\.xml/);

  const closed = await combine(documents, { query: 'linearize=true', fields: { userPassword: 'open' } });
  isDelivered(t, closed, 6);
  const path = await written(closed.body, 'closed.pdf');
  t.match((await run('pdfinfo', ['-upw', 'open', path])).stdout, /^Encrypted: +yes.*AES-256/m);
  await run('qpdf', ['--check', '--password=open', path]);
});

t.test('page numbers that run on', async (t) => {
  // LibreOffice adds blank pages where even numbers begin, which no PDF has.
  const several = [
    docx({ paragraphs: ['no header'] }),
    countedDocx(''),
    countedDocx('<w:pgNumType w:start="5" w:fmt="lowerRoman"/>', '<w:pgNumType w:start="1"/>'),
    countedDocx(''),
  ];
  const shownBy = async (query: string) => {
    const answer = await combine(several, { query });
    t.equal(answer.status, 200, answer.status === 200 ? query : answer.body.toString());
    return (await pdfPageTexts(answer.body)).map((page) => page.trim().split(/\s+/).join(' '));
  };
  t.strictSame(await shownBy('pageNumbers=separate'), await shownBy(''));
  const own = await shownBy('');
  t.strictSame(
    own.filter((text) => !text.startsWith('v')),
    ['no header', '1/2 2 a', '2/2 2 of 2', '1/4 2 a', '2/4 2 of 4', '1/2 2 a', '2/2 2 of 2'],
  );
  t.strictSame(await shownBy('pageNumbers=continuous'), [
    ...['no header', '2/9 2 a', '3/9 2 of 9'],
    ...['iv/9 2 a', 'v/9 2 of 9', '6/9 2 a', '7/9 2 of 9'],
    ...['8/9 2 a', '9/9 2 of 9'],
  ]);
});

t.test('odd and even pages of the whole', async (t) => {
  const odd = countedDocx('', '<w:type w:val="oddPage"/>', '<w:type w:val="evenPage"/>');
  const shownBy = async (...documents: readonly Buffer[]) => {
    const answer = await combine(documents, { query: 'pageNumbers=continuous' });
    t.equal(answer.status, 200);
    return (await pdfPageTexts(answer.body)).map((page) => page.trim().split(/\s+/).slice(0, 1).join(''));
  };
  // Blank pages are where Word prints them: before a section that begins on the other side.
  t.strictSame(await shownBy(odd), ['1/7', '2/7', '3/7', '4/7', '', '6/7', '7/7']);
  const behind = ['2/9', '3/9', '', '5/9', '6/9', '', '8/9', '9/9'];
  t.strictSame((await shownBy(docx(), odd)).slice(1), behind);
  t.strictSame((await shownBy(docx(), facingDocx())).slice(1), ['even2', 'odd3', 'even4']);
  t.strictSame((await shownBy(docx(), docx(), facingDocx())).slice(2), ['odd3', 'even4', 'odd5']);
});

t.test('a whole that breaks its standard', async (t) => {
  const before = await usage();
  const broken = [accessibleDocx({ alternative: '' }), accessibleDocx({ alternative: '' })];
  const query = 'pdfua=true&title=Whole';
  const level = { level: 'PDF/UA-1', verdict: 'fail' };
  const warning = { code: 'NONCONFORMING', level: 'loss', standard: 'PDF/UA-1', count: 2, file: undefined };
  // The verdict is about the PDF that is delivered, whether or not qpdf has worked on it.
  for (const finishing of ['', '&linearize=true']) {
    const answer = await combine(broken, { query: query + finishing });
    t.equal(answer.headers.get('x-conversion-conformance'), 'PDF/UA-1;verdict=fail;failures=2');
    t.equal(answer.headers.get('x-conversion-warnings'), 'NONCONFORMING;standard="PDF/UA-1";count=2');
    const report = await json(`/v1/conversions/${answer.headers.get('x-request-id')}`);
    t.match(report.conformance, [{ ...level, failures: [{ clause: '7.3' }, { clause: '7.3' }] }]);
    t.match(report.warnings, [warning]);
  }
  const used = (await usage()).used;
  t.equal(used, before.used + 4);
  for (const failOn of ['NONCONFORMING', 'loss']) {
    const refused = await combine(broken, { query: `${query}&failOn=${failOn}` });
    const body = JSON.parse(refused.body.toString());
    t.match(body, {
      code: 'CONVERSION_FAILED',
      message: `failOn=${failOn} refuses the PDF. The PDF breaks rules of PDF/UA-1 (2 failures).`,
      warnings: [warning],
    });
    t.notOk('file' in body, 'it is about the whole');
  }
  t.equal((await usage()).used, used, 'what is refused is not billed');
});

t.test('a client that leaves', async (t) => {
  const before = await usage();
  const controller = new AbortController();
  const many = Array.from({ length: 20 }, () => docx({ pages: 20 }));
  const leaving = combine(many, { signal: controller.signal });
  await until('it has begun', async () => (await server.jobs()).length === 1);
  controller.abort();
  await t.rejects(leaving);
  await until('nothing is left', async () => (await server.jobs()).length === 0);
  t.strictSame(await usage(), before, 'nothing is billed');
});

t.test('fifty documents', async (t) => {
  const answer = await combine(Array.from({ length: 50 }, (_, n) => docx({ paragraphs: [`Letter ${n}`] })));
  isDelivered(t, answer, 50);
  const pages = await pdfPageTexts(answer.body);
  t.strictSame(
    pages.map((text) => text.trim()),
    Array.from({ length: 50 }, (_, n) => `Letter ${n}`),
  );
});
