/** The sizes that are accepted, and answers that reach a client which is still sending. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { docxOfSize } from '../support/documents.ts';
import { noise } from '../support/noise.ts';
import { Server } from '../support/server.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { answerTo, bearer, convert, filePartHead, formEnd, openUpload } from './support/requests.ts';

const run = promisify(execFile);
const MIB = 1_048_576;

const server = await Server.start({ env: { PUBLIC_PER_HOUR: '1000', PUBLIC_PER_SECOND: '1000' } });
const { key } = await server.createKey();
const block = noise(MIB);

/** Writes with regard to what the connection takes. */
async function write(request: ClientRequest, data: Buffer): Promise<void> {
  if (!request.write(data)) await once(request, 'drain');
}

for (const [who, sender, limit] of [
  ['with a key', key, 25],
  ['on the public endpoint', undefined, 5],
] as const) {
  t.test(`${limit} MB ${who}, and one byte more`, async (t) => {
    await isPdf(t, await convert(server, sender, docxOfSize(limit * MIB)), 'Hello from Platen.');
    const answer = await convert(server, sender, docxOfSize(limit * MIB + 1));
    t.match(isError(t, answer, 'FILE_TOO_LARGE').message, `${limit} MB`);
    t.strictSame(await server.jobs(), []);
  });
}

t.test('far too much is refused by its length, before it is sent', async (t) => {
  const request = openUpload(server, '/v1/convert', { key, contentLength: 1_000 * MIB });
  isError(t, await answerTo(request), 'FILE_TOO_LARGE');
  request.destroy();
});

t.test('a chunked upload over the limit', async (t) => {
  const request = openUpload(server, '/v1/convert', { key });
  const answer = answerTo(request);
  await write(request, filePartHead);
  for (let i = 0; i < 26; i += 1) await write(request, block);
  request.end(formEnd);
  isError(t, await answer, 'FILE_TOO_LARGE');
  t.strictSame(await server.jobs(), []);
});

t.test('a chunked upload within the limit', async (t) => {
  const request = openUpload(server, '/v1/convert', { key });
  const answer = answerTo(request);
  await write(request, filePartHead);
  await write(request, docxOfSize(3 * MIB));
  request.end(formEnd);
  await isPdf(t, await answer, 'Hello from Platen.');
});

t.test('a refusal reaches a client that has 20 MB to send', async (t) => {
  const contentLength = filePartHead.length + 20 * MIB + formEnd.length;
  const request = openUpload(server, '/v1/convert', { contentLength });
  const answer = answerTo(request);
  await write(request, filePartHead);
  await write(request, block);
  isError(t, await answer, 'MISSING_AUTH');
  // It is told in the midst of its upload, and may still send the rest.
  for (let i = 1; i < 20; i += 1) await write(request, block);
  request.end(formEnd);
  await once(request, 'close');
  t.equal(request.errored, null);
});

t.test('curl gets the refusal, too', async (t) => {
  const folder = t.testdir({ 'large.docx': '' });
  const document = join(folder, 'large.docx');
  const answerFile = join(folder, 'answer.json');
  await writeFile(document, docxOfSize(20 * MIB));
  const form = ['-F', `file=@${document}`, '-o', answerFile, '-w', '%{http_code} %{errormsg}'];
  for (const headers of [['Expect:'], ['Expect: 100-continue'], ['Expect:', 'Transfer-Encoding: chunked']]) {
    const curl = ['-sS', ...headers.flatMap((header) => ['-H', header]), ...form];
    const refused = await run('curl', [...curl, `${server.url}/v1/convert`]);
    t.match(refused.stdout, /^401 *$/, headers.join());
    const converted = await run('curl', [
      ...curl,
      ...['-H', `Authorization: ${bearer(key).authorization}`],
      `${server.url}/v1/convert`,
    ]);
    t.match(converted.stdout, /^200 *$/, headers.join());
  }
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
