/** Where Word's grid of lines puts lines, written so that LibreOffice puts them there. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { documentStyles } from '../../../src/convert/rules/document-styles.ts';
import { gridFonts } from '../../../src/convert/rules/grid-fonts.ts';
import { withWordsGrid } from '../../../src/convert/rules/line-grid.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const GRID = '<w:docGrid w:type="lines" w:linePitch="312"/>';

const margins = (top: number, bottom: number, footer = 992) =>
  `<w:pgMar w:top="${top}" w:bottom="${bottom}" w:header="851" w:footer="${footer}"/>`;
const section = (grid = GRID, pgMar = margins(1440, 1440), height = 15_360) =>
  `<w:sectPr><w:pgSz w:w="11906" w:h="${height}"/>${pgMar}${grid}</w:sectPr>`;
const paragraph = (properties: string, inner = '<w:r><w:t>x</w:t></w:r>') =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const line = (spacing: string) => `<w:spacing ${spacing}/>`;
const multiple = line('w:line="480" w:lineRule="auto"');
const picture = (height: number) =>
  `<w:r><w:drawing><wp:inline distT="0"><wp:extent cx="9" cy="${height * 635}"/></wp:inline></w:drawing></w:r>`;

const styles = `<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:eastAsia="SimSun"/><w:sz w:val="21"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="N"/>
<w:style w:type="paragraph" w:styleId="H"><w:basedOn w:val="N"/><w:pPr>${multiple}</w:pPr><w:rPr><w:spacing w:val="9"/><w:sz w:val="32"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Off"><w:basedOn w:val="H"/><w:pPr><w:snapToGrid w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Spaced"><w:pPr><w:spacing w:before="100" w:after="40"/></w:pPr></w:style>
<w:style w:type="character" w:styleId="Groß"><w:rPr><w:sz w:val="40"/></w:rPr></w:style>
</w:styles>`;

function parts(): KeptParts {
  const kept = new KeptParts('word/document.xml');
  const links = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
  kept.keep('word/_rels/document.xml.rels', [Buffer.from(links)]);
  kept.keep('word/styles.xml', [Buffer.from(styles)]);
  return kept;
}

const fonts = gridFonts(documentStyles(parts(), noTheme));

/** The body behind the rule. */
const change = (body: string, libreOffice?: string) => {
  const xml = Buffer.from(main(body)).toString('latin1');
  return Buffer.from(withWordsGrid(xml, fonts, libreOffice), 'latin1').toString();
};

const exact = (twips: number) =>
  `<w:snapToGrid w:val="0"/><w:spacing w:line="${twips}" w:lineRule="exact"/><w:textAlignment w:val="center"/>`;
const run = (size: number, text = '字') =>
  `<w:r><w:rPr><w:rFonts w:eastAsia="微软雅黑"/><w:sz w:val="${size}"/></w:rPr><w:t>${text}</w:t></w:r>`;
const whole = '<w:spacing w:line="240" w:lineRule="auto"/>';
const style = (id: string) => `<w:pStyle w:val="${id}"/>`;

const cases: readonly (readonly [string, string, string])[] = [
  ['a multiple of one step', paragraph(multiple), paragraph(exact(624))],
  [
    'a multiple that a style says',
    paragraph(style('H'), run(20, 'x')),
    paragraph(style('H') + exact(624), run(20, 'x')),
  ],
  ['a size that a style says', paragraph(style('H')), paragraph(style('H') + whole)],
  [
    'a size that a style of text says',
    paragraph(multiple, run(40, 'x').replace('sz w:val="40"', 'rStyle w:val="Groß"')),
    paragraph(whole, run(40, 'x').replace('sz w:val="40"', 'rStyle w:val="Groß"')),
  ],
  ['a font that takes as many steps', paragraph(multiple, run(20)), paragraph(whole, run(20))],
  ['a font of an alphabet', paragraph(multiple, run(24, 'x')), paragraph(exact(624), run(24, 'x'))],
  [
    'a picture in a line of text',
    paragraph(multiple, run(12) + picture(100)),
    paragraph(exact(624).replace('exact', 'atLeast'), run(12) + picture(100)),
  ],
  [
    'a picture alone, which takes two steps',
    paragraph(style('Spaced'), picture(600)),
    paragraph(
      `${style('Spaced')}<w:snapToGrid w:val="0"/><w:spacing w:line="240" w:lineRule="auto" w:before="112" w:after="52"/>`,
      picture(600),
    ),
  ],
];

for (const [what, before, after] of cases) {
  t.test(what, async (t) => t.equal(change(before + section()), main(after + section())));
}

t.test('what is on no grid, or has no multiple, stays', async (t) => {
  const left = [
    paragraph(style('Off')),
    paragraph(`<w:snapToGrid w:val="0"/>${multiple}`),
    paragraph(line('w:line="480" w:lineRule="exact"')),
    paragraph(line('w:line="240" w:lineRule="auto"')),
    paragraph(`<w:rPr>${line('w:val="480"')}</w:rPr>`),
    `<w:tbl><w:tr><w:tc>${paragraph(multiple)}</w:tc></w:tr></w:tbl>`,
    paragraph('<w:spacing w:beforeAutospacing="1"/>', picture(600)),
    '<w:p/>',
  ];
  for (const body of left) t.equal(change(body + section()), main(body + section()), body);
  for (const grid of ['', '<w:docGrid w:linePitch="312"/>', '<w:docGrid w:type="lines"/>']) {
    t.equal(change(paragraph(multiple) + section(grid)), main(paragraph(multiple) + section(grid)), grid);
  }
});

t.test('each section has its own grid', async (t) => {
  const end = (grid: string) => `<w:p><w:pPr>${section(grid)}</w:pPr></w:p>`;
  const [none, half] = ['', '<w:docGrid w:type="linesAndChars" w:linePitch="156"/>'];
  const body = (first: string, second: string, third: string) =>
    paragraph(first) + end(none) + paragraph(second) + end(half) + paragraph(third) + section();
  t.equal(
    change(body(multiple, multiple, multiple)),
    main(
      body(multiple, multiple, exact(624))
        .replace(multiple, multiple)
        .replace(`${paragraph(multiple)}${end(half)}`, `${paragraph(whole)}${end(half)}`),
    ),
  );
});

t.test('a paragraph with lines of its own that ends a section', async (t) => {
  const before = section(GRID, margins(1440, 1440), 15_460);
  const after = section(GRID, margins(1340, 1440), 15_460);
  t.equal(change(paragraph(multiple + before)), main(paragraph(exact(624) + after)));
});

t.test('the grid begins at the top of the body', async (t) => {
  const moved = (rest: number) => change(section(GRID, undefined, 15_360 + rest));
  const expected = (rest: number, top: number, bottom: number) =>
    main(section(GRID, margins(top, bottom), 15_360 + rest));
  t.equal(moved(0), expected(0, 1440, 1440));
  t.equal(moved(100), expected(100, 1340, 1440), 'half of twice as much is left above');
  t.equal(moved(300), expected(300, 1285, 1585), 'half a step, which is the most');
  const tight = section(GRID, margins(1440, 1440, 1100), 15_460);
  const footed = tight.replace('<w:pgSz', '<w:footerReference w:type="default"/><w:pgSz');
  t.equal(change(footed), main(footed), 'a footer that may reach into the body');
  t.not(change(tight), main(tight), 'where there is none, its place says nothing');
  const before = `<w:p><w:pPr>${footed}</w:pPr></w:p>`;
  t.equal(change(before + tight), main(before + tight), 'that of a section before');
  const fixed = section(GRID, margins(-1440, 1440), 15_460);
  t.equal(change(fixed), main(fixed), 'a margin that a header does not move');
  const body = (properties: string) => paragraph(properties) + section(GRID, undefined, 15_460);
  t.equal(change(body(''), '25.2.3.2'), change(body('')));
  t.equal(change(body(multiple), '26.8.2.2'), main(body(exact(624))), 'where LibreOffice begins it there');
});

t.test('lines of another height than the grid end the body where it ends in Word', async (t) => {
  const free = paragraph('<w:spacing w:line="360" w:lineRule="atLeast"/>');
  const body = (paragraphs: string, rest: number, pgMar = margins(1440, 1440)) =>
    paragraphs + section(GRID, pgMar, 15_360 + rest);
  const becomes = (paragraphs: string, rest: number, top: number, bottom: number, what: string) =>
    t.equal(change(body(paragraphs, rest)), main(body(paragraphs, rest, margins(top, bottom))), what);
  becomes(free, 250, 1440, 1378, 'one more step, if that is nearer');
  becomes(free, 100, 1340, 1440, 'as others, if it is not');
  becomes(free.repeat(9) + paragraph(''), 250, 1440, 1378, 'nearly all');
  becomes(free.repeat(8) + paragraph(''), 250, 1285, 1535, 'too few');
  becomes(free + paragraph('', '').repeat(9), 250, 1440, 1378, 'empty ones do not count');
  t.equal(change(body(free, 250), '26.8.2.2'), main(body(free, 250, margins(1440, 1378))), 'also since 26.8');
  t.equal(change(body(free, 100), '26.8.2.2'), main(body(free, 100)));
});

t.test('what looks like tags without end is read in linear time', async (t) => {
  for (const piece of ['<w:p><w:pPr>', '<w:drawing>', '<w:sectPr>', '<wp:inline <wp:extent ']) {
    const xml = main(piece.repeat(1_048_576 / piece.length) + section());
    t.ok(withWordsGrid(xml, fonts, undefined).length >= xml.length, piece);
  }
});

t.test('properties with a namespace of their own stay as they are', async (t) => {
  const body = `<w:p><w:pPr xmlns:a="b"><a:b/>${multiple}</w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
  t.match(change(body + section()), body);
});
