/** Reservations of files that have no PDF. */
import type { Settlement } from '../accounts/billing/settlement.ts';
import type { ErrorCode } from '../errors.ts';
import type { JobFileRef } from './job.ts';
import type { JobRecords } from './job-records.ts';

/**
 * Releases reservations; ended ones stay as they are.
 *
 * @param files `failure`: the code of its error; undefined if it was cancelled.
 * @throws Error if Redis failed.
 */
export async function releaseFiles(
  files: readonly (JobFileRef & { readonly failure?: ErrorCode | undefined })[],
  { records, settlement }: { readonly records: JobRecords; readonly settlement: Settlement },
): Promise<void> {
  await Promise.all(
    files.map(async ({ failure, ...file }) => {
      const bill = await records.bill(file);
      if (bill) await settlement.release(bill.reservation, failure);
    }),
  );
}
