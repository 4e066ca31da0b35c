/** The named destinations of a PDF: read, and taken out. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { completePdf } from '../../../src/convert/pdf/complete.ts';
import { readDestinations } from '../../../src/convert/pdf/destinations.ts';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import { readPages } from '../../../src/convert/pdf/pages.ts';
import { verifyPdf } from '../../../src/convert/pdf/verify.ts';
import { ColdEngine } from '../../../src/engine/cold-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { PdfaLevel } from '../../../src/shared/options/pdfa.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { fileOf } from '../../convert/support/preflight.ts';
import { docxWithParts, mainPart, pdfOf } from '../../support/documents.ts';
import { createJob, levelsOf, never, startKit } from '../../support/kit.ts';

/** A PDF of two pages, the second of which has the lower number. */
function withDestinations(dictionary: string, catalog = '/Dests 5 0 R'): Buffer {
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R\n${catalog}\n/Lang(de)>>`,
    '<</Type/Pages/Kids[4 0 R 3 0 R]/Count 2>>',
    '<</Type/Page/Parent 2 0 R>>',
    '<</Type/Page/Parent 2 0 R>>',
    `<<${dictionary}>>`,
  ]);
}

const both = '/platen-page-0[4 0 R/XYZ 56.7 785.2 0]\n/platen-page-1-end[3 0 R/XYZ 70 -1.5 0]\n';

async function destinationsOf(path: string) {
  const fd = openSync(path, 'r');
  try {
    const pdf = new PdfObjects(TailReader.over(fd));
    return Object.fromEntries(readDestinations(pdf, readPages(pdf, 10)));
  } finally {
    closeSync(fd);
  }
}

const read = (t: Test, pdf: Buffer) => destinationsOf(fileOf(t, pdf));

t.test('a destination is a page and a place on it', async (t) => {
  t.strictSame(await read(t, withDestinations(both)), {
    'platen-page-0': { page: 0, y: 785.2 },
    'platen-page-1-end': { page: 1, y: -1.5 },
  });
});

t.test('a PDF without destinations, and one with none', async (t) => {
  t.strictSame(await read(t, withDestinations(both, '')), {});
  t.strictSame(await read(t, withDestinations('')), {});
});

t.test('destinations that lead to no page, or to no place on one, do not count', async (t) => {
  const others = '/fit[4 0 R/Fit]\n/gone[9 0 R/XYZ 1 2 0]\n';
  t.strictSame(Object.keys(await read(t, withDestinations(others + both))), [
    'platen-page-0',
    'platen-page-1-end',
  ]);
});

t.test('a missing dictionary', async (t) => {
  t.strictSame(await read(t, withDestinations(both, '/Dests 9 0 R')), {});
});

t.test('a hostile dictionary is read in linear time', async (t) => {
  const endless = `/a[4 0 R/XYZ 1 2 ${' '.repeat(1_000)}`.repeat(1_000);
  await t.rejects(read(t, withDestinations(endless)), /too deeply/);
  const many = '/a[4 0 R/XYZ 1 2 0]'.repeat(100_000);
  t.strictSame(await read(t, withDestinations(many)), { a: { page: 0, y: 2 } });
});

t.test('a PDF whose anchors are taken out is still whole', async (t) => {
  for (const [isAnchored, names] of [
    [true, []],
    [false, ['platen-page-0', 'platen-page-1-end']],
  ] as const) {
    const path = fileOf(t, withDestinations(both));
    const fd = openSync(path, 'r+');
    try {
      completePdf(fd, { pdfa: undefined, isAnchored });
      t.match(verifyPdf(fd, undefined), { pages: 2 });
    } finally {
      closeSync(fd);
    }
    t.strictSame(Object.keys(await destinationsOf(path)), names);
    const pdf = readFileSync(path, 'latin1');
    const last = pdf.slice(pdf.lastIndexOf('1 0 obj'), pdf.lastIndexOf('endobj'));
    t.equal(last.includes('/Dests'), !isAnchored);
    t.equal(pdf.includes('platen-page'), !isAnchored, 'nor is there a trace of them');
    t.match(last, '/Lang(de)', 'all else is there');
  }
  const many = fileOf(t, withDestinations('/own-name[4 0 R/XYZ 1 2 0]\n'.repeat(10_000)));
  const open = openSync(many, 'r+');
  completePdf(open, { pdfa: undefined, isAnchored: true });
  closeSync(open);
  t.notOk(readFileSync(many, 'latin1').includes('own'), 'however many there are');
  const path = fileOf(t, withDestinations(both, ''));
  const before = readFileSync(path);
  const fd = openSync(path, 'r+');
  completePdf(fd, { pdfa: undefined, isAnchored: true });
  closeSync(fd);
  t.ok(readFileSync(path).equals(before), 'one that has none stays as it is');
});

t.test('the kit writes destinations on request, at any level, and the cold engine too', async (t) => {
  const { engine, folder } = await startKit(t);
  const cold = new ColdEngine();
  t.teardown(() => cold.stop());
  await cold.start();
  const bookmark = '<w:bookmarkStart w:id="1" w:name="platen-page-0"/><w:bookmarkEnd w:id="1"/>';
  const body = `<w:p>${bookmark}<w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p>`;
  const document = docxWithParts({ 'word/document.xml': mainPart(body) });
  const check = async (by: Engine, pdfa: PdfaLevel | undefined, destinations: boolean) => {
    const job = { ...(await createJob(folder, document)), export: { pdfa, destinations } };
    await by.convert(job, never());
    const found = await destinationsOf(`${job.folder}/output.pdf`);
    const name = `${by.status().engine} ${pdfa} ${destinations}`;
    t.strictSame(Object.keys(found), destinations ? ['platen-page-0'] : [], name);
    if (destinations) t.match(found, { 'platen-page-0': { page: 0 } });
  };
  for (const pdfa of [undefined, ...levelsOf(engine)]) {
    for (const destinations of [true, false]) await check(engine, pdfa, destinations);
  }
  // Its options are made by the same module (src/engine/export-options.ts).
  await check(cold, '2b', true);
  await check(cold, undefined, false);
});
