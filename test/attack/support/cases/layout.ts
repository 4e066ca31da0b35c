/** Structures that cost far more than their bytes, and figures that no page can hold. */
import { burns, type Case, endsSomehow } from '../case.ts';
import { attackDocx, field, NAMESPACES, paragraph, shape, text } from '../docx.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const repeat = (count: number, content: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => content(i)).join('');

const styled = (styles: string, body: string): Buffer =>
  attackDocx({
    body,
    relationships: [{ id: 'rIdStyles', type: 'styles', target: 'styles.xml' }],
    parts: [
      {
        name: 'word/styles.xml',
        type: `${WORD}.styles+xml`,
        data: `<w:styles ${NAMESPACES}>${styles}</w:styles>`,
      },
    ],
  });

const table = (content: string, properties = ''): string =>
  `<w:tbl><w:tblPr>${properties}<w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>${content}<w:p/></w:tc></w:tr></w:tbl>`;

const floating = '<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpX="9000" w:tblpY="15000"/>';

function nestedTables(depth: number, properties = ''): Buffer {
  let inner = paragraph(text('inside'));
  for (let level = 0; level < depth; level += 1) inner = table(inner, properties);
  return attackDocx({ body: `${inner}<w:p/>` });
}

/** Figures at and beyond the ends of what the format and 32 bits hold. */
const figures = [
  '-1',
  '0',
  '31680',
  '65536',
  '2147483647',
  '-2147483648',
  '4294967296',
  '99999999999999999999',
  '1e9',
  'NaN',
  '',
];

/** Cheap ones: each must end in a PDF within a small budget. */
export const oddities: readonly Case[] = [
  {
    name: 'styles based on each other',
    build: () =>
      styled(
        `${repeat(
          3,
          (i) =>
            `<w:style w:type="paragraph" w:styleId="s${i}"><w:name w:val="s${i}"/><w:basedOn w:val="s${(i + 1) % 3}"/><w:next w:val="s${i}"/><w:link w:val="s${i}"/></w:style>`,
        )}<w:style w:type="table" w:styleId="t"><w:name w:val="t"/><w:basedOn w:val="t"/></w:style>`,
        repeat(3, (i) => paragraph(text('styled'), `<w:pStyle w:val="s${i}"/>`)) +
          table('', '<w:tblStyle w:val="t"/>') +
          '<w:p/>',
      ),
    outcomes: endsSomehow,
  },
  {
    name: 'numbering that refers to itself',
    build: () =>
      attackDocx({
        body: repeat(9, (i) =>
          paragraph(
            text('item'),
            `<w:numPr><w:ilvl w:val="${i * 100}"/><w:numId w:val="${i % 3}"/></w:numPr>`,
          ),
        ),
        relationships: [
          { id: 'rIdNumbering', type: 'numbering', target: 'numbering.xml' },
          { id: 'rIdStyles', type: 'styles', target: 'styles.xml' },
        ],
        parts: [
          {
            name: 'word/numbering.xml',
            type: `${WORD}.numbering+xml`,
            data: `<w:numbering ${NAMESPACES}>${repeat(2, (i) => `<w:abstractNum w:abstractNumId="${i}"><w:numStyleLink w:val="n${1 - i}"/><w:styleLink w:val="n${i}"/><w:lvl w:ilvl="0"><w:start w:val="2147483647"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1%2%3%4%5%6%7%8%9"/></w:lvl></w:abstractNum>`)}${repeat(3, (i) => `<w:num w:numId="${i}"><w:abstractNumId w:val="${i % 2}"/></w:num>`)}</w:numbering>`,
          },
          {
            name: 'word/styles.xml',
            type: `${WORD}.styles+xml`,
            data: `<w:styles ${NAMESPACES}>${repeat(2, (i) => `<w:style w:type="numbering" w:styleId="n${i}"><w:name w:val="n${i}"/><w:pPr><w:numPr><w:numId w:val="${i + 1}"/></w:numPr></w:pPr></w:style>`)}</w:styles>`,
          },
        ],
      }),
  },
  {
    name: 'paragraphs that must all stay with the next',
    build: () =>
      attackDocx({
        body: repeat(400, () =>
          paragraph(text('together '.repeat(20)), '<w:keepNext/><w:keepLines/><w:widowControl/>'),
        ),
      }),
  },
  {
    name: 'footnotes that do not fit',
    build: () =>
      attackDocx({
        body: repeat(60, (i) =>
          paragraph(`${text('note ')}<w:r><w:footnoteReference w:id="${i + 1}"/></w:r>`),
        ),
        relationships: [{ id: 'rIdNotes', type: 'footnotes', target: 'footnotes.xml' }],
        parts: [
          {
            name: 'word/footnotes.xml',
            type: `${WORD}.footnotes+xml`,
            data: `<w:footnotes ${NAMESPACES}>${repeat(60, (i) => `<w:footnote w:id="${i + 1}">${repeat(4, () => paragraph(text('long '.repeat(150))))}${paragraph(`<w:r><w:footnoteReference w:id="${i + 1}"/></w:r>`)}</w:footnote>`)}</w:footnotes>`,
          },
        ],
      }),
    outcomes: endsSomehow,
  },
  {
    name: 'tracked changes within tracked changes',
    build: () => {
      const change = (name: string, inner: string, i: number) =>
        `<w:${name} w:id="${i}" w:author="a${i}" w:date="9999-99-99T99:99:99Z">${inner}</w:${name}>`;
      let inner = text('changed');
      for (let i = 0; i < 200; i += 1) inner = change(i % 2 ? 'ins' : 'del', inner, i);
      return attackDocx({ body: repeat(20, () => paragraph(inner)) });
    },
  },
  {
    name: 'nested content controls and formulas',
    build: () => {
      const depth = 100;
      const math = `${'<m:d><m:e>'.repeat(depth)}<m:r><m:t>x</m:t></m:r>${'</m:e></m:d>'.repeat(depth)}`;
      return attackDocx({
        body: `${'<w:sdt><w:sdtContent>'.repeat(depth)}${paragraph(text('deep'))}${'</w:sdtContent></w:sdt>'.repeat(depth)}${paragraph(`<m:oMath>${math}</m:oMath>`)}`,
      });
    },
  },
];

/** Expensive ones: they end in a PDF or with their budget, and nobody else notices. */
export const burners: readonly Case[] = [
  {
    // LibreOffice 25.2 follows the circle until it crashes or its memory ends.
    name: 'a header that includes itself and the document',
    build: () =>
      attackDocx({
        body: `${paragraph(text('body'))}<w:sectPr><w:headerReference w:type="default" r:id="rIdHeader"/><w:footerReference w:type="default" r:id="rIdSelf"/></w:sectPr>`,
        relationships: [
          { id: 'rIdHeader', type: 'header', target: 'header.xml' },
          { id: 'rIdSelf', type: 'footer', target: 'document.xml' },
        ],
        parts: [
          {
            name: 'word/header.xml',
            type: `${WORD}.header+xml`,
            data: `<w:hdr ${NAMESPACES}>${paragraph(text('header') + field('INCLUDETEXT "header.xml"'))}<w:altChunk r:id="rId1"/><w:altChunk r:id="rId2"/><w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr></w:pPr></w:p></w:hdr>`,
            relationships: [
              { id: 'rId1', type: 'header', target: 'header.xml' },
              { id: 'rId2', type: 'aFChunk', target: 'document.xml' },
            ],
          },
        ],
      }),
    outcomes: endsSomehow,
  },
  {
    name: '20,000 page breaks',
    build: () => attackDocx({ body: '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(20_000) }),
    outcomes: burns,
  },
  {
    name: 'a paragraph as long as one may be',
    build: () => attackDocx({ body: paragraph(text('word '.repeat(26_000))) }),
    outcomes: burns,
  },
  {
    name: '48 nested tables',
    build: () => nestedTables(48),
    outcomes: burns,
  },
  {
    name: '40 nested floating tables',
    build: () => nestedTables(40, floating),
    outcomes: burns,
  },
  {
    name: '5,000 floating shapes',
    build: () =>
      attackDocx({
        body: paragraph(
          repeat(5_000, (i) =>
            shape('', i)
              .replace(
                '<wp:inline>',
                '<wp:anchor behindDoc="0" simplePos="0" relativeHeight="1" allowOverlap="0"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>',
              )
              .replace('<wp:docPr', '<wp:wrapSquare wrapText="bothSides"/><wp:docPr')
              .replace('</wp:inline>', '</wp:anchor>'),
          ) + text('around '.repeat(2_000)),
        ),
      }),
    outcomes: burns,
  },
  {
    name: 'columns, breaks and sections by the thousand',
    build: () =>
      attackDocx({
        body: repeat(
          3_000,
          () =>
            `<w:p><w:pPr><w:sectPr><w:type w:val="continuous"/><w:cols w:num="45" w:space="0"/></w:sectPr></w:pPr><w:r><w:br w:type="column"/><w:t>x</w:t></w:r></w:p>`,
        ),
      }),
    outcomes: burns,
  },
  {
    name: 'a chain of 2,000 styles',
    build: () =>
      styled(
        repeat(
          2_000,
          (i) =>
            `<w:style w:type="paragraph" w:styleId="s${i}"><w:name w:val="s${i}"/><w:basedOn w:val="s${i + 1}"/></w:style>`,
        ),
        paragraph(text('styled'), '<w:pStyle w:val="s0"/>'),
      ),
    outcomes: burns,
  },
  {
    name: 'figures beyond all pages',
    build: () =>
      attackDocx({
        body: `${figures
          .map(
            (n, i) =>
              paragraph(
                `<w:r><w:rPr><w:sz w:val="${n}"/><w:spacing w:val="${n}"/><w:w w:val="${n}"/><w:position w:val="${n}"/><w:kern w:val="${n}"/></w:rPr><w:t>text</w:t></w:r>`,
                `<w:spacing w:before="${n}" w:after="${n}" w:line="${n}"/><w:ind w:left="${n}" w:right="${n}" w:firstLine="${n}" w:hanging="${n}"/><w:tabs><w:tab w:val="left" w:pos="${n}"/></w:tabs><w:framePr w:w="${n}" w:h="${n}" w:x="${n}" w:y="${n}" w:dropCap="drop" w:lines="${n}"/>`,
              ) +
              `<w:tbl><w:tblPr><w:tblW w:w="${n}" w:type="dxa"/><w:tblInd w:w="${n}" w:type="dxa"/><w:tblCellSpacing w:w="${n}" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="${n}"/></w:tblGrid><w:tr><w:trPr><w:trHeight w:val="${n}" w:hRule="exact"/><w:gridBefore w:val="${n.length > 6 ? '999' : n}"/></w:trPr><w:tc><w:tcPr><w:tcW w:w="${n}" w:type="dxa"/><w:gridSpan w:val="${n.length > 6 ? '999' : n}"/><w:vMerge/></w:tcPr>${paragraph(text('cell'))}</w:tc></w:tr></w:tbl>` +
              paragraph(shape('', i).replaceAll('952500', n)),
          )
          .join(
            '',
          )}<w:sectPr><w:pgSz w:w="99999999" w:h="-5"/><w:pgMar w:top="2147483647" w:left="-2147483648" w:bottom="99999" w:right="9" w:header="-9" w:footer="9"/><w:cols w:num="65535" w:space="-9"/><w:pgNumType w:start="-2147483648"/><w:docGrid w:type="lines" w:linePitch="-1"/></w:sectPr>`,
      }),
    outcomes: burns,
  },
  {
    name: 'thousands of bookmarks and fields',
    build: () =>
      attackDocx({
        body: repeat(1_500, (i) =>
          paragraph(
            `<w:bookmarkStart w:id="${i}" w:name="b${i}"/>${field(`REF b${(i + 1) % 1_500}`)}<w:bookmarkEnd w:id="${i}"/>`,
          ),
        ),
      }),
    outcomes: burns,
  },
];
