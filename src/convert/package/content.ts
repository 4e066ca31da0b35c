/** Inflates entries, checks their size and CRC, and never inflates more than they declare. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { PlatenError } from '../../errors.ts';
import { damaged } from './refusal.ts';
import { type ByteSource, readExactly } from './source.ts';

/** Methods that packages may use (ECMA-376 part 2, annex C). */
export const STORED = 0;
export const DEFLATED = 8;
/** Entries up to this size, stored and inflated, are read in one piece. */
export const MAX_WHOLE_BYTES = 8_388_608;
const PIECE_BYTES = 65_536;

/** Content, in memory or still to be read. */
export type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Result of zlib with the option `info`, which its type definitions lack. */
interface InflatedWhole {
  readonly buffer: Buffer;
  readonly engine: InflateRaw;
}

/** Whether an entry can be inflated whole: handing pieces of it to another thread would take longer. */
export function isSmall({ compressedSize, uncompressedSize }: Entry): boolean {
  return compressedSize <= MAX_WHOLE_BYTES && uncompressedSize <= MAX_WHOLE_BYTES;
}

/**
 * The content of a small entry whose stored bytes begin at `start`; must not be modified.
 *
 * @throws PlatenError `CORRUPTED_FILE`; Error if the bytes are no deflated ones.
 */
export function inflateWhole(source: ByteSource, start: number, entry: Entry): Buffer {
  const check = new Check(entry);
  const { compressedSize, uncompressedSize } = entry;
  const bytes = readExactly(source, start, compressedSize);
  if (entry.compressionMethod === STORED) {
    check.take(bytes);
    check.end(compressedSize);
    return bytes;
  }
  // One byte more than declared, so that one block of output is enough.
  const chunkSize = Math.max(64, uncompressedSize + 1);
  let result: unknown;
  try {
    result = inflateRawSync(bytes, { chunkSize, maxOutputLength: chunkSize, info: true });
  } catch (error) {
    const isLonger = error instanceof RangeError;
    throw damaged(isLonger ? 'bad-size' : 'damaged', error);
  }
  const { buffer, engine } = result as InflatedWhole;
  check.take(buffer);
  check.end(engine.bytesWritten);
  return buffer;
}

/** The content of any entry, in pieces; otherwise as {@link inflateWhole}. */
export async function* inflate(
  source: ByteSource,
  start: number,
  entry: Entry,
): AsyncGenerator<Buffer, void> {
  const check = new Check(entry);
  const { compressionMethod: method, compressedSize } = entry;
  const pieces = stored(source, start, compressedSize);
  const inflater = method === STORED ? undefined : createInflateRaw({ chunkSize: PIECE_BYTES });
  // An error destroys the inflater, which throws it to its reader.
  if (inflater) pipeline(Readable.from(pieces), inflater).catch(() => {});
  for await (const piece of inflater ?? pieces) {
    check.take(piece);
    yield piece;
  }
  check.end(inflater?.bytesWritten ?? compressedSize);
}

function* stored(source: ByteSource, start: number, length: number): Generator<Buffer, void> {
  for (let position = 0; position < length; position += PIECE_BYTES) {
    yield readExactly(source, start + position, Math.min(PIECE_BYTES, length - position));
  }
}

/** Compares the content of an entry with what the directory says of it. */
class Check {
  readonly #entry: Entry;
  #bytes = 0;
  #crc = 0;

  constructor(entry: Entry) {
    const { fileNameRaw, compressionMethod: method } = entry;
    if (entry.isEncrypted()) throw damaged('damaged', `${fileNameRaw} is encrypted`);
    if (method !== STORED && method !== DEFLATED) {
      throw damaged('bad-method', `${fileNameRaw} is compressed with method ${method}`);
    }
    this.#entry = entry;
  }

  /** Call with each piece. */
  take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#entry.uncompressedSize) throw this.#badSize();
    this.#crc = crc32(piece, this.#crc);
  }

  /** Call at the end. @param consumed number of stored bytes that were read. */
  end(consumed: number): void {
    const { fileNameRaw, uncompressedSize, compressedSize, crc32: declared } = this.#entry;
    if (this.#bytes !== uncompressedSize || consumed !== compressedSize) throw this.#badSize();
    if (this.#crc !== declared) throw damaged('bad-crc', `${fileNameRaw} does not have its declared CRC`);
  }

  #badSize(): PlatenError {
    return damaged('bad-size', `${this.#entry.fileNameRaw} is not of its declared size`);
  }
}
