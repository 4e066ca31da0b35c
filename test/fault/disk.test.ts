/** Full disks: 503 until there is room, then everything recovers. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { isAlive, kitOf } from '../e2e/support/processes.ts';
import { convert, get } from '../e2e/support/requests.ts';
import { docx, docxWithParts, imageDocx, mainPart } from '../support/documents.ts';
import { noise } from '../support/noise.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { noSmallDisk, SmallDisk } from './support/small-disk.ts';

const skip = noSmallDisk();
const env = { HEALTH_INTERVAL_MS: '1000' };
/** A document of 2 KB whose PDF has 100 KB. */
const growing = docx({ pages: 150 });
/** One of 270 KB, whose picture goes through a temporary file. */
const picture = imageDocx(1, 300);
/** From less room than it needs to enough. */
const rooms = [
  [growing, [25_000, 75_000, 125_000]],
  [picture, [100_000, 300_000, 500_000]],
] as const;

/** A document of about this many bytes that the preflight rewrites. */
const rewritten = (bytes: number) =>
  docxWithParts({
    'word/document.xml': mainPart(
      '<w:p><w:fldSimple w:instr="DATE"><w:r><w:t>stored</w:t></w:r></w:fldSimple></w:p>',
    ),
    'word/media/noise.bin': noise(bytes),
  });

interface Folders {
  readonly dataDir: string;
  readonly workDir: string;
}

async function folders(t: Test): Promise<Folders> {
  const root = await mkdtemp(join(tmpdir(), 'platen-disk-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const [dataDir, workDir] = [join(root, 'data'), join(root, 'jobs')];
  await Promise.all([dataDir, workDir].map((folder) => mkdir(folder, { mode: 0o700 })));
  return { dataDir, workDir };
}

const healthIs = (server: Server, status: number) =>
  until(`health is ${status}`, async () => (await get(server, '/health')).status === status);

/** Fills the disk of the job folders as a dead server may have: up to the last page, and up to the last file. */
const dead = 'server-00000000-0000-4000-8000-000000000000';
const filled = `mkdir ${dead} && touch owner.lock ${dead}/owner.lock && cd ${dead} &&
  { cat /dev/zero >job; i=0; while true >$((i += 1)); do :; done; }`;

t.test('the disk of the job folders, which a dead server has filled', { skip }, async (t) => {
  const { dataDir, workDir } = await folders(t);
  const options = { dataDir, env: { ...env, WORK_DIR: workDir }, contents: filled };
  const disk = await SmallDisk.start(workDir, 48, options);
  const { server } = disk;
  t.teardown(() => server.process.kill('SIGKILL'));
  const { key } = await server.createKey();
  const kit = kitOf(server);
  // What an earlier conversion or the probe of health has left may be removed after the disk was filled.
  const isRefused = (document: Buffer, spareBytes: number, reason: string): Promise<void> =>
    until(reason, async () => {
      await disk.fill(spareBytes);
      const answer = await convert(server, key, document);
      if (answer.status === 200) return false;
      isError(t, answer, 'SERVICE_UNAVAILABLE', 503, reason);
      return true;
    });
  await isPdf(t, await convert(server, key, growing), /Page 150/, 150);

  await isRefused(docx(), 0, 'no room for the upload');
  await healthIs(server, 503);
  await disk.clear();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');

  for (const [document, rests] of rooms) {
    const whole = (await convert(server, key, document)).body.length;
    for (const spareBytes of rests) {
      await disk.fill(spareBytes);
      const answer = await convert(server, key, document);
      // LibreOffice leaves out a picture that does not fit on the disk.
      if (answer.status === 200) t.equal(answer.body.length, whole, `${spareBytes} bytes are room enough`);
      else isError(t, answer, 'SERVICE_UNAVAILABLE', 503, `${spareBytes} bytes are too few`);
      await disk.clear();
    }
  }
  for (const bytes of [300_000, 2_000_000]) {
    const document = rewritten(bytes);
    await isRefused(document, 1.5 * bytes, `no room for the print view of ${bytes} bytes`);
    await disk.clear();
    await isPdf(t, await convert(server, key, document), /stored/);
  }
  await healthIs(server, 200);
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  t.equal(kitOf(server), kit, 'by the same kit');

  // What the killed kit had on the disk may be room enough for the next one.
  await until('the kit does not start', async () => {
    await disk.fill();
    if (isAlive(kitOf(server))) process.kill(kitOf(server), 'SIGKILL');
    return server.log.some(({ msg }) => msg === 'the kit does not start');
  });
  await isRefused(docx(), 0, 'no room for a kit');
  await disk.clear();
  await healthIs(server, 200);
  await isPdf(t, await convert(server, key, growing), /Page 150/, 150);
  await endsCleanly(t, server);
});

t.test('the disk of the embedded Redis', { skip }, async (t) => {
  const { dataDir, workDir } = await folders(t);
  const disk = await SmallDisk.start(dataDir, 32, { dataDir, env: { ...env, WORK_DIR: workDir } });
  const { server } = disk;
  t.teardown(() => server.process.kill('SIGKILL'));
  const account = await disk.cli<{ id: string }>(
    'accounts',
    'create',
    '--name',
    'Test',
    '--plan',
    'enterprise',
  );
  const { key } = await disk.cli<{ key: string }>(
    ...['keys', 'create', '--account', account.id, '--name', 'test', '--env', 'live', '--type', 'sk'],
  );
  let delivered = 0;
  const converts = async (): Promise<void> => {
    await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
    delivered += 1;
  };
  await converts();
  await disk.fill();
  await until('it refuses', async () => {
    const answer = await convert(server, key, docx());
    if (answer.status === 200) delivered += 1;
    else isError(t, answer, 'SERVICE_UNAVAILABLE');
    return answer.status !== 200;
  });
  await healthIs(server, 503);
  t.equal((await get(server, '/health/live')).status, 200, 'the process lives');
  await disk.clear();
  await healthIs(server, 200);
  await converts();
  const used = async () => {
    const usage = await disk.cli<{ conversions: { used: number } }>('usage', 'show', account.id);
    return usage.conversions.used;
  };
  // The last page of a file may have room for an admission, but not for its settlement as well: that is tried again.
  await until('all is settled', async () => (await used()) >= delivered);
  t.equal(await used(), delivered, 'every PDF is counted, once');
  t.notOk(
    server.log.some(({ msg }) => msg === 'embedded Redis ended'),
    'by the same Redis',
  );
  await endsCleanly(t, server);
});
