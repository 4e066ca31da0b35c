/** Pictures of pages: of the very PDF that the same request gives, as poppler draws it. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { documentWithEverything } from '../../support/archive-documents.ts';
import { docx } from '../../support/documents.ts';
import { reportedDocx } from '../../support/report-documents.ts';
import { form } from '../../support/server.ts';
import { isError } from '../support/assertions.ts';
import { send } from '../support/requests.ts';
import { key, server } from './server.ts';

const run = promisify(execFile);

async function convert(document: Buffer, query: string) {
  return send(server, `/v1/convert?${query}`, { key, body: form(document) });
}

/** What pdftoppm draws of a page of a PDF, at this size. */
async function drawn(t: Test, pdf: Buffer, page: number, { width, height }: PNG): Promise<PNG> {
  const file = join(t.testdir(), 'document.pdf');
  await writeFile(file, pdf);
  const size = ['-scale-to-x', `${width}`, '-scale-to-y', `${height}`];
  const args = ['-png', '-singlefile', '-cropbox', '-f', `${page}`, ...size, file];
  const { stdout } = await run('pdftoppm', args, { encoding: 'buffer', maxBuffer: 1e9 });
  return PNG.sync.read(stdout);
}

const page = (words: string) => `<w:p><w:r><w:br w:type="page"/><w:t>${words}</w:t></w:r></w:p>`;
const three = reportedDocx({ body: [1, 2].map((n) => page(`page ${n}`)).join('') });

t.test('a picture is that of the PDF', async (t) => {
  for (const [document, page, options] of [
    [docx(), 1, ''],
    [documentWithEverything(), 1, ''],
    [documentWithEverything(), 1, 'watermark=DRAFT&changes=marked'],
    [three, 2, 'pages=2-'],
    [three, 3, 'layout=engine'],
  ] as const) {
    const [pdf, answer] = await Promise.all([
      convert(document, options),
      convert(document, `${options}&format=png&page=${page}&width=700`),
    ]);
    t.equal(answer.status, 200, `${options}: ${answer.body.toString('latin1', 0, 300)}`);
    t.equal(answer.headers.get('x-conversion-pages'), pdf.headers.get('x-conversion-pages'), options);
    t.equal(answer.headers.get('x-conversion-warnings'), pdf.headers.get('x-conversion-warnings'), options);
    const picture = PNG.sync.read(answer.body);
    t.equal(picture.width, 700, options);
    const expected = await drawn(t, pdf.body, page, picture);
    t.ok(picture.data.equals(expected.data), `${options}: the same pixels`);
    t.ok(
      picture.data.some((value) => value < 128),
      'something is on it',
    );
  }
});

t.test('a page that is not there', async (t) => {
  const { message } = isError(t, await convert(three, 'format=png&page=4'), 'INVALID_PARAMETER');
  t.equal(message, 'page is 4, and the PDF has 3 pages. Send 1 to 3.');
  isError(t, await convert(three, 'format=png&page=3&pages=2-'), 'INVALID_PARAMETER');
});

t.test('without paper, and without a key', async (t) => {
  const { body } = await convert(docx(), 'format=png&background=transparent&width=100');
  const { data } = PNG.sync.read(body);
  t.equal(data[3], 0, 'the corner is transparent');
  const path = '/v1/public/convert?format=png&page=1&width=64';
  const { status, headers } = await send(server, path, { body: form(docx()) });
  t.strictSame([status, headers.get('content-type')], [200, 'image/png']);
});

/** A page of this size, in twentieths of a point. */
const sized = (width: number, height: number) =>
  reportedDocx({
    body: `<w:p><w:r><w:t>small</w:t></w:r></w:p><w:sectPr><w:pgSz w:w="${width}" w:h="${height}"/><w:pgMar w:top="20" w:right="20" w:bottom="20" w:left="20"/></w:sectPr>`,
  });

t.test('pages of unusual sizes', async (t) => {
  const wide = await convert(sized(31_680, 2_000), 'format=png&width=4000');
  t.equal(wide.status, 200, wide.body.toString('latin1', 0, 300));
  const tall = await convert(sized(1_440, 31_680), 'format=png&width=4000');
  t.match(
    isError(t, tall, 'INVALID_PARAMETER').message,
    /at most 10000 high. Send a width of up to 4\d\d\.$/,
  );
});
