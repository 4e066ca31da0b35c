/** Pictures, good and malformed. */
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [number, number, number];

/** A PNG of one colour. */
export function png(width: number, height: number, colour: Colour): Buffer {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x += 1) row.set(colour, 1 + x * 3);
  return pngOf(width, height, [8, 2], Buffer.concat(Array.from({ length: height }, () => row)));
}

/** A black one-bit PNG of any size: width × height ÷ 8,000 bytes or less. */
export function oneBitPng(width: number, height: number): Buffer {
  return pngOf(width, height, [1, 0], Buffer.alloc((Math.ceil(width / 8) + 1) * height));
}

/** A PNG whose header promises what its data does not hold. */
export function lyingPng(width: number, height: number): Buffer {
  return pngOf(width, height, [8, 6], Buffer.alloc(1_000));
}

function pngOf(width: number, height: number, kind: readonly [number, number], rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(kind, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG, whatever is in it. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Little-endian numbers of 32 bits. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value >>> 0, i * 4);
  });
  return bytes;
}

/** Little-endian numbers of 16 bits. */
export function halfWords(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => {
    bytes.writeUInt16LE(value & 0xffff, i * 2);
  });
  return bytes;
}

/** An enhanced metafile of these records behind its header ([MS-EMF] 2.3.4.2); its end record is up to the caller. */
export function emf(records: readonly Buffer[], { bounds = 1_000, count = records.length + 1 } = {}): Buffer {
  const body = Buffer.concat(records);
  const header = Buffer.concat([
    words(1, 108, 0, 0, bounds, bounds, 0, 0, bounds, bounds, 0x464d4520, 0x10000, 108 + body.length, count),
    halfWords(8, 0),
    words(0, 0, 0, 1024, 768, 320, 240, 0, 0, 0, 320_000, 240_000),
  ]);
  return Buffer.concat([header, body]);
}

/** A record of an enhanced metafile; `size` may lie. */
export function emfRecord(type: number, data: Buffer = Buffer.alloc(0), size = data.length + 8): Buffer {
  return Buffer.concat([words(type, size), data]);
}

export const emfEnd: Buffer = emfRecord(14, words(0, 16, 20));

/** A placeable Windows metafile of these records ([MS-WMF] 2.3.2). */
export function wmf(records: readonly Buffer[], extent = 1_000): Buffer {
  const placeable = halfWords(0xcdd7, 0x9ac6, 0, 0, 0, extent, extent, 96, 0, 0, 0);
  let checksum = 0;
  for (let i = 0; i < 20; i += 2) checksum ^= placeable.readUInt16LE(i);
  placeable.writeUInt16LE(checksum, 20);
  const body = Buffer.concat([...records, wmfRecord(0)]);
  const header = Buffer.concat([
    halfWords(1, 9, 0x300),
    words((18 + body.length) / 2),
    halfWords(16),
    words(65_536),
    halfWords(0),
  ]);
  return Buffer.concat([placeable, header, body]);
}

/** A record of a Windows metafile; `size`, in words of 16 bits, may lie. */
export function wmfRecord(kind: number, data: Buffer = Buffer.alloc(0), size = 3 + data.length / 2): Buffer {
  return Buffer.concat([words(size), halfWords(kind), data]);
}
