/** Documents that egress fetches while something else happens. */
import { writeFile } from 'node:fs/promises';
import t, { type Test } from 'tap';
import { type FetchesOptions, fetchDocument } from '../../src/egress/fetches.ts';
import { FetchedBytes } from '../../src/jobs/fetched-bytes.ts';
import { HeldAccounts } from '../../src/jobs/held-accounts.ts';
import { objectNames, putSource, readFetched } from '../../src/jobs/job-objects.ts';
import type { FetchEntry } from '../../src/jobs/job-queues.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import { Slots } from '../../src/redis/slots.ts';
import type { Services } from '../../src/services.ts';
import { StorageError } from '../../src/storage/object-store.ts';
import { newJob } from '../jobs/support.ts';
import { log } from '../redis/support.ts';
import { testServices } from '../support/service.ts';

function fetchOptions(t: Test, { jobs, redis, workspaces }: Services, outbound: Outbound): FetchesOptions {
  const { storage, queues } = jobs as Jobs;
  const slots = new Slots({ places: 1, bounds: {}, parkedPriority: 1, promote: async () => false });
  t.teardown(() => slots.close());
  return {
    ...{ outbound, storage, queues, workspaces, log, slots },
    ...{ held: new HeldAccounts(redis), bytes: new FetchedBytes(redis), counted: () => {} },
    limits: { timeoutMs: 60_000, maxBytes: 1_000, maxJobBytes: 1_000 },
  };
}

/** A job with one document by URL, which waits to be fetched. */
async function jobByUrl(t: Test) {
  const services = await testServices(t);
  const jobs = services.jobs as Jobs;
  const job = await jobs.announce({ account: 'acme', environment: 'live' });
  const file = { ...job, n: 1 };
  await putSource(jobs.storage, file, { url: 'https://example.com/a' });
  await jobs.records.take(newJob({ ...job, files: [{ name: null, bytes: null, sha256: null }] }));
  const entry = { data: { ...file, waited: 0 }, attemptsMade: 0, stalledCounter: 0 } as FetchEntry;
  return { services, jobs, job, entry };
}

t.test('a document under which three processes died is not fetched again', async (t) => {
  const { services, jobs, entry } = await jobByUrl(t);
  let asked = 0;
  const outbound = {
    async download(_url: string, path: string) {
      asked++;
      await writeFile(path, 'document');
      return { bytes: 8, sha256: 'a'.repeat(64) };
    },
  } as unknown as Outbound;
  const options = fetchOptions(t, services, outbound);
  await fetchDocument({ ...entry, stalledCounter: 3 } as FetchEntry, options);
  t.equal(asked, 0);
  t.strictSame(await readFetched(jobs.storage, entry.data), {
    failure: 'unreachable',
    message: 'The document could not be fetched.',
  });
  const other = await jobByUrl(t);
  await fetchDocument(
    { ...other.entry, stalledCounter: 2 } as FetchEntry,
    fetchOptions(t, other.services, outbound),
  );
  t.equal(asked, 1, 'the third time it is');
});

t.test(
  'a document that arrives after its job was deleted does not stay, even if that fails once',
  async (t) => {
    const { services, jobs, job, entry } = await jobByUrl(t);
    const { storage } = jobs;
    const outbound = {
      // Its job is deleted meanwhile, and upkeep has ended.
      async download(_url: string, path: string) {
        await storage.remove(objectNames.all(job.id));
        await jobs.records.remove(job);
        await writeFile(path, 'a secret');
        return { bytes: 8, sha256: 'a'.repeat(64) };
      },
    } as unknown as Outbound;
    const options = fetchOptions(t, services, outbound);
    const { remove } = storage;
    storage.remove = async (prefix) => {
      if (prefix !== objectNames.input(job.id, 1)) return remove.call(storage, prefix);
      storage.remove = remove;
      throw new StorageError('the storage failed once');
    };
    await t.rejects(fetchDocument(entry, options), { message: 'the storage failed once' });
    // The queue tries again.
    await fetchDocument(entry, options);
    const left: string[] = [];
    for await (const key of storage.list(objectNames.all(job.id))) left.push(key);
    t.same(left, []);
  },
);
