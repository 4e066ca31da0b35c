/** Inflates entries, checks their size and CRC, and never inflates more than they declare. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry } from 'yauzl';
import { damaged } from './refusal.ts';
import { type ByteSource, readExactly } from './source.ts';

/** Methods that packages may use (ECMA-376 part 2, annex C). */
export const STORED = 0;
export const DEFLATED = 8;
/** Entries up to this size, stored and inflated, are read in one piece. */
export const MAX_WHOLE_BYTES = 524_288;
const PIECE_BYTES = 65_536;

/** Inflated content of an entry. */
interface Pieces {
  /** Yields the content. */
  readonly inflated: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Number of stored bytes consumed, once all is read. */
  consumed(): number;
}

/** Result of zlib with the option `info`, which its type definitions lack. */
interface InflatedWhole {
  readonly buffer: Buffer;
  readonly engine: InflateRaw;
}

/**
 * The content of an entry whose stored bytes begin at `start`.
 *
 * @throws PlatenError `CORRUPTED_FILE`
 */
export async function* inflate(
  source: ByteSource,
  start: number,
  entry: Entry,
): AsyncGenerator<Buffer, void> {
  const { fileNameRaw, uncompressedSize, compressedSize } = entry;
  if (entry.isEncrypted()) throw damaged('damaged', `${fileNameRaw} is encrypted`);
  const pieces = await open(source, start, entry);
  let bytes = 0;
  let crc = 0;
  for await (const piece of pieces.inflated) {
    bytes += piece.length;
    if (bytes > uncompressedSize) break;
    crc = crc32(piece, crc);
    yield piece;
  }
  if (bytes !== uncompressedSize || pieces.consumed() !== compressedSize) {
    throw damaged('bad-size', `${fileNameRaw} is not of its declared size`);
  }
  if (crc !== entry.crc32) throw damaged('bad-crc', `${fileNameRaw} does not have its declared CRC`);
}

async function open(source: ByteSource, start: number, entry: Entry): Promise<Pieces> {
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry;
  if (method !== STORED && method !== DEFLATED) {
    throw damaged('bad-method', `${entry.fileNameRaw} is compressed with method ${method}`);
  }
  if (method === STORED) {
    return { inflated: stored(source, start, compressedSize), consumed: () => compressedSize };
  }
  const isSmall = compressedSize <= MAX_WHOLE_BYTES && uncompressedSize <= MAX_WHOLE_BYTES;
  return isSmall ? inflateWhole(source, start, entry) : inflateStream(source, start, compressedSize);
}

async function* stored(source: ByteSource, start: number, length: number): AsyncGenerator<Buffer, void> {
  for (let position = 0; position < length; position += PIECE_BYTES) {
    yield await readExactly(source, start + position, Math.min(PIECE_BYTES, length - position));
  }
}

/** In this thread, as handing a few kilobytes to another takes longer. */
async function inflateWhole(source: ByteSource, start: number, entry: Entry): Promise<Pieces> {
  const { compressedSize, uncompressedSize } = entry;
  const bytes = await readExactly(source, start, compressedSize);
  // One byte more than declared, so that one block of output is enough.
  const chunkSize = Math.max(64, uncompressedSize + 1);
  try {
    const result: unknown = inflateRawSync(bytes, { chunkSize, maxOutputLength: chunkSize, info: true });
    const { buffer, engine } = result as InflatedWhole;
    return { inflated: [buffer], consumed: () => engine.bytesWritten };
  } catch (error) {
    const isLonger = error instanceof RangeError;
    throw damaged(isLonger ? 'bad-size' : 'damaged', error);
  }
}

function inflateStream(source: ByteSource, start: number, length: number): Pieces {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES });
  // An error destroys the inflater, which throws it to its reader.
  pipeline(Readable.from(stored(source, start, length)), inflater).catch(() => {});
  return { inflated: inflater, consumed: () => inflater.bytesWritten };
}
