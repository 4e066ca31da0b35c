/** The file of a picture: only a whole one, of the right size, is delivered. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { assertPicture } from '../../../src/convert/pdf/picture-file.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';

const size = { width: 300, height: 200 };

/** A picture that cannot be compressed much: larger than what is read at a time. */
function noise(): Buffer {
  const picture = new PNG(size);
  let seed = 1;
  for (let i = 0; i < picture.data.length; i++) {
    seed = (seed * 16_807) % 2_147_483_647;
    picture.data[i] = seed;
  }
  return PNG.sync.write(picture);
}

function check(t: Test, content: Buffer, expected = size): void {
  const path = join(t.testdir(), 'picture.png');
  writeFileSync(path, content);
  const fd = openSync(path, 'r');
  try {
    assertPicture(TailReader.over(fd), expected);
  } finally {
    closeSync(fd);
  }
}

const whole = noise();
const changed = (position: number) => {
  const copy = Buffer.from(whole);
  copy[position] = (copy[position] ?? 0) ^ 1;
  return copy;
};
const END_BYTES = 12;

t.test('a whole picture', async (t) => {
  t.ok(whole.length > 150_000);
  t.doesNotThrow(() => check(t, whole));
});

for (const [name, content, message] of [
  ['nothing', Buffer.alloc(0), /no PNG/],
  ['a PDF', Buffer.from('%PDF-1.7 and more'), /no PNG/],
  ['the signature alone', whole.subarray(0, 8), /cut off/],
  ['half of it', whole.subarray(0, whole.length / 2), /cut off/],
  ['all but its end', whole.subarray(0, -END_BYTES), /cut off/],
  ['all but a byte', whole.subarray(0, -1), /cut off/],
  ['a changed pixel', changed(whole.length / 2), /another checksum/],
  ['a changed length', changed(36), /cut off|another checksum/],
  ['something behind it', Buffer.concat([whole, Buffer.from('x')]), /after the end/],
  ['no image data', Buffer.concat([whole.subarray(0, 33), whole.subarray(-END_BYTES)]), /no image data/],
  ['no header', Buffer.concat([whole.subarray(0, 8), whole.subarray(33)]), /not its first chunk/],
  ['two headers', Buffer.concat([whole.subarray(0, 33), whole.subarray(8)]), /not its first chunk/],
] as const)
  t.test(name, async (t) => {
    t.throws(() => check(t, content), { message });
  });

t.test('another size', async (t) => {
  t.throws(() => check(t, whole, { width: 300, height: 201 }), { message: /not 300 × 201 pixels/ });
  t.throws(() => check(t, whole, { width: 301, height: 200 }), { message: /not 301 × 200 pixels/ });
});
