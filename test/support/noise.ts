/** Incompressible bytes and pictures, the same on every run. */
import { PNG } from 'pngjs';

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

/** A square, incompressible PNG of `side` pixels: about 3 × side² bytes in RGB, 4 × with varying transparency. */
export function noisePng(side: number, seed = 1, { transparent = false } = {}): Buffer {
  const channels = transparent ? 4 : 3;
  const picture = new PNG({ width: side, height: side });
  picture.data = noise(side * side * channels, seed);
  // Truecolour, with alpha and without (ISO/IEC 15948, 11.2.2).
  const colorType = transparent ? 6 : 2;
  return PNG.sync.write(picture, {
    colorType,
    inputColorType: colorType,
    inputHasAlpha: transparent,
    filterType: 0,
    deflateLevel: 1,
  });
}
