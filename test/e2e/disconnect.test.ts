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
  env: { WORKERS: '2', UPLOAD_TIMEOUT_MS: '3000', HEALTH_INTERVAL_MS: '600000' },
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
  const others = [new AbortController(), new AbortController()];
  const started = () =>
    server.log.flatMap(({ msg, child }) => (msg === 'child started' ? Number(child) : []));
  const before = started().length;
  const running = others.map(({ signal }) => convert(server, key, slowDocx(), { signal }));
  await until('all workers are busy', () => started().length === before + 2);
  const children = started().slice(before);
  const folders = await server.jobs();
  const client = new AbortController();
  const waiting = convert(server, key, docx(), { signal: client.signal });
  await until('a third document waits', async () => (await server.jobs()).length === 3);
  client.abort();
  await t.rejects(waiting, { name: 'AbortError' });
  await until('its folder is gone', async () => (await server.jobs()).length === 2, GONE_WITHIN_MS);
  t.strictSame((await server.jobs()).sort(), folders.sort(), 'the others have theirs');
  t.ok(children.every(isAlive), 'and go on');
  for (const other of others) other.abort();
  for (const each of running) await t.rejects(each, { name: 'AbortError' });
  await until('their children are gone', () => !children.some(isAlive), GONE_WITHIN_MS);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
});

t.test('a client that leaves while answers wait behind another on its connection', async (t) => {
  const { key: otherKey } = await server.createKey({
    account: (await server.createAccount({ name: 'Other', plan: 'enterprise' })).id,
  });
  const socket = openConnection(server);
  // The first takes long; the PDFs of the second and third wait for their turn on the connection.
  const documents = [slowDocx(), imageDocx(1, 600), docx()];
  socket.write(Buffer.concat(documents.map((document) => rawUpload(otherKey, document))));
  const hasPdf = () =>
    openFiles(server.pid).some((path) => path.startsWith(server.workDir) && path.includes('output'));
  // By the API, as a command would take so long on a busy machine that the first might end meanwhile.
  const used = async () => {
    const { body } = await send(server, '/v1/usage', { method: 'GET', key: otherKey });
    return JSON.parse(body.toString()).conversions.used as number;
  };
  await until('both are billed', async () => (await used()) === 2);
  t.ok(hasPdf(), 'and wait for their turn');
  socket.destroy();
  await until('it is closed', () => !hasPdf());
  await until('no job is left', noJobs);
  t.equal(await used(), 2, 'what was not made is not billed');
});

t.test('a client that leaves is never logged as an error of the server', async (t) => {
  t.strictSame(server.troubles, []);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
