/**
 * Looks after each job: soon after it was sent, and at the end of its results. So nothing of a job stays behind, and none is
 * forgotten, whichever process dies when.
 */
import type { Settlement } from '../billing/settlement.ts';
import { PlatenError } from '../errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { JobName } from './job.ts';
import { objectNames } from './job-objects.ts';
import type { JobQueues } from './job-queues.ts';
import type { JobRecords } from './job-records.ts';

export interface UpkeepOptions {
  readonly records: JobRecords;
  readonly queues: JobQueues;
  readonly storage: ObjectStore;
  readonly settlement: Settlement;
}

const tooLate = 'The file was not converted in the time for which results are kept. Send it again.';

/**
 * Does for a job what is due.
 *
 * @returns when it is to be looked after again, in milliseconds since the epoch; undefined: never.
 */
export async function lookAfter(
  job: JobName,
  { records, queues, storage, settlement }: UpkeepOptions,
): Promise<number | undefined> {
  const { code, message } = new PlatenError('SERVICE_UNAVAILABLE', { message: tooLate });
  const expired = await records.expire(job, { code, message });
  if (expired.outcome === 'early') {
    const known = await records.find(job);
    if (!known) return Date.now();
    const files = known.files
      .filter(({ state }) => state === 'queued' || state === 'running')
      .map(({ number: n }) => ({ ...job, n }));
    // Of a server that died before it queued them. What is queued already stays as it is.
    if (files.length > 0) await queues.addFiles(files, 0);
    return expired.expiresAt;
  }
  // Never taken, deleted, or at its end.
  await storage.remove(objectNames.all(job.id));
  if (expired.outcome === 'expired') {
    const files = expired.files.map((n) => ({ ...job, n }));
    await queues.removeFiles(files);
    for (const file of files) {
      const bill = await records.bill(file);
      if (bill) await settlement.release(bill.reservation, code);
    }
  }
  return undefined;
}
