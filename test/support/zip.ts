/** A ZIP writer for tests, which also writes invalid archives. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer | string;
  /** Written without compression. */
  readonly stored?: boolean;
  /** General purpose bit flags besides UTF-8; bit 0 says that the entry is encrypted. */
  readonly flags?: number;
  /** False values for the entry, in its header and in the directory. */
  readonly claims?: Partial<Claims>;
  /** False values in its local header only. */
  readonly localClaims?: Partial<Claims>;
  /** Name in its local header, of the same length. */
  readonly localName?: string;
  /** CRC and sizes are in a data descriptor after the content; `bare`: without signature. */
  readonly descriptor?: 'signed' | 'bare';
  /** Unix file type and permissions. */
  readonly unixMode?: number;
  /** Extra fields in the directory. */
  readonly extra?: Buffer;
  /** Additional bytes that count as compressed content. */
  readonly padding?: Buffer;
  /** Bytes between the previous entry and this one. */
  readonly gap?: Buffer;
  /** No content: the directory entry points at the earlier entry of this name. */
  readonly sharesDataOf?: string;
}

interface Claims {
  readonly crc: number;
  readonly size: number;
  readonly compressedSize: number;
  readonly method: number;
}

export interface ZipOptions {
  readonly comment?: Buffer;
  /** Adds the 64-bit end of the directory. */
  readonly zip64?: boolean;
  /** Bytes between the directory and its end. */
  readonly beforeEnd?: Buffer;
  /** Written as Word writes archives: {@link asWordSaves}. */
  readonly asWord?: boolean;
}

const MB = 1_048_576;
const UTF8_FLAG = 0x800;
const DESCRIPTOR_FLAG = 0x8;
/** 1 January 2024, midnight, as DOS writes it. */
const DOS_TIME = 0;
const DOS_DATE = ((2024 - 1980) << 9) | (1 << 5) | 1;
const UNIX = 3;
/** Word's date is the first that DOS can name, 1 January 1980. */
const WORD_DATE = 0x0021;
const WORD_VERSION = 45;
/** Word's general purpose bits of what it compresses; none of what it stores. */
const WORD_FLAGS = 0x6;
const VERSION = 20;
const VERSION_OF_STORED = 10;

/** Cache for large parts that are in several entries or archives. */
const knownDeflated = new WeakMap<Buffer, Buffer>();

/** Large data is compressed once, and fast rather than well. */
function deflated(data: Buffer): Buffer {
  if (data.length < MB) return deflateRawSync(data);
  const packed = knownDeflated.get(data) ?? deflateRawSync(data, { level: 1 });
  knownDeflated.set(data, packed);
  return packed;
}

/** An archive of the entries in order; the same entries give the same bytes. */
export function zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets = new Map<string, number>();
  let offset = 0;
  const append = (...pieces: Buffer[]) => {
    files.push(...pieces);
    offset += pieces.reduce((sum, { length }) => sum + length, 0);
  };
  for (const entry of entries) {
    const data = typeof entry.data === 'string' ? Buffer.from(entry.data) : entry.data;
    const packed = entry.stored ? data : deflated(data);
    const content = entry.padding ? Buffer.concat([packed, entry.padding]) : packed;
    const truth: Claims = {
      crc: crc32(data),
      size: data.length,
      compressedSize: content.length,
      method: entry.stored ? 0 : 8,
    };
    const claims = { ...truth, ...entry.claims };
    const shared = offsets.get(entry.sharesDataOf ?? '');
    if (shared === undefined) {
      append(entry.gap ?? Buffer.alloc(0));
      offsets.set(entry.name, offset);
      const later = entry.descriptor ? { crc: 0, size: 0, compressedSize: 0 } : {};
      const room = options.asWord ? growth(directory.length === 0) : Buffer.alloc(0);
      const local = header(entry, { ...claims, ...later, ...entry.localClaims }, room.length, options);
      const name = Buffer.from(entry.localName ?? entry.name);
      append(Buffer.from('PK\x03\x04'), local, name, room, content, descriptor(entry, claims));
    }
    const extra = entry.extra ?? Buffer.alloc(0);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(((entry.unixMode ?? 0) << 16) >>> 0, 6);
    place.writeUInt32LE(shared ?? offsets.get(entry.name) ?? 0, 10);
    const system = entry.unixMode === undefined ? 0 : UNIX;
    const version = options.asWord ? WORD_VERSION : VERSION;
    directory.push(Buffer.from(['P'.charCodeAt(0), 'K'.charCodeAt(0), 1, 2, version, system]));
    directory.push(header(entry, claims, extra.length, options), place, Buffer.from(entry.name), extra);
  }
  return Buffer.concat([
    ...files,
    ...directoryAndEnd(Buffer.concat(directory), entries.length, offset, options),
  ]);
}

/**
 * An archive of the entries as Word writes it when it saves a document: src/convert/package/word-archive.ts says how. What such a
 * document says of its pages is believed. That the name has no mark of UTF-8 makes no difference for names in ASCII.
 */
export function asWordSaves(entries: readonly ZipEntry[]): Buffer {
  const isFirst = ({ name }: ZipEntry) => name === '[Content_Types].xml';
  const inOrder = entries.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  return zip(inOrder, { asWord: true });
}

/** Room to grow behind a local header: more of it in the first entry. */
function growth(isFirst: boolean): Buffer {
  const field = Buffer.alloc(isFirst ? 520 : 264);
  field.writeUInt16LE(0xa220, 0);
  field.writeUInt16LE(field.length - 4, 2);
  field.writeUInt16LE(0xa028, 4);
  field.writeUInt16LE(2, 6);
  return field;
}

/** Common fields of local headers and the directory, from the needed version to the lengths of names. */
function header(
  entry: ZipEntry,
  { crc, size, compressedSize, method }: Claims,
  extraLength: number,
  { asWord = false }: ZipOptions,
): Buffer {
  const wordFlags = entry.stored ? 0 : WORD_FLAGS;
  const flags =
    (asWord ? wordFlags : UTF8_FLAG) | (entry.flags ?? 0) | (entry.descriptor ? DESCRIPTOR_FLAG : 0);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(asWord && entry.stored ? VERSION_OF_STORED : VERSION, 0);
  fields.writeUInt16LE(flags, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(DOS_TIME, 6);
  fields.writeUInt16LE(asWord ? WORD_DATE : DOS_DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(compressedSize, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 22);
  fields.writeUInt16LE(extraLength, 24);
  return fields;
}

function descriptor(entry: ZipEntry, { crc, size, compressedSize }: Claims): Buffer {
  if (!entry.descriptor) return Buffer.alloc(0);
  const fields = Buffer.alloc(12);
  fields.writeUInt32LE(crc, 0);
  fields.writeUInt32LE(compressedSize, 4);
  fields.writeUInt32LE(size, 8);
  return Buffer.concat([Buffer.from(entry.descriptor === 'signed' ? 'PK\x07\x08' : ''), fields]);
}

function directoryAndEnd(
  directory: Buffer,
  count: number,
  offset: number,
  { comment = Buffer.alloc(0), zip64 = false, beforeEnd = Buffer.alloc(0) }: ZipOptions,
): Buffer[] {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  end.writeUInt16LE(comment.length, 20);
  return [directory, beforeEnd, ...(zip64 ? zip64End(directory, count, offset) : []), end, comment];
}

/** The 64-bit end of the directory and its locator (APPNOTE.TXT 4.3.14, 4.3.15). */
function zip64End(directory: Buffer, count: number, offset: number): Buffer[] {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directory.length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + directory.length), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}
