/** Reads the results of jobs. */
import type { Readable } from 'node:stream';
import { PlatenError } from '../errors.ts';
import { type ObjectStore, StorageError } from '../storage/object-store.ts';
import type { FileResult } from './job.ts';
import { endingAfter } from './sized-stream.ts';

/**
 * Opens a result. Who reads it to its end, or destroys it, closes it.
 *
 * @returns undefined if it was removed.
 * @throws PlatenError `SERVICE_UNAVAILABLE` if the storage fails.
 */
export async function openResult(
  storage: ObjectStore,
  { key, bytes }: Pick<FileResult, 'key' | 'bytes'>,
): Promise<Readable | undefined> {
  const object = await orAway(storage.open(key));
  return object && endingAfter(object.stream, bytes);
}

/** @throws PlatenError `SERVICE_UNAVAILABLE` if the storage fails. */
export async function orAway<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw cause instanceof StorageError ? new PlatenError('SERVICE_UNAVAILABLE', { cause }) : cause;
  });
}
