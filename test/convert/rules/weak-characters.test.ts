/** Which characters become runs that name the font that they have in Word. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { documentStyles } from '../../../src/convert/rules/document-styles.ts';
import { withWordsFonts } from '../../../src/convert/rules/weak-characters.ts';
import { rewritten } from '../support/rewritten.ts';

const FONTS = 'w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="SimSun"';
const styles = documentStyles(new KeptParts('word/document.xml'), noTheme);
const changed = (part: string, halvesBlanks = false) =>
  rewritten((xml) => withWordsFonts(xml, styles, halvesBlanks), part);
const paragraph = (inner: string) => `<w:p>${inner}</w:p>`;
const text = (inner: string) => `<w:t xml:space="preserve">${inner}</w:t>`;
const run = (inner: string, fonts = FONTS) =>
  `<w:r><w:rPr><w:rFonts ${fonts}/><w:b/></w:rPr>${text(inner)}</w:r>`;
const slots = (font: string) => `w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}"`;
const HINT = `w:hint="eastAsia" ${FONTS}`;

t.test('quotes, dashes and dots have the Latin font', async (t) => {
  for (const mark of ['“', '’', '—', '……', '‰']) {
    const before = paragraph(run(`一${mark}二`));
    t.equal(changed(before), paragraph(run('一') + run(mark, slots('Arial')) + run('二')), mark);
  }
  t.equal(
    changed(paragraph(run('don’t 一'))),
    paragraph(run('don') + run('’', slots('Arial')) + run('t 一')),
    'a quote also among Latin letters',
  );
  t.equal(
    changed(`<w:p><w:r><w:rPr><w:rFonts ${FONTS}/></w:rPr><w:t>一“</w:t></w:r></w:p>`),
    `<w:p><w:r><w:rPr><w:rFonts ${FONTS}/></w:rPr>${text('一')}</w:r><w:r><w:rPr><w:rFonts ${slots('Arial')}/></w:rPr>${text('“')}</w:r><w:r><w:rPr><w:rFonts ${FONTS}/></w:rPr>${text('')}</w:r></w:p>`,
    'blanks at the ends of the pieces stay',
  );
});

t.test('with the hint they have the East Asian one', async (t) => {
  const other = paragraph(run('一'));
  for (const [before, mark, behind] of [
    ['a', '—', 'b'],
    ['a', '“', 'b'],
    ['一', '·', '二'],
    ['3', '×', '4一'],
  ] as const) {
    const after = run(before, HINT) + run(mark, slots('SimSun')) + run(behind, HINT);
    t.equal(changed(paragraph(run(before + mark + behind, HINT)) + other), paragraph(after) + other, mark);
  }
});

t.test('a blank between another letter and a Korean one is half as wide as that', async (t) => {
  const fonts = 'w:ascii="Arial" w:eastAsia="Batang"';
  const half = run(' ', slots('Batang Half'));
  t.equal(
    changed(paragraph(run('1. 가 나', fonts)), true),
    paragraph(run('1.', fonts) + half + run('가 나', fonts)),
  );
  t.equal(
    changed(paragraph(run('1. ', fonts) + run('가', fonts)), true),
    paragraph(run('1.', fonts) + half + run('', fonts) + run('가', fonts)),
    'in another run',
  );
  t.equal(changed(paragraph(run('1. 가', fonts))), undefined, 'if the settings say so');
  t.equal(changed(paragraph(run('1. 一', FONTS)), true), undefined, 'if there is such a blank');
  t.equal(changed(paragraph(`${run('1. ', fonts)}<w:r><w:tab/></w:r>${run('가', fonts)}`), true), undefined);
});

t.test('what stays as it is', async (t) => {
  for (const part of [
    paragraph(run('“a”')),
    paragraph(run('“a”') + paragraph(run('一'))),
    paragraph(run('一“', slots('SimSun'))),
    paragraph(run('一“', HINT)),
    paragraph(run('a—一')),
    paragraph(run('3×一')),
    paragraph(`<w:r><w:rPr><w:rFonts ${FONTS}/><w:rtl/></w:rPr><w:t>一“</w:t></w:r>`),
    paragraph(`<w:r><w:rPr><w:rFonts ${FONTS}/>${'<w:b/>'.repeat(100)}</w:rPr><w:t>一“</w:t></w:r>`),
    paragraph(`<w:r><w:rPr><w:rFonts ${FONTS}/></w:rPr><w:delText>一“</w:delText></w:r>`),
  ])
    t.equal(changed(part), undefined, part);
});
