/** `format=png` over HTTP: the picture of a page in place of the PDF. */
import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';
import { ask, ended, field, filePart, post, readBody } from '../jobs/support.ts';

const service = await Service.start(t, { env: { PUBLIC_PER_SECOND: '1000', PUBLIC_PER_HOUR: '1000' } });
const { key } = await service.createKey();
const document = docx();
service.engine.texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

interface Sent {
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

async function convert(query: string, { fields = {}, headers = {}, path = '/v1/convert' }: Sent = {}) {
  const body = form(document);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(service, `${path}?${query}`, { ...(path === '/v1/convert' && { key }), body, headers });
}

const digestOf = (body: Buffer) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

t.test('a picture, and what its headers say', async (t) => {
  for (const path of ['/v1/convert', '/v1/public/convert']) {
    const { status, headers, body } = await convert('format=png&page=3&width=100', { path });
    t.equal(status, 200, body.toString('latin1', 0, 300));
    const { width, height } = PNG.sync.read(body);
    t.strictSame([width, height], [100, 142], 'the height follows from the page, which is A4');
    t.match(service.engine.lastPicture, { page: 3, width: 100, height: 142, background: 'white' });
    t.equal(headers.get('content-type'), 'image/png');
    t.equal(headers.get('content-length'), String(body.length));
    t.match(headers.get('content-disposition'), /filename="\w+\.png"/);
    t.equal(headers.get('repr-digest'), digestOf(body));
    t.equal(headers.get('x-conversion-pages'), '7', 'the pages of the PDF');
  }
});

t.test('what is left out has a default', async (t) => {
  const { status } = await convert('format=png');
  t.equal(status, 200);
  t.match(service.engine.lastPicture, { page: 1, width: 1240, height: 1755, background: 'white' });
  t.equal((await convert('format=png&background=transparent&page=7&width=16')).status, 200);
  t.match(service.engine.lastPicture, { page: 7, width: 16, height: 23, background: 'transparent' });
  service.engine.lastPicture = undefined;
  t.equal((await convert('format=pdf')).headers.get('content-type'), 'application/pdf');
  t.equal(service.engine.lastPicture, undefined, 'a PDF needs no picture');
});

t.test('a picture shows the content of fields, as there is no viewer to draw them', async (t) => {
  t.equal((await convert('format=png&formFields=true')).status, 200);
  t.equal(service.engine.lastJob?.export?.formFields, false);
  t.equal((await convert('format=pdf&formFields=true')).status, 200);
  t.equal(service.engine.lastJob?.export?.formFields, true);
});

t.test('a page that is not there', async (t) => {
  service.engine.lastPicture = undefined;
  const { message } = isError(t, await convert('format=png&page=8'), 'INVALID_PARAMETER');
  t.equal(message, 'page is 8, and the PDF has 7 pages. Send 1 to 7.');
  t.equal(service.engine.lastPicture, undefined, 'nothing was drawn');
});

t.test('what is refused', async (t) => {
  const publicPath = { path: '/v1/public/convert' };
  for (const [query, message, sent] of [
    ['format=webp', /^format must be .*pdf.*png/, {}],
    ['format=', /^format must be .*pdf.*png/, {}],
    ['format=png&page=0', /^page must be /, {}],
    ['format=png&page=1000000', /^page must be /, {}],
    ['format=png&page=1.5', /^page must be /, {}],
    ['format=png&page=6', /^page must be .*5/, publicPath],
    ['format=png&width=15', /^width must be /, {}],
    ['format=png&width=4001', /^width must be /, {}],
    ['format=png&background=black', /^background must be .*white.*transparent/, {}],
    ['page=2', /^page needs format=png/, {}],
    ['width=200', /^width needs format=png/, publicPath],
    ['format=pdf&background=white', /^background needs format=png/, {}],
    ['format=png&pdfa=2b', /does not show pdfa/, {}],
    ['format=png&linearize=true', /does not show linearize/, {}],
    ['format=png', /does not show userPassword/, { fields: { userPassword: 'a' } }],
    [
      'format=png',
      /The form asks for pdf, and the query, or its default, for png/,
      { fields: { format: 'pdf' } },
    ],
    ['', /\/v1\/convert\?format=png$/, { fields: { format: 'png' } }],
  ] as const) {
    const error = isError(t, await convert(query, sent), 'INVALID_PARAMETER');
    t.match(error.message, message, query);
  }
  t.equal(
    (await convert('format=png', { fields: { format: 'png' } })).status,
    200,
    'the field may repeat it',
  );
});

t.test('the receipt, and the bill', async (t) => {
  const query = 'format=png&page=2&width=64&background=transparent&pages=1-';
  const answer = await convert(query);
  const pdf = await convert('pages=1-');
  const id = answer.headers.get('x-request-id');
  const { receipt, pages, bytesOut } = JSON.parse(
    (await send(service, `/v1/conversions/${id}`, { method: 'GET', key })).body.toString(),
  );
  t.match(receipt, {
    pdfSha256: createHash('sha256').update(pdf.body).digest('hex'),
    pictureSha256: createHash('sha256').update(answer.body).digest('hex'),
    poppler: '25.03.0',
  });
  t.strictSame(receipt.options, {
    format: 'png',
    page: '2',
    width: '64',
    background: 'transparent',
    pages: '1-',
  });
  t.strictSame([pages, bytesOut], [7, answer.body.length]);
  const usage = async () =>
    JSON.parse((await send(service, '/v1/usage', { method: 'GET', key })).body.toString());
  const used = async () => (await usage()).conversions.used as number;
  const before = await used();
  const idempotent = { headers: { 'Idempotency-Key': 'a-picture' } };
  const one = await convert('format=png&width=64', idempotent);
  const again = await convert('format=png&width=64', idempotent);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.ok(again.body.equals(one.body));
  isError(t, await convert('format=png&width=65', idempotent), 'IDEMPOTENCY_KEY_REUSED');
  isError(t, await convert('', idempotent), 'IDEMPOTENCY_KEY_REUSED');
  t.equal(await used(), before + 1, 'one conversion');
});

t.test('a picture that is not whole is not delivered', async (t) => {
  const { draw } = service.engine;
  t.teardown(() => Object.assign(service.engine, { draw }));
  service.engine.draw = async (job) => draw.call(service.engine, { ...job, height: job.height + 1 });
  isError(t, await convert('format=png&width=64'), 'CONVERSION_FAILED');
});

t.test('a job of pictures', async (t) => {
  const parts = [filePart(), filePart(docx(), 'a.b.docx')];
  const query = '?format=png&page=2&width=48';
  const { id } = readBody(await post(service, key, parts, { query }));
  const job = await ended(service, key, id);
  t.match(job, { state: 'completed', options: { format: 'png', page: '2', width: '48' } });
  const { status, headers, body } = await ask(service, key, `/${id}/files/2`);
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'image/png');
  t.equal(headers.get('content-disposition'), 'attachment; filename="a.b.png"');
  t.equal(headers.get('repr-digest'), digestOf(body));
  t.equal(headers.get('x-conversion-pages'), '7');
  t.equal(PNG.sync.read(body).width, 48);
  t.equal(job.files[1]?.pdf?.bytes, body.length);
  const archive = (await ask(service, key, `/${id}/archive`)).body.toString('latin1');
  for (const name of ['1-report.png', '2-a.b.png']) t.ok(archive.includes(name), name);
  const refused = await post(service, key, [filePart(), field('format', 'png')]);
  t.match(isError(t, refused, 'INVALID_PARAMETER').message, /\/v1\/jobs\?format=png$/);
  const missing = readBody(await post(service, key, [filePart()], { query: '?format=png&page=9' }));
  const [file] = (await ended(service, key, missing.id)).files;
  t.match(file, { state: 'failed', error: { code: 'INVALID_PARAMETER', message: /the PDF has 7 pages/ } });
});
