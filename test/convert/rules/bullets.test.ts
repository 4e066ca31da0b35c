/** Bullets that take the room that they take in Word, and have its signs. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { Settings } from '../../../src/convert/document/settings.ts';
import { Theme } from '../../../src/convert/document/theme.ts';
import { withWordsBullets } from '../../../src/convert/rules/bullets.ts';
import { documentStyles } from '../../../src/convert/rules/document-styles.ts';
import { spacedLists } from '../../../src/convert/rules/list-lines.ts';
import { relationships } from '../../support/office-package.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const named = (font: string) => `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:hint="default"/>`;
const level = (sign: string, fonts: string, ilvl = 0) =>
  `<w:lvl w:ilvl="${ilvl}"><w:numFmt w:val="bullet"/><w:lvlText w:val="${sign}"/><w:rPr>${fonts}</w:rPr></w:lvl>`;
const numbering = (levels: string) =>
  `<w:numbering ${W}><w:abstractNum w:abstractNumId="3">${levels}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`;
const replaced = (font: string) =>
  `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>`;
const never = () => false;

t.test('a bullet of each kind gets the font that has its sign', async (t) => {
  const cases = [
    ['\uf0b7', 'Symbol', '&#8226;', 'Platen High Bullets'],
    ['&#xF0B7;', 'Symbol', '&#8226;', 'Platen High Bullets'],
    ['\uf02d', 'Symbol', '&#8722;', 'Platen High Bullets'],
    ['\uf0a7', 'Wingdings', '&#9642;', 'Platen Bullets'],
    ['\uf0d8', 'wingdings', '&#10146;', 'Platen Bullets'],
    ['o', 'Courier New', '&#111;', 'Platen Circle Bullets'],
  ] as const;
  for (const [sign, font, shown, made] of cases) {
    const before = bytes(numbering(level(sign, named(font)) + level('%2.', named('Symbol'), 1)));
    const after = numbering(level(shown, replaced(made)) + level('%2.', named('Symbol'), 1));
    t.equal(withWordsBullets(before, never), after, `${font} ${sign}`);
  }
});

t.test('elements with an end tag', async (t) => {
  const ends = (part: string) => part.replace(/<w:(lvlText|rFonts)([^>]*)\/>/g, '<w:$1$2></w:$1>');
  t.equal(
    withWordsBullets(bytes(ends(numbering(level('o', named('Courier New'))))), never),
    ends(numbering(level('&#111;', replaced('Platen Circle Bullets')))),
  );
});

t.test("Symbol's is lower in spaced lines", async (t) => {
  const asked: unknown[] = [];
  const all = [0, 1].map((ilvl) => level('\uf0b7', named('Symbol'), ilvl));
  const part = bytes(numbering(all.join('')));
  const changed = withWordsBullets(part, (lists, ilvl) => {
    asked.push([lists, ilvl]);
    return ilvl === '1';
  });
  t.strictSame(asked, [
    [['7'], '0'],
    [['7'], '1'],
  ]);
  const fonts = ['Platen High Bullets', 'Platen Raised Bullets'];
  t.equal(changed, numbering(fonts.map((font, ilvl) => level('&#8226;', replaced(font), ilvl)).join('')));
});

t.test('what stays', async (t) => {
  const left = [
    level('\uf0b7', named('Arial')),
    level('\uf0b2', named('Symbol')),
    level('oo', named('Courier New')),
    level('\uf0b7', '<w:rFonts w:asciiTheme="minorHAnsi" w:ascii="Symbol"/>'),
    level('\uf0b7', ''),
  ];
  for (const each of left)
    t.equal(withWordsBullets(bytes(numbering(each)), never), bytes(numbering(each)), each);
});

/** Parts of a document with these paragraphs, and a style with a list. */
function parts(paragraphs: string): KeptParts {
  const kept = new KeptParts('word/document.xml');
  const keep = (name: string, text: string) => kept.keep(name, [Buffer.from(text)]);
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles';
  keep(
    'word/_rels/document.xml.rels',
    relationships([`<Relationship Id="styles" Type="${type}" Target="styles.xml"/>`]),
  );
  keep(
    'word/styles.xml',
    `<w:styles ${W}><w:style w:type="paragraph" w:styleId="L"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="8"/></w:numPr><w:spacing w:line="480" w:lineRule="auto"/></w:pPr></w:style></w:styles>`,
  );
  keep('word/document.xml', `<w:document ${W}><w:body>${paragraphs}</w:body></w:document>`);
  return kept;
}

const item = (more: string, list = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>') =>
  `<w:p><w:pPr>${list}${more}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
const lines = (line: number, rule = 'auto') => `<w:spacing w:line="${line}" w:lineRule="${rule}"/>`;

t.test('which lists have spaced lines', async (t) => {
  const isSpaced = (paragraphs: string, list = '7', ilvl = '0') => {
    const kept = parts(paragraphs);
    return spacedLists(kept, () => documentStyles(kept, new Theme('', new Settings('').themeLanguages)))(
      [list],
      ilvl,
    );
  };
  const spaced = item(lines(360));
  t.ok(isSpaced(spaced), 'a line and a half');
  t.notOk(isSpaced(item('')), 'one line');
  t.notOk(isSpaced(item(lines(276))), 'a little more than a line');
  t.notOk(isSpaced(item(lines(360, 'exact'))), 'not by lines');
  t.ok(isSpaced(item('', '<w:pStyle w:val="L"/>'), '8', '1'), 'by the style, which has the list as well');
  t.notOk(isSpaced(item('', '<w:pStyle w:val="L"/>'), '8'), 'at its own level alone');
  t.notOk(isSpaced(spaced, '9'), 'another list');
  t.notOk(isSpaced(spaced + item('')), 'as many of each');
  t.ok(isSpaced(spaced + spaced + item('')), 'most of them');
  t.ok(isSpaced(`<w:p><w:r><w:txbxContent>${spaced}</w:txbxContent></w:r></w:p>`), 'in a text box');
});

t.test('a hostile part costs little', async (t) => {
  const many = 50_000;
  const lists = Array.from(
    { length: many },
    (_, i) => `<w:num w:numId="${i}"><w:abstractNumId w:val="3"/></w:num>`,
  );
  let lookedAt = 0;
  const levels =
    level('\uf0b7', named('Symbol')).repeat(many) + level('\uf0b7', named('Symbol'), 9).repeat(many);
  withWordsBullets(bytes(numbering(levels) + lists.join('')), (all) => {
    lookedAt += all.length;
    return false;
  });
  t.equal(lookedAt, many + 1, 'each list is looked at once a level');
  for (const word of ['<w:rFonts ', '<w:rFonts = ', 'lvlText'])
    t.equal(withWordsBullets(word.repeat(100_000), never), word.repeat(100_000));
});
