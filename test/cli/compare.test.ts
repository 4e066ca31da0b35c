/** `platen compare`: two engines that differ in their fonts, as two images would. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../redis/support.ts';
import { docx, docxWithParts, mainPart } from '../support/documents.ts';
import { kawiFont } from '../support/own-font.ts';
import { run } from './support.ts';

const FAMILY = 'Wide Test Sans';

t.test('two engines, one after the other', async (t) => {
  const text = 'Sphinx of black quartz, judge my vow. '.repeat(60);
  const inOwnFont = `<w:p><w:r><w:rPr><w:rFonts w:ascii="${FAMILY}" w:hAnsi="${FAMILY}"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`;
  const own = docxWithParts({ 'word/document.xml': mainPart(inOwnFont) });
  const folder = t.testdir({
    documents: {
      'plain.docx': docx({ paragraphs: ['Hello'] }),
      letters: { 'own <font>.docx': own, 'broken.docx': 'no document' },
    },
    fonts: { 'own.ttf': await kawiFont(FAMILY) },
  });
  const env = { WORK_DIR: await temporaryFolder(t), WORKERS: '2' };
  const out = join(folder, 'report');
  const command = ['compare', '--from', 'plain', '--to', 'own', '--out', out, join(folder, 'documents')];

  const first = await run(env, ...command, '--here', 'from');
  t.match(first, { code: 3, stdout: /^letters\/broken\.docx: failed with plain: INVALID_FILE_TYPE, .*\n$/ });
  t.match(
    first.stderr,
    /^plain made 2 PDFs of 3 documents; 1 failed\. Now run the same command where the engine is own, /,
  );

  const second = await run(
    { ...env, FONTS_DIR: join(folder, 'fonts') },
    ...command,
    '--here',
    'to',
    '--json',
  );
  t.match(second, { code: 1, stderr: '' });
  const lines = second.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const different = lines[1];
  t.match(lines, [
    {
      document: 'letters/broken.docx',
      result: 'failed',
      from: { code: 'INVALID_FILE_TYPE' },
      to: { code: 'INVALID_FILE_TYPE' },
    },
    { document: 'letters/own <font>.docx', result: 'different', pictures: { pages: Number } },
    { document: 'plain.docx', result: 'same', pages: { from: 1, to: 1 } },
    {
      summary: { documents: 3, same: 1, different: 1, failedInBoth: 1, rate: 50 },
      from: { libreOffice: /^\d/ },
    },
  ]);
  t.not(lines[3].from.fontSet, lines[3].to.fontSet);
  t.equal(lines[3].from.libreOffice, lines[3].to.libreOffice);

  const html = await readFile(join(out, 'index.html'), 'utf8');
  t.match(html, 'letters/own &#60;font&#62;.docx');
  for (const [, path] of html.matchAll(/(?:src|href)="(p[^"]+)"/g))
    await t.resolves(readFile(join(out, String(path))), String(path));
  for (const side of ['plain', 'own']) {
    const pdf = await readFile(join(out, `pdfs/${side}/${different.sha256}.pdf`), 'latin1');
    t.equal(pdf.includes(FAMILY.replaceAll(' ', '')), side === 'own', 'the font of the engine');
  }
});

t.test('what cannot be compared is said', async (t) => {
  const folder = t.testdir({ empty: {}, documents: { 'plain.docx': docx() } });
  const env = { WORK_DIR: await temporaryFolder(t), ENGINE: 'cold' };
  const compare = (...args: string[]) => run(env, 'compare', ...args);
  const sides = ['--from', '25.2', '--to', '26.8'];
  t.match(await compare(...sides, join(folder, 'empty')), {
    code: 1,
    stderr: /^platen: .*empty has no documents/,
  });
  t.match(await compare('--from', '25.2', '--to', '25.2', folder), {
    code: 2,
    stderr: /name the same engine/,
  });
  t.match(await compare('--from', '../x', '--to', '25.2', folder), { code: 2, stderr: /--from/ });
  const out = ['--out', join(folder, 'report')];
  t.match(await compare('--from', 'before', '--to', 'after', ...out, join(folder, 'documents')), {
    code: 1,
    stderr: /^platen: this machine has LibreOffice \d.*--here from or --here to/,
  });
});

t.test('a document that nothing was compared of is no success', async (t) => {
  const folder = t.testdir({
    documents: { 'broken.docx': 'no document', 'large.docx': Buffer.alloc(1_100_000) },
  });
  const env = { WORK_DIR: await temporaryFolder(t), ENGINE: 'cold', MAX_FILE_MB: '1' };
  const documents = join(folder, 'documents');
  const compare = (here: string) =>
    run(env, 'compare', '--from', 'a', '--to', 'b', '--out', join(folder, 'out'), '--here', here, documents);
  const first = await compare('from');
  t.match(first, {
    code: 1,
    stderr: /^a made 0 PDFs of 2 documents; 1 failed; 1 could not be converted here\./,
  });
  t.equal(
    first.stdout.replace(/(TYPE), .*/, '$1'),
    'broken.docx: failed with a: INVALID_FILE_TYPE\nlarge.docx: not compared: it is larger than MAX_FILE_MB, 1 MB\n',
  );
  await rm(join(documents, 'large.docx'));
  t.match(await compare('from'), { code: 3 }, 'its half is complete');
  await writeFile(join(documents, 'new.docx'), 'nor this');
  const second = await compare('to');
  t.match(second, { code: 1, stderr: '' });
  t.match(
    second.stdout,
    /^broken\.docx: failed with a: INVALID_FILE_TYPE, .* And with b: INVALID_FILE_TYPE, /m,
  );
  t.match(
    second.stdout,
    /^new\.docx: the other engine has not converted it; .*; failed with b: INVALID_FILE_TYPE, /m,
  );
  await rm(join(documents, 'new.docx'));
  t.match(await compare('to'), { code: 1, stdout: /No document was converted\./ });
});
