/** PDF/A, from both engines: its declaration, and that it is self-contained. */
import { execFile } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { completePdf } from '../../src/convert/pdf/complete.ts';
import { ColdEngine } from '../../src/engine/cold-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { isSince } from '../../src/engine/libreoffice-version.ts';
import { type PdfaLevel, pdfaPart } from '../../src/shared/options/pdfa.ts';
import { documentInEveryFont, documentWithEverything } from '../support/archive-documents.ts';
import { violations } from '../support/conformance.ts';
import { docx, docxWithParts, mainPart } from '../support/documents.ts';
import { createJob, levelsOf, never, pdfText, startKit, temporaryFolder } from '../support/kit.ts';
import { preflightErrors, unexpectedErrors } from '../support/pdfbox.ts';

const run = promisify(execFile);

/** The PDF of a document, and whether each of its fonts is embedded. */
async function convert(engine: Engine, folder: string, document: Uint8Array, pdfa?: PdfaLevel) {
  const job = { ...(await createJob(folder, document)), export: { pdfa } };
  await engine.convert(job, never());
  const path = join(job.folder, 'output.pdf');
  const [, , ...fonts] = (await run('pdffonts', [path])).stdout.trim().split('\n');
  const embedded = fonts.map((row) => / (yes|no) +(?:yes|no) +(?:yes|no) +\d+ +\d+$/.exec(row)?.[1]);
  return { job, pdf: await readFile(path, 'latin1'), embedded };
}

/** Asserts the declaration and the embedded fonts of a PDF/A of this level. */
function isPdfa(t: Test, { pdf, embedded }: Awaited<ReturnType<typeof convert>>, level: PdfaLevel): void {
  t.match(pdf, `<pdfaid:part>${pdfaPart(level)}</pdfaid:part>`, `${level}: its part`);
  const declared = level === '4' ? /<pdfaid:rev>2020</ : /<pdfaid:conformance>B</;
  t.match(pdf, declared, `${level}: its level`);
  t.match(pdf, /\/OutputIntents\[\d+ 0 R\]/, `${level}: what its colours mean`);
  t.match(pdf, /\/GTS_PDFA1\b/, `${level}: for archives`);
  t.notMatch(pdf, /\/Encrypt\b/, `${level}: not encrypted`);
  t.ok(embedded.length > 0 && embedded.every((is) => is === 'yes'), `${level}: fonts are embedded`);
}

const kit = await startKit(t);

t.test('the kit writes each level, and an ordinary PDF by default', async (t) => {
  const { engine, folder } = kit;
  for (const level of levelsOf(engine)) {
    const converted = await convert(engine, folder, docx({ paragraphs: ['Grüße ans Archiv'] }), level);
    isPdfa(t, converted, level);
    t.equal(await pdfText(converted.job), 'Grüße ans Archiv');
  }
  const { pdf } = await convert(engine, folder, docx());
  t.notMatch(pdf, /pdfaid|OutputIntents/);
});

/**
 * What the validator of PDF/A-1b finds wrong in a PDF/A of the later parts that is right in them: transparency, which it
 * meets as groups whose type need not be named and whose resources name each other, and the part.
 */
const allowedLater = /^(2\.1\.7|2\.2\.2|4\.1\.2|7\.11\.2|8) /;

t.test('a validator finds nothing wrong, in any of the fonts, at any level', async (t) => {
  const { engine, folder } = kit;
  const pdfs: Record<string, Buffer> = {};
  /** Of fonts from Noto CJK: docs/engines.md. */
  const hasWrongWidths = isSince(engine.status().libreOffice, 26.8);
  const levels = levelsOf(engine);
  for (const [name, document, ofLevels] of [
    // LibreOffice writes the levels between them like the last, but for the level that they declare.
    ['fonts', documentInEveryFont(), levels.filter((_, i) => i === 0 || i === levels.length - 1)],
    ['everything', documentWithEverything(), levels],
  ] as const) {
    for (const level of ofLevels) {
      const { job } = await convert(engine, folder, document, level);
      const path = join(job.folder, 'output.pdf');
      const file = await open(path, 'r+');
      // Without the list that part 1 requires, the validator does not check widths.
      completePdf(file.fd, { pdfa: level === '4' ? level : '1b', isAnchored: false });
      await file.close();
      const found = await violations(path, level);
      // The validator below names the fonts.
      const broken = found.filter(({ demand }) => !hasWrongWidths || !demand.startsWith('Widths in the PDF'));
      t.strictSame(broken, [], `${name}-${level}: rules of its part`);
      // The validator knows no PDF 2.0. One look at the fonts is enough: each level embeds the same.
      if (level === '1b' || (name === 'everything' && level !== '4'))
        pdfs[`${name}-${level}.pdf`] = await readFile(path);
    }
  }
  for (const [name, errors] of Object.entries(await preflightErrors(t, pdfs))) {
    const unexpected = unexpectedErrors(errors, engine.status().libreOffice ?? '');
    const serious = unexpected.filter((error) => name.endsWith('-1b.pdf') || !allowedLater.test(error));
    t.strictSame(serious, [], name);
  }
});

t.test('a blank page before a section on an odd one', async (t) => {
  const { engine, folder } = kit;
  const section = (type: string) =>
    `<w:sectPr><w:type w:val="${type}"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`;
  const document = docxWithParts({
    'word/document.xml': mainPart(
      `<w:p><w:pPr>${section('nextPage')}</w:pPr><w:r><w:t>one</w:t></w:r></w:p>` +
        `<w:p><w:r><w:t>three</w:t></w:r></w:p>${section('oddPage')}`,
    ),
  });
  for (const pdfa of levelsOf(engine)) {
    const job = { ...(await createJob(folder, document)), export: { pdfa, blankPages: true } };
    await engine.convert(job, never());
    const path = join(job.folder, 'output.pdf');
    t.match(await readFile(path, 'latin1'), /^4294967295 00000 n/m, 'LibreOffice still omits an object');
    const file = await open(path, 'r+');
    completePdf(file.fd, { pdfa, isAnchored: false });
    await file.close();
    t.strictSame(await violations(path, pdfa), [], pdfa);
  }
});

t.test('the cold engine writes it too', async (t) => {
  const folder = await temporaryFolder(t);
  const engine = new ColdEngine();
  t.teardown(() => engine.stop());
  await engine.start();
  isPdfa(t, await convert(engine, folder, docx(), '3b'), '3b');
});
