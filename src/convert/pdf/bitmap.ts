/**
 * A drawn page as a bitmap (PPM, netpbm), which may be anything: a document may have taken over what wrote it. Its PNG (ISO/IEC 15948)
 * is made row by row, as the largest has 120 MB.
 */
import { closeSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate } from 'node:zlib';
import { BITMAP_NAME, PICTURE_NAME } from '../../engine/engine.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { openHeld } from './output-file.ts';
import { type PictureSize, SIGNATURE } from './picture-file.ts';

const CHANNELS = 3;
/** Eight bits for red, green and blue each, without opacity (11.2.2). */
const TRUECOLOUR = [8, 2, 0, 0, 0];
/** Rows are written as they are (9.2). */
const NO_FILTER = 0;
const BAND_BYTES = 262_144;
/** The usual level of zlib; more takes several times as long, and gains a few per cent on text. */
const LEVEL = 6;
/** Larger pictures are compressed the fastest way: some patterns take zlib 20 s for the largest otherwise. */
const USUAL_PIXELS = 4_000_000;
const FASTEST = 1;

/** Whether there is one in a folder: not if it has become a PNG before. */
export function hasBitmap(folder: string): boolean {
  return lstatSync(join(folder, BITMAP_NAME), { throwIfNoEntry: false }) !== undefined;
}

/**
 * Makes a PNG of the bitmap in a folder, which is removed then. If the process is killed meanwhile, it can be done again.
 *
 * @throws Error if it is not a whole bitmap of that size.
 */
export async function compressBitmap(folder: string, { width, height }: PictureSize): Promise<void> {
  const [path, target] = [BITMAP_NAME, PICTURE_NAME].map((name) => join(folder, name)) as [string, string];
  const fd = openHeld(path);
  const draft = `${target}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const out = openSync(draft, 'wx', 0o600);
  try {
    const reader = TailReader.over(fd);
    const header = Buffer.from(`P6\n${width} ${height}\n255\n`);
    if (!reader.read(0, header.length).equals(header))
      throw new Error(`the page is not drawn with ${width} × ${height} pixels`);
    if (reader.size !== header.length + CHANNELS * width * height)
      throw new Error('the drawn page is cut off, or longer');
    writeSync(out, SIGNATURE);
    const about = Buffer.alloc(8);
    about.writeUInt32BE(width, 0);
    about.writeUInt32BE(height, 4);
    writeChunk(out, 'IHDR', Buffer.concat([about, Buffer.from(TRUECOLOUR)]));
    const level = width * height > USUAL_PIXELS ? FASTEST : LEVEL;
    const rows = Readable.from(bands(reader, header.length, CHANNELS * width), { objectMode: false });
    await pipeline(rows, createDeflate({ level, chunkSize: BAND_BYTES }), async (compressed) => {
      for await (const piece of compressed) writeChunk(out, 'IDAT', piece as Buffer);
    });
    writeChunk(out, 'IEND', Buffer.alloc(0));
  } finally {
    closeSync(fd);
    closeSync(out);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
  rmSync(path);
}

/** The rows, some at a time, each behind the number of its filter. */
function* bands(reader: TailReader, from: number, rowBytes: number): Generator<Buffer> {
  const bandBytes = rowBytes * Math.max(1, Math.floor(BAND_BYTES / rowBytes));
  for (let position = from; position < reader.size; position += bandBytes) {
    const pixels = reader.read(position, Math.min(bandBytes, reader.size - position));
    const rows = pixels.length / rowBytes;
    const band = Buffer.alloc(pixels.length + rows, NO_FILTER);
    for (let row = 0; row < rows; row += 1)
      pixels.copy(band, row * (rowBytes + 1) + 1, row * rowBytes, (row + 1) * rowBytes);
    yield band;
  }
}

function writeChunk(fd: number, type: string, data: Buffer): void {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const chunk = Buffer.alloc(typed.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  typed.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(typed), typed.length + 4);
  for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written);
}
