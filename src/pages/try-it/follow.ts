/** Follows a job to its end: by its events, and by questions where they end. */
import type { Job, JobSummary } from './api-types.ts';
import { type Failure, isTemporary } from './failures.ts';
import { isOpen, JobFailure, type TakenJob } from './job.ts';

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;

interface JobListener {
  /** The job has changed. */
  onProgress(job: JobSummary): void;
  /** The state of each file. */
  onFiles(job: Job): void;
  /** The connection is lost. @param seconds until it is tried again. */
  onLoss(failure: Failure, seconds: number): void;
}

/**
 * Tells of the job until it has ended.
 *
 * @throws JobFailure if waiting does not help.
 */
export async function follow(job: TakenJob, listener: JobListener): Promise<void> {
  const over = new AbortController();
  const look = sparing(async () => {
    const read = await job.read(over.signal);
    if (!over.signal.aborted) listener.onFiles(read);
  }, over.signal);
  let wait = FIRST_WAIT_MS;
  try {
    for (;;) {
      try {
        await job.watch((summary) => {
          wait = FIRST_WAIT_MS;
          listener.onProgress(summary);
          if (isOpen(summary)) look();
        });
        const read = await job.read();
        listener.onFiles(read);
        if (!isOpen(read)) return;
      } catch (error) {
        if (!(error instanceof JobFailure) || !isTemporary(error.failure)) throw error;
        const { retryAfter = 0 } = error.failure;
        wait = Math.max(wait, retryAfter * 1_000);
        listener.onLoss(error.failure, Math.ceil(wait / 1_000));
      }
      await delay(wait);
      wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    }
  } finally {
    over.abort();
  }
}

/**
 * Acts some time after it is called, less and less often: each request counts against the limits of the account, and a job of
 * a hundred files changes a hundred times.
 *
 * @param act if it fails, so do the events, which tell why.
 */
function sparing(act: () => Promise<void>, signal: AbortSignal): () => void {
  let gap = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer));
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      gap = Math.min(2 * gap, LONGEST_WAIT_MS);
      act().catch(() => {});
    }, gap);
  };
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
