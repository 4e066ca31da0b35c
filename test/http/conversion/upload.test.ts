/** What an upload leaves behind, and what it takes of a turn of the event loop. sizes.slow.test.ts and stalls.test.ts have how uploads are received and refused. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import multipart from '@fastify/multipart';
import fastify from 'fastify';
import t from 'tap';
import { receiveUpload, type Upload } from '../../../src/http/conversion/upload.ts';
import { UploadProgress } from '../../../src/queue/upload-progress.ts';
import { temporaryFolder } from '../../redis/support.ts';
import { docx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';

const MB = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

t.test('nothing in memory, whatever becomes of its signal', async (t) => {
  const folder = await temporaryFolder(t);
  const { signal } = new AbortController();
  const uploads: WeakRef<Upload>[] = [];
  const app = fastify();
  t.teardown(() => app.close());
  await app.register(multipart);
  app.post('/', async (request) => {
    const input = join(folder, String(uploads.length));
    const paths = { input, attachment: (number: number) => `${input}-${number}` };
    const progress = new UploadProgress();
    const options = { maxBytes: 1_048_576, timeoutMs: 10_000, progress, draining: signal };
    const upload = await receiveUpload(request, paths, options, signal);
    uploads.push(new WeakRef(upload));
    return upload.bytes;
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const document = docx();
  for (let n = 0; n < 5; n++) {
    const answer = await fetch(address, { method: 'POST', body: form(document) });
    t.equal(await answer.text(), String(document.length));
  }
  // The last request stays with its connection.
  await app.close();
  await nextTurn();
  collectGarbage();
  t.equal(uploads.filter((upload) => upload.deref()).length, 0);
  t.notOk(signal.aborted);
});

t.test('of a fast client, little is taken in a turn of the event loop', async (t) => {
  const folder = await temporaryFolder(t);
  const { signal } = new AbortController();
  const path = join(folder, 'document');
  const app = fastify();
  t.teardown(() => app.close());
  await app.register(multipart);
  app.post('/', async (request) => {
    const paths = { input: path, attachment: (number: number) => `${path}-${number}` };
    const options = {
      maxBytes: 20 * MB,
      timeoutMs: 60_000,
      progress: new UploadProgress(),
      draining: signal,
    };
    return (await receiveUpload(request, paths, options, signal)).bytes;
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const sent = join(folder, 'sent');
  await writeFile(sent, Buffer.alloc(10 * MB, 'x'));
  // In another process, as what this one sends would wait for the same turns.
  const client = spawn('curl', ['--silent', '--form', `file=@${sent}`, address], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const answer = text(client.stdout);
  let isSending = true;
  const ended = once(client, 'exit').then(() => {
    isSending = false;
  });
  let most = 0;
  for (let before = 0; isSending; ) {
    await nextTurn();
    const size = existsSync(path) ? statSync(path).size : 0;
    most = Math.max(most, size - before);
    before = size;
  }
  await ended;
  t.equal(await answer, String(10 * MB));
  t.ok(most > 0 && most <= MB / 4, `${most} bytes`);
});
