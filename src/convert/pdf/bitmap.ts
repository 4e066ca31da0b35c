/** A drawn page as a bitmap (PPM, netpbm), which may be anything: a document may have taken over what wrote it. */
import { closeSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { BITMAP_NAME, PICTURE_NAME } from '../../engine/engine.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { openHeld } from './output-file.ts';
import type { PictureSize } from './picture-file.ts';

const CHANNELS = 3;
/** Red, green and blue without opacity (ISO/IEC 15948, 11.2.2). */
const TRUECOLOUR = 2;
/** The usual level of zlib. More takes several times as long, and gains a few per cent on text. */
const LEVEL = 6;

/**
 * Makes a PNG of the bitmap in a folder, which is removed.
 *
 * @throws Error if it is not a whole bitmap of that size.
 */
export function compressBitmap(folder: string, { width, height }: PictureSize): void {
  const path = join(folder, BITMAP_NAME);
  const fd = openHeld(path);
  let data: Buffer;
  try {
    const reader = TailReader.over(fd);
    const header = Buffer.from(`P6\n${width} ${height}\n255\n`);
    if (!reader.read(0, header.length).equals(header))
      throw new Error(`the page is not drawn with ${width} × ${height} pixels`);
    const length = CHANNELS * width * height;
    if (reader.size !== header.length + length) throw new Error('the drawn page is cut off, or longer');
    data = reader.read(header.length, length);
  } finally {
    closeSync(fd);
  }
  rmSync(path);
  const colour = { colorType: TRUECOLOUR, inputColorType: TRUECOLOUR, inputHasAlpha: false } as const;
  const picture = Object.assign(new PNG({ width: 1, height: 1 }), { width, height, data });
  const png = PNG.sync.write(picture, { ...colour, filterType: 0, deflateLevel: LEVEL, deflateStrategy: 0 });
  const target = join(folder, PICTURE_NAME);
  rmSync(target, { recursive: true, force: true });
  writeFileSync(target, png, { flag: 'wx', mode: 0o600 });
}
