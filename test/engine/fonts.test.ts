/** Which fonts documents are set in: for each of Word's, what the table of stand-ins says. */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { t } from 'tap';
import { adjust } from '../../scripts/fonts/adjust.mjs';
import { familyName, readFaces, writeCollection } from '../../scripts/fonts/sfnt.mjs';
import { readFontTable } from '../../scripts/fonts/table.mjs';
import { PdfFontNames } from '../../src/convert/fonts/names.ts';
import { fontFiles } from '../../src/paths.ts';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { inEveryScript, LATIN, sampleFor } from '../support/font-samples.ts';
import { createJob, never, type StartedKit, startKit, temporaryFolder } from '../support/kit.ts';

const run = promisify(execFile);

/** What PostScript names end with. */
const STYLE = /-(Bold|Regular|Roman|Book|Light|Medium)$/;

/** Noto CJK has one set of outlines for all regions, whose name the PDF has. */
const REGION = /CJK.*$/;

/** The fonts of a PDF as pdffonts lists them, without the tag of the subset and the style. */
async function fontsOf(pdf: string): Promise<string[]> {
  const { stdout } = await run('pdffonts', [pdf]);
  const names = stdout
    .split('\n')
    .slice(2)
    .map((line) => line.split(/\s/)[0] ?? '')
    .filter((name) => name !== '');
  return [
    ...new Set(
      names.map((name) =>
        name
          .replace(/^[A-Z]{6}\+/, '')
          .replace(REGION, 'CJK')
          .replace(STYLE, ''),
      ),
    ),
  ].sort();
}

/** As in a PostScript name, which may have a hyphen or none. */
const plain = (family: string): string =>
  family
    .replace(/^Lohit /, 'Lohit-')
    .replace(REGION, 'CJK')
    .replaceAll(' ', '');

/** The font families in the PDF of a document with these fonts and this text. */
async function converted(
  { engine, folder }: StartedKit,
  fonts: readonly string[],
  text: string,
  language = '',
) {
  const properties = language === '' ? '' : `<w:lang w:bidi="${language}"/>`;
  const paragraphs = fonts.map((font) => inEveryScript(font, text, properties)).join('');
  const job = await createJob(folder, docxWithParts({ 'word/document.xml': mainPart(paragraphs) }));
  await engine.convert(job, never());
  return fontsOf(join(job.folder, 'output.pdf'));
}

const kit = await startKit(t, { workers: 1 });

t.test("each of Word's fonts becomes its stand-in", async (t) => {
  const { standIns } = readFontTable();
  // Those that share a text share a document.
  for (const sample of new Set(standIns.map(({ use }) => sampleFor(use)))) {
    const group = standIns.filter(({ use }) => sampleFor(use) === sample);
    const found = await converted(
      kit,
      group.flatMap(({ word }) => word),
      sample,
    );
    t.strictSame(found, [...new Set(group.map(({ use }) => plain(use)))].sort(), sample);
  }
});

t.test('bold and italic are seen where a stand-in has no such face', async (t) => {
  for (const font of ['Yu Gothic', 'Tahoma', 'David', 'Traditional Arabic', 'Impact']) {
    const text = inEveryScript(font, sampleFor(font), '<w:b/><w:bCs/><w:i/><w:iCs/>');
    const job = await createJob(kit.folder, docxWithParts({ 'word/document.xml': mainPart(text) }));
    await kit.engine.convert(job, never());
    const { stdout } = await run('mutool', ['trace', join(job.folder, 'output.pdf')]);
    t.match(stdout, /<span .* trm="[\d.]+ 0 [1-9]/, `${font} is slanted`);
    t.equal(stdout.includes('<stroke_text'), font === 'Impact', `${font} has strokes if it has no bold face`);
  }
});

t.test('free fonts are found by their names', async (t) => {
  const { free } = readFontTable();
  const families = await Promise.all(
    free.map(async (name) => {
      const folder = join(fontFiles.made, name);
      const [file = ''] = (await readdir(folder)).filter((each) => each.includes('_400Regular.'));
      t.ok((await readdir(folder)).includes('LICENSE_FONT'), `the licence of ${name}`);
      const [face] = readFaces(await readFile(join(folder, file)));
      return (face && familyName(face)) ?? '';
    }),
  );
  const job = await createJob(
    kit.folder,
    docxWithParts({
      'word/document.xml': mainPart(families.map((family) => inEveryScript(family, LATIN)).join('')),
    }),
  );
  await kit.engine.convert(job, never());
  const { stdout } = await run('pdffonts', [join(job.folder, 'output.pdf')]);
  const names = new PdfFontNames([...stdout.matchAll(/^[A-Z]{6}\+(\S+)/gm)].map(([, name = '']) => name));
  for (const family of families) t.ok(names.has(family), family);
});

t.test('Arabic and Hebrew letters are those of the font', async (t) => {
  const [arabic, hebrew] = ['سلام', 'שלום'];
  for (const [font, ofArabic, ofHebrew] of [
    ['Arial', 'PlatenArialArabic', 'LiberationSans'],
    ['Times New Roman', 'PlatenArialArabic', 'LiberationSerif'],
    // The names that the preflight writes for these two.
    ['Platen Arial', 'PlatenArialArabic', 'PlatenArial'],
    ['Platen Times New Roman', 'PlatenArialArabic', 'PlatenTimesNewRoman'],
    ['Courier New', 'PlatenCourierNewArabic', 'PlatenCourierNewHebrew'],
    ['Tahoma', 'PlatenTahoma', 'PlatenTahoma'],
    // It has no Hebrew letters in Word either.
    ['Calibri', 'PlatenArialArabic', 'PlatenArial'],
  ] as const) {
    t.strictSame(await converted(kit, [font], arabic, 'ar-SA'), [ofArabic], `${font}, Arabic`);
    t.strictSame(await converted(kit, [font], hebrew, 'he-IL'), [ofHebrew], `${font}, Hebrew`);
  }
  // Characters that both have do not come from them.
  t.strictSame(await converted(kit, ['Arial'], '✓→'), ['DejaVuSans', 'LiberationSans'], 'signs');
});

t.test('letters that a font with serifs lacks have serifs', async (t) => {
  const [cyrillic, greek, vietnamese] = ['Введение', 'λόγος', 'ệ'];
  for (const font of ['Cambria', 'Constantia', 'Georgia']) {
    for (const text of [cyrillic, greek])
      t.strictSame(await converted(kit, [font], text), [`Platen${font}Letters`], `${font}: ${text}`);
  }
  t.strictSame(await converted(kit, ['Cambria'], vietnamese), ['PlatenCambriaLetters'], 'Cambria');
  // In Word, these have none themselves.
  for (const font of ['Century', 'Book Antiqua', 'Bookman Old Style'])
    t.strictSame(await converted(kit, [font], vietnamese), ['LiberationSerif'], font);
});

/** How far two lines are apart in each of these fonts, in points: on a page of its own, each with a text. */
async function lineHeights({ engine, folder }: StartedKit, fonts: readonly (readonly [string, string])[]) {
  const size = `<w:sz w:val="${2 * POINTS}"/><w:szCs w:val="${2 * POINTS}"/>`;
  const begins = '<w:pPr><w:pageBreakBefore/></w:pPr>';
  const pages = fonts.map(([font, text]) => {
    const paragraph = inEveryScript(font, text, size);
    return paragraph.replace('<w:p>', `<w:p>${begins}`) + paragraph;
  });
  const job = await createJob(folder, docxWithParts({ 'word/document.xml': mainPart(pages.join('')) }));
  await engine.convert(job, never());
  const { stdout } = await run('pdftotext', ['-bbox', join(job.folder, 'output.pdf'), '-']);
  return stdout
    .split('<page ')
    .slice(1)
    .map((page) => [...page.matchAll(/yMin="([\d.]+)"/g)].map(([, top]) => Number(top)))
    .map((tops) => Math.max(...tops) - Math.min(...tops));
}

const POINTS = 20;

t.test('the line height of a built font is that of the table', async (t) => {
  const { standIns, made } = readFontTable();
  // No document can ask for one that has other letters alone: it stands in for no font.
  const fonts = made.flatMap(({ family, line }) => {
    const word = standIns.find(({ use }) => use === family)?.word[0];
    return word === undefined
      ? []
      : [{ family, word, height: POINTS * line.reduce((sum, part) => sum + part) }];
  });
  const heights = await lineHeights(
    kit,
    fonts.map(({ family, word }) => [word, sampleFor(family)]),
  );
  t.equal(heights.length, fonts.length);
  for (const [index, { family, height }] of fonts.entries()) {
    const found = heights[index] ?? 0;
    t.ok(Math.abs(found - height) < 0.3, `${family}: ${found.toFixed(2)} and ${height.toFixed(2)} pt`);
  }
});

t.test('an unknown font becomes one with the widths of Arial', async (t) => {
  t.strictSame(await converted(kit, ['Our Corporate Sans'], LATIN), ['LiberationSans']);
  // With their blanks, digits and signs.
  for (const [language, text, ours] of [
    ['ar-SA', 'سلام (2024): 1.', ['LiberationSans', 'PlatenArialArabic']],
    ['fa-IR', 'سلام (2024): 1.', ['LiberationSans', 'PlatenArialArabic']],
    ['he-IL', 'שלום (2024): 1.', ['LiberationSans', 'PlatenArial']],
  ] as const) {
    t.strictSame(await converted(kit, ['Our Corporate Sans'], text, language), ours, language);
  }
});

t.test("the operator's own font goes before its stand-in", async (t) => {
  const fontsDir = await temporaryFolder(t);
  const [face] = readFaces(await readFile('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'));
  if (!face) throw new Error('the font has no face');
  const bought = adjust(face, { family: 'Verdana', style: 'Regular', line: [1, 0.2, 0] });
  await writeFile(join(fontsDir, 'verdana.ttc'), writeCollection([bought]));
  const kit = await startKit(t, { workers: 1, fontsDir });
  t.strictSame(await converted(kit, ['Verdana', 'Tahoma'], LATIN), ['PlatenTahoma', 'Verdana']);
});
