/** Headers of a form's parts that are too long, in every form that the service takes. */
import { once } from 'node:events';
import t from 'tap';
import { boundaryOf, MAX_PART_HEADER_BYTES, PartHeaders } from '../../../src/http/conversion/part-headers.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { answerTo, multipart, openUpload, type Part, send } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';

const document = docx();
const disposition = 'Content-Disposition: form-data; name="file"; filename="report.docx"';
const header = (bytes: number) => [disposition, `X-Rest: ${'x'.repeat(bytes - disposition.length - 16)}`];
const small = MAX_PART_HEADER_BYTES;
const large = 100_000;
const message = 'The form has a part whose header is longer than 16 kB. Send it with shorter names.';

t.test('a part header of 100 kB is refused, one of 16 kB is not', async (t) => {
  const service = await Service.start(t, { env: { PUBLIC_PER_SECOND: '100' } });
  const { key } = await service.createKey();
  const routes = { '/v1/convert': 200, '/v1/jobs': 202, '/v1/public/convert': 200 };
  for (const [path, status] of Object.entries(routes)) {
    const sent = (...parts: Part[]) => {
      return send(service, path, { ...(path.includes('public') ? {} : { key }), ...multipart(parts) });
    };
    t.equal((await sent({ headers: header(small), data: document })).status, status, path);
    const longName = `Content-Disposition: form-data; name="file"; filename="${'x'.repeat(large)}.docx"`;
    const field = 'Content-Disposition: form-data; name="metadata"';
    const forms: Part[][] = [
      [{ headers: header(large), data: document }],
      [{ headers: [longName], data: document }],
      // With it first, the parser would not know what part it is.
      [{ headers: [...header(large)].reverse(), data: document }],
      [
        { headers: header(small), data: document },
        { headers: [field, `X-Rest: ${'x'.repeat(large)}`], data: '{}' },
      ],
    ];
    for (const parts of forms) {
      t.equal(isError(t, await sent(...parts), 'INVALID_REQUEST').message, message, path);
    }
  }
  // Ends the connection of the last one, whose rest may still be on its way.
  await service.drain();
});

t.test('it is refused before it has come to its end', async (t) => {
  const service = await Service.start(t);
  const { key } = await service.createKey();
  for (const path of ['/v1/convert', '/v1/jobs']) {
    const upload = openUpload(service, path, { key, contentLength: 1_000_000 });
    const answer = answerTo(upload);
    upload.write(`--test-boundary\r\n${disposition}\r\nX-Rest: `);
    upload.write('x'.repeat(small));
    t.equal(isError(t, await answer, 'INVALID_REQUEST').message, message, path);
    upload.destroy();
    if (!upload.closed) await once(upload, 'close');
  }
});

t.test('headers are measured however the body comes in pieces', (t) => {
  const parts = (bytes: number) => [
    // What looks like delimiters, and like headers.
    { headers: [disposition], data: `\r\n-\r\n--test-boundar\r\n\r\n${'x'.repeat(40_000)}` },
    { headers: [disposition], data: '' },
    { headers: header(bytes), data: 'x'.repeat(20_000) },
  ];
  const isLong = (body: Buffer, piece: number) => {
    const headers = new PartHeaders('test-boundary');
    for (let from = 0; from < body.length; from += piece) {
      if (headers.write(body.subarray(from, from + piece))) return true;
    }
    return false;
  };
  const epilogue = Buffer.from('x'.repeat(large));
  const preamble = Buffer.from(`${'x'.repeat(large)}\r\n`);
  for (const piece of [1, 2, 3, 7, 16, 17, 1_000, 65_536, 1_000_000]) {
    const fine = multipart(parts(small)).body;
    t.notOk(isLong(Buffer.concat([preamble, fine, epilogue]), piece), `pieces of ${piece}`);
    t.ok(isLong(multipart(parts(small + 100)).body, piece), `pieces of ${piece}, with a long one`);
  }
  t.end();
});

t.test('boundaries', (t) => {
  t.equal(boundaryOf('multipart/form-data; boundary=a-b'), 'a-b');
  t.equal(boundaryOf('multipart/form-data; charset=utf-8; Boundary="a b"; x=y'), 'a b');
  t.equal(boundaryOf('multipart/form-data'), undefined);
  t.equal(boundaryOf(undefined), undefined);
  t.end();
});
