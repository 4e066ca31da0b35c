/** Diagonal lines in a PDF, where the colours are that mark their cells. */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { completePdf } from '../../../src/convert/pdf/complete.ts';
import { plainPdf } from '../../support/plain-pdf.ts';

const line = { colour: 'FF0000', width: 1 };
const cells = [
  { mark: 'FEFFFF', fill: undefined, falling: line, rising: undefined, count: 1 },
  { mark: 'FDFFFF', fill: '000033', falling: undefined, rising: { ...line, width: 0.5 }, count: 2 },
];
const FIRST = '0.9960784313 1 1 rg';
const SECOND = '0.9921568627 1 1 rg';

/** Draws the lines of the cells into a file. @returns how many are missing. */
function complete(t: Test, pdf: Buffer) {
  const path = `${t.testdir()}/a.pdf`;
  writeFileSync(path, pdf);
  const fd = openSync(path, 'r+');
  const missing = completePdf(fd, { pdfa: undefined, isAnchored: false, markedCells: cells });
  closeSync(fd);
  return { missing, pdf: readFileSync(path).toString('latin1') };
}

const pdfOf = (operators: readonly string[]) =>
  plainPdf(
    operators.map(() => 'text'),
    { operators },
  );

/** What becomes of the operators of pages; undefined where a page stays. */
function drawn(t: Test, operators: readonly string[]) {
  const { missing, pdf } = complete(t, pdfOf(operators));
  t.equal(missing, 0);
  return operators.map((_, index) => {
    const stream = new RegExp(
      `\\n${6 + 2 * index} 0 obj\\n<</Length (\\d+)/Filter/FlateDecode>>\\nstream\\n`,
    ).exec(pdf);
    if (!stream) return undefined;
    const start = stream.index + stream[0].length;
    const content = inflateSync(Buffer.from(pdf.slice(start, start + Number(stream[1])), 'latin1'));
    return content.toString('latin1').split(' BT')[0];
  });
}

t.test('lines from corner to corner', async (t) => {
  const area = '10 20 100 50 re';
  t.strictSame(drawn(t, [`${FIRST}\n${area} f*\nEMC`, `${SECOND}\n${area} f*\n`]), [
    `${FIRST}\nq ${area} W n 0 J []0 d 1.00000 0.00000 0.00000 RG 1 w 10 70 m 110 20 l S Q\nEMC`,
    `${SECOND}\nq 0.00000 0.00000 0.20000 rg ${area} f* ${area} W n 0 J []0 d 1.00000 0.00000 0.00000 RG 0.5 w 10 20 m 110 70 l S Q\n`,
  ]);
});

t.test('the colour is that of the graphics state', async (t) => {
  const area = '1 2 3 4 re f*';
  const [content] = drawn(t, [`${FIRST}\n${area}\nq 0 0 0 rg\n${area}\nQ ${area}\n0 0 0 rg ${area}\n`]);
  t.match(
    content,
    /^0\.9960784313 1 1 rg\nq .* Q\nq 0 0 0 rg\n1 2 3 4 re f\*\nQ q .* Q\n0 0 0 rg 1 2 3 4 re f\*\n$/,
  );
});

t.test('pages without such cells stay as they are', async (t) => {
  t.strictSame(drawn(t, ['1 1 1 rg 1 2 3 4 re f*', `${FIRST} 1 2 m 3 4 l S`]), [undefined, undefined]);
});

t.test('lines that are missing', async (t) => {
  const cell = (mark: string) => `${mark}\n1 2 3 4 re f*\n`;
  const long = cell(SECOND) + ' '.repeat(8_388_608);
  t.equal(complete(t, pdfOf([cell(FIRST), long])).missing, 2, 'those that were not drawn');
  const all = cell(FIRST) + cell(SECOND) + cell(SECOND);
  t.equal(complete(t, pdfOf([all, long])).missing, 1, 'a page that was not read may have another one');
  const short = ' '.repeat(8_300_000);
  t.equal(complete(t, pdfOf([short, short, short, short, all + short])).missing, 3, 'all pages together');
  const many = pdfOf([all]).toString('latin1').replace('/Type /Pages /Count 1 ', '/Type/Pages/Count 5001');
  t.equal(complete(t, Buffer.from(many, 'latin1')).missing, 3, 'too many pages');
});
