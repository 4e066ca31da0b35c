/** Writes a package with new content in some parts (APPNOTE.TXT 4.3). */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, constants as zlib } from 'node:zlib';
import type { Entry } from 'yauzl';
import { type Pieces, STORED } from './content.ts';
import { dataStart } from './layout.ts';
import { LOCAL_HEADER, LOCAL_HEADER_BYTES } from './local-header.ts';
import {
  type Changes,
  type EntryHeader,
  type LateContent,
  type StoredContent,
  UTF8_NAME,
} from './package-changes.ts';
import { type ByteSource, readExactly } from './source.ts';

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const DIRECTORY_END = 0x06054b50;
const DIRECTORY_END_BYTES = 22;
/** ZIP version needed to extract: folders and deflated entries. */
const VERSION = 20;
const PIECE_BYTES = 65_536;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/** Sequential output, such as a file open for writing. */
export interface ByteSink {
  writeFile(bytes: Buffer): void;
}

/** Fields of the local header and the directory, and the entry's position. */
interface Written {
  readonly entry: EntryHeader;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Writes all entries in the order of the source, unchanged ones as stored, then the added ones. Extra fields and
 * comments are left out.
 *
 * @param file empty, open for writing.
 */
export async function writePackage(
  source: ByteSource,
  entries: Iterable<Entry>,
  { replaced, added }: Changes,
  file: ByteSink,
): Promise<void> {
  const inOrder = [...entries].sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  const written: Written[] = [];
  let offset = 0;
  const writeHeader = (next: Omit<Written, 'offset'>) => {
    const header = localHeader({ ...next, offset });
    file.writeFile(header);
    written.push({ ...next, offset });
    offset += header.length + next.compressedSize;
  };
  const writeContent = (entry: EntryHeader, { method, crc, size, bytes }: StoredContent) => {
    writeHeader({ entry, method, crc, compressedSize: bytes.length, size });
    file.writeFile(bytes);
  };
  for (const entry of inOrder) {
    const content = replaced.get(entry);
    if (content) {
      writeContent(entry, 'bytes' in content ? content : await stored(content));
      continue;
    }
    const { compressionMethod: method, crc32: crc, compressedSize, uncompressedSize: size } = entry;
    writeHeader({ entry, method, crc, compressedSize, size });
    copy(source, dataStart(source, entry), compressedSize, file);
  }
  for (const [entry, content] of added) writeContent(entry, content);
  const directory = Buffer.concat(written.map(directoryEntry));
  file.writeFile(Buffer.concat([directory, directoryEnd(written.length, directory.length, offset)]));
}

/** In stored form, whose length and CRC the header has. */
async function stored({ method, pieces }: LateContent): Promise<StoredContent> {
  if (method === STORED) {
    const bytes = await joined(pieces());
    return { method, crc: crc32(bytes), size: bytes.length, bytes };
  }
  let crc = 0;
  let size = 0;
  async function* counted(): AsyncGenerator<Buffer, void> {
    for await (const piece of pieces()) {
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  }
  const deflater = createDeflateRaw({ level: zlib.Z_BEST_SPEED });
  const [bytes] = await Promise.all([joined(deflater), pipeline(Readable.from(counted()), deflater)]);
  return { method, crc, size, bytes };
}

async function joined(pieces: Pieces): Promise<Buffer> {
  const found: Buffer[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}

function copy(source: ByteSource, start: number, length: number, file: ByteSink): void {
  for (let done = 0; done < length; done += PIECE_BYTES) {
    file.writeFile(readExactly(source, start + done, Math.min(PIECE_BYTES, length - done)));
  }
}

function localHeader(written: Written): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeShared(header, 4, written);
  return Buffer.concat([header, nameOf(written.entry)]);
}

function directoryEntry(written: Written): Buffer {
  const { entry, offset } = written;
  const header = Buffer.alloc(DIRECTORY_ENTRY_BYTES);
  header.writeUInt32LE(DIRECTORY_ENTRY, 0);
  header.writeUInt16LE(entry.versionMadeBy, 4);
  writeShared(header, 6, written);
  header.writeUInt16LE(entry.internalFileAttributes, 36);
  header.writeUInt32LE(entry.externalFileAttributes, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, nameOf(entry)]);
}

/** As packages have it (APPNOTE.TXT 4.4.17.1): some programs write the separator of Windows. */
function nameOf({ fileNameRaw }: EntryHeader): Buffer {
  return fileNameRaw.map((byte) => (byte === BACKSLASH ? SLASH : byte)) as Buffer;
}

/** Writes the fields from the version to the length of the extra fields, which is zero. */
function writeShared(header: Buffer, at: number, written: Written): void {
  const { entry, method, crc, compressedSize, size } = written;
  header.writeUInt16LE(VERSION, at);
  // The header has the sizes, so no other flag is needed.
  header.writeUInt16LE(entry.generalPurposeBitFlag & UTF8_NAME, at + 2);
  header.writeUInt16LE(method, at + 4);
  header.writeUInt16LE(entry.lastModFileTime, at + 6);
  header.writeUInt16LE(entry.lastModFileDate, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(compressedSize, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(entry.fileNameRaw.length, at + 22);
}

function directoryEnd(entries: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(DIRECTORY_END_BYTES);
  end.writeUInt32LE(DIRECTORY_END, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
