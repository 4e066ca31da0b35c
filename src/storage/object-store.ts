/** What keeps the inputs and results of jobs: a folder, or a bucket of S3. */
import type { Readable } from 'node:stream';

/** At most eight names; none begins with a dot, so no key leads out of its folder. */
const NAME = '[a-z0-9_][a-z0-9_.-]{0,99}';
const KEY = new RegExp(`^${NAME}(/${NAME}){0,7}$`);

/** What to store: a stream, which is consumed or destroyed whatever happens, or all of it. */
export type Content = Readable | Uint8Array;

export interface PutOptions {
  /** Media type, which a client of the object's address gets. */
  readonly type?: string;
  readonly signal?: AbortSignal;
}

export interface StoredObject {
  /** The opener reads it to its end or destroys it. It fails with a StorageError. */
  readonly stream: Readable;
  /** Length of the content. */
  readonly bytes: number;
}

export interface AddressOptions {
  /** The Content-Disposition with which the object comes. */
  readonly disposition: string;
  /** How long the address works. */
  readonly seconds: number;
}

/**
 * Objects under keys such as `jobs/JOB_ID/1/result.pdf`, made of [a-z0-9_.-] and slashes. A prefix is the beginning of a key up
 * to a slash, inclusive; no prefix is also a key with that slash.
 *
 * Every call ends: a store that does not answer is one that fails. A call rejects with a StorageError if the store failed, with
 * the reason of its signal if that was aborted, and with a TypeError for what is no key or prefix.
 */
export interface ObjectStore {
  /** Whether other servers see the same objects. */
  readonly shared: boolean;

  /**
   * Stores an object, in place of any under this key. Whoever reads the key sees all of the new content or none of it, however
   * this call ends.
   *
   * @throws the error of a stream that fails or is destroyed, which is not the store's failure.
   */
  put(key: string, content: Content, options?: PutOptions): Promise<void>;

  /** Opens an object for reading; undefined if there is none. The signal also ends the stream. */
  open(key: string, options?: { readonly signal?: AbortSignal }): Promise<StoredObject | undefined>;

  /** Removes all objects below a prefix, and what puts that were cut off left there. There may be none. */
  remove(prefix: string): Promise<void>;

  /** The keys below a prefix, in no certain order. */
  list(prefix: string): AsyncIterable<string>;

  /** An address at which anyone can get the object for some time; undefined if this store has none. */
  address(key: string, options: AddressOptions): Promise<URL | undefined>;

  /** Ends idle connections. Idempotent. */
  close(): void;
}

/** The store failed, or did not answer in time. It may work again later. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** @throws TypeError if it is not the key of an object. */
export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError(`not the key of an object: ${JSON.stringify(key)}`);
}

/** @throws TypeError if it is not the beginning of keys, up to a slash. */
export function assertPrefix(prefix: string): void {
  if (!prefix.endsWith('/') || !KEY.test(prefix.slice(0, -1))) {
    throw new TypeError(`not a prefix of keys: ${JSON.stringify(prefix)}`);
  }
}
