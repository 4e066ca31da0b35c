/** The sizes that are accepted, and answers that reach a client which is still sending. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import {
  answerTo,
  bearer,
  convert,
  filePartHead,
  formEnd,
  openConnection,
  openUpload,
  readAnswers,
} from '../../e2e/support/requests.ts';
import { docxOfSize } from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { Service } from '../../support/service.ts';

const run = promisify(execFile);
const MIB = 1_048_576;

const service = await Service.start(t, { env: { PUBLIC_PER_HOUR: '1000', PUBLIC_PER_SECOND: '1000' } });
const { key } = await service.createKey();
const block = noise(MIB);

const formType = 'Content-Type: multipart/form-data; boundary=test-boundary';

/** A piece of a chunked body; an empty one ends it (RFC 9112, section 7.1). */
function chunk(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}

for (const [who, sender, limit] of [
  ['with a key', key, 25],
  ['on the public endpoint', undefined, 5],
] as const) {
  t.test(`${limit} MB ${who}, and one byte more`, async (t) => {
    isDelivered(t, await convert(service, sender, docxOfSize(limit * MIB)));
    const answer = await convert(service, sender, docxOfSize(limit * MIB + 1));
    t.match(isError(t, answer, 'FILE_TOO_LARGE').message, `${limit} MB`);
    t.strictSame(await service.jobs(), []);
  });
}

t.test('far too much is refused by its length, before it is sent', async (t) => {
  const request = openUpload(service, '/v1/convert', { key, contentLength: 1_000 * MIB });
  isError(t, await answerTo(request), 'FILE_TOO_LARGE');
  request.destroy();
});

/**
 * Sends the pieces of a request, waits for its answer after the second piece when told to, and then sends
 * another request on the same connection. Returns both answers.
 */
async function sendInPieces(head: readonly string[], pieces: readonly Buffer[], early: boolean) {
  const socket = openConnection(service);
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  const ended = once(socket, 'end');
  socket.write(`${['POST /v1/convert HTTP/1.1', 'Host: localhost', formType, ...head].join('\r\n')}\r\n\r\n`);
  for (const [i, piece] of pieces.entries()) {
    if (!socket.write(piece)) await once(socket, 'drain');
    if (early && i === 1) await once(socket, 'data');
  }
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await ended;
  const [first, second] = readAnswers(Buffer.concat(received));
  if (!first || !second) throw new Error('there are not two answers');
  return { first, second };
}

t.test('a chunked upload over the limit', async (t) => {
  const head = [`Authorization: ${bearer(key).authorization}`, 'Transfer-Encoding: chunked'];
  const chunks = [filePartHead, ...Array.from({ length: 26 }, () => block), formEnd, Buffer.alloc(0)];
  const { first, second } = await sendInPieces(head, chunks.map(chunk), false);
  isError(t, first, 'FILE_TOO_LARGE');
  t.equal(second.status, 200, 'the connection goes on');
  t.strictSame(await service.jobs(), []);
});

t.test('a refusal reaches a client that has 20 MB to send', async (t) => {
  const pieces = [filePartHead, ...Array.from({ length: 20 }, () => block), formEnd];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { first, second } = await sendInPieces([`Content-Length: ${length}`], pieces, true);
  isError(t, first, 'MISSING_AUTH');
  t.equal(second.status, 200, 'the connection goes on');
});

t.test('a chunked upload within the limit', async (t) => {
  const request = openUpload(service, '/v1/convert', { key });
  const answer = answerTo(request);
  request.write(filePartHead);
  request.write(docxOfSize(3 * MIB));
  request.end(formEnd);
  isDelivered(t, await answer);
});

t.test('curl gets the refusal, too', async (t) => {
  const folder = t.testdir({ 'large.docx': '' });
  const document = join(folder, 'large.docx');
  const answerFile = join(folder, 'answer.json');
  // More than both ends of a connection keep.
  await writeFile(document, docxOfSize(12 * MIB));
  const form = ['-F', `file=@${document}`, '-o', answerFile, '-w', '%{http_code} %{errormsg}'];
  for (const headers of [['Expect:'], ['Expect: 100-continue'], ['Expect:', 'Transfer-Encoding: chunked']]) {
    const curl = ['-sS', ...headers.flatMap((header) => ['-H', header]), ...form];
    const refused = await run('curl', [...curl, `${service.url}/v1/convert`]);
    t.match(refused.stdout, /^401 *$/, headers.join());
    const converted = await run('curl', [
      ...curl,
      ...['-H', `Authorization: ${bearer(key).authorization}`],
      `${service.url}/v1/convert`,
    ]);
    t.match(converted.stdout, /^200 *$/, headers.join());
  }
});
