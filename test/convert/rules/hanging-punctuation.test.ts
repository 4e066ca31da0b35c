/** Which documents have punctuation beyond the ends of lines, or narrower, and what is written where they have not. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { eastAsianSettings } from '../../../src/convert/rules/east-asian-settings.ts';
import { withoutHanging } from '../../../src/convert/rules/hanging-punctuation.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const defaults = (content: string) => `<w:styles ${W}><w:docDefaults>${content}</w:docDefaults></w:styles>`;
const own = '<w:overflowPunct/>';
const COMPRESSES = '<w:characterSpacingControl w:val="compressPunctuation"/>';
const mode = (number: number) =>
  `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${number}"/></w:compat>`;

t.test('the default is written', async (t) => {
  for (const [before, after] of [
    ['<w:rPrDefault/>', `<w:rPrDefault/><w:pPrDefault><w:pPr>${own}</w:pPr></w:pPrDefault>`],
    ['<w:pPrDefault/>', `<w:pPrDefault><w:pPr>${own}</w:pPr></w:pPrDefault>`],
    ['<w:pPrDefault></w:pPrDefault>', `<w:pPrDefault><w:pPr>${own}</w:pPr></w:pPrDefault>`],
    ['<w:pPrDefault><w:pPr/></w:pPrDefault>', `<w:pPrDefault><w:pPr>${own}</w:pPr></w:pPrDefault>`],
    [
      '<w:pPrDefault><w:pPr><w:jc w:val="both"/></w:pPr></w:pPrDefault>',
      `<w:pPrDefault><w:pPr>${own}<w:jc w:val="both"/></w:pPr></w:pPrDefault>`,
    ],
  ] as const) {
    t.equal(withoutHanging(defaults(before)), defaults(after), before);
  }
  for (const same of [
    defaults('<w:pPrDefault><w:pPr><w:overflowPunct w:val="0"/></w:pPr></w:pPrDefault>'),
    `<w:styles ${W}><w:docDefaults/><w:style><w:pPr/></w:style></w:styles>`,
  ])
    t.equal(withoutHanging(same), same);
});

/** What is found out of a document by its settings, Word's version, and how its paragraphs are aligned. */
function found(
  settings: string,
  version: number | undefined,
  paragraphs: readonly string[] = [],
  style = '',
) {
  const parts = new KeptParts('word/document.xml');
  const links = (each: readonly (readonly [string, string])[]) =>
    Buffer.from(
      `<Relationships>${each.map(([type, target]) => `<Relationship Id="${type}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`,
    );
  parts.keep('_rels/.rels', [links([['extended-properties', 'docProps/app.xml']])]);
  parts.keep('word/_rels/document.xml.rels', [
    links([
      ['settings', 'settings.xml'],
      ['styles', 'styles.xml'],
    ]),
  ]);
  const word = `<Application>Microsoft Office Word</Application><AppVersion>${version}.0000</AppVersion>`;
  parts.keep('docprops/app.xml', [
    Buffer.from(`<Properties>${version === undefined ? '' : word}</Properties>`),
  ]);
  parts.keep('word/settings.xml', [Buffer.from(`<w:settings>${settings}</w:settings>`)]);
  const normal = `<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:pPr>${style}</w:pPr></w:style>`;
  parts.keep('word/styles.xml', [Buffer.from(`<w:styles ${W}>${normal}</w:styles>`)]);
  const body = paragraphs.map((jc) => `<w:p><w:pPr>${jc}</w:pPr><w:r><w:t>一二三、四</w:t></w:r></w:p>`);
  parts.keep('word/document.xml', [
    Buffer.from(`<w:document ${W}><w:body>${body.join('')}</w:body></w:document>`),
  ]);
  return eastAsianSettings(parts);
}

function punctuation(...of: Parameters<typeof found>) {
  const { compressesPunctuation, hangsPunctuation } = found(...of);
  return [compressesPunctuation, hangsPunctuation];
}

t.test('Word 2010 puts it beyond the ends of lines, later versions do not', async (t) => {
  t.strictSame(
    [14, 15, 16, undefined].map((version) => punctuation('', version)[1]),
    [true, false, false, false],
  );
});

t.test('it is narrower in justified paragraphs alone, from the mode of Word 2013 on', async (t) => {
  const both = '<w:jc w:val="both"/>';
  const left = '<w:jc w:val="left"/>';
  const cases: readonly (readonly [number, readonly string[], string, boolean])[] = [
    [15, [both], '', true],
    [15, ['', ''], both, true],
    [15, [left, '', ''], both, true],
    [15, [left, left, ''], both, false],
    [15, [''], '', false],
    [15, [both, '<w:jc w:val="center"/>', '<w:jc w:val="center"/>'], '', true],
    [15, [], '', true],
    [14, [left], '', true],
  ];
  for (const [number, paragraphs, style, is] of cases) {
    const message = `${number} ${paragraphs.join()} ${style}`;
    t.strictSame(punctuation(COMPRESSES + mode(number), 16, paragraphs, style), [is, is], message);
  }
  t.strictSame(punctuation(mode(15), 16, [both]), [false, false], 'where the document asks for it');
});

t.test('there is no gap beside Latin letters and digits where the usual paragraphs have none', async (t) => {
  const joins = (style: string) => found('', 16, [], style).joinsScripts;
  const off = '<w:autoSpaceDE w:val="0"/><w:autoSpaceDN w:val="0"/>';
  t.equal(joins(off), true);
  for (const other of ['', '<w:autoSpaceDE w:val="0"/>', off.replaceAll('0', '1')])
    t.equal(joins(other), false, other);
});
