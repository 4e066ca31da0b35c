/** PDFs that only a child under a document's control would make: reading them takes little time and memory. */
import { closeSync, openSync } from 'node:fs';
import t, { type Test } from 'tap';
import { sketchText } from '../../../src/convert/pdf/text.ts';
import { readToUnicode } from '../../../src/convert/pdf/to-unicode.ts';
import { type VerifiedPdf, verifyPdf } from '../../../src/convert/pdf/verify.ts';
import { pdfOf } from '../../support/documents.ts';
import { fileOf } from '../support/preflight.ts';

const catalog = '<</Type/Catalog/Pages 2 0 R>>';
/** In quadratic time, so many would take a minute. */
const MANY = 100_000;

function verify(t: Test, ...objects: string[]): VerifiedPdf {
  const fd = openSync(fileOf(t, pdfOf([catalog, ...objects])), 'r');
  t.teardown(() => closeSync(fd));
  return verifyPdf(fd);
}

t.test('a page tree that leads to itself, often', async (t) => {
  const kids = '2 0 R '.repeat(MANY);
  const { objects } = verify(t, `<</Type/Pages/Count 1/Resources<<>>/Kids[${kids}]>>`, '<<>>');
  t.equal(sketchText(objects, []), undefined);
});

t.test('arrays and sections that do not end', async (t) => {
  const pages = `<</Type/Pages/Count 1/Resources 3 0 R>>${'/Kids['.repeat(MANY)}`;
  t.throws(() => verify(t, pages, '<<>>'), { code: 'CONVERSION_FAILED' });
  t.equal(readToUnicode(`begincodespacerange<00>${'beginbfchar'.repeat(MANY)}`).size, 0);
});

t.test('a large font that is listed over and over', async (t) => {
  const fonts = Array.from({ length: 200 }, (_, number) => `/F${number} 5 0 R`).join('');
  const font = `<</BaseFont/Large${' '.repeat(4_000_000)}>>`;
  const pages = '<</Type/Pages/Count 1/Resources 3 0 R/Kids[]>>';
  const { fonts: read } = verify(t, pages, '<</Font 4 0 R>>', `<<${fonts}>>`, font);
  t.equal(read?.length, 200);
});

t.test('large content that is nothing when it is inflated, often', async (t) => {
  const blocks = '\x00\x00\x00\xff\xff'.repeat(800_000);
  const content = `\x78\x01${blocks}\x01\x00\x00\xff\xff\x00\x00\x00\x01`;
  const numbers = Array.from({ length: 1_000 }, (_, index) => index + 4);
  const { objects } = verify(
    t,
    `<</Type/Pages/Count 1/Resources<<>>/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`,
    `<</Filter/FlateDecode/Length ${content.length}>>\nstream\n${content}\nendstream`,
    ...numbers.map(() => '<</Type/Page/Contents 3 0 R>>'),
  );
  t.equal(sketchText(objects, []), undefined);
});

t.test('more objects than a PDF has', async (t) => {
  const many = 4_000_001;
  const pdf = pdfOf([catalog, '<</Type/Pages/Count 1>>']).toString('latin1');
  const large = pdf.replace(/xref\n0 \d+\n/, `xref\n0 ${many}\n`);
  const fd = openSync(fileOf(t, Buffer.from(large, 'latin1')), 'r');
  t.teardown(() => closeSync(fd));
  t.throws(() => verifyPdf(fd), { cause: { message: 'there are too many objects' } });
});
