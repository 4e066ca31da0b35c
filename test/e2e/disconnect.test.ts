/** Clients that leave: nothing goes on for them, and nothing of theirs stays. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import t from 'tap';
import { docx, docxOfSize, imageDocx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, isError, isPdf } from './support/assertions.ts';
import { isAlive, kitOf, openFiles, redisOf, runningJob } from './support/processes.ts';
import {
  answerTo,
  convert,
  filePartHead,
  openConnection,
  openUpload,
  rawUpload,
  send,
} from './support/requests.ts';

/** How soon a client's work must end after the client left. */
const GONE_WITHIN_MS = 1_000;

const server = await Server.start({
  env: { WORKERS: '1', UPLOAD_TIMEOUT_MS: '3000', HEALTH_INTERVAL_MS: '600000' },
});
const { key } = await server.createKey();
const half = Buffer.concat([filePartHead, docxOfSize(200_000).subarray(0, 100_000)]);

const noJobs = async () => (await server.jobs()).length === 0;
const oneJob = async () => (await server.jobs()).length === 1;

t.test('an upload that is cut off halfway leaves no folder', async (t) => {
  const request = openUpload(server, '/v1/convert', { key, contentLength: 200_000 });
  const answer = answerTo(request);
  request.write(half);
  await until('the upload has begun', oneJob);
  request.destroy();
  await t.rejects(answer, { code: 'ECONNRESET' });
  await until('its folder is gone', noJobs, GONE_WITHIN_MS);
});

t.test('a client that leaves while its key is checked leaves no folder', async (t) => {
  const cutOff = () => server.log.filter(({ msg }) => msg === 'unreadable body').length;
  const before = cutOff();
  const redis = redisOf(server);
  process.kill(redis, 'SIGSTOP');
  const request = openUpload(server, '/v1/convert', { key, contentLength: 200_000 });
  const lost = t.rejects(answerTo(request), { code: 'ECONNRESET' });
  await once(request, 'socket').then(([socket]) => once(socket, 'connect'));
  request.destroy();
  await lost;
  await until('the server has seen it leave', () => cutOff() > before);
  process.kill(redis, 'SIGCONT');
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  await until('no folder is left', noJobs);
});

t.test('an upload that stalls is ended', async (t) => {
  const request = openUpload(server, '/v1/convert', { key, contentLength: 200_000 });
  const answer = answerTo(request);
  request.write(half);
  await until('the upload has begun', oneJob);
  const { message } = isError(t, await answer, 'INVALID_REQUEST');
  t.match(message, /took longer than \d+ seconds/);
  await until('its folder is gone', noJobs, GONE_WITHIN_MS);
  request.destroy();
});

t.test('a client that leaves during its conversion', async (t) => {
  const kit = kitOf(server);
  const client = new AbortController();
  const answer = convert(server, key, slowDocx(), { signal: client.signal });
  const { folder, child } = await runningJob(server);
  t.ok(isAlive(child));
  client.abort();
  await t.rejects(answer, { name: 'AbortError' });
  await until('its child is gone', () => !isAlive(child), GONE_WITHIN_MS);
  await until('its folder is gone', () => !existsSync(folder), GONE_WITHIN_MS);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.equal(kitOf(server), kit, 'the kit is the same');
  t.ok(isAlive(kit));
});

t.test('a client that leaves while its document waits', async (t) => {
  const first = new AbortController();
  const running = convert(server, key, slowDocx(), { signal: first.signal });
  const { folder, child } = await runningJob(server);
  const second = new AbortController();
  const waiting = convert(server, key, docx(), { signal: second.signal });
  await until('a second document waits', async () => (await server.jobs()).length === 2);
  second.abort();
  await t.rejects(waiting, { name: 'AbortError' });
  await until('the folder of the second is gone', oneJob, GONE_WITHIN_MS);
  t.strictSame(await server.jobs(), [folder], 'the first has its own');
  t.ok(isAlive(child), 'and goes on');
  first.abort();
  await t.rejects(running, { name: 'AbortError' });
  await until('the child of the first is gone', () => !isAlive(child), GONE_WITHIN_MS);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('a client that leaves while answers wait behind another on its connection', async (t) => {
  const parallel = await Server.start({ env: { WORKERS: '2', HEALTH_INTERVAL_MS: '600000' } });
  const { key: otherKey } = await parallel.createKey();
  const socket = openConnection(parallel);
  // The first takes long; the PDFs of the second and third wait for their turn on the connection.
  const documents = [slowDocx(), imageDocx(1, 600), docx()];
  socket.write(Buffer.concat(documents.map((document) => rawUpload(otherKey, document))));
  const hasPdf = () =>
    openFiles(parallel.pid).some((path) => path.startsWith(parallel.jobsDir) && path.includes('output'));
  // By the API, as a command would take so long on a busy machine that the first might end meanwhile.
  const used = async () => {
    const { body } = await send(parallel, '/v1/usage', { method: 'GET', key: otherKey });
    return JSON.parse(body.toString()).conversions.used as number;
  };
  await until('both are billed', async () => (await used()) === 2);
  t.ok(hasPdf(), 'and wait for their turn');
  socket.destroy();
  await until('it is closed', () => !hasPdf());
  await until('no job is left', async () => (await parallel.jobs()).length === 0);
  t.equal(await used(), 2, 'what was not made is not billed');
  await endsCleanly(t, parallel);
});

t.test('a client that leaves is never logged as an error of the server', async (t) => {
  t.strictSame(server.troubles, []);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
