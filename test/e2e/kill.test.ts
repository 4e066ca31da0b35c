/** A server that ends at once or is killed: what goes with it, and what the next one finds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { docx, slowDocx } from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { isError, isPdf } from './support/assertions.ts';
import { isAlive, kitOf, redisOf, runningJob } from './support/processes.ts';
import { convert } from './support/requests.ts';

/** How soon all that a killed server started must be gone. */
const GONE_WITHIN_MS = 2_000;

const dataDir = await mkdtemp(join(tmpdir(), 'platen-'));
t.teardown(() => rm(dataDir, { recursive: true, force: true }));
/** The current server; the next one uses the same folder. */
let server = await Server.start({ dataDir });
const { key } = await server.createKey();

t.test('SIGKILL takes all it started with it, and loses no key; the next server cleans up', async (t) => {
  const revoked = await server.createKey();
  await server.revokeKey(revoked.id);
  const answer = convert(server, key, slowDocx());
  const { child, folder } = await runningJob(server);
  const lost = t.rejects(answer, 'the document is not converted');
  const pids = [child, kitOf(server), redisOf(server)];
  t.ok(pids.every(isAlive));
  const { code, signal } = await server.stop('SIGKILL');
  t.strictSame({ code, signal }, { code: null, signal: 'SIGKILL' });
  await lost;
  await until(
    'no process of it is left',
    async () => (await server.processes()).length === 0,
    GONE_WITHIN_MS,
  );
  await until('child, kit and Redis have ended', () => !pids.some(isAlive), GONE_WITHIN_MS);
  t.strictSame(await server.jobs(), [folder], 'nobody was left to remove the folder');

  server = await Server.start({ dataDir });
  t.strictSame(await server.jobs(), [], 'the job folders are gone');
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  isError(t, await convert(server, revoked.key, docx()), 'INVALID_API_KEY');
});

t.test('a second signal ends it at once, with all it started', async (t) => {
  const answer = convert(server, key, slowDocx());
  const { child } = await runningJob(server);
  const pids = [child, kitOf(server), redisOf(server)];
  const lost = t.rejects(answer, 'the document is not converted');
  const ended = server.stop();
  await server.logged('draining');
  // A signal right after the first counts as its echo, so more signals follow.
  await until('it ends', () => !server.process.kill('SIGTERM'), GONE_WITHIN_MS);
  t.match(await ended, { code: 1, signal: null });
  await lost;
  await until(
    'no process of it is left',
    async () => (await server.processes()).length === 0,
    GONE_WITHIN_MS,
  );
  // A process that is about to end has no command line any more.
  await until('child, kit and Redis have ended', () => !pids.some(isAlive), GONE_WITHIN_MS);
});
