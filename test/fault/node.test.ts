/** The server itself is stopped, or killed while what it started is stopped; e2e/kill and e2e/crash have the rest. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { endsCleanly, isPdf } from '../e2e/support/assertions.ts';
import { atRest, isAlive, kitOf, redisOf, runningJob } from '../e2e/support/processes.ts';
import { answerTo, convert, filePartHead, get, openUpload } from '../e2e/support/requests.ts';
import { docx, docxWithEntries, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { childrenOf } from './support/state.ts';

/** How soon all that a killed server started must be gone. */
const GONE_WITHIN_MS = 2_000;
/** How long a document may take. */
const CONVERT_TIMEOUT_MS = 3_000;

const folder = await mkdtemp(join(tmpdir(), 'platen-fault-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const env = { MAX_EVENT_LOOP_DELAY_MS: '60000', CONVERT_TIMEOUT_MS: String(CONVERT_TIMEOUT_MS) };
const [server, other] = (await Promise.all([Server.start({ dataDir: folder, env }), Server.start()])) as [
  Server,
  Server,
];
const { key } = await server.createKey();

/**
 * A server that was stopped refuses new work until it has caught up: its connection to Redis may have timed out, and its event
 * loop may not have been measured.
 */
const caughtUp = () =>
  until('it has caught up', async () => (await get(server, '/health/ready')).status === 200);

t.test('a server that is stopped and goes on keeps its kit, and its requests', async (t) => {
  const kit = kitOf(server);
  const answer = convert(server, key, docx({ pages: 300 }));
  await runningJob(server);
  server.process.kill('SIGSTOP');
  // Longer than a kit may be silent: until another server has replaced its own stopped kit.
  const otherKit = kitOf(other);
  process.kill(otherKit, 'SIGSTOP');
  await until('the other replaces its kit', () => kitOf(other) !== otherKit);
  server.process.kill('SIGCONT');
  await isPdf(t, await answer, /Page 300/, 300);
  await caughtUp();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.equal(kitOf(server), kit);
  t.ok(isAlive(kit));
});

t.test('a document is not charged for time in which everything was stopped', async (t) => {
  await atRest(server);
  const document = docx({ pages: 599 });
  const answer = convert(server, key, document);
  const { child } = await runningJob(server);
  const all = [child, kitOf(server), server.pid];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  t.ok(isAlive(child), 'it has still to be converted');
  await delay(CONVERT_TIMEOUT_MS + 500);
  for (const pid of all) process.kill(pid, 'SIGCONT');
  await isPdf(t, await answer, /Page 599/, 599);
  await caughtUp();
  await isPdf(t, await convert(server, key, document), /Page 599/, 599);
});

t.test('SIGKILL ends the children that are stopped as well, and the next server cleans up', async (t) => {
  await convert(server, key, docxWithEntries(200));
  await atRest(server);
  const reader = (await server.processes()).find(({ command }) => command.includes('reading/reader'))?.pid;
  if (reader === undefined) throw new Error('no process reads documents');
  const uploading = openUpload(server, '/v1/convert', { key, contentLength: 100_000 });
  const cutOff = t.rejects(answerTo(uploading), 'the upload breaks off');
  uploading.write(filePartHead);
  await until('it is admitted', async () => (await server.jobs()).length === 1);
  const lost = t.rejects(convert(server, key, slowDocx()), 'the document is not converted');
  const { child } = await runningJob(server);
  const kit = kitOf(server);
  const redis = redisOf(server);
  const pids = [kit, child, redis, reader, ...(await childrenOf(kit)), ...(await childrenOf(redis))];
  for (const pid of [kit, child, redis, reader]) process.kill(pid, 'SIGSTOP');
  server.process.kill('SIGKILL');
  await until('all are gone', () => !pids.some(isAlive), GONE_WITHIN_MS);
  // Others, such as a child that was just forked, are killed as well, but may end a moment later.
  await until('nothing else is left', async () => (await server.processes()).length === 0, GONE_WITHIN_MS);
  await server.ended();
  await Promise.all([cutOff, lost]);

  const accounts = await server.cli<unknown[]>('accounts', 'list');
  t.equal(accounts.length, 1, 'Redis has written what it knew');

  const next = await Server.start({ dataDir: folder });
  t.strictSame(await next.jobs(), [], 'the folders are gone');
  await isPdf(t, await convert(next, key, docx()), 'Hello from Platen.');
  await endsCleanly(t, next);
});

t.test('the other ends cleanly', (t) => endsCleanly(t, other));
