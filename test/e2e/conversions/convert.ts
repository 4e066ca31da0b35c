/** A DOCX goes in, its PDF comes out. */
import t from 'tap';
import { docx, imageDocx, strictDocx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { pdfImages } from '../support/pdf.ts';
import { convert, multipart, send } from '../support/requests.ts';
import { key, server } from './server.ts';

const hello = docx();

t.test('with a key', async (t) => {
  const document = docx({ paragraphs: ['Grüße aus Zürich & <Bern>'], pages: 3 });
  const answer = await convert(server, key, document);
  await isPdf(t, answer, /^Grüße aus Zürich & <Bern>\s+Page 1\s+Page 2\s+Page 3$/, 3);
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="document.pdf"');
});

t.test('without a key on the public endpoint', async (t) => {
  const answer = await convert(server, undefined, docx({ pages: 2 }));
  await isPdf(t, answer, /^Page 1\s+Page 2$/, 2);
});

t.test('the scheme of the key is case-insensitive', async (t) => {
  const answer = await convert(server, undefined, hello, {
    headers: { authorization: `bEARER ${key}` },
  });
  await isPdf(t, answer, 'Hello from Platen.');
});

t.test('a key for publishing', async (t) => {
  const { id: account } = await server.createAccount({ name: 'Browsers', plan: 'free' });
  const published = await server.createKey({ account, environment: 'test', type: 'pk' });
  t.match(published.key, /^svc_test_pk_/);
  await isPdf(t, await convert(server, published.key, hello), 'Hello from Platen.');
});

t.test('a key that only its address may use', async (t) => {
  const { key: restricted } = await server.createKey({ ipRestrictions: ['10.0.0.0/8', '127.0.0.0/8'] });
  await isPdf(t, await convert(server, restricted, hello), 'Hello from Platen.');
});

t.test('the format may be named', async (t) => {
  await isPdf(t, await send(server, '/v1/convert?format=pdf', { key, body: form(hello) }), /Hello/);
  const before = new FormData();
  before.set('format', 'pdf');
  before.set('file', new Blob([new Uint8Array(hello)]), 'document.docx');
  await isPdf(t, await send(server, '/v1/convert', { key, body: before }), /Hello/);
  const after = form(hello);
  after.set('format', 'pdf');
  await isPdf(t, await send(server, '/v1/convert', { key, body: after }), /Hello/);
});

t.test('a strict document', async (t) => {
  await isPdf(t, await convert(server, key, strictDocx({ paragraphs: ['Strictly'] })), 'Strictly');
});

t.test('a document with pictures', async (t) => {
  const answer = await convert(server, key, imageDocx(2, 100));
  await isPdf(t, answer, '');
  t.equal(await pdfImages(answer.body), 2);
});

t.test('the content decides, not the name or the declared type', async (t) => {
  const disguised = multipart([
    {
      headers: [
        'Content-Disposition: form-data; name="file"; filename="picture.png"',
        'Content-Type: image/png',
      ],
      data: hello,
    },
  ]);
  const answer = await send(server, '/v1/convert', { key, ...disguised });
  await isPdf(t, answer, 'Hello from Platen.');
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="picture.pdf"');
});

const fileNames: readonly (readonly [string, string, string])[] = [
  ['spaces and dots', 'filename="Q3 report v1.2.docx"', 'attachment; filename="Q3 report v1.2.pdf"'],
  ['a path', 'filename="C:\\\\secret\\\\..\\\\report.docx"', 'attachment; filename="report.pdf"'],
  ['a path of another kind', 'filename="../../etc/passwd.docx"', 'attachment; filename="passwd.pdf"'],
  [
    'letters of another script',
    'filename="报告.docx"',
    `attachment; filename="document.pdf"; filename*=UTF-8''${encodeURIComponent('报告')}.pdf`,
  ],
  [
    'accents',
    "filename*=UTF-8''r%C3%A9sum%C3%A9.docx",
    'attachment; filename="resume.pdf"; filename*=UTF-8\'\'r%C3%A9sum%C3%A9.pdf',
  ],
  ['control characters', "filename*=UTF-8''a%00%09b%7F.docx", 'attachment; filename="ab.pdf"'],
  ['quotes', "filename*=UTF-8''a%22%3B%20b.docx", 'attachment; filename="a; b.pdf"'],
  ['no extension', 'filename="report"', 'attachment; filename="report.pdf"'],
  ['an extension alone', 'filename=".docx"', 'attachment; filename="document.pdf"'],
  ['an empty name', 'filename=""', 'attachment; filename="document.pdf"'],
];

t.test('the PDF is offered under the name of the document', async (t) => {
  for (const [what, parameter, expected] of fileNames) {
    const headers = [
      `Content-Disposition: form-data; name="file"; ${parameter}`,
      'Content-Type: application/octet-stream',
    ];
    const answer = await send(server, '/v1/convert', { key, ...multipart([{ headers, data: hello }]) });
    t.equal(answer.status, 200, `${what}: ${answer.status === 200 || answer.body}`);
    t.equal(answer.headers.get('content-disposition'), expected, what);
  }
});

t.test('a line break in the name gets nowhere', async (t) => {
  // As browsers escape it, and raw: the parser passes over a part with a raw one.
  const escaped = await send(server, '/v1/convert', { key, body: form(hello, 'a\r\nX-Evil: b.docx') });
  await isPdf(t, escaped, 'Hello from Platen.');
  t.notOk(escaped.headers.has('x-evil'));
  for (const name of ['filename="a\nb.docx"', "filename*=UTF-8''a%0D%0AX-Evil:%20b.docx"]) {
    const headers = [`Content-Disposition: form-data; name="file"; ${name}`];
    const raw = await send(server, '/v1/convert', { key, ...multipart([{ headers, data: hello }]) });
    isError(t, raw, 'MISSING_FILE');
  }
});

t.test('a document without a name', async (t) => {
  const headers = ['Content-Disposition: form-data; name="file"', 'Content-Type: application/octet-stream'];
  const answer = await send(server, '/v1/convert', { key, ...multipart([{ headers, data: hello }]) });
  await isPdf(t, answer, 'Hello from Platen.');
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename="document.pdf"');
});

t.test('the request id is the service’s own, and new each time', async (t) => {
  const headers = { 'x-request-id': 'req_mine' };
  const ids = [];
  for (let i = 0; i < 3; i += 1) {
    const answer = await convert(server, key, hello, { headers });
    ids.push(answer.headers.get('x-request-id'));
  }
  t.equal(new Set(ids).size, 3);
  t.notOk(ids.includes('req_mine'));
});
