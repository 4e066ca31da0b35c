/** Reads the package of an Office document: a ZIP archive of named parts (ECMA-376 part 2, OPC). */
import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';
import { PlatenError } from '../../errors.ts';
import { inflate, inflateWhole, isSmall, MAX_WHOLE_BYTES, type Pieces } from './content.ts';
import { type Directory, findDirectory } from './directory-end.ts';
import { checkLayout, dataStart } from './layout.ts';
import type { Allowance } from './limits.ts';
import { indexByName } from './names.ts';
import type { Changes } from './package-changes.ts';
import { type ByteSink, writePackage } from './package-writer.ts';
import { plainXml } from './plain-xml.ts';
import { damaged, encrypted } from './refusal.ts';
import { type ByteSource, readExactly, YauzlSource } from './source.ts';
import { isWrittenByWord } from './word-archive.ts';
import { type Element, visitElements } from './xml.ts';

/** Largest central directory, which is read whole: 2,000 entries with long names and extra fields take a quarter. */
const MAX_DIRECTORY_BYTES = 2_097_152;
/** Length of a directory entry without its name, extra fields and comment (APPNOTE.TXT 4.3.12). */
const DIRECTORY_ENTRY_BYTES = 46;
/**
 * Most bytes of inflated parts that are kept: nearly each XML part is read twice, as it is checked and then rewritten. KeptParts
 * keeps as many, of the same memory.
 */
const MAX_KEPT_BYTES = 16_777_216;
/** Elements of parts up to this size are kept. */
const MAX_ELEMENTS_BYTES = 16_384;
/** How XML begins, which alone is read again. */
const LESS = 0x3c;
const STRONG_ENCRYPTION = 'strong encryption is not supported';

/** A package whose central directory has been read. The caller closes its source. */
export class Package {
  /** The limits of reading it. */
  readonly allowance: Allowance;
  readonly #source: ByteSource;
  readonly #directory: Directory;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Content of entries. */
  readonly #kept = new Map<Entry, Buffer>();
  #keptBytes = 0;
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
  static async open(source: ByteSource, allowance: Allowance): Promise<Package> {
    try {
      const directory = findDirectory(source);
      allowance.assertEntries(directory.entries);
      const entries = await readDirectory(source, directory);
      return new Package(source, directory, indexByName(entries), allowance);
    } catch (error) {
      allowance.check();
      throw toClientError(error);
    }
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
  checkLayout(): void {
    this.#asClientError(() => checkLayout(this.#source, [...this.#entries.values()], this.#directory));
  }

  /** Whether Word itself wrote the archive, and nothing has changed it since. */
  isWrittenByWord(): boolean {
    return isWrittenByWord(this.#source, [...this.#entries.values()]);
  }

  /**
   * Inflates an entry in pieces, which must not be modified, and checks its size and CRC. A small one has one piece.
   *
   * @throws PlatenError `CORRUPTED_FILE`
   */
  content(entry: Entry): Pieces {
    return isSmall(entry) ? [this.#whole(entry)] : this.#pieces(entry);
  }

  /**
   * Inflates an entry of at most `limit` bytes; the content must not be modified.
   *
   * @throws PlatenError `CORRUPTED_FILE` when it is larger or damaged.
   */
  async read(entry: Entry, limit: number): Promise<Buffer> {
    const { fileNameRaw, compressedSize, uncompressedSize } = entry;
    if (uncompressedSize > limit || compressedSize > Math.max(limit, MAX_WHOLE_BYTES)) {
      throw damaged('damaged', `${fileNameRaw} is too large`);
    }
    if (isSmall(entry)) return this.#whole(entry);
    const pieces: Buffer[] = [];
    for await (const piece of this.#pieces(entry)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  #whole(entry: Entry): Buffer {
    this.allowance.check();
    const kept = this.#kept.get(entry);
    if (kept) return kept;
    const content = this.#asClientError(() =>
      inflateWhole(this.#source, dataStart(this.#source, entry), entry),
    );
    const bytes = this.#keptBytes + content.length;
    if (content[0] === LESS && bytes <= MAX_KEPT_BYTES) {
      this.#kept.set(entry, content);
      this.#keptBytes = bytes;
    }
    return content;
  }

  async *#pieces(entry: Entry): AsyncGenerator<Buffer, void> {
    this.allowance.check();
    try {
      for await (const piece of inflate(this.#source, dataStart(this.#source, entry), entry)) {
        this.allowance.check();
        yield piece;
      }
    } catch (error) {
      this.allowance.check();
      throw toClientError(error);
    }
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
  async readElements(name: string, limit: number, visit: (element: Element) => void): Promise<void> {
    const entry = this.entry(name);
    if (!entry) return;
    const known = this.#elements.get(entry);
    if (known) {
      known.forEach(visit);
      return;
    }
    const kept: Element[] | undefined = entry.uncompressedSize <= MAX_ELEMENTS_BYTES ? [] : undefined;
    const part = await this.read(entry, limit);
    const element = (each: Element) => {
      kept?.push(each);
      visit(each);
    };
    this.#asClientError(() => visitElements(plainXml(part), { element }));
    if (kept) this.#elements.set(entry, kept);
  }

  #asClientError<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      this.allowance.check();
      throw toClientError(error);
    }
  }
}

async function readDirectory(
  source: ByteSource,
  { start, end, entries: count, archiveEnd }: Directory,
): Promise<Entry[]> {
  if (end - start > MAX_DIRECTORY_BYTES) throw damaged('damaged', 'the central directory is too large');
  // Names stay bytes: names.ts decides what they mean. yauzl reads each entry twice, so the directory, and all after
  // it, is read at once.
  const stretch = readExactly(source, start, archiveEnd - start);
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
