/** Inflating entries, with their size and CRC checked and never more than they say. */
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

/** What the inflating of an entry has come to. */
interface Pieces {
  /** Yields what is inside. */
  readonly inflated: AsyncIterable<Buffer> | Iterable<Buffer>;
  /** How many stored bytes it took, once all is read. */
  consumed(): number;
}

/** What zlib gives when it is asked for `info`, which its type definitions do not know. */
interface InflatedWhole {
  readonly buffer: Buffer;
  readonly engine: InflateRaw;
}

/**
 * What the entry holds, whose stored bytes begin at `start`.
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

/** In this thread: a few kilobytes take less time than it takes to hand them to another. */
async function inflateWhole(source: ByteSource, start: number, entry: Entry): Promise<Pieces> {
  const { compressedSize, uncompressedSize } = entry;
  const bytes = await readExactly(source, start, compressedSize);
  // One byte more than it may have, so that it fills no second block of output.
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
  // What fails in it, reading included, destroys the inflater, which then throws it where it is read.
  pipeline(Readable.from(stored(source, start, length)), inflater).catch(() => {});
  return { inflated: inflater, consumed: () => inflater.bytesWritten };
}
