/**
 * The fonts of whole documents: each requested font becomes its stand-in of the table, and no character is without a glyph.
 * document-fonts.soak.ts looks at real documents.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { readFonts } from '../../bench/fidelity/fonts.ts';
import { missingGlyphs } from '../../bench/fidelity/glyphs.ts';
import { readWidths } from '../../scripts/fonts/table.mjs';
import { docxLeadingTo, docxWithParts, mainPart } from '../support/documents.ts';
import { inEveryScript, LATIN } from '../support/font-samples.ts';
import { DocumentFonts, eachOf } from './support/document-fonts.ts';

const fonts = await DocumentFonts.start(t);

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
    const converted = await fonts.convert(docxWithParts({ 'word/document.xml': body }));
    t.strictSame(await missingGlyphs(converted.pdf), [], script);
    t.notOk((await fonts.without(converted)).includes(font), `${script}: ${font} has its stand-in`);
  });
});

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

t.test('unknown fonts', async (t) => {
  for (const [about, ours] of [
    ['<w:pitch w:val="fixed"/>', 'PlatenCourierNew'],
    ['<w:family w:val="roman"/>', 'LiberationSerif'],
    ['<w:altName w:val="Georgia"/>', 'PlatenGeorgia'],
    ['<w:family w:val="swiss"/>', 'LiberationSans'],
  ] as const) {
    const table = `<w:fonts ${WORD}><w:font w:name="Our Own">${about}</w:font></w:fonts>`;
    const { pdf } = await fonts.convert(
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
  const { pdf } = await fonts.convert(
    docxLeadingTo({ 'numbering.xml': 'numbering' }, { 'word/numbering.xml': numbering }, item),
  );
  t.strictSame(await missingGlyphs(pdf), []);
});

t.test('digits in runs of complex scripts', async (t) => {
  const rFonts = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Courier New"/>';
  const run = (mark: string) => `<w:p><w:r><w:rPr>${rFonts}${mark}</w:rPr><w:t>Word 2024</w:t></w:r></w:p>`;
  for (const [mark, ours] of [
    ['<w:rtl/>', 'PlatenCourierNew'],
    ['', 'Carlito'],
  ] as const) {
    const { pdf } = await fonts.convert(docxWithParts({ 'word/document.xml': mainPart(run(mark)) }));
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
  const { pdf } = await fonts.convert(docxWithParts({ 'word/document.xml': mainPart(text) }));
  const names = (await readFonts(pdf)).map(({ name }) => name.replace(/-.*/, ''));
  // The first where Liberation has Hebrew letters, the other where it has none.
  t.match(names.join(), /^PlatenArial(Hebrew)?$/);
  const { stdout } = await promisify(execFile)('pdftotext', ['-bbox', pdf, '-']);
  const [, left, right] = /xMin="([\d.]+)".*xMax="([\d.]+)"/.exec(stdout) ?? [];
  t.ok(Math.abs((Number(right) - Number(left)) / 20 / width - 1) < 0.02, `${left} to ${right}`);
});

t.test('missing glyphs are found', async (t) => {
  const nobody = '<w:p><w:r><w:t>\u{10fffd}</w:t></w:r></w:p>';
  const { pdf } = await fonts.convert(docxWithParts({ 'word/document.xml': mainPart(nobody) }));
  t.not((await missingGlyphs(pdf)).length, 0, 'a character of private use');
  t.strictSame(await fonts.without({ wanted: ['Verdana', 'Nobody knows it'], pdf }), ['Verdana']);
});
