/** Finds the central directory of a ZIP archive from its end record (APPNOTE.TXT 4.3.14 to 4.3.16). */
import { damaged } from './refusal.ts';
import { type ByteSource, readExactly } from './source.ts';

const END = Buffer.from('PK\x05\x06', 'latin1');
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ZIP64_LOCATOR = Buffer.from('PK\x06\x07', 'latin1');
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_END = Buffer.from('PK\x06\x06', 'latin1');
const ZIP64_END_BYTES = 56;
/** Most white space and NULs after the archive, as transfers and old programs leave them: the size of a comment. */
const MAX_PADDING_BYTES = 65_535;
const PADDING: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20]);

/** Position of the central directory. */
export interface Directory {
  readonly entries: number;
  /** Position of its first byte. */
  readonly start: number;
  /** Position after its last byte. */
  readonly end: number;
  /** Position after the last byte of the archive; only padding follows. */
  readonly archiveEnd: number;
}

/** The directory's figures in one of the end records. */
interface Numbers {
  readonly entries: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * The central directory of the last end record. The record ends the file, apart from padding, and directly follows
 * the directory, so readers that search in other ways find the same one.
 *
 * @throws PlatenError `CORRUPTED_FILE`
 */
export function findDirectory(source: ByteSource): Directory {
  const window = Math.min(
    source.size,
    ZIP64_LOCATOR_BYTES + END_BYTES + MAX_COMMENT_BYTES + MAX_PADDING_BYTES,
  );
  const tail = readExactly(source, source.size - window, window);
  const at = tail.length < END_BYTES ? -1 : tail.lastIndexOf(END, tail.length - END_BYTES);
  if (at < 0) throw damaged('damaged', 'there is no end of a central directory: the file is truncated');
  const end = tail.subarray(at);
  const length = END_BYTES + end.readUInt16LE(20);
  if (length > end.length) throw damaged('damaged', 'the comment of the archive is cut off');
  if (!isPadding(end.subarray(length))) throw damaged('polyglot', 'the archive is not the end of the file');
  const numbers: Numbers = {
    entries: end.readUInt16LE(10),
    size: end.readUInt32LE(12),
    offset: end.readUInt32LE(16),
  };
  if (end.readUInt16LE(8) !== numbers.entries) throw damaged('damaged', 'the archive has several volumes');
  const locator = tail.subarray(Math.max(0, at - ZIP64_LOCATOR_BYTES), at);
  const position = source.size - tail.length + at;
  const directory = locator.subarray(0, 4).equals(ZIP64_LOCATOR)
    ? zip64Directory(source, locator, position, numbers)
    : directoryBefore(position, numbers);
  return { ...directory, archiveEnd: position + length };
}

function isPadding(bytes: Buffer): boolean {
  return bytes.length <= MAX_PADDING_BYTES && bytes.every((byte) => PADDING.has(byte));
}

/** The directory that the 64-bit record describes; the 32-bit record must agree as far as it can. */
function zip64Directory(
  source: ByteSource,
  locator: Buffer,
  position: number,
  short: Numbers,
): Omit<Directory, 'archiveEnd'> {
  const start = Number(locator.readBigUInt64LE(8));
  const record = readExactly(source, start, ZIP64_END_BYTES);
  const recordEnd = start + 12 + Number(record.readBigUInt64LE(4));
  if (!record.subarray(0, 4).equals(ZIP64_END) || recordEnd !== position - ZIP64_LOCATOR_BYTES) {
    throw damaged('damaged', 'the 64-bit end of the central directory is not where it should be');
  }
  const long: Numbers = {
    entries: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    offset: Number(record.readBigUInt64LE(48)),
  };
  const agree =
    (short.entries === 0xffff || short.entries === long.entries) &&
    (short.size === 0xffffffff || short.size === long.size) &&
    (short.offset === 0xffffffff || short.offset === long.offset);
  if (!agree) throw damaged('header-mismatch', 'the two ends of the central directory disagree');
  return directoryBefore(start, long);
}

function directoryBefore(
  position: number,
  { entries, size, offset }: Numbers,
): Omit<Directory, 'archiveEnd'> {
  if (offset + size !== position) {
    throw damaged('polyglot', 'the central directory does not lie before its end');
  }
  return { entries, start: offset, end: position };
}
