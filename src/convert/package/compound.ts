/** Reads compound files, the container of legacy and encrypted Office files ([MS-CFB]), in bounded memory and time. */
import type { ByteSource } from './source.ts';

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** FAT sectors that the header itself lists; the others are listed by the chain of DIFAT sectors. */
const HEADER_FAT_SECTORS = 109;
const MAX_DIRECTORY_BYTES = 1_048_576;
/** Streams below this size are in the mini stream (2.2). */
const MINI_STREAM_CUTOFF = 4_096;
const MINI_SECTOR_BYTES = 64;
/** Most bytes that are read of a stream at once. */
const PIECE_BYTES = 262_144;

/** A stream in the root of the file. */
interface StreamEntry {
  readonly start: number;
  readonly bytes: number;
}

/** A compound file. Of a damaged one, it has what can be reached. */
export class CompoundFile {
  readonly #source: ByteSource;
  readonly #sectorBytes: number;
  /** The next sector of each sector. */
  readonly #fat: Buffer;
  readonly #miniFatStart: number;
  readonly #root: StreamEntry;
  readonly #entries = new Map<string, StreamEntry>();

  private constructor(
    source: ByteSource,
    header: Buffer,
    sectorBytes: number,
    fat: Buffer,
    directory: Buffer,
  ) {
    this.#source = source;
    this.#sectorBytes = sectorBytes;
    this.#fat = fat;
    this.#miniFatStart = header.readUInt32LE(60);
    const entry = (id: number) => directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES);
    const root = entry(0);
    const isThere = root.length === ENTRY_BYTES;
    this.#root = isThere ? streamOf(root) : { start: 0, bytes: 0 };
    const visited = new Set<number>();
    const pending = isThere ? [root.readUInt32LE(76)] : [];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const child = entry(id);
      if (visited.has(id) || child.length < ENTRY_BYTES) continue;
      visited.add(id);
      this.#entries.set(nameOf(child), streamOf(child));
      // Left and right sibling in the tree of the root's children (2.6.1); NOSTREAM lies beyond the directory.
      pending.push(child.readUInt32LE(68), child.readUInt32LE(72));
    }
  }

  static open(source: ByteSource): CompoundFile {
    const header = Buffer.alloc(HEADER_BYTES);
    source.read(0, HEADER_BYTES).copy(header);
    const sectorBytes = header.readUInt16LE(30) === 12 ? 4_096 : 512;
    const fat = readFat(source, header, sectorBytes);
    const directory = readChain(source, fat, header.readUInt32LE(48), MAX_DIRECTORY_BYTES, sectorBytes);
    return new CompoundFile(source, header, sectorBytes, fat, directory);
  }

  /** Names of the streams and storages at the root. */
  names(): ReadonlySet<string> {
    return new Set(this.#entries.keys());
  }

  /** Size of a stream in the root, in bytes; undefined if there is none of that name. */
  bytesOf(name: string): number | undefined {
    return this.#entries.get(name)?.bytes;
  }

  /** The whole content of a stream in the root; see {@link content}. */
  read(name: string): Buffer {
    return joined(this.content(name));
  }

  /**
   * The content of a stream in the root, in pieces; it ends early where the file is damaged.
   *
   * @throws Error if there is no such stream.
   */
  *content(name: string): Generator<Buffer> {
    const entry = this.#entries.get(name);
    if (!entry) throw new Error('the compound file lacks a stream');
    const { start } = entry;
    const bytes = Math.min(entry.bytes, this.#source.size);
    if (bytes < MINI_STREAM_CUTOFF) yield this.#small(start, bytes);
    else yield* pieces(this.#source, this.#fat, start, bytes, this.#sectorBytes);
  }

  /** A stream of the mini stream, whose sectors have a FAT of their own. */
  #small(start: number, bytes: number): Buffer {
    const [root, sectorBytes] = [this.#root, this.#sectorBytes];
    const most = Math.min(root.bytes, this.#source.size);
    const miniFatBytes = Math.ceil(most / MINI_SECTOR_BYTES) * 4;
    const read = (first: number, length: number) =>
      readChain(this.#source, this.#fat, first, length, sectorBytes);
    const miniFat = read(this.#miniFatStart, miniFatBytes);
    const found: Buffer[] = [];
    let sector = start;
    let sectors: readonly number[] | undefined;
    for (let done = 0; done < bytes; done += MINI_SECTOR_BYTES) {
      sectors ??= [...chain(this.#fat, root.start, Math.ceil(most / sectorBytes))];
      const at = sector * MINI_SECTOR_BYTES;
      const outer = sectors[Math.floor(at / sectorBytes)];
      if (outer === undefined) break;
      const position = (outer + 1) * sectorBytes + (at % sectorBytes);
      found.push(this.#source.read(position, Math.min(MINI_SECTOR_BYTES, bytes - done)));
      sector = entryOf(miniFat, sector);
    }
    return Buffer.concat(found);
  }
}

function streamOf(entry: Buffer): StreamEntry {
  // The upper half of the size is undefined in version 3 (2.6.1), and no upload needs it.
  return { start: entry.readUInt32LE(116), bytes: entry.readUInt32LE(120) };
}

function nameOf(entry: Buffer): string {
  const bytes = Math.min(entry.readUInt16LE(64), 64) & ~1;
  return entry.toString('utf16le', 0, Math.max(0, bytes - 2));
}

/** An entry of a FAT; beyond its end, a number that no sector has. */
function entryOf(fat: Buffer, sector: number): number {
  return sector * 4 + 4 <= fat.length ? fat.readUInt32LE(sector * 4) : 0xffffffff;
}

/** The numbers of a chain's sectors: at most `most`, as a chain may be a circle. */
function* chain(fat: Buffer, start: number, most: number): Generator<number> {
  let sector = start;
  for (let n = 0; n < most && sector * 4 < fat.length; n += 1) {
    yield sector;
    sector = entryOf(fat, sector);
  }
}

/** The content of a chain of sectors; adjacent ones are read at once. */
function* pieces(
  source: ByteSource,
  fat: Buffer,
  start: number,
  bytes: number,
  sectorBytes: number,
): Generator<Buffer> {
  let [first, count, left] = [start, 0, bytes];
  const take = (): Buffer => {
    const wanted = Math.min(count * sectorBytes, left);
    const piece = source.read((first + 1) * sectorBytes, wanted);
    left = piece.length < wanted ? 0 : left - wanted;
    return piece;
  };
  for (const sector of chain(fat, start, Math.ceil(bytes / sectorBytes))) {
    if (sector !== first + count || count * sectorBytes >= PIECE_BYTES) {
      yield take();
      if (left === 0) return;
      [first, count] = [sector, 0];
    }
    count += 1;
  }
  if (count > 0) yield take();
}

function readChain(
  source: ByteSource,
  fat: Buffer,
  start: number,
  bytes: number,
  sectorBytes: number,
): Buffer {
  return joined(pieces(source, fat, start, bytes, sectorBytes));
}

function joined(pieces: Iterable<Buffer>): Buffer {
  const found: Buffer[] = [];
  for (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}

/** The FAT (2.3): as much of it as the file has room for, whatever it says. */
function readFat(source: ByteSource, header: Buffer, sectorBytes: number): Buffer {
  const sector = (number: number): Buffer => source.read((number + 1) * sectorBytes, sectorBytes);
  const perSector = sectorBytes / 4;
  const limit = Math.ceil(source.size / sectorBytes / perSector);
  const numbers: number[] = [];
  for (let i = 0; i < HEADER_FAT_SECTORS; i += 1) numbers.push(header.readUInt32LE(76 + i * 4));
  let next = header.readUInt32LE(68);
  while (numbers.length < limit) {
    const difat = sector(next);
    if (difat.length < sectorBytes) break;
    for (let i = 0; i < perSector - 1; i += 1) numbers.push(difat.readUInt32LE(i * 4));
    next = difat.readUInt32LE(sectorBytes - 4);
  }
  const fat = Buffer.alloc(Math.min(limit, numbers.length) * sectorBytes, 0xff);
  for (let i = 0; i * sectorBytes < fat.length; i += 1) {
    sector(numbers[i] ?? 0xffffffff).copy(fat, i * sectorBytes);
  }
  return fat;
}
