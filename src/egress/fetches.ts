/** Fetches documents by URL into the storage, one at a time for each place. Their addresses come from the storage, too. */
import { createReadStream } from 'node:fs';
import type { Workspaces } from '../convert/workspace.ts';
import type { FetchedBytes } from '../jobs/fetched-bytes.ts';
import type { HeldAccounts } from '../jobs/held-accounts.ts';
import { type Fetched, objectNames, putFetched, readFetched, readSource } from '../jobs/job-objects.ts';
import type { FetchEntry, JobQueues } from '../jobs/job-queues.ts';
import type { Log } from '../log.ts';
import { type Outbound, OutboundError } from '../outbound/outbound.ts';
import type { FetchOutcome } from '../redis/egress-pulse.ts';
import type { Slots } from '../redis/slots.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** How often a document is asked for whose host may yet answer. */
const TRIES = 3;
/** How often it is begun: fetching it may be what kills the process. */
const MAX_STALLED = 3;
/** Statuses that say "later". */
const later = [408, 425, 429];
const FIRST_SERVER_ERROR = 500;

export interface FetchesOptions {
  readonly outbound: Outbound;
  readonly storage: ObjectStore;
  readonly queues: JobQueues;
  readonly slots: Slots;
  /** Accounts for which nothing is fetched. */
  readonly held: HeldAccounts;
  readonly workspaces: Workspaces;
  readonly log: Log;
  readonly bytes: FetchedBytes;
  readonly limits: {
    readonly timeoutMs: number;
    readonly maxBytes: number;
    /** Of all documents of a job. */
    readonly maxJobBytes: number;
  };
  readonly counted: (outcome: FetchOutcome) => void;
}

/** The queue tries it again, after a while. */
class TryLater extends Error {
  override readonly name = 'TryLater';
}

/**
 * Fetches a document, and hands its file on to be converted; or to be told why it cannot be.
 *
 * @throws DelayedError if it waits: its account, or the host, has as many places as it may have.
 * @throws Error if it is to be tried again: its host may yet answer, or the storage or Redis failed.
 */
export async function fetchDocument(
  entry: FetchEntry,
  options: FetchesOptions,
  token?: string,
): Promise<void> {
  const { storage, queues, slots, held, bytes, counted } = options;
  const { waited, ...file } = entry.data;
  const source = await readSource(storage, file);
  if (!source) return counted('unwanted');
  // The upkeep of jobs queues it again once the account is resumed.
  if (await held.has(file.account)) return counted('unwanted');
  const { hostname } = new URL(source.url);
  const lanes = [`account ${file.account}`, `host ${file.account} ${hostname}`];
  await slots.run(entry, token, lanes, () => fetchOnce(entry, source.url, options));
  if (await readSource(storage, file)) await queues.addFiles([file], waited);
  else {
    // Cancelled or deleted meanwhile, so that nobody else removes it.
    await storage.remove(objectNames.input(file.id, file.n));
    await bytes.forget(file);
  }
}

async function fetchOnce(entry: FetchEntry, url: string, options: FetchesOptions): Promise<void> {
  const { storage, log, counted } = options;
  const { waited: _, ...file } = entry.data;
  // A process that died may have left the rest undone.
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
  if (entry.stalledCounter > MAX_STALLED) {
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
    // What went wrong on our side before counts too: it is a try all the same.
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
