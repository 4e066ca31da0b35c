/** Changing objects of a PDF as LibreOffice writes it. */
import { closeSync, openSync } from 'node:fs';
import t, { type Test } from 'tap';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import { freeLostObjects, hasLostObjects, replaceObjects } from '../../../src/convert/pdf/replace-objects.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { pdfOf } from '../../support/documents.ts';
import { fileOf } from '../support/preflight.ts';

const catalog = '<</Type/Catalog/Pages 2 0 R/Lang 3 0 R>>';
const sound = pdfOf([catalog, '<</Type/Pages/Kids[]/Count 0>>', '(de)']).toString('latin1');

t.test('an object is replaced, and another one added', async (t) => {
  const fd = opened(t, sound);
  replaceObjects(
    fd,
    new Map([
      [3, '3 0 obj\n4 0 R\n'],
      [4, '4 0 obj\n(en)\n'],
    ]),
  );
  const pdf = new PdfObjects(TailReader.over(fd));
  t.equal(pdf.size, 5);
  t.equal(pdf.text(pdf.catalog['/Lang']), 'en');
  t.equal(pdf.sections.length, 1);
});

t.test('objects that the file does not have are free ones', async (t) => {
  const fd = opened(t, sound.replace(/\d{10} 00000 n (?=\ntrailer)/, '4294967295 00000 n '));
  t.ok(hasLostObjects(TailReader.over(fd)));
  freeLostObjects(fd);
  t.notOk(hasLostObjects(TailReader.over(fd)));
  const pdf = new PdfObjects(TailReader.over(fd));
  t.notOk(pdf.has(3));
  t.equal(pdf.get(pdf.catalog['/Lang']), null);
});

for (const [form, broken] of [
  ['other numbers', sound.replace(/^0 \d+$/m, '1 3')],
  ['too many objects', sound.replace(/^0 \d+$/m, '0 999999999')],
  ['an older table', sound.replace('trailer\n<<', 'trailer\n<</Prev 9')],
] as const) {
  t.test(`a table with ${form} is not taken for the only one`, async (t) => {
    t.not(broken, sound);
    const fd = opened(t, broken);
    const error = { message: 'the cross-references are not a single table' };
    t.throws(() => hasLostObjects(TailReader.over(fd)), error);
    t.throws(() => freeLostObjects(fd), error);
    t.throws(() => replaceObjects(fd, new Map([[3, '3 0 obj\n5\n']])), error);
  });
}

function opened(t: Test, pdf: string): number {
  const fd = openSync(fileOf(t, Buffer.from(pdf, 'latin1')), 'r+');
  t.teardown(() => closeSync(fd));
  return fd;
}
