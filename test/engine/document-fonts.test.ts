/**
 * The fonts of whole documents: each requested font becomes its stand-in of the table, and no character is
 * without a glyph. Also converts the real documents beside the checkout, if there are any.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { readFonts } from '../../bench/fidelity/fonts.ts';
import { missingGlyphs } from '../../bench/fidelity/glyphs.ts';
import { findPairs } from '../../bench/fidelity/pairs.ts';
import { readWidths } from '../../scripts/fonts/table.mjs';
import { fontRows } from '../../src/convert/fonts/font-table.ts';
import { PdfFontNames } from '../../src/convert/fonts/names.ts';
import { standInsOf } from '../../src/convert/fonts/stand-ins.ts';
import type { Job } from '../../src/engine/engine.ts';
import { isSince } from '../../src/engine/libreoffice-version.ts';
import { never, openPreflight, sender } from '../convert/support/preflight.ts';
import { docxLeadingTo, docxWithParts, mainPart } from '../support/documents.ts';
import { inEveryScript, LATIN } from '../support/font-samples.ts';
import { createJob, startKit } from '../support/kit.ts';

const shared = resolve(import.meta.dirname, '../../../shared');
const pairs = join(shared, 'fidelity');
const corpus = join(shared, 'corpus');
const CONCURRENCY = 2;

const standIns = standInsOf(fontRows());
const preflight = openPreflight(['docx'], new Set(standIns.keys()));
const kit = await startKit(t, { workers: CONCURRENCY });

/** LibreOffice 7.4 ignores the weight in a font name: it takes Carlito, the stand-in for Calibri. */
const { libreOffice: version } = kit.engine.status();
const isOld = version?.startsWith('7.') ?? false;

/** Exceptions: fonts that become another one, by document. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  // A formula: LibreOffice sets those in fonts of its own choice.
  'docx4j/2010-sample1.docx': ['Cambria Math'],
  // Latin letters, which neither Word's fonts nor their stand-ins have.
  'docx4j/Word2007-fonts.docx': ['Latha', 'Raavi', 'Shruti', 'Tunga'],
  // Words on a curve, which later versions draw as outlines.
  ...(isOld ? {} : { 'docx4j/DrawingML_GraphicData_wps.docx': ['Calibri'] }),
  // A list of fonts in place of a name, of which 26.8 takes another one.
  ...(isSince(version, 26.8) && { 'docx4j/filenames.docx': ['Segoe UI'] }),
};

interface Prepared {
  readonly job: Job;
  /** Fonts that the document wants. */
  readonly wanted: readonly string[];
}

interface Converted extends Pick<Prepared, 'wanted'> {
  /** Path of its PDF. */
  readonly pdf: string;
}

async function prepare(document: Buffer): Promise<Prepared> {
  const job = await createJob(kit.folder, document);
  const { readMetadata } = await preflight.check(join(job.folder, 'input.docx'), sender, never());
  return { job, wanted: readMetadata().fonts };
}

async function finish({ job, wanted }: Prepared): Promise<Converted> {
  await kit.engine.convert(job, never());
  return { wanted, pdf: join(job.folder, 'output.pdf') };
}

const convert = async (document: Buffer): Promise<Converted> => finish(await prepare(document));

/** The fonts of the table that the document requests, and that its PDF lacks, as well as their stand-ins. */
async function without({ wanted, pdf }: Converted): Promise<string[]> {
  const names = (await readFonts(pdf)).map(({ name }) => name);
  const present = new PdfFontNames(names);
  return wanted.filter((font) => {
    const known = standIns.get(font.toLowerCase());
    if (isOld && font === 'Calibri Light' && present.has('Carlito')) return false;
    return known && ![font, ...known.map(({ name }) => name)].some((name) => present.has(name));
  });
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** Texts and the fonts that Word gives to them. */
const scripts: readonly (readonly [string, string, string])[] = [
  ['Arabic', 'Traditional Arabic', 'السلام عليكم، مستند ١٢٣'],
  ['Persian', 'B Nazanin', 'پژوهش گچ، نوشتهٔ فارسی ۱۲۳'],
  ['Hebrew', 'David', 'שָׁלוֹם עולם, מסמך'],
  ['Chinese', '宋体', '简体汉字，文档。「引文」'],
  ['Chinese, traditional', '新細明體', '繁體漢字，文件。「引文」'],
  ['Japanese', 'ＭＳ 明朝', '日本語の文書。ひらがなとカタカナ、髙﨑①㈱'],
  ['Korean', '맑은 고딕', '한글 문서, 대한민국 뷁'],
  ['Thai', 'Angsana New', 'เอกสารภาษาไทย ๑๒๓'],
  ['symbols and emoji', 'Segoe UI Symbol', '☃♞✓→∑∫≤'],
];

t.test('no script lacks a glyph', async (t) => {
  // In its own font, and in one that has none of these letters.
  await eachOf(scripts, async ([script, font, text]) => {
    const run = (name: string) =>
      `<w:p><w:r><w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}" w:cs="${name}"/></w:rPr>` +
      `<w:t>${text}</w:t></w:r></w:p>`;
    const body = mainPart(run(font) + run('Calibri'));
    const converted = await convert(docxWithParts({ 'word/document.xml': body }));
    t.strictSame(await missingGlyphs(converted.pdf), [], script);
    t.notOk((await without(converted)).includes(font), `${script}: ${font} has its stand-in`);
  });
});

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

t.test('unknown fonts', async (t) => {
  for (const [about, ours] of [
    ['<w:pitch w:val="fixed"/>', 'LiberationMono'],
    ['<w:family w:val="roman"/>', 'LiberationSerif'],
    ['<w:altName w:val="Georgia"/>', 'PlatenGeorgia'],
    ['<w:family w:val="swiss"/>', 'LiberationSans'],
  ] as const) {
    const table = `<w:fonts ${WORD}><w:font w:name="Our Own">${about}</w:font></w:fonts>`;
    const { pdf } = await convert(
      docxLeadingTo(
        { 'fontTable.xml': 'fontTable' },
        { 'word/fontTable.xml': table },
        inEveryScript('Our Own', LATIN),
      ),
    );
    const [name = ''] = (await readFonts(pdf)).map((font) => font.name);
    t.equal(name.replace(/-.*/, ''), ours, about);
  }
});

t.test('bullets whose level names a symbol font for hAnsi alone', async (t) => {
  const level =
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/>' +
    '<w:rPr><w:rFonts w:hAnsi="Symbol"/></w:rPr></w:lvl>';
  const list = `<w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
  const numbering = `<w:numbering ${WORD}>${list}</w:numbering>`;
  const item =
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Item</w:t></w:r></w:p>';
  const { pdf } = await convert(
    docxLeadingTo({ 'numbering.xml': 'numbering' }, { 'word/numbering.xml': numbering }, item),
  );
  t.strictSame(await missingGlyphs(pdf), []);
});

t.test('digits in runs of complex scripts', async (t) => {
  const fonts = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Courier New"/>';
  const run = (mark: string) => `<w:p><w:r><w:rPr>${fonts}${mark}</w:rPr><w:t>Word 2024</w:t></w:r></w:p>`;
  for (const [mark, ours] of [
    ['<w:rtl/>', 'LiberationMono'],
    ['', 'Carlito'],
  ] as const) {
    const { pdf } = await convert(docxWithParts({ 'word/document.xml': mainPart(run(mark)) }));
    t.strictSame(
      (await readFonts(pdf)).map(({ name }) => name.replace(/-.*/, '')),
      [ours],
    );
  }
});

t.test('Hebrew in Arial is as wide as in Word', async (t) => {
  const letters = 'אבגדהוזחטיכלמנסעפצקרשת';
  const { Regular } = readWidths('arial-hebrew');
  const width = [...letters].reduce((sum, letter) => sum + (Regular?.[letter] ?? 0), 0) / 1000;
  const text = inEveryScript('Arial', letters, '<w:szCs w:val="40"/>');
  const { pdf } = await convert(docxWithParts({ 'word/document.xml': mainPart(text) }));
  const fonts = (await readFonts(pdf)).map(({ name }) => name.replace(/-.*/, ''));
  // The first where Liberation has Hebrew letters, the other where it has none.
  t.match(fonts.join(), /^PlatenArial(Hebrew)?$/);
  const { stdout } = await promisify(execFile)('pdftotext', ['-bbox', pdf, '-']);
  const [, left, right] = /xMin="([\d.]+)".*xMax="([\d.]+)"/.exec(stdout) ?? [];
  t.ok(Math.abs((Number(right) - Number(left)) / 20 / width - 1) < 0.02, `${left} to ${right}`);
});

t.test('missing glyphs are found', async (t) => {
  const nobody = '<w:p><w:r><w:t>\u{10fffd}</w:t></w:r></w:p>';
  const { pdf } = await convert(docxWithParts({ 'word/document.xml': mainPart(nobody) }));
  t.not((await missingGlyphs(pdf)).length, 0, 'a character of private use');
  t.strictSame(await without({ wanted: ['Verdana', 'Nobody knows it'], pdf }), ['Verdana']);
});

if (existsSync(pairs)) {
  t.test('the pairs with PDFs by Word', async (t) => {
    await eachOf(await findPairs(pairs), async ({ name, docx }) => {
      const converted = await convert(await readFile(docx));
      t.strictSame(await without(converted), [], name);
      t.strictSame(await missingGlyphs(converted.pdf), [], `${name}: glyphs`);
    });
  });
}

if (existsSync(corpus)) {
  // Only the first document with each font of the table: a font is replaced by itself, whatever others there are.
  t.test('the corpus', async (t) => {
    const seen = new Set<string>();
    const [, ...rows] = readFileSync(join(corpus, 'index.tsv'), 'utf8').trim().split('\n');
    const files = rows.filter((row) => row.endsWith('converts')).map((row) => row.split('\t')[0] ?? '');
    await eachOf(files, async (file) => {
      const prepared = await prepare(await readFile(join(corpus, file)));
      const { wanted } = prepared;
      const known = wanted.filter((font) => standIns.has(font.toLowerCase()));
      const isNew = known.some((font) => !seen.has(font));
      for (const font of known) seen.add(font);
      if (!isNew && !(file in elsewhere)) return;
      t.strictSame(
        await without(await finish(prepared)),
        elsewhere[file] ?? [],
        `${file} wants ${wanted.join(', ')}`,
      );
    });
  });
}
