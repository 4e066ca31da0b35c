/** Incompressible bytes and pictures, the same on every run. */
import { crc32, deflateSync } from 'node:zlib';

/** `length` pseudo-random bytes (xorshift32), the same for the same seed. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  for (let i = 0; i < length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 0xff;
  }
  return bytes;
}

/**
 * A square PNG of `side` pixels that no compression makes smaller: about 3 × side² bytes in RGB, 4 × where its pixels
 * are transparent to different degrees.
 */
export function noisePng(side: number, seed = 1, { transparent = false } = {}): Buffer {
  const channels = transparent ? 4 : 3;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits a channel, truecolour without and with alpha.
  header.set([8, transparent ? 6 : 2], 8);
  const rows = Buffer.alloc((side * channels + 1) * side);
  const pixels = noise(side * side * channels, seed);
  for (let row = 0; row < side; row += 1) {
    pixels.copy(rows, row * (side * channels + 1) + 1, row * side * channels, (row + 1) * side * channels);
  }
  const data = deflateSync(rows, { level: 1 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
