/** Streams into a store and out of it, and whose failure it was. */
import { Readable } from 'node:stream';
import { assertKey, type Content, StorageError } from './object-store.ts';

/** An error has been seen to; a stream without a listener would end the process. */
const ignore = (): void => {};

/**
 * Has a store take content, which is consumed or destroyed at the end. An abort destroys it at once, so that the store stops
 * where it waits for more.
 *
 * @param take rejects if the content fails.
 * @throws the error of the content, the reason of the signal, TypeError for a bad key, or StorageError.
 */
export async function giveTo(
  key: string,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  content: Content,
  signal?: AbortSignal,
): Promise<void> {
  const stream = content instanceof Readable ? content : Readable.from([content]);
  let failure: { readonly error: unknown } | undefined;
  const chunks = async function* () {
    try {
      yield* stream;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  const abort = () => stream.destroy(signal?.reason);
  stream.on('error', ignore);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    assertKey(key);
    signal?.throwIfAborted();
    await take(chunks()).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw failure ? failure.error : asStorageError(error);
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    stream.destroy();
  }
}

/**
 * The content that a store reads, as a stream that fails with a StorageError. It also fails if the store is silent while a reader
 * waits; a slow reader may take any time.
 */
export function takenFrom(source: Readable, silenceMs: number, signal?: AbortSignal): Readable {
  const chunks = source[Symbol.asyncIterator]();
  const stream = new Readable({
    ...(signal && { signal }),
    async read() {
      const silence = setTimeout(() => {
        source.destroy(new Error(`the store sent nothing for ${silenceMs} ms`));
      }, silenceMs);
      try {
        const { value } = await chunks.next();
        this.push(value ?? null);
      } catch (error) {
        this.destroy(asStorageError(error));
      } finally {
        clearTimeout(silence);
      }
    },
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });
  source.on('error', ignore);
  // Until the opener reads.
  stream.on('error', ignore);
  return stream;
}

/** The same failure as a StorageError; its cause is for the log. */
export function asStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const { name, message, code } = error as NodeJS.ErrnoException;
  return new StorageError(`the storage failed: ${[name, message || code].join(': ')}`, { cause: error });
}
