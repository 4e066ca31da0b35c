/** Reading the package of an Office document: a ZIP archive of named parts (ECMA-376 part 2, OPC). */
import { constants, inflateRawSync, type ZlibOptions } from 'node:zlib';
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
/** Largest entry that is read whole, as the archive has it: none that inflates to a small part is larger. */
const MAX_STORED_BYTES = 1_048_576;
/** Enough of the stored form of an entry to tell that it has content. */
const START_BYTES = 1_024;
/** Method of an entry that is stored as it is; the other that packages may use is DEFLATE. */
const STORED = 0;
const DEFLATED = 8;

/** A package whose central directory has been read; its file stays the caller's to close. */
export class Package {
  readonly #source: Source;
  readonly #zip: ZipFile;
  readonly #signal: AbortSignal;
  /** Every entry under its name in lower case: part names are equal without regard to case. */
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(
    source: Source,
    zip: ZipFile,
    signal: AbortSignal,
    entries: ReadonlyMap<string, Entry>,
  ) {
    this.#source = source;
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
      return new Package(source, zip, signal, await readDirectory(zip));
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
      const { fileName, compressedSize, uncompressedSize } = entry;
      if (uncompressedSize > limit || compressedSize > MAX_STORED_BYTES) {
        throw new Error(`${fileName} is too large`);
      }
      const content = inflate(entry, await this.#stored(entry, compressedSize), {
        maxOutputLength: Math.max(uncompressedSize, 1),
      });
      if (content.length !== uncompressedSize) throw sizeMismatch(entry);
      return content;
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
      const stored = await this.#stored(entry, Math.min(entry.compressedSize, START_BYTES));
      const start = inflate(entry, stored, { finishFlush: constants.Z_SYNC_FLUSH });
      if (start.length > entry.uncompressedSize) throw sizeMismatch(entry);
      return start;
    });
  }

  /** The first `length` bytes of an entry as the archive has them. */
  async #stored(entry: Entry, length: number): Promise<Buffer> {
    const { fileDataStart } = await this.#zip.readLocalFileHeaderPromise(entry, { minimal: true });
    return this.#source.bytes(fileDataStart, length);
  }
}

const sizeMismatch = ({ fileName }: Entry): Error => new Error(`${fileName} is not of its declared size`);

/** In this thread: a few kilobytes take less time than it takes to hand them to another. */
function inflate(entry: Entry, stored: Buffer, options: ZlibOptions): Buffer {
  if (entry.isEncrypted()) throw new Error(`${entry.fileName} is encrypted`);
  if (entry.compressionMethod === STORED) return stored;
  if (entry.compressionMethod === DEFLATED) return inflateRawSync(stored, options);
  throw new Error(`${entry.fileName} is compressed with method ${entry.compressionMethod}`);
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
    this.bytes(position, length)
      .then((bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      })
      .catch(callback);
  }

  /** The `length` bytes at `position`. */
  async bytes(position: number, length: number): Promise<Buffer> {
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
