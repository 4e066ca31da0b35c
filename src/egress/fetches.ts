/** Fetches documents by URL into the storage, one at a time for each place. Their addresses come from the storage, too. */
import { createReadStream } from 'node:fs';
import type { Workspaces } from '../convert/workspace.ts';
import type { FetchedBytes } from '../jobs/fetched-bytes.ts';
import type { HeldAccounts } from '../jobs/held-accounts.ts';
import type { JobFileRef } from '../jobs/job.ts';
import { type Fetched, objectNames, putFetched, readFetched, readSource } from '../jobs/job-objects.ts';
import type { FetchEntry, JobQueues } from '../jobs/job-queues.ts';
import { type Outbound, OutboundError } from '../outbound/outbound.ts';
import type { FetchOutcome } from '../redis/egress-pulse.ts';
import type { Slots } from '../redis/slots.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Log } from '../system/log.ts';

/** How often a document is requested if its host may still answer, or if the process died: the fetch may be what kills it. */
const TRIES = 3;
/** Statuses that mean "later". */
const later = [408, 425, 429];
const FIRST_SERVER_ERROR = 500;

export interface FetchesOptions {
  readonly outbound: Outbound;
  readonly storage: ObjectStore;
  readonly queues: JobQueues;
  readonly slots: Slots;
  /** Accounts that are suspended: nothing is fetched for them. */
  readonly held: HeldAccounts;
  readonly workspaces: Workspaces;
  readonly log: Log;
  readonly bytes: FetchedBytes;
  readonly limits: {
    readonly timeoutMs: number;
    readonly maxBytes: number;
    /** Largest total size of a job's documents, in bytes. */
    readonly maxJobBytes: number;
  };
  readonly counted: (outcome: FetchOutcome) => void;
}

/** The queue tries again after a while. */
class TryLater extends Error {
  override readonly name = 'TryLater';
}

/**
 * Fetches a document and queues its file for conversion, or for the error if it cannot be fetched.
 *
 * @throws DelayedError if it must wait, because its account or the host uses all its places.
 * @throws Error if it is to be tried again: the host may still answer, or the storage or Redis failed.
 */
export async function fetchDocument(
  entry: FetchEntry,
  options: FetchesOptions,
  token?: string,
): Promise<void> {
  const { storage, queues, slots, held, counted } = options;
  const { waited, ...file } = entry.data;
  const source = await readSource(storage, file);
  if (!source) {
    await removeUnwanted(file, options);
    return counted('unwanted');
  }
  // Upkeep queues it again once the account is resumed.
  if (await held.has(file.account)) return counted('unwanted');
  const { hostname } = new URL(source.url);
  const lanes = [`account ${file.account}`, `host ${file.account} ${hostname}`];
  await slots.run(entry, token, lanes, () => fetchOnce(entry, source.url, options));
  if (await readSource(storage, file)) await queues.addFiles([file], waited);
  else await removeUnwanted(file, options);
}

/** The job was cancelled or deleted, maybe during an earlier try, so nobody else removes the document. */
async function removeUnwanted(file: JobFileRef, { storage, bytes }: FetchesOptions): Promise<void> {
  await storage.remove(objectNames.input(file.id, file.n));
  await bytes.forget(file);
}

async function fetchOnce(entry: FetchEntry, url: string, options: FetchesOptions): Promise<void> {
  const { storage, log, counted } = options;
  const { waited: _, ...file } = entry.data;
  // A process that died may have fetched it without queueing the file.
  if (await readFetched(storage, file)) return;
  const about = { job: file.id, file: file.n, account: file.account };
  const fetched = await fetchInto(objectNames.document(file.id, file.n), url, entry, options).catch(
    (error: Error) => {
      counted('retried');
      log.info({ ...about, cause: error.message }, 'a document could not be fetched yet');
      throw error;
    },
  );
  await putFetched(storage, file, fetched);
  const failure = 'failure' in fetched ? fetched.failure : undefined;
  counted(failure === undefined ? 'fetched' : 'failed');
  log.info({ ...about, outcome: failure ?? 'fetched' }, 'document by URL');
}

async function fetchInto(
  key: string,
  url: string,
  entry: FetchEntry,
  { outbound, storage, workspaces, bytes, limits }: FetchesOptions,
): Promise<Fetched> {
  if (entry.stalledCounter >= TRIES) {
    return { failure: 'unreachable', message: 'The document could not be fetched.' };
  }
  const workspace = workspaces.create();
  try {
    const document = await outbound.download(url, workspace.input, limits);
    if (!(await bytes.take(entry.data, document.bytes, limits.maxJobBytes))) {
      return { failure: 'size', message: tooManyBytes(limits.maxJobBytes) };
    }
    await storage.put(key, createReadStream(workspace.input));
    return document;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // Earlier failures of ours count as tries, too.
    if (mayPass(error) && entry.attemptsMade + 1 < TRIES) throw new TryLater(error.failure, { cause: error });
    return { failure: error.failure, message: error.message };
  } finally {
    await workspace.dispose();
  }
}

function tooManyBytes(most: number): string {
  const megabytes = Math.round(most / 1_048_576);
  return `The documents of the job are larger than ${megabytes} MB together. Send this one in another job.`;
}

function mayPass({ failure, status = 0 }: OutboundError): boolean {
  if (failure === 'status') return status >= FIRST_SERVER_ERROR || later.includes(status);
  return failure === 'unreachable' || failure === 'timeout';
}
