/** Where the content of the pages of a PDF ends. */
import { closeSync, openSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import { readPageBottoms } from '../../../src/convert/pdf/page-bottoms.ts';
import { readPages } from '../../../src/convert/pdf/pages.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { fileOf } from '../../convert/support/preflight.ts';
import { docx, pdfOf } from '../../support/documents.ts';
import { createJob, never, startKit } from '../../support/kit.ts';

/** A PDF with a page for each content; undefined for a page without any. */
function withPages(...contents: (string | undefined)[]): Buffer {
  const kids = contents.map((_, i) => `${3 + 2 * i} 0 R`).join(' ');
  const pages = contents.flatMap((content, i) => {
    const data = deflateSync(Buffer.from(content ?? '', 'latin1'));
    const reference = content === undefined ? '' : `/Contents ${4 + 2 * i} 0 R`;
    return [
      `<</Type/Page/Parent 2 0 R${reference}>>`,
      `<</Length ${data.length}/Filter/FlateDecode>>\nstream\n${data.toString('latin1')}\nendstream`,
    ];
  });
  const tree = `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`;
  return pdfOf(['<</Type/Catalog/Pages 2 0 R>>', tree, ...pages]);
}

async function bottomsIn(path: string, floor: number) {
  const fd = openSync(path, 'r');
  try {
    const pdf = new PdfObjects(TailReader.over(fd));
    return readPageBottoms(pdf, readPages(pdf, 100), floor);
  } finally {
    closeSync(fd);
  }
}

const bottoms = (t: Test, pdf: Buffer, floor = 50) => bottomsIn(fileOf(t, pdf), floor);

const textAt = (y: number) => `BT\n56.8 ${y} Td /F1 12 Tf<01>Tj\nET\n`;
const artifact = (content: string) => `/Artifact <</Type/Pagination>>BDC\n${content}EMC\n`;

t.test('the lowest line of text, wherever it is in the content', async (t) => {
  const page = textAt(700) + textAt(88.5) + textAt(300);
  t.strictSame(await bottoms(t, withPages(page, textAt(700))), [88.5, 700]);
  t.strictSame(await bottoms(t, withPages('BT\n1 0 0 1 56.8 88.5 Tm\nET\n')), [88.5], 'by its matrix');
});

t.test('a picture counts, a line that is drawn does not', async (t) => {
  const picture = 'q 100 0 0 80 56.8 200.1 cm\n/Im4 Do Q\n';
  const drawn = '56.8 100 m 500 100 l S\nq 1 0 0 1 0 100 cm\n0 0 m S Q\n';
  t.strictSame(await bottoms(t, withPages(textAt(700) + picture + drawn)), [200.1]);
});

t.test('headers and footers do not count', async (t) => {
  const tagged = (content: string) => `/P<</MCID 0>>BDC\n${content}EMC\n`;
  const page = artifact(textAt(800)) + tagged(textAt(400)) + artifact(tagged(textAt(90)) + textAt(80));
  t.strictSame(await bottoms(t, withPages(page)), [400]);
  t.strictSame(
    await bottoms(t, withPages(artifact(textAt(90)) + textAt(300))),
    [300],
    'text behind them does',
  );
  t.strictSame(await bottoms(t, withPages(`/Artifact BMC\n${textAt(90)}EMC\n${textAt(300)}`)), [300]);
});

t.test('nor does what is below the floor', async (t) => {
  t.strictSame(await bottoms(t, withPages(textAt(300) + textAt(49)), 50), [300]);
});

t.test('a page without content has no end', async (t) => {
  t.strictSame(await bottoms(t, withPages(undefined, '', artifact(textAt(80)), textAt(90))), [
    undefined,
    undefined,
    undefined,
    90,
  ]);
});

t.test('content that is too large or broken is reported', async (t) => {
  const inflating = ' '.repeat(4_194_305);
  await t.rejects(bottoms(t, withPages(inflating)), Error, 'a page');
  await t.rejects(bottoms(t, withPages(...Array(5).fill(' '.repeat(4_000_000)))), Error, 'all together');
  const unbalanced = `${'EMC\n'.repeat(1_000_000)}${textAt(90)}`;
  t.strictSame(await bottoms(t, withPages(unbalanced)), [90]);
  for (const endless of ['/Artifact '.repeat(400_000), '1'.repeat(4_000_000), '1 '.repeat(2_000_000)]) {
    t.strictSame(await bottoms(t, withPages(endless)), [undefined], 'in linear time');
  }
});

t.test('PDFs of the engine', async (t) => {
  const { engine, folder } = await startKit(t);
  const lowest = async (lines: number) => {
    const job = await createJob(folder, docx({ paragraphs: Array(lines).fill('line') }));
    await engine.convert(job, never());
    const [bottom = 0] = await bottomsIn(`${job.folder}/output.pdf`, 0);
    return bottom;
  };
  const [one, three] = [await lowest(1), await lowest(3)];
  t.ok(one - three > 20 && one - three < 60, `${one}, ${three}`);
});
