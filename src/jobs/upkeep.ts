/**
 * Upkeep of each job: repeated until its end is final, then once when its results expire. So no object stays behind and no job is
 * forgotten, whichever process dies.
 */
import type { Settlement } from '../accounts/billing/settlement.ts';
import { PlatenError } from '../errors.ts';
import { LONGEST_FAILOVER_MS } from '../redis/connect.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { HeldAccounts } from './held-accounts.ts';
import { isOpen, type Job, type JobRef, RECORD_KEPT_MS, wholeOf } from './job.ts';
import { objectNames } from './job-objects.ts';
import { type JobQueues, LOOK_AFTER_MS, type LookedAfter } from './job-queues.ts';
import type { JobRecords } from './job-records.ts';
import { releaseFiles } from './reservations.ts';
import { tellState } from './tell.ts';

interface UpkeepOptions {
  readonly records: JobRecords;
  readonly queues: JobQueues;
  readonly held: HeldAccounts;
  readonly storage: ObjectStore;
  readonly settlement: Settlement;
  readonly webhooks: Webhooks;
}

const tooLate = 'The file was not converted in the time for which results are kept. Send it again.';

/**
 * Does what is due for a job, and what a server that died has left undone.
 *
 * @returns when it is due again, in milliseconds since the epoch; undefined: never.
 */
export async function lookAfter(
  { arrivesUntil = 0, ...job }: LookedAfter,
  options: UpkeepOptions,
): Promise<number | undefined> {
  const { records, queues, storage } = options;
  const soon = Date.now() + LOOK_AFTER_MS;
  const { code, message } = new PlatenError('SERVICE_UNAVAILABLE', { message: tooLate });
  // Tells the owner of the job's end, before its results expire.
  await tellState(job, options);
  const isExpired = await records.expire(job, { code, message });
  const known = await records.find(job);
  if (!known) {
    if (Date.now() < arrivesUntil) return soon;
    // The job was never taken, or it was deleted.
    await options.webhooks.forget(job, job.id);
    await storage.remove(objectNames.all(job.id));
    return undefined;
  }
  if (isExpired) {
    await storage.remove(objectNames.all(job.id));
    await queues.removeFiles([...known.files.map(({ number: n }) => ({ ...job, n })), wholeOf(job)]);
    await releaseUnmade(job, known, options);
    await tellState(job, options);
    // While the record exists, operators find it by its id through this entry.
    return Date.now() + RECORD_KEPT_MS + LOOK_AFTER_MS;
  }
  if (isOpen(known.state)) {
    // Files that were taken out of the queues return with the first upkeep after that.
    if (await options.held.renew(job.account)) return Math.min(soon, known.expiresAt);
    const unended = known.files.filter(({ state }) => state === 'queued' || state === 'running');
    const namesOf = (files: typeof unended) => files.map(({ number: n }) => ({ ...job, n }));
    const there = namesOf(unended.filter(({ sha256 }) => sha256 !== null));
    if (!known.combine) await queues.restoreFiles(there);
    else if (there.length === known.files.length) await queues.restoreFiles([wholeOf(job)]);
    await queues.restoreFetches(namesOf(unended.filter(({ sha256 }) => sha256 === null)));
    return Math.min(soon, known.expiresAt);
  }
  // It may have ended since.
  await tellState(job, options);
  await releaseUnmade(job, known, options);
  // After a failover the new master may lack the last writes, and its files run again: they need their inputs.
  const finalAt = Number(known.completedAt) + LONGEST_FAILOVER_MS;
  if (Date.now() < finalAt) return Math.min(finalAt, known.expiresAt);
  await storage.remove(objectNames.inputs(job.id));
  await removeStrays(storage, known);
  return known.expiresAt;
}

/** Releases reservations of files without a PDF. */
async function releaseUnmade(job: JobRef, { files }: Job, options: UpkeepOptions): Promise<void> {
  const unmade = files.filter(({ state }) => state !== 'succeeded');
  await releaseFiles(
    unmade.map(({ number: n, error }) => ({ ...job, n, failure: error?.code })),
    options,
  );
}

/** Removes PDFs that do not count, as their servers died before they stored the result. */
async function removeStrays(storage: ObjectStore, { id, files, ...job }: Job): Promise<void> {
  const wanted = new Set([job, ...files].map(({ result }) => result?.key));
  for await (const key of storage.list(objectNames.outputs(id))) {
    if (!wanted.has(key)) await storage.remove(key.slice(0, key.lastIndexOf('/') + 1));
  }
}
