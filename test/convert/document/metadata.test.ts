/** What documents say of themselves: the fonts of what they show, and what they leave out. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { type DocumentMetadata, readMetadata } from '../../../src/convert/document/metadata.ts';
import { omittedBy } from '../../../src/convert/document/omitted-content.ts';
import { docx, docxLeadingTo, docxWithParts, mainPart, strictDocx } from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { relationships } from '../../support/office-package.ts';
import {
  inFont,
  type ReportedParts,
  reportedDocx,
  reviewed,
  run,
  savedByWord,
  theme,
  wordPart,
} from '../../support/report-documents.ts';
import { zip } from '../../support/zip.ts';
import { fileOf, openPreflight } from '../support/preflight.ts';

const preflight = openPreflight();

type Test = Parameters<typeof fileOf>[0];

async function metadataOf(test: Test, document: Buffer): Promise<DocumentMetadata> {
  return (await preflight.check(fileOf(test, document))).metadata;
}

const normal = (inner: string) =>
  `<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:rPr>${inner}</w:rPr></w:style>`;
const ea = (font: string) =>
  `<w:rFonts w:ascii="Latin" w:hAnsi="Other" w:eastAsia="${font}" w:cs="Complex"/>`;
const bullet = (inner: string, text = '-') =>
  wordPart(
    'numbering',
    `<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:lvlText w:val="${text}"/><w:rPr>${inner}</w:rPr></w:lvl></w:abstractNum>
    <w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>`,
  );
const inList = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>';

const cases: readonly (readonly [what: string, document: ReportedParts, fonts: readonly string[]])[] = [
  ['of a run', { body: run('Text', inFont('Verdana')) }, ['Verdana']],
  [
    'each once, whatever its case',
    { body: run('a', inFont('Arial')) + run('b', inFont('ARIAL')) },
    ['Arial'],
  ],
  ['with references in their names', { body: run('a', inFont('A &amp; B&#x21;')) }, ['A & B!']],
  ['with a > in their names', { body: run('a', inFont('A > B')) }, ['A > B']],
  ['by kinds of characters: Vietnamese', { body: run('ế', ea('East')) }, ['Other']],
  ['the first of a list', { body: run('a', inFont('Best;Second')) }, ['Best']],
  ['none of white space alone', { body: run('  \t ', inFont('Verdana')) }, []],
  ['none of hidden text', { body: run('a', `<w:vanish/>${inFont('Verdana')}`) }, []],
  [
    'of text that is not hidden after all',
    { body: run('a', `<w:vanish w:val="0"/>${inFont('Verdana')}`) },
    ['Verdana'],
  ],
  ['by kinds of characters: ASCII', { body: run('a', ea('East')) }, ['Latin']],
  ['by kinds of characters: other alphabets', { body: run('é', ea('East')) }, ['Other']],
  ['by kinds of characters: East Asia', { body: run('日本', ea('East')) }, ['East']],
  ['by kinds of characters: complex scripts', { body: run('שלום', ea('East')) }, ['Complex']],
  ['none for punctuation of everywhere', { body: run('“–”', ea('East')) }, []],
  [
    'not that of digits in text from right to left',
    { body: run('שלום 12', `<w:rtl/>${ea('East')}`) },
    ['Complex'],
  ],
  [
    'of the style of the paragraph, and of what it is based on',
    {
      body: run('a', '', '<w:pStyle w:val="Sub"/>'),
      parts: {
        'styles.xml': wordPart(
          'styles',
          `<w:style w:type="paragraph" w:styleId="Base"><w:rPr>${inFont('Georgia')}</w:rPr></w:style>
          <w:style w:type="paragraph" w:styleId="Sub"><w:basedOn w:val="Base"/></w:style>
          <w:style w:type="paragraph" w:styleId="Unused"><w:rPr>${inFont('Unused')}</w:rPr></w:style>`,
        ),
      },
    },
    ['Georgia'],
  ],
  [
    'of the character style before that of the paragraph, and of a property before both',
    {
      body: run('a', '<w:rStyle w:val="C"/>') + run('b', `<w:rStyle w:val="C"/>${inFont('Direct')}`),
      parts: {
        'styles.xml': wordPart(
          'styles',
          `${normal(inFont('Paragraph'))}<w:style w:type="character" w:styleId="C"><w:rPr>${inFont('Character')}</w:rPr></w:style>`,
        ),
      },
    },
    ['Character', 'Direct'],
  ],
  [
    'of the style of the table',
    {
      body: `<w:tbl><w:tblPr><w:tblStyle w:val="T"/></w:tblPr><w:tr><w:tc>${run('a')}</w:tc></w:tr></w:tbl>`,
      parts: {
        'styles.xml': wordPart(
          'styles',
          `<w:style w:type="table" w:styleId="T"><w:rPr>${inFont('Tabular')}</w:rPr><w:tblStylePr w:type="firstRow"><w:rPr>${inFont('First')}</w:rPr></w:tblStylePr></w:style>`,
        ),
      },
    },
    ['Tabular'],
  ],
  [
    'of the theme',
    {
      body: run('a', '<w:rFonts w:asciiTheme="majorHAnsi" w:ascii="Stale"/>') + run('b'),
      parts: {
        'theme1.xml': theme({ major: '<a:latin typeface="Headings"/>', minor: '<a:latin typeface="Body"/>' }),
        'styles.xml': wordPart(
          'styles',
          '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme="minorHAnsi"/></w:rPr></w:rPrDefault></w:docDefaults>',
        ),
      },
    },
    ['Headings', 'Body'],
  ],
  [
    "of the theme's script, by the document's language",
    {
      body: run('日本', '<w:rFonts w:eastAsiaTheme="minorEastAsia"/>'),
      parts: {
        'theme1.xml': theme({
          minor:
            '<a:ea typeface=""/><a:font script="Hans" typeface="Chinese"/><a:font script="Jpan" typeface="Japanese"/>',
        }),
        'settings.xml': wordPart('settings', '<w:themeFontLang w:val="en-US" w:eastAsia="ja-JP"/>'),
      },
    },
    ['Japanese'],
  ],
  ['of symbols', { body: '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0A7"/></w:r></w:p>' }, ['Wingdings']],
  [
    'of bullets',
    { body: run('a', inFont('Arial'), inList), parts: { 'numbering.xml': bullet(inFont('Symbol')) } },
    ['Arial', 'Symbol'],
  ],
  ...[
    ['Symbol', '\uf0b7'],
    ['Wingdings', '&#xF0A7;'],
  ].map(
    ([font = '', sign = '']) =>
      [
        `none of bullets that keep their shape in another font: ${font}`,
        { body: run('a', inFont('Arial'), inList), parts: { 'numbering.xml': bullet(inFont(font), sign) } },
        ['Arial'],
      ] as const,
  ),
  [
    'of rare bullets',
    {
      body: run('a', inFont('Arial'), inList),
      parts: { 'numbering.xml': bullet(inFont('Wingdings'), '\uf021') },
    },
    ['Arial', 'Wingdings'],
  ],
  [
    'none of lists without bullets',
    { body: run('a', inFont('Arial'), inList), parts: { 'numbering.xml': bullet(inFont('Symbol'), '') } },
    ['Arial'],
  ],
  [
    'of headers that a section has, and of no others',
    {
      body: `${run('a', inFont('Body'))}<w:sectPr><w:headerReference r:id="rId1" w:type="default"/><w:headerReference r:id="rId2" w:type="first"/></w:sectPr>`,
      parts: {
        'header1.xml': wordPart('hdr', run('a', inFont('Shown'))),
        'header2.xml': wordPart('hdr', run('a', inFont('Of no first page'))),
        'header3.xml': wordPart('hdr', run('a', inFont('Of nobody'))),
      },
    },
    ['Body', 'Shown'],
  ],
  [
    'of footnotes, not of comments',
    {
      parts: {
        'footnotes.xml': wordPart(
          'footnotes',
          `<w:footnote w:id="1">${run('a', inFont('Small'))}</w:footnote>`,
        ),
        'comments.xml': wordPart('comments', `<w:comment w:id="1">${run('a', inFont('Aside'))}</w:comment>`),
      },
    },
    ['Small'],
  ],
  [
    'not of what stands there for older programs, or stood there before',
    {
      body: `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:t>a</w:t></mc:Choice><mc:Fallback><w:pict>${run('a', inFont('Fallback'))}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>
      ${run('a', `${inFont('Now')}<w:rPrChange w:id="1" w:author="A"><w:rPr>${inFont('Before')}</w:rPr></w:rPrChange>`)}`,
    },
    ['Now'],
  ],
  [
    'of what stands there for older programs, where LibreOffice is one of them',
    {
      body: `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wpi"><w:p>${run('a', inFont('Choice'))}</w:p></mc:Choice><mc:Fallback><w:pict>${run('a', inFont('Fallback'))}</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    },
    ['Fallback'],
  ],
  [
    'not of what was deleted, or moved from there',
    {
      body: `<w:p><w:moveFrom w:id="1" w:author="A"><w:r><w:rPr>${inFont('Moved')}</w:rPr><w:t>a</w:t></w:r></w:moveFrom>
      <w:del w:id="2" w:author="A"><w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r></w:del></w:p>${run('a', inFont('Now'))}`,
    },
    ['Now'],
  ],
];

t.test('fonts', async (t) => {
  for (const [what, document, fonts] of cases) {
    t.strictSame((await metadataOf(t, reportedDocx(document))).fonts, fonts, what);
  }
});

const hiding = {
  'styles.xml': wordPart(
    'styles',
    '<w:style w:type="paragraph" w:styleId="P"><w:rPr><w:vanish/></w:rPr></w:style>' +
      '<w:style w:type="character" w:styleId="C"><w:rPr><w:vanish/></w:rPr></w:style>',
  ),
};
const shown: readonly (readonly [what: string, document: ReportedParts, characters: string])[] = [
  ['none of ASCII', { body: run('Plain &amp; simple &#65;&#x1; &#x110000; &#xffffffff; &#99999999;') }, ''],
  [
    'each once, in the order of Unicode',
    { body: run('日é') + run('é\u{1f600}\u{20000}') },
    'é日\u{1f600}\u{20000}',
  ],
  ['by their numbers', { body: run('a&#233;&#x65E5; &#x1f600;') }, 'é日\u{1f600}'],
  ['with what stands around them', { body: run('日&amp;本&#xe9;語') }, 'é日本語'],
  ['of mathematics', { body: '<w:p><m:r><m:t>∑</m:t></m:r></w:p>' }, '∑'],
  ['none of hidden text', { body: run('é', '<w:vanish/>') }, ''],
  [
    'none of text that its paragraph hides',
    { body: run('é', '', '<w:pStyle w:val="P"/>'), parts: hiding },
    '',
  ],
  [
    'none of text that its style hides',
    { body: run('é', '<w:rStyle w:val="C"/>') + run('日'), parts: hiding },
    '日',
  ],
  ['none of deleted text', { body: '<w:p><w:del><w:r><w:delText>é</w:delText></w:r></w:del></w:p>' }, ''],
  [
    'none of comments',
    { parts: { 'comments.xml': wordPart('comments', `<w:comment>${run('é')}</w:comment>`) } },
    '',
  ],
  [
    'of headers and footnotes',
    {
      body: `${run('a')}<w:sectPr><w:headerReference r:id="rId1" w:type="default"/></w:sectPr>`,
      parts: {
        'header1.xml': wordPart('hdr', run('é')),
        'footnotes.xml': wordPart('footnotes', `<w:footnote w:id="1">${run('日')}</w:footnote>`),
      },
    },
    'é日',
  ],
];

t.test('characters beyond ASCII', async (t) => {
  for (const [what, document, characters] of shown) {
    t.equal(
      String.fromCodePoint(...(await metadataOf(t, reportedDocx(document))).characters),
      characters,
      what,
    );
  }
});

t.test('of more characters than any document has, not all are told', async (t) => {
  const from = (first: number) =>
    Array.from({ length: 15_000 }, (_, i) => String.fromCodePoint(first + i)).join('');
  const { characters } = await metadataOf(t, reportedDocx({ body: run(from(0x4e00) + from(0x20000)) }));
  t.equal(characters.length, 20_000);
});

t.test('fonts of its own', async (t) => {
  const embeds = async (inner: string) =>
    (await metadataOf(t, reportedDocx({ parts: { 'fontTable.xml': wordPart('fonts', inner) } }))).embedsFonts;
  t.equal(await embeds('<w:font w:name="A"><w:embedRegular r:id="rId1"/></w:font>'), true);
  t.equal(await embeds('<w:font w:name="A"><w:embedBoldItalic r:id="rId1"/></w:font>'), true);
  t.equal(await embeds('<w:font w:name="A"><w:charset w:val="00"/></w:font>'), false);
});

t.test('another prefix, and the strict variant', async (t) => {
  const inner = run('a', inFont('Verdana'));
  const renamed = mainPart(inner).replaceAll('w:', 'x:').replaceAll(':w=', ':x=');
  t.strictSame((await metadataOf(t, docxWithParts({ 'word/document.xml': renamed }))).fonts, ['Verdana']);
  const strict = mainPart(inner).replace(
    /http[^"]+wordprocessingml[^"]+main/,
    'http://purl.oclc.org/ooxml/wordprocessingml/main',
  );
  t.strictSame((await metadataOf(t, docxWithParts({ 'word/document.xml': strict }))).fonts, ['Verdana']);
  await t.resolves(metadataOf(t, strictDocx()));
});

t.test('fifty fonts at most, with names of 64 characters', async (t) => {
  const body = Array.from({ length: 200 }, (_, i) => run('a', inFont(`${i} ${'x'.repeat(500)}`))).join('');
  const { fonts } = await metadataOf(t, reportedDocx({ body }));
  t.equal(fonts.length, 50);
  t.ok(fonts.every((name) => name.length === 64));
});

t.test('a name that is cut has no half of a character', async (t) => {
  const { fonts } = await metadataOf(
    t,
    reportedDocx({ body: run('a', inFont(`${'x'.repeat(63)}\u{1f600}`)) }),
  );
  t.strictSame(fonts, ['x'.repeat(63)]);
});

t.test('each story once, however many links lead to it', async (t) => {
  const link = `<Relationship Id="a" Type="http://x/footnotes" Target="footnotes.xml"/>`;
  const parts = {
    'word/document.xml': mainPart(''),
    'word/footnotes.xml': wordPart('footnotes', '<w:ins w:id="1" w:author="A"/>'),
    'word/_rels/document.xml.rels': relationships([link, link, link]),
  };
  t.equal((await metadataOf(t, docxWithParts(parts))).trackedChanges, 1);
});

t.test('long values are cut', async (t) => {
  const [short, long] = ['x'.repeat(512), 'x'.repeat(1_000)];
  const styles = `<w:style w:type="paragraph" w:styleId="${short}"><w:rPr>${inFont('Georgia')}</w:rPr></w:style>`;
  const document = {
    body: run('a', '', `<w:pStyle w:val="${long}"/>`),
    parts: { 'styles.xml': wordPart('styles', styles) },
  };
  t.strictSame((await metadataOf(t, reportedDocx(document))).fonts, ['Georgia']);
});

t.test('a heavy package, which a process of its own reads, says the same', async (t) => {
  const heavy = docxWithParts({
    'word/document.xml': mainPart(
      run('a', inFont('Verdana')) + run('é '.repeat(10_000), inFont('Georgia')).repeat(10),
    ),
    'word/media/noise.bin': noise(1_000_000),
  });
  t.match(await metadataOf(t, heavy), { fonts: ['Verdana', 'Georgia'], characters: [0xe9] });
});

t.test('tracked changes and comments', async (t) => {
  t.match(await metadataOf(t, reportedDocx(reviewed)), { trackedChanges: 2, comments: 1 });
  t.match(await metadataOf(t, reportedDocx({})), { trackedChanges: 0, comments: 0 });
});

t.test('content outside the document', async (t) => {
  const external = async (document: ReportedParts) => (await metadataOf(t, reportedDocx(document))).external;
  const links = {
    image: 'http://localhost/a.png',
    oleObject: 'file:///a.xlsx',
    hyperlink: 'http://localhost/',
  };
  t.equal(await external({ external: links }), 2, 'hyperlinks are none');
  const template = { attachedTemplate: 'file:///Normal.dotm' };
  t.equal(await external({ external: template }), 0, 'nothing is taken from a template');
  const settings = { 'settings.xml': wordPart('settings', '<w:linkStyles/>') };
  t.equal(await external({ external: template, parts: settings }), 1, 'unless its styles are');
  const blip = (more: string) =>
    `<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="rIdX1"${more}/></w:drawing></w:r></w:p>`;
  const image = { image: 'http://localhost/a.png' };
  t.equal(await external({ external: image, body: blip('') }), 1);
  t.equal(await external({ external: image, body: blip(' r:embed="rId9"') }), 0, 'there is a copy');
});

t.test('inserted files that only a later LibreOffice shows', async (t) => {
  const names = ['a.html', 'b.HTM', 'c.xhtml', 'd.rtf', 'e.txt', 'f.mht', 'g.htm.txt'];
  const links = names.map(
    (name, i) =>
      `<Relationship Id="c${i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" Target="${name}"/>`,
  );
  const { omitted } = await metadataOf(
    t,
    docxWithParts({
      'word/document.xml': mainPart([...names, 'gone'].map((_, i) => `<w:altChunk r:id="c${i}"/>`).join('')),
      'word/_rels/document.xml.rels': relationships(links),
      ...Object.fromEntries(names.map((name) => [`word/${name}`, 'inner'])),
    }),
  );
  const inserted = async (data: Buffer) =>
    (
      await metadataOf(
        t,
        docxLeadingTo({ 'a.docx': 'aFChunk' }, { 'word/a.docx': data }, '<w:altChunk r:id="rId1"/>'),
      )
    ).omitted;
  t.strictSame(await inserted(docx()), []);
  const chunk = { kind: 'alt-chunk', count: 1, shownSince: undefined } as const;
  t.strictSame(await inserted(zip([{ name: 'content.xml', data: '<a/>' }])), [chunk], 'OpenDocument');
  t.strictSame(await inserted(docx().subarray(0, 200)), [chunk], 'damaged');
  const left = (libreOffice?: string) => omittedBy(libreOffice, omitted);
  for (const version of ['25.2.3.2', '26.2.1.1', undefined])
    t.strictSame(left(version), [{ kind: 'alt-chunk', count: 8 }], version ?? 'unknown');
  for (const version of ['26.8.2.2', '27.2.0.1'])
    t.strictSame(left(version), [{ kind: 'alt-chunk', count: 4 }], version);
  const shown = { kind: 'alt-chunk', count: 2, shownSince: 26.8 } as const;
  t.strictSame(omittedBy('26.8.2.2', [shown]), []);
  t.strictSame(
    omittedBy('25.2.3.2', [{ kind: 'eps', count: 1, shownSince: undefined }, shown]),
    [
      { kind: 'alt-chunk', count: 2 },
      { kind: 'eps', count: 1 },
    ],
    'in the order of the kinds',
  );
});

t.test('SmartArt without a drawing, which LibreOffice draws by its layout', async (t) => {
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const diagram = (layout: string) =>
    `<w:p><w:r><w:drawing><dgm:relIds xmlns:dgm="d" r:dm="data" r:lo="${layout}"/></w:drawing></w:r></w:p>`;
  const { omitted } = await metadataOf(
    t,
    docxWithParts({
      'word/document.xml': mainPart(diagram('layout') + diagram('none')),
      'word/_rels/document.xml.rels': relationships([
        link('data', 'diagramData', 'data.xml'),
        link('layout', 'diagramLayout', 'layout.xml'),
      ]),
      'word/data.xml': '<dgm:dataModel xmlns:dgm="d"/>',
      'word/layout.xml': '<dgm:layoutDef xmlns:dgm="d"/>',
    }),
  );
  t.strictSame(omitted, [{ kind: 'smartart', count: 1, shownSince: undefined }]);
});

t.test('diagonal lines in cells of tables', async (t) => {
  const cell = (more: string) =>
    `<w:tbl><w:tr><w:tc><w:tcPr><w:tcBorders><w:tl2br w:val="single"/><w:tr2bl w:val="double"/></w:tcBorders>${more}</w:tcPr><w:p/></w:tc></w:tr></w:tbl>`;
  const body = mainPart(cell('') + cell('<w:shd w:val="pct10" w:fill="FFFFFF"/>'));
  const { omitted } = await metadataOf(t, docxWithParts({ 'word/document.xml': body }));
  t.strictSame(omitted, [{ kind: 'diagonal-border', count: 2, shownSince: undefined }], 'in a pattern');
});

t.test('numbers that are digits in place of their format', async (t) => {
  const hindi = '<w:numFmt w:val="hindiCounting"/>';
  const parts = {
    'numbering.xml': wordPart(
      'numbering',
      `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0">${hindi}<w:lvlText w:val="%1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
    ),
    'settings.xml': wordPart('settings', `<w:footnotePr>${hindi}</w:footnotePr>`),
    'footnotes.xml': wordPart('footnotes', '<w:footnote w:id="1"><w:p/></w:footnote>'),
    'header1.xml': wordPart('hdr', '<w:p><w:fldSimple w:instr="PAGE"/></w:p>'),
  };
  const body =
    '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:footnoteReference w:id="1"/></w:r></w:p>' +
    '<w:sectPr><w:pgNumType w:fmt="hindiCounting"/></w:sectPr>';
  const { omitted } = await metadataOf(t, reportedDocx({ body, parts }));
  t.strictSame(
    omitted,
    [{ kind: 'number-format', count: 3, shownSince: undefined }],
    'of a list, note and page',
  );
});

t.test('the pages that Word counted', async (t) => {
  const pages = async (properties?: string) =>
    (await metadataOf(t, reportedDocx({ ...(properties !== undefined && { properties }) }))).wordPages;
  t.equal(await pages(savedByWord(3)), 3);
  t.equal(await pages(savedByWord(0)), undefined);
  t.equal(await pages('<Pages>3</Pages><Application>LibreOffice/25.2</Application>'), undefined);
  t.equal(await pages(), undefined);
  t.equal(await pages(savedByWord(1)), 1);
});

t.test('a page count of one is not believed beside a mark where a page began', async (t) => {
  const marked = '<w:p><w:r><w:lastRenderedPageBreak/><w:t>second page</w:t></w:r></w:p>';
  const pages = async (properties: string, body: string) =>
    (await metadataOf(t, reportedDocx({ body, properties }))).wordPages;
  t.equal(await pages(savedByWord(1), marked), undefined);
  t.equal(await pages(savedByWord(1), `<w:p><!-- ${marked} --></w:p>`), 1);
  t.equal(await pages(savedByWord(3), marked), 3);
});

t.test('markup that breaks off, or is none', async (t) => {
  const broken = [
    '<w:document xmlns:w="x',
    '<w:document><w:p><w:r><w:t>a',
    '<a b="<c>" d=\'>\'/><!-- > --><![CDATA[<w:p>]]>',
    '<!-- never ends',
    '<?pi ',
    '</>',
    '< >',
    `<${'a'.repeat(70_000)}`,
  ];
  for (const data of broken) {
    const parts = new KeptParts('word/document.xml');
    for (const name of ['word/document.xml', 'word/_rels/document.xml.rels']) {
      parts.keep(name, [Buffer.from(data)]);
    }
    t.match(readMetadata(parts), { fonts: [], external: 0 });
  }
});
