/** The worker thread in which heavy packages are read. */
import { type ErrorCode, PlatenError, type Reason } from '../../errors.ts';
import { inspect } from './inspection.ts';
import { Allowance } from './limits.ts';

/** A refusal as it travels between threads, where an error would lose its class. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reason: Reason;
  readonly cause: string | undefined;
}

/** What is wrong with the package at `path`; undefined where nothing is. */
export default async function inspectInWorker(path: string): Promise<Refusal | undefined> {
  // The thread is ended when nobody waits for it any more.
  const never = new AbortController().signal;
  try {
    await inspect(path, new Allowance(false, never));
    return undefined;
  } catch (error) {
    // Every refusal has a reason.
    if (!(error instanceof PlatenError) || error.reason === undefined) throw error;
    const { code, message, reason, cause } = error;
    return { code, message, reason, cause: cause === undefined ? undefined : String(cause) };
  }
}
