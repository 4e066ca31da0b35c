/** The bitmap of a page: only a whole one, of the right size, becomes a picture. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import t from 'tap';
import { compressBitmap, hasBitmap } from '../../../src/convert/pdf/bitmap.ts';

const size = { width: 3, height: 2 };
const pixels = Buffer.from(Array.from({ length: 18 }, (_, i) => 10 * i));
const bitmap = (header = 'P6\n3 2\n255\n', data = pixels) => Buffer.concat([Buffer.from(header), data]);
const folder = t.testdir({});
const [path, png] = ['output.ppm', 'output.png'].map((name) => join(folder, name)) as [string, string];

t.test('becomes a picture of the same pixels', async (t) => {
  writeFileSync(path, bitmap());
  await compressBitmap(folder, size);
  const picture = PNG.sync.read(readFileSync(png));
  t.match(picture, size);
  t.strictSame(
    [...picture.data],
    Array.from({ length: 6 }, (_, i) => [...pixels.subarray(3 * i, 3 * i + 3), 255]).flat(),
  );
  t.strictSame(readdirSync(folder), ['output.png']);
  t.notOk(hasBitmap(folder));
});

for (const [name, content, message] of [
  ['nothing', Buffer.alloc(0), /3 × 2 pixels/],
  ['another size', bitmap('P6\n2 3\n255\n'), /3 × 2 pixels/],
  ['grey', bitmap('P5\n3 2\n255\n'), /3 × 2 pixels/],
  ['cut off', bitmap(undefined, pixels.subarray(1)), /cut off, or longer/],
  ['too long', bitmap(undefined, Buffer.alloc(19)), /cut off, or longer/],
] as const)
  t.test(`${name} does not`, async (t) => {
    writeFileSync(path, content);
    await t.rejects(compressBitmap(folder, size), message);
    t.ok(hasBitmap(folder), 'it stays');
  });

t.test('what stands in its place is not followed, and what stands in that of the picture goes', async (t) => {
  rmSync(path);
  const elsewhere = join(t.testdir({}), 'elsewhere');
  writeFileSync(elsewhere, bitmap());
  symlinkSync(elsewhere, path);
  await t.rejects(compressBitmap(folder, size), { code: 'ELOOP' });
  rmSync(path);
  rmSync(png);
  symlinkSync(elsewhere, png);
  writeFileSync(path, bitmap());
  await compressBitmap(folder, size);
  t.strictSame(readFileSync(elsewhere), bitmap());
  rmSync(png);
  mkdirSync(png);
  writeFileSync(path, bitmap());
  await compressBitmap(folder, size);
  t.match(PNG.sync.read(readFileSync(png)), size);
});

t.test('is compressed again if a process was killed over it', async (t) => {
  writeFileSync(path, bitmap());
  writeFileSync(`${png}.draft`, 'half a picture');
  writeFileSync(png, 'another');
  await compressBitmap(folder, size);
  t.match(PNG.sync.read(readFileSync(png)), size);
  t.strictSame(readdirSync(folder), ['output.png']);
});

t.test('a large one', async (t) => {
  const large = { width: 4_000, height: 1_100 };
  const row = Buffer.from(Array.from({ length: 12_000 }, (_, i) => i % 251));
  const data = Buffer.concat(Array.from({ length: large.height }, () => row));
  writeFileSync(path, bitmap('P6\n4000 1100\n255\n', data));
  t.ok(hasBitmap(folder));
  await compressBitmap(folder, large);
  const picture = PNG.sync.read(readFileSync(png));
  t.match(picture, large);
  const [x, y] = [3_999, 1_099];
  t.strictSame(
    [...picture.data.subarray(4 * (4_000 * y + x), 4 * (4_000 * y + x) + 3)],
    [...row.subarray(3 * x)],
  );
});
