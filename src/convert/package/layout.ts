/**
 * Checks the layout of an archive: nothing before, between or after its entries that another reader could take for
 * entries, no overlaps, and local headers that agree with the central directory.
 */
import type { Entry } from 'yauzl';
import type { Directory } from './directory-end.ts';
import { ENCRYPTED, HAS_DESCRIPTOR, IN_ZIP64, LOCAL_HEADER, LOCAL_HEADER_BYTES } from './local-header.ts';
import { normalize } from './names.ts';
import { damaged } from './refusal.ts';
import { type ByteSource, readExactly } from './source.ts';

const DESCRIPTOR = Buffer.from('PK\x07\x08', 'latin1');
/** Signatures of an entry, a directory and its end. */
const records = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06'];
/** Some writers leave gaps where they removed entries; a larger gap may hide a file. */
const MAX_GAP_BYTES = 65_536;

/**
 * Position of an entry's stored bytes.
 *
 * @throws PlatenError `CORRUPTED_FILE`
 */
export function dataStart(source: ByteSource, entry: Entry): number {
  const header = readExactly(source, entry.relativeOffsetOfLocalHeader, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw damaged('header-mismatch', `${entry.fileNameRaw} has no local header`);
  }
  const variable = header.readUInt16LE(26) + header.readUInt16LE(28);
  return entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + variable;
}

/** @throws PlatenError `CORRUPTED_FILE` */
export function checkLayout(source: ByteSource, entries: readonly Entry[], directory: Directory): void {
  const inOrder = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of inOrder) {
    checkGap(source, end, entry.relativeOffsetOfLocalHeader);
    end = endOf(source, entry);
  }
  checkGap(source, end, directory.start);
}

function checkGap(source: ByteSource, start: number, end: number): void {
  if (start === end) return;
  if (start > end) throw damaged('overlap', 'two entries overlap');
  if (end - start > MAX_GAP_BYTES) throw damaged('polyglot', 'there is a large gap between the entries');
  const gap = readExactly(source, start, end - start);
  if (records.some((record) => gap.includes(record, 0, 'latin1'))) {
    throw damaged('polyglot', 'there are records between the entries');
  }
}

/**
 * Compares the entry's local header with the directory. Returns the end of the entry, including its data descriptor.
 */
function endOf(source: ByteSource, entry: Entry): number {
  const { relativeOffsetOfLocalHeader: start, fileNameRaw, fileNameLength, compressedSize } = entry;
  const header = readExactly(source, start, LOCAL_HEADER_BYTES + fileNameLength);
  const flags = header.readUInt16LE(6);
  const fieldsAgree =
    header.readUInt32LE(0) === LOCAL_HEADER &&
    ((flags ^ entry.generalPurposeBitFlag) & ENCRYPTED) === 0 &&
    header.readUInt16LE(8) === entry.compressionMethod &&
    agrees(header.readUInt32LE(14), entry.crc32, flags) &&
    agrees(header.readUInt32LE(18), compressedSize, flags) &&
    agrees(header.readUInt32LE(22), entry.uncompressedSize, flags);
  const sameName =
    header.readUInt16LE(26) === fileNameLength &&
    normalize(header.subarray(LOCAL_HEADER_BYTES)) === normalize(entry.fileNameRaw);
  if (!fieldsAgree || !sameName) {
    throw damaged('header-mismatch', `the local header of ${fileNameRaw} disagrees with the directory`);
  }
  const dataEnd = start + LOCAL_HEADER_BYTES + fileNameLength + header.readUInt16LE(28) + compressedSize;
  const hasDescriptor = (flags & HAS_DESCRIPTOR) !== 0;
  return hasDescriptor ? dataEnd + descriptorBytes(source, dataEnd, entry) : dataEnd;
}

/** Writers leave values that they do not know yet to the data descriptor. */
function agrees(local: number, central: number, flags: number): boolean {
  return local === central || local === IN_ZIP64 || (local === 0 && (flags & HAS_DESCRIPTOR) !== 0);
}

/** Length of the data descriptor at `position` (APPNOTE.TXT 4.3.9): with or without signature, 32 or 64 bits. */
function descriptorBytes(source: ByteSource, position: number, entry: Entry): number {
  const bytes = source.read(position, 24);
  const start = bytes.subarray(0, 4).equals(DESCRIPTOR) ? 4 : 0;
  if (bytes.length < start + 12 || bytes.readUInt32LE(start) !== entry.crc32) return 0;
  const { compressedSize, uncompressedSize } = entry;
  const fits32 =
    bytes.readUInt32LE(start + 4) === compressedSize && bytes.readUInt32LE(start + 8) === uncompressedSize;
  if (fits32) return start + 12;
  const fits64 =
    bytes.length >= start + 20 &&
    bytes.readBigUInt64LE(start + 4) === BigInt(compressedSize) &&
    bytes.readBigUInt64LE(start + 12) === BigInt(uncompressedSize);
  return fits64 ? start + 20 : 0;
}
