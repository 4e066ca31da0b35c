/** Reading the package of an Office document: a ZIP archive of named parts (ECMA-376 part 2, OPC). */
import { Readable } from 'node:stream';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  validateFileName,
  type ZipFile,
} from 'yauzl';
import { PlatenError } from '../../errors.ts';
import type { TailReader } from '../tail-reader.ts';
import { type Element, visitElements } from './xml.ts';

const MAX_ENTRIES = 2_000;
const CHUNK_BYTES = 65_536;

/** A package whose central directory has been read; its file stays the caller's to close. */
export class Package {
  readonly #zip: ZipFile;
  readonly #signal: AbortSignal;
  /** Every entry under its name in lower case: part names are equal without regard to case. */
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, signal: AbortSignal, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#signal = signal;
    this.#entries = entries;
  }

  /**
   * Reads the central directory; entry names are unique and stay inside the package.
   *
   * @throws PlatenError CORRUPTED_FILE.
   */
  static open(reader: TailReader, signal: AbortSignal): Promise<Package> {
    return damageIsClientError(signal, async () => {
      const source = new Source(reader, signal);
      const zip = await fromRandomAccessReaderPromise(source, reader.size, { autoClose: false });
      return new Package(zip, signal, await readDirectory(zip));
    });
  }

  entry(name: string): Entry | undefined {
    return this.#entries.get(name.toLowerCase());
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  /**
   * Inflates an entry of at most `limit` bytes.
   *
   * @throws PlatenError CORRUPTED_FILE when it is larger or damaged.
   */
  read(entry: Entry, limit: number): Promise<Buffer> {
    return damageIsClientError(this.#signal, async () => {
      if (entry.uncompressedSize > limit) throw new Error(`${entry.fileName} is larger than ${limit} bytes`);
      // yauzl ends the stream with an error at the first byte beyond the size that was just checked.
      return Buffer.concat(await (await this.#stream(entry)).toArray());
    });
  }

  /**
   * Visits the elements of an XML part of at most `limit` bytes; none where there is no such part.
   *
   * @throws PlatenError CORRUPTED_FILE when it is larger, damaged or not well-formed.
   */
  readElements(name: string, limit: number, visit: (element: Element) => void): Promise<void> {
    return damageIsClientError(this.#signal, async () => {
      const entry = this.entry(name);
      if (entry) visitElements(await this.read(entry, limit), visit);
    });
  }

  /**
   * Inflates no more than the beginning of an entry: empty only where the entry is.
   *
   * @throws PlatenError CORRUPTED_FILE when it is damaged.
   */
  readStart(entry: Entry): Promise<Buffer> {
    return damageIsClientError(this.#signal, async () => {
      for await (const chunk of await this.#stream(entry)) return chunk as Buffer;
      return Buffer.alloc(0);
    });
  }

  #stream(entry: Entry): Promise<Readable> {
    return this.#zip.openReadStreamPromise(entry);
  }
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) {
    throw new PlatenError('CORRUPTED_FILE', {
      message: `The document has more than ${MAX_ENTRIES} parts. Simplify it and send it again.`,
    });
  }
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (entries.has(name)) throw new Error(`two entries are named ${name}`);
    entries.set(name, entry);
  }
  return entries;
}

/** The name as the engine reads it: bytes as UTF-8, whatever flags and extra fields make of them. */
function nameOf(entry: Entry): string {
  const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').toLowerCase();
  const fault = name.includes('\0') ? 'NUL in a name' : validateFileName(name);
  if (fault !== null) throw new Error(fault);
  return name;
}

/** What yauzl reads from: our reader, which ends the reading when the signal is aborted. */
class Source extends RandomAccessReader {
  readonly #reader: TailReader;
  readonly #signal: AbortSignal;

  constructor(reader: TailReader, signal: AbortSignal) {
    super();
    this.#reader = reader;
    this.#signal = signal;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytes(position, length)
      .then((bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      })
      .catch(callback);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; position += CHUNK_BYTES) {
      yield await this.#bytes(position, Math.min(CHUNK_BYTES, end - position));
    }
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    this.#signal.throwIfAborted();
    const bytes = await this.#reader.read(position, length);
    if (bytes.length < length) throw new Error('the archive points beyond the end of the file');
    return bytes;
  }
}

/** Runs a step of the reading; what the libraries throw means a damaged file, unless the system failed. */
async function damageIsClientError<T>(signal: AbortSignal, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    signal.throwIfAborted();
    const ours = error instanceof PlatenError || (error instanceof Error && 'syscall' in error);
    throw ours ? error : new PlatenError('CORRUPTED_FILE', { cause: error });
  }
}
