/** A data folder without room for the journal: its PDFs are delivered, and billed once. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { endsCleanly, isPdf } from '../e2e/support/assertions.ts';
import { startRedis } from '../e2e/support/redis.ts';
import { convert } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { until } from '../support/until.ts';
import { noSmallDisk, SmallDisk } from './support/small-disk.ts';

t.test('the disk of the journal, with a Redis elsewhere', { skip: noSmallDisk() }, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'platen-disk-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const [dataDir, jobsDir] = [join(root, 'data'), join(root, 'jobs')];
  await Promise.all([dataDir, jobsDir].map((folder) => mkdir(folder, { mode: 0o700 })));
  const redis = await startRedis(t);
  const disk = await SmallDisk.start(dataDir, 8, {
    dataDir,
    env: { JOBS_DIR: jobsDir, REDIS_URL: redis.socket },
  });
  const { server } = disk;
  t.teardown(() => server.process.kill('SIGKILL'));
  const { key, account } = await server.createKey();
  await disk.fill();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  await server.logged('a delivery could not be noted in the journal');
  await disk.clear();
  await isPdf(t, await convert(server, key, docx()), 'Hello from Platen.');
  const used = async () => {
    const usage = await server.cli<{ conversions: { used: number } }>('usage', 'show', account);
    return usage.conversions.used;
  };
  await until('all is settled', async () => (await used()) >= 2);
  t.equal(await used(), 2, 'both are counted, once');
  await endsCleanly(t, server);
});
