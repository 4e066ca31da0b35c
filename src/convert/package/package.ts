/** Reads the package of an Office document: a ZIP archive of named parts (ECMA-376 part 2, OPC). */
import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';
import { PlatenError } from '../../errors.ts';
import { inflate, MAX_WHOLE_BYTES } from './content.ts';
import { type Directory, findDirectory } from './directory-end.ts';
import { checkLayout, dataStart } from './layout.ts';
import type { Allowance } from './limits.ts';
import { indexByName } from './names.ts';
import type { Changes } from './package-changes.ts';
import { type ByteSink, writePackage } from './package-writer.ts';
import { plainXml } from './plain-xml.ts';
import { damaged, encrypted } from './refusal.ts';
import { type ByteSource, readExactly, YauzlSource } from './source.ts';
import { type Element, visitElements } from './xml.ts';

/** Largest central directory, which is read whole: 2,000 entries with long names and extra fields take a quarter. */
const MAX_DIRECTORY_BYTES = 2_097_152;
/** Length of a directory entry without its name, extra fields and comment (APPNOTE.TXT 4.3.12). */
const DIRECTORY_ENTRY_BYTES = 46;
/** Entries up to this size are kept once read, as package descriptions are also checked like any part. */
const MAX_KEPT_BYTES = 16_384;
const STRONG_ENCRYPTION = 'strong encryption is not supported';

/** A package whose central directory has been read. The caller closes its source. */
export class Package {
  /** The limits of reading it. */
  readonly allowance: Allowance;
  readonly #source: ByteSource;
  readonly #directory: Directory;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Content of small entries. */
  readonly #kept = new Map<Entry, Buffer>();
  /** Elements of small entries. */
  readonly #elements = new Map<Entry, readonly Element[]>();

  private constructor(
    source: ByteSource,
    directory: Directory,
    entries: ReadonlyMap<string, Entry>,
    allowance: Allowance,
  ) {
    this.#source = source;
    this.#directory = directory;
    this.#entries = entries;
    this.allowance = allowance;
  }

  /**
   * Reads the central directory; entry names are unique and inside the package.
   *
   * @throws PlatenError `CORRUPTED_FILE`, `PASSWORD_PROTECTED`
   */
  static open(source: ByteSource, allowance: Allowance): Promise<Package> {
    return damageIsClientError(allowance, async () => {
      const directory = await findDirectory(source);
      allowance.assertEntries(directory.entries);
      const entries = await readDirectory(source, directory);
      return new Package(source, directory, indexByName(entries), allowance);
    });
  }

  entry(name: string): Entry | undefined {
    return this.#entries.get(name.toLowerCase());
  }

  /** Size of the archive. */
  get archiveBytes(): number {
    return this.#directory.archiveEnd;
  }

  /** Bytes of padding after the archive. */
  get paddingBytes(): number {
    return this.#source.size - this.archiveBytes;
  }

  /** The entries by name, in lower case, in the order of the directory. */
  get entries(): ReadonlyMap<string, Entry> {
    return this.#entries;
  }

  /** Total inflated size of the entries, as declared. */
  get declaredBytes(): number {
    return [...this.#entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  }

  /**
   * Checks that every reader sees the same archive.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  checkLayout(): Promise<void> {
    return damageIsClientError(this.allowance, () =>
      checkLayout(this.#source, [...this.#entries.values()], this.#directory),
    );
  }

  /**
   * Inflates an entry in pieces, and checks its size and CRC.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  async *content(entry: Entry): AsyncGenerator<Buffer, void> {
    this.allowance.check();
    const kept = this.#kept.get(entry);
    if (kept) {
      yield kept;
      return;
    }
    try {
      const start = await dataStart(this.#source, entry);
      for await (const piece of inflate(this.#source, start, entry)) {
        this.allowance.check();
        yield piece;
      }
    } catch (error) {
      this.allowance.check();
      throw toClientError(error);
    }
  }

  /**
   * Inflates an entry of at most `limit` bytes.
   *
   * @throws PlatenError `CORRUPTED_FILE` when it is larger or damaged.
   */
  async read(entry: Entry, limit: number): Promise<Buffer> {
    const { fileNameRaw, compressedSize, uncompressedSize } = entry;
    if (uncompressedSize > limit || compressedSize > Math.max(limit, MAX_WHOLE_BYTES)) {
      throw damaged('damaged', `${fileNameRaw} is too large`);
    }
    const pieces: Buffer[] = [];
    for await (const piece of this.content(entry)) pieces.push(piece);
    const content = Buffer.concat(pieces);
    if (content.length <= MAX_KEPT_BYTES) this.#kept.set(entry, content);
    return content;
  }

  /** Writes the package with these changes to an empty file. */
  write(file: ByteSink, changes: Changes): Promise<void> {
    return writePackage(this.#source, this.#entries.values(), changes, file);
  }

  /**
   * Visits the elements of an XML part of at most `limit` bytes, in document order; none if there is no such part.
   *
   * @throws PlatenError `CORRUPTED_FILE` if it is larger, damaged or not well-formed.
   */
  readElements(name: string, limit: number, visit: (element: Element) => void): Promise<void> {
    return damageIsClientError(this.allowance, async () => {
      const entry = this.entry(name);
      if (!entry) return;
      const known = this.#elements.get(entry);
      if (known) {
        known.forEach(visit);
        return;
      }
      const kept: Element[] | undefined = entry.uncompressedSize <= MAX_KEPT_BYTES ? [] : undefined;
      visitElements(plainXml(await this.read(entry, limit)), {
        element(each) {
          kept?.push(each);
          visit(each);
        },
      });
      if (kept) this.#elements.set(entry, kept);
    });
  }
}

async function readDirectory(
  source: ByteSource,
  { start, end, entries: count, archiveEnd }: Directory,
): Promise<Entry[]> {
  if (end - start > MAX_DIRECTORY_BYTES) throw damaged('damaged', 'the central directory is too large');
  // Names stay bytes: names.ts decides what they mean. yauzl reads each entry twice, so the directory, and all after
  // it, is read at once.
  const stretch = await readExactly(source, start, archiveEnd - start);
  const zip = await fromRandomAccessReaderPromise(new YauzlSource(source, start, stretch), archiveEnd, {
    autoClose: false,
    decodeStrings: false,
  });
  const entries: Entry[] = [];
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    bytes += DIRECTORY_ENTRY_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
  }
  if (entries.length !== count || bytes !== end - start) {
    throw damaged('polyglot', 'the central directory has more in it than its entries');
  }
  return entries;
}

/** Errors of the libraries mean a damaged file, unless the system failed. */
function toClientError(error: unknown): unknown {
  if (error instanceof PlatenError) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  if (error instanceof Error && error.message === STRONG_ENCRYPTION) return encrypted();
  return damaged('damaged', error);
}

async function damageIsClientError<T>(allowance: Allowance, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    allowance.check();
    throw toClientError(error);
  }
}
