/** Cancels a job, for its owner or the operator. */
import type { Settlement } from '../accounts/billing/settlement.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Log } from '../system/log.ts';
import { type JobRef, wholeOf } from './job.ts';
import { objectNames } from './job-objects.ts';
import type { JobQueues } from './job-queues.ts';
import type { JobRecords } from './job-records.ts';
import { releaseFiles } from './reservations.ts';

interface CancelOptions {
  readonly records: JobRecords;
  readonly queues: JobQueues;
  readonly storage: ObjectStore;
  readonly settlement: Settlement;
  readonly log: Log;
}

/**
 * Cancels the files that have no PDF yet; running ones end within a second.
 *
 * @returns whether there is such a job.
 * @throws Error if Redis failed.
 */
export async function cancelJob(
  job: JobRef,
  { records, queues, storage, settlement, log }: CancelOptions,
): Promise<boolean> {
  const canceled = await records.cancel(job);
  if (!canceled) return false;
  const files = canceled.map((n) => ({ ...job, n }));
  await releaseFiles(files, { records, settlement });
  await queues.removeFiles([...files, wholeOf(job)]);
  // Without its source, a document is not fetched again.
  const inputs = files.map(({ id, n }) => objectNames.input(id, n));
  await removeObjects(storage, inputs, log);
  return true;
}

/** Removes objects of a job; upkeep removes those that the storage cannot remove now. Never rejects. */
export async function removeObjects(
  storage: ObjectStore,
  prefixes: readonly string[],
  log: Log,
): Promise<void> {
  for (const prefix of prefixes) {
    await storage.remove(prefix).catch((error: Error) => {
      log.warn({ cause: error.message }, 'the objects of a job could not be removed yet');
    });
  }
}
