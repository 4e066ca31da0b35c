/** The size of a picture, which follows from that of its page. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PdfObjects } from '../../src/convert/pdf/objects/pdf-objects.ts';
import { readPageSize } from '../../src/convert/pdf/pages.ts';
import { heightOf } from '../../src/convert/picture.ts';
import { TailReader } from '../../src/system/tail-reader.ts';
import { plainPdf } from '../support/plain-pdf.ts';

function sizeOf(t: Test, pdf: Buffer, page: number) {
  const path = join(t.testdir(), 'document.pdf');
  writeFileSync(path, pdf);
  const fd = openSync(path, 'r');
  try {
    return readPageSize(new PdfObjects(TailReader.over(fd)), page);
  } finally {
    closeSync(fd);
  }
}

/** The PDF with another text in place of one of the same length. */
function replaced(pdf: Buffer, text: string, by: string): Buffer {
  if (text.length !== by.length) throw new Error('the offsets would change');
  return Buffer.from(pdf.toString('latin1').replaceAll(text, by), 'latin1');
}

t.test('the size of a page', async (t) => {
  const texts = ['one', 'two', 'three'];
  const mediaBox = [-10, 20, 585.5, 862.25] as const;
  const pdf = plainPdf(texts, { mediaBox });
  for (const page of [1, 2, 3]) t.strictSame(sizeOf(t, pdf, page), { width: 595.5, height: 842.25 });
  t.throws(() => sizeOf(t, pdf, 4), { message: /fewer pages than it says/ });
  const upsideDown = plainPdf(texts, { mediaBox: [595, 842, 0, 0] });
  t.strictSame(sizeOf(t, upsideDown, 2), { width: 595, height: 842 });
});

t.test('a page without a size', async (t) => {
  const none = { message: 'the page has no size' };
  const pdf = plainPdf(['one']);
  t.throws(() => sizeOf(t, plainPdf(['one'], { mediaBox: [0, 0, 0, 842] }), 1), none);
  t.throws(() => sizeOf(t, replaced(pdf, '/MediaBox', '/MediaBux'), 1), none);
  t.throws(() => sizeOf(t, replaced(pdf, '[0 0 595 842]', '[0 0 595    ]'), 1), none);
  t.throws(() => sizeOf(t, replaced(pdf, '[0 0 595 842]', '[0 0 (a) /b ]'), 1), none);
});

t.test('the crop box is what is shown', async (t) => {
  const pdf = plainPdf(['one'], { mediaBox: [0, 0, 595, 842] });
  const cropped = replaced(
    pdf,
    '/Parent 2 0 R /MediaBox [0 0 595 842]',
    '/MediaBox[0 0 9 9]/CropBox[1 1 3 9]  ',
  );
  t.strictSame(sizeOf(t, cropped, 1), { width: 2, height: 8 });
});

t.test('the height of a picture', async (t) => {
  const a4 = { width: 595.28, height: 841.89 };
  t.equal(heightOf(a4, 1240), 1754);
  t.equal(heightOf(a4, 4000), 5657);
  t.equal(heightOf({ width: 842, height: 595 }, 842), 595);
  t.equal(heightOf({ width: 10_000, height: 1 }, 16), 1, 'a picture has a pixel at least');
  t.equal(heightOf({ width: 100, height: 1_000 }, 1_000), 10_000);
  const refusal = (message: RegExp) => ({ code: 'INVALID_PARAMETER', message });
  const label = { width: 72, height: 1_584 };
  t.throws(
    () => heightOf(label, 1_240),
    refusal(/1240 × 27280 pixels, and at most 10000 high\. Send a width of up to 454\.$/),
  );
  t.ok(heightOf(label, 454) <= 10_000);
  t.throws(() => heightOf({ width: 1, height: 14_400 }, 1_240), refusal(/too narrow for a picture/));
});
