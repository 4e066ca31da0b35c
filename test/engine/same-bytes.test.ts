/** LibreOffice writes nothing about where and when a PDF was made, unless the document asks for it. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { ColdEngine } from '../../src/engine/cold-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { kitFiles } from '../../src/paths.ts';
import { documentInEveryFont, documentWithEverything } from '../support/archive-documents.ts';
import { docxLeadingTo, docxWithParts, mainPart } from '../support/documents.ts';
import { createJob, levelsOf, never, pdfText, startKit, temporaryFolder } from '../support/kit.ts';

const run = promisify(execFile);
const CLOCK = Date.UTC(2021, 4, 6, 7, 8, 9) / 1_000;

async function convert(engine: Engine, folder: string, document: Buffer, options = {}) {
  const job = { ...(await createJob(folder, document)), clock: CLOCK, export: options };
  await engine.convert(job, never());
  return { job, pdf: await readFile(join(job.folder, 'output.pdf')) };
}

/** Fields that show the time of their evaluation, without stored results. */
const fields = ['DATE \\@ &quot;yyyy-MM-dd&quot;', 'TIME \\@ &quot;yyyy-MM-dd&quot;']
  .map((instruction) => `<w:p><w:fldSimple w:instr=" ${instruction} "/></w:p>`)
  .join('');

/** Accepts both days if the day ends during the conversion. */
async function showsToday(t: Test, convertNow: () => Promise<string>): Promise<void> {
  const day = () => new Date().toJSON().slice(0, 10);
  const before = day();
  const text = await convertNow();
  const days = [before, day()];
  for (const line of text.split(/\s+/)) t.ok(days.includes(line), `${line}: the day of UTC`);
  t.equal(text.split(/\s+/).length, 2);
}

const kit = await startKit(t);

t.test('a PDF has the time that it is given, and fields show the real day', async (t) => {
  const { engine, folder } = kit;
  const document = docxWithParts({ 'word/document.xml': mainPart(fields) });
  await showsToday(t, async () => {
    const { job } = await convert(engine, folder, document);
    const { stdout } = await run('pdfinfo', ['-rawdates', join(job.folder, 'output.pdf')]);
    t.match(stdout, /^CreationDate: +D:20210506070809Z/m);
    return pdfText(job);
  });
});

t.test('the same from two kits, in other folders', async (t) => {
  const [one, other] = [kit, await startKit(t)];
  const far = join(other.folder, 'a', 'b');
  await mkdir(far, { recursive: true });
  for (const options of [{}, { tagged: false }, ...levelsOf(one.engine).map((pdfa) => ({ pdfa }))]) {
    const document = documentWithEverything();
    const { pdf } = await convert(one.engine, one.folder, document, options);
    const second = await convert(other.engine, far, document, options);
    t.ok(pdf.equals(second.pdf), JSON.stringify(options));
  }
});

t.test('the same from kits whose memory lies otherwise', async (t) => {
  const document = documentInEveryFont(['']);
  const pdfs: Buffer[] = [];
  // Of jemalloc: freed memory is given back at once, or a small request may not split a large piece.
  for (const memory of ['', 'retain:false', 'lg_extent_max_active_fit:0']) {
    const binary = join(await temporaryFolder(t), 'kit.sh');
    await writeFile(binary, `#!/bin/sh\nMALLOC_CONF=${memory} exec ${kitFiles.binary} "$@"\n`, {
      mode: 0o755,
    });
    const { engine, folder } = await startKit(t, { binary });
    const { pdf } = await convert(engine, folder, document, { pdfa: '2b' });
    pdfs.push(pdf);
    await engine.stop();
  }
  for (const pdf of pdfs) t.ok(pdf.equals(pdfs[0] ?? Buffer.alloc(0)));
});

t.test('relative links do not reveal our folders', async (t) => {
  const { engine, folder } = kit;
  const document = docxLeadingTo(
    { 'other.docx" TargetMode="External': 'hyperlink' },
    {},
    '<w:p><w:hyperlink r:id="rId1"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>',
  );
  const { pdf } = await convert(engine, folder, document);
  const text = pdf.toString('latin1');
  t.match(text, '/URI(file:///proc/self/cwd/other.docx)');
  t.notMatch(text, folder);
});

t.test('the cold engine does so, too, without PDF/A', async (t) => {
  const folder = await temporaryFolder(t);
  const engine = new ColdEngine();
  t.teardown(() => engine.stop());
  await engine.start();
  const dated = docxWithParts({ 'word/document.xml': mainPart(fields) });
  let datedPdf = '';
  await showsToday(t, async () => {
    const { job, pdf } = await convert(engine, folder, dated);
    datedPdf = pdf.toString('latin1');
    return pdfText(job);
  });
  const document = documentWithEverything();
  const { pdf, job } = await convert(engine, folder, document);
  t.ok((await convert(engine, folder, document)).pdf.equals(pdf));
  const path = join(job.folder, 'output.pdf');
  t.match((await run('pdfinfo', ['-rawdates', path])).stdout, /^CreationDate: +D:20210506070809Z/m);
  await run('qpdf', ['--check', path]);
  const id = /\/ID \[ <([0-9A-F]{32})>\n<\1> \]/.exec(pdf.toString('latin1'))?.[1];
  const other = /\/ID \[ <([0-9A-F]{32})>/.exec(datedPdf);
  t.ok(id && other?.[1] && id !== other[1], 'another document has another id');
});
