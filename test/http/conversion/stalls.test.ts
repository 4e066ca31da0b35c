/** Clients that stall, close early or write out of turn, and what they get. */
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { isDelivered, isError } from '../../e2e/support/assertions.ts';
import {
  answerTo,
  bearer,
  convert,
  filePartHead,
  formEnd,
  multipart,
  openConnection,
  openUpload,
  readAnswers,
} from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { Service } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await Service.start(t, { env: { UPLOAD_TIMEOUT_MS: '1500' } });
const { key } = await service.createKey();

t.test('an upload that stalls is ended wherever it stalls, and leaves nothing', async (t) => {
  const whole = Buffer.concat([filePartHead, docx(), formEnd]);
  const stalls: readonly (readonly [string, Buffer])[] = [
    ['before the first part', Buffer.alloc(0)],
    ['in the head of a part', filePartHead.subarray(0, 30)],
    ['in the file', whole.subarray(0, filePartHead.length + 100)],
    ['after the file, before the end of the form', whole.subarray(0, whole.length - 10)],
  ];
  await Promise.all(
    stalls.map(async ([where, bytes]) => {
      const request = openUpload(service, '/v1/convert', { key, contentLength: whole.length + 1_000 });
      request.write(bytes);
      const answer = await answerTo(request);
      t.match(
        isError(t, answer, 'INVALID_REQUEST', 400, where).message,
        'took longer than 1.5 seconds',
        where,
      );
      request.destroy();
    }),
  );
  const job = openUpload(service, '/v1/jobs', { key, contentLength: whole.length + 1_000 });
  job.write(whole.subarray(0, filePartHead.length + 100));
  t.match(isError(t, await answerTo(job), 'INVALID_REQUEST').message, 'or in several jobs');
  job.destroy();
  const { storage } = service.services.jobs as NonNullable<typeof service.services.jobs>;
  const stored: string[] = [];
  for await (const name of storage.list('jobs/')) stored.push(name);
  t.same(stored, []);
  await until('the jobs are gone', async () => (await service.jobs()).length === 0);
});

for (const [what, version, header] of [
  ['a client that wants the connection closed', '1.1', 'Connection: close\r\n'],
  ['a client of HTTP/1.0', '1.0', ''],
] as const) {
  t.test(`${what} gets its refusal while it still sends`, async (t) => {
    const body = noise(8 * 1_048_576);
    for (let n = 0; n < 5; n++) {
      const socket = openConnection(service);
      const received = buffer(socket);
      socket.write(
        `POST /v1/convert HTTP/${version}\r\nHost: localhost\r\n${header}` +
          `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
      const [answer] = readAnswers(await received);
      if (!answer) throw new Error('no answer');
      isError(t, answer, 'MISSING_AUTH');
    }
  });
}

t.test('nothing is written into an answer that is under way', async (t) => {
  service.engine.texts = ['x'.repeat(10_000_000)];
  t.teardown(() => {
    service.engine.texts = [''];
  });
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.docx"';
  const { headers, body } = multipart([{ headers: [disposition], data: docx() }]);
  const lines = Object.entries({ ...headers, ...bearer(key), 'content-length': body.length });
  const socket = openConnection(service);
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`POST /v1/convert HTTP/1.1\r\nHost: localhost\r\n${head}\r\n`);
  socket.write(body);
  // Part of a PDF that exceeds the kernel's buffers; then bytes that are no request.
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  t.match(first.toString('latin1'), /^HTTP\/1\.1 200 /);
  socket.write('this is no request\r\n\r\n');
  const closed = once(socket, 'close');
  const rest: Buffer[] = [];
  socket.on('data', (data: Buffer) => rest.push(data)).on('error', () => {});
  socket.resume();
  await closed;
  // Behind the whole answer, where the kernel had room for all of it, an answer to the garbage is in place.
  const received = Buffer.concat([first, ...rest]).toString('latin1');
  const bodyStart = received.indexOf('\r\n\r\n') + 4;
  const contentLength = Number(/content-length: (\d+)/.exec(received)?.[1]);
  t.ok(contentLength > 0);
  t.notMatch(
    received.slice(bodyStart, bodyStart + contentLength),
    /HTTP\/1\.1 \d/,
    'nothing of ours is in it',
  );
});

t.test('the service is well', async (t) => isDelivered(t, await convert(service, key, docx())));
