/** Bullets that take the room that they take in Word, and have its signs. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { type RaiseOf, withWordsBullets } from '../../../src/convert/rules/bullets.ts';
import { raisesOfLists } from '../../../src/convert/rules/list-fonts.ts';
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
const never: RaiseOf = () => undefined;

t.test('a bullet of each kind gets the font that has its sign', async (t) => {
  const cases = [
    ['\uf0b7', 'Symbol', '&#8226;', 'Platen Bullets'],
    ['&#xF0B7;', 'Symbol', '&#8226;', 'Platen Bullets'],
    ['\uf02d', 'Symbol', '&#8722;', 'Platen Bullets'],
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

t.test("Symbol's is high where the text is low", async (t) => {
  const asked: unknown[] = [];
  const all = [0, 1, 2].map((ilvl) => level('\uf0b7', named('Symbol'), ilvl));
  const part = bytes(numbering(all.join('')));
  const changed = withWordsBullets(part, (lists, ilvl) => {
    asked.push([lists, ilvl]);
    return ilvl === '1' ? 'single' : ilvl === '2' ? 'spaced' : undefined;
  });
  t.strictSame(asked, [
    [['7'], '0'],
    [['7'], '1'],
    [['7'], '2'],
  ]);
  const fonts = ['Platen Bullets', 'Platen High Bullets', 'Platen Raised Bullets'];
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

/** Parts of a document with these paragraphs, a style with a list, and a theme with Arial for Arabic letters. */
function parts(paragraphs: string): KeptParts {
  const kept = new KeptParts('word/document.xml');
  const keep = (name: string, text: string) => kept.keep(name, [Buffer.from(text)]);
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  keep(
    'word/_rels/document.xml.rels',
    relationships(
      ['styles', 'settings', 'theme'].map(
        (each) => `<Relationship Id="${each}" Type="${type}/${each}" Target="${each}.xml"/>`,
      ),
    ),
  );
  keep('word/settings.xml', `<w:settings ${W}><w:themeFontLang w:val="fr-CH" w:bidi="ar-SA"/></w:settings>`);
  keep(
    'word/theme.xml',
    '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:minorFont><a:cs typeface=""/><a:font script="Arab" typeface="Arial"/></a:minorFont></a:theme>',
  );
  keep(
    'word/styles.xml',
    `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr>${named('Calibri')}</w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:styleId="L"><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="8"/></w:numPr></w:pPr><w:rPr>${named('Arial')}</w:rPr></w:style></w:styles>`,
  );
  keep('word/document.xml', `<w:document ${W}><w:body>${paragraphs}</w:body></w:document>`);
  return kept;
}

const item = (fonts: string, list = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>') =>
  `<w:p><w:pPr>${list}</w:pPr><w:r><w:rPr>${fonts}</w:rPr><w:t>x</w:t></w:r></w:p>`;

t.test('what bullets add to the lines of a list', async (t) => {
  const times = item(named('Times New Roman'));
  const raise = (paragraphs: string, list = '7', ilvl = '0', resorts = new Map<string, string>()) =>
    raisesOfLists(parts(paragraphs), resorts)([list], ilvl);
  t.equal(raise(times), 'single', 'by the font of the run');
  t.equal(raise(item('')), undefined, "by the document's default");
  t.equal(raise(item('<w:rFonts w:asciiTheme="minorBidi"/>')), 'single', 'by the theme, in its language');
  t.equal(
    raise(item('', '<w:pStyle w:val="L"/>'), '8', '1'),
    'single',
    'by the style, which has the list as well',
  );
  t.equal(raise(item('', '<w:pStyle w:val="L"/>'), '8'), undefined, 'at its own level alone');
  t.equal(raise(times, '9'), undefined, 'another list');
  t.equal(raise(times + item('')), undefined, 'as many of each');
  t.equal(raise(times + times + item('')), 'single', 'most of them');
  t.equal(
    raise(item(named('Nowhere')), '7', '0', new Map([['nowhere', 'Times New Roman']])),
    'single',
    'a last resort',
  );
  t.equal(raise(item(named('Nowhere'))), undefined, 'a font of which nothing is known');
  t.equal(raise(`<w:p><w:r><w:txbxContent>${times}</w:txbxContent></w:r></w:p>`), 'single', 'in a text box');
  const spaced = (line: number, rule = 'auto') =>
    times.replace('</w:numPr>', `</w:numPr><w:spacing w:line="${line}" w:lineRule="${rule}"/>`);
  t.equal(raise(spaced(360)), 'spaced', 'a line and a half');
  t.equal(raise(spaced(276)), 'single', 'a little more than a line');
  t.equal(raise(spaced(360, 'exact')), 'single', 'not by lines');
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
    return undefined;
  });
  t.equal(lookedAt, many + 1, 'each list is looked at once a level');
  for (const word of ['<w:rFonts ', '<w:rFonts = ', 'lvlText'])
    t.equal(withWordsBullets(word.repeat(100_000), never), word.repeat(100_000));
});
