/** What is asked of sections: blank pages, alignments, and chapters in page numbers. */
import t from 'tap';
import {
  hasAlignedSections,
  hasBlankPages,
  hasChapters,
  hasPageFormats,
  hasUnwrittenPages,
  lacksPageFormat,
} from '../../../src/convert/document/sections.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const section = (type = '', start = '') =>
  `<w:sectPr>${type && `<w:type w:val="${type}"/>`}${start && `<w:pgNumType w:start="${start}"/>`}</w:sectPr>`;
const has = (...sections: readonly string[]) =>
  hasBlankPages(`<w:document ${W}><w:body>${sections.join('')}</w:body></w:document>`);

const document = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;

t.test('blank pages', async (t) => {
  t.ok(has(section(), section('oddPage')));
  t.ok(has(section(), section('evenPage'), section('nextPage')));
  t.ok(has(section('oddPage', '3'), section('oddPage', '1')), 'numbers that begin anew there');
  t.notOk(has(section(), section('nextPage')));
  t.notOk(has(section('oddPage')), 'nothing is before the first section');
  t.notOk(has());
  t.notOk(has(section(), section('oddPage'), section('nextPage', '1')), 'numbers that begin anew elsewhere');
  t.notOk(has(section(), section('evenPage', '1'), section('oddPage', '1')), 'an even page that is page 1');
  t.ok(has(section('', '2'), section('oddPage')), 'the first page is an even one');
  t.ok(has(section('evenPage'), section('oddPage')));
});

t.test('formats of page numbers', async (t) => {
  const format = (attributes: string) =>
    document(`<w:sectPr/><w:sectPr><w:pgNumType ${attributes}/></w:sectPr>`);
  t.ok(hasPageFormats(format('w:fmt="lowerRoman"')));
  t.notOk(hasPageFormats(format('w:fmt="decimal"')));
  t.notOk(hasPageFormats(format('w:start="2"')));
  t.notOk(hasPageFormats(document(section())));
});

t.test('aligned sections', async (t) => {
  const aligned = (value: string) => `<w:vAlign w:val="${value}"/>`;
  for (const value of ['center', 'bottom'])
    t.ok(hasAlignedSections(document(`${section()}<w:sectPr>${aligned(value)}</w:sectPr>`)), value);
  t.notOk(hasAlignedSections(document(`<w:sectPr>${aligned('top')}</w:sectPr>`)));
  t.notOk(hasAlignedSections(document(`<w:tcPr>${aligned('center')}</w:tcPr>${section()}`)), 'a cell');
});

t.test('chapters in page numbers', async (t) => {
  const chapters = (style: string) =>
    hasChapters(
      `<w:document ${W}><w:body>${section()}<w:sectPr><w:pgNumType w:chapStyle="${style}"/></w:sectPr></w:body></w:document>`,
    );
  t.ok(chapters('1'));
  t.notOk(chapters('0'));
  t.notOk(chapters(''));
  t.notOk(hasChapters(`<w:document ${W}><w:body>${section()}<w:p w:x="chapStyle"/></w:body></w:document>`));
});

t.test('formats of page numbers that LibreOffice lacks', async (t) => {
  const lacks = (...formats: readonly string[]) =>
    lacksPageFormat(
      document(formats.map((each) => `<w:sectPr><w:pgNumType w:fmt="${each}"/></w:sectPr>`).join('')),
    );
  t.ok(lacks('lowerRoman', 'numberInDash'));
  t.notOk(lacks('lowerRoman', 'decimal'));
  t.notOk(lacks('thaiNumbers', 'koreanDigital'), 'beside one that only LibreOffice writes');
  t.notOk(lacksPageFormat(document(`${section()}<w:p w:x="hex"/>`)));
});

t.test('page numbers that nobody can write', async (t) => {
  const has = (...formats: readonly string[]) =>
    hasUnwrittenPages(
      document(formats.map((each) => `<w:sectPr><w:pgNumType w:fmt="${each}"/></w:sectPr>`).join('')),
    );
  t.ok(has('decimal', 'hindiCounting'));
  t.ok(has('thaiNumbers', 'koreanDigital'), 'beside those that only LibreOffice writes');
  t.notOk(has('thaiNumbers', 'decimal'));
  t.notOk(has('koreanDigital'));
  t.notOk(has('custom'), 'without a description');
  t.notOk(hasUnwrittenPages(document(section())));
});
