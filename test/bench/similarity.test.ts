/** How alike two pages look, and their pictures. */
import { PNG } from 'pngjs';
import t from 'tap';
import { type GreyPicture, similarity } from '../../bench/fidelity/similarity.ts';
import {
  differencePng,
  enlarge,
  halve,
  lightnessOf,
  type Picture,
  parsePpm,
  png,
} from '../../src/cli/compare/raster.ts';

const picture = (width: number, height: number, pixel: (x: number, y: number) => number): GreyPicture => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height }, (_, n) => pixel(n % width, Math.floor(n / width))),
});
/** In colour, of one row. */
const row = (...pixels: number[]): Picture => ({
  width: pixels.length / 3,
  height: 1,
  pixels: Uint8Array.from(pixels),
});
const white = picture(16, 16, () => 255);
const stripes = picture(16, 16, (x) => (x % 4 < 2 ? 0 : 255));

t.test('structural similarity has the known values', async (t) => {
  t.equal(similarity(stripes, stripes), 1);
  t.equal(similarity(white, white), 1, 'blank pages are alike');
  // Flat pictures differ in their means only: (2ab + C1) / (a² + b² + C1) with C1 = (0.01 · 255)².
  const [a, b, c1] = [100, 150, 6.5025];
  const flat = similarity(
    picture(8, 8, () => a),
    picture(8, 8, () => b),
  );
  t.ok(Math.abs(flat - (2 * a * b + c1) / (a * a + b * b + c1)) < 1e-12);
  // Negatives of one mean have only a covariance: (C2 - 2v) / (C2 + 2v) with C2 = (0.03 · 255)².
  const [v, c2] = [127.5 ** 2, 58.5225];
  const negative = similarity(
    stripes,
    picture(16, 16, (x) => (x % 4 < 2 ? 255 : 0)),
  );
  t.ok(Math.abs(negative - (c2 - 2 * v) / (c2 + 2 * v)) < 1e-9);
});

t.test('white paper does not count', async (t) => {
  const ink = (dark: number) => picture(64, 64, (x, y) => (x < 8 && y < 8 && (x + y) % 2 === 0 ? dark : 255));
  const small = (dark: number) =>
    picture(15, 15, (x, y) => (x < 8 && y < 8 && (x + y) % 2 === 0 ? dark : 255));
  const alike = similarity(ink(0), ink(200));
  t.ok(alike < 0.9);
  t.ok(Math.abs(alike - similarity(small(0), small(200))) < 1e-9, 'however much of it there is');
});

t.test('pictures of two sizes are not compared', async (t) => {
  t.throws(
    () =>
      similarity(
        white,
        picture(16, 15, () => 255),
      ),
    RangeError,
  );
  t.throws(() => differencePng(row(0, 0, 0), row(0, 0, 0, 0, 0, 0)), RangeError);
  t.strictSame(
    [...enlarge(row(7, 8, 9), 2, 2).pixels],
    [7, 8, 9, 255, 255, 255, 255, 255, 255, 255, 255, 255],
  );
});

t.test('pages are read from pdftoppm, and only whole ones', async (t) => {
  const one = Buffer.concat([Buffer.from('P6\n2 1\n255\n'), Buffer.from([10, 32, 9, 1, 2, 3])]);
  t.match(parsePpm(Buffer.concat([one, one])), [
    { width: 2, height: 1 },
    { width: 2, height: 1 },
  ]);
  t.strictSame([...(parsePpm(one)[0]?.pixels ?? [])], [10, 32, 9, 1, 2, 3]);
  t.throws(() => parsePpm(one.subarray(0, -1)), { message: 'pdftoppm: a picture that is cut off' });
  t.throws(() => parsePpm(Buffer.from('P5\n2 1\n255\n')), { message: 'pdftoppm: no picture' });
});

t.test('pictures are written as they are', async (t) => {
  const pixelOf = (file: Buffer, x: number) => [...PNG.sync.read(file).data.subarray(4 * x, 4 * x + 3)];
  t.strictSame(pixelOf(png(row(0, 0, 0, 1, 2, 3)), 1), [1, 2, 3]);
  t.strictSame([...lightnessOf(row(255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255))], [255, 76, 149, 28]);
  const difference = differencePng(row(0, 0, 0, 100, 100, 100), row(50, 50, 50, 50, 50, 50));
  t.strictSame(
    [pixelOf(difference, 0), pixelOf(difference, 1)],
    [
      [0, 25, 50],
      [100, 75, 50],
    ],
  );
  const rows = { width: 3, height: 2, pixels: Uint8Array.from({ length: 18 }, (_, n) => n) };
  t.strictSame(halve(rows), { width: 1, height: 1, pixels: Uint8Array.of(6, 7, 8) });
});
