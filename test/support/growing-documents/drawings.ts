/** Drawings, pictures and objects, and the page breaks beside them. */
import { type GrowingDocument, inBody, inParts, many, paragraph, textRun } from './growing-document.ts';

const V = 'xmlns:v="urn:schemas-microsoft-com:vml"';
const shape = `<w:pict><v:shape ${V} style="position:absolute;z-index:-1"><w10:wrap type="square"/></v:shape></w:pict>`;
const anchored = (inner: string) => `<w:r><w:drawing><wp:anchor>${inner}</wp:anchor></w:drawing></w:r>`;
const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
const described = (name: string) => `<wp:extent cx="1" cy="9"/><wp:docPr id="1" name="a" descr="${name}"/>`;
const inline = (inner: string) => `<w:r><w:drawing><wp:inline>${inner}</wp:inline></w:drawing></w:r>`;
/** An object whose size is a share of the page. */
export const shared = anchored(
  '<wp:extent cx="9" cy="9"/><a:ext cx="9" cy="9"/><wp14:sizeRelH relativeFrom="page"><wp14:pctWidth>50000</wp14:pctWidth></wp14:sizeRelH>',
);
const solidFill =
  '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="0000FF"/></w14:solidFill></w14:textFill>';
const [beforeWordArt, behindWordArt] = [
  '<w:p><w:r><w:drawing><wps:wsp><wps:txbx><w:txbxContent><w:p>',
  '</w:p></w:txbxContent></wps:txbx><wps:bodyPr><a:prstTxWarp prst="textWave1"/></wps:bodyPr></wps:wsp></w:drawing></w:r></w:p>',
];
const typefaces =
  '<a:latin typeface="Nowhere"/><a:ea typeface="Nowhere"/><a:cs typeface="Arial"/><a:font script="Hebr" typeface="Arial"/>';

const value = (index: number) => `<c:pt idx="${index}"><c:v>1</c:v></c:pt>`;

export const drawingKinds: readonly GrowingDocument[] = [
  inBody('pictures', 800, paragraph(inline(described('')))),
  inBody(
    'transparent pictures',
    400,
    paragraph(
      inline(
        '<a:graphicData><pic:pic><pic:blipFill><a:blip r:link="a"><a:alphaModFix amt="9"/></a:blip></pic:blipFill><pic:spPr><a:prstGeom/><a:ln><a:solidFill/></a:ln></pic:spPr></pic:pic></a:graphicData>',
      ),
    ),
  ),
  inBody('described pictures', 800, paragraph(inline(described('a picture')))),
  inBody('pictures of drawings and of VML that are missing', 600, (i) =>
    paragraph(
      `${inline(`<a:blip r:embed="p${i}"/>`)}<w:r><w:pict><v:imagedata r:id="q${i}"/></w:pict></w:r>`,
    ),
  ),
  inBody('linked pictures', 600, (i) => paragraph(inline(`<a:blip r:embed="p${i}" r:link="q${i}"/>`))),
  inBody('embedded objects', 800, (i) =>
    paragraph(
      `<w:r><w:object><v:shape><v:imagedata r:id="p${i}"/></v:shape><o:OLEObject r:id="q${i}"/></w:object></w:r>`,
    ),
  ),
  inBody('drawings in a paragraph with a page break', 600, anchored('<wp:wrapNone/>'), [
    '<w:p>',
    `${pageBreak}${textRun('a')}</w:p>`,
  ]),
  inBody('drawings behind a page break', 600, anchored('<wp:wrapNone/>'), [`<w:p>${pageBreak}`, '</w:p>']),
  inBody('page breaks', 1_000, paragraph(`${anchored('')}${pageBreak}${textRun('a')}`)),
  inBody('page breaks of a paragraph', 2_000, pageBreak, ['<w:p>', '</w:p>']),
  inBody('shapes in front of text', 800, paragraph(`<w:r>${shape}</w:r>`)),
  inBody('text around the drawing of a cover', 5_000, '<wp:wrapSquare/>', [
    '<w:p><w:r><w:drawing><wp:anchor>',
    `</wp:anchor></w:drawing></w:r></w:p>${paragraph(pageBreak)}`,
  ]),
  inBody(
    'objects with little room beside them',
    600,
    paragraph(
      anchored(
        '<wp:positionH relativeFrom="page"><wp:posOffset>9</wp:posOffset></wp:positionH><wp:extent cx="5000000"/><wp:wrapSquare wrapText="bothSides"/>',
      ) + textRun('a'),
    ),
    ['', '<w:sectPr><w:pgSz w:w="9000"/></w:sectPr>'],
  ),
  inBody(
    'tables with little room beside them',
    300,
    `<w:tbl><w:tblPr><w:tblpPr w:leftFromText="9" w:rightFromText="9" w:horzAnchor="margin" w:vertAnchor="text"/><w:tblW w:w="6000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="6000"/></w:tblGrid><w:tr><w:tc>${paragraph('')}</w:tc></w:tr></w:tbl>${paragraph(textRun('a'))}`,
    ['', '<w:sectPr><w:pgSz w:w="9000"/></w:sectPr>'],
  ),
  inBody(
    'floating tables as high as the page',
    300,
    `<w:tbl><w:tblPr><w:tblpPr/><w:tblW w:w="6000" w:type="dxa"/></w:tblPr><w:tr><w:trPr><w:trHeight w:val="15000"/></w:trPr></w:tr></w:tbl>`,
    ['', '<w:sectPr><w:pgSz w:h="16000"/></w:sectPr>'],
  ),
  inBody(
    'shapes whose place is a share of the page',
    600,
    paragraph(
      `<w:r><w:pict><v:shape ${V} style="margin-top:0;mso-top-percent:850;mso-position-vertical-relative:page"/></w:pict></w:r>`,
    ),
    ['', '<w:sectPr><w:pgSz w:h="9000"/></w:sectPr>'],
  ),
  inBody('columns of a floating table', 2_000, '<w:gridCol w:w="9"/>', [
    '<w:tbl><w:tblPr><w:tblpPr w:horzAnchor="margin"/></w:tblPr><w:tblGrid>',
    '</w:tblGrid></w:tbl><w:sectPr/>',
  ]),
  inBody(
    'objects of a paragraph, near to a margin',
    600,
    anchored(
      '<wp:positionH relativeFrom="column"><wp:posOffset>500000</wp:posOffset></wp:positionH><wp:extent cx="9"/><wp:wrapSquare wrapText="bothSides"/>',
    ),
    ['<w:p>', '</w:p><w:sectPr><w:pgSz w:w="9000"/></w:sectPr>'],
  ),
  inBody(
    'contours beside which empty paragraphs have room',
    300,
    paragraph(
      '<w:r><w:drawing><wp:anchor distL="114300" distR="114300"><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="5397500" cy="9"/><wp:wrapTight wrapText="bothSides"><wp:wrapPolygon><wp:start x="0" y="0"/><wp:lineTo x="21400" y="9"/></wp:wrapPolygon></wp:wrapTight></wp:anchor></w:drawing></w:r>',
    ),
    ['', '<w:sectPr><w:pgSz w:w="11000"/><w:pgMar w:left="1000" w:right="1000"/></w:sectPr>'],
  ),
  inBody('WordArt', 300, `${beforeWordArt}${textRun('a', solidFill)}${behindWordArt}`),
  inBody('fills of the text of WordArt', 800, textRun('a', solidFill), [beforeWordArt, behindWordArt]),
  inBody('objects whose size is a share of the page', 600, paragraph(shared), [
    '',
    '<w:sectPr><w:pgSz w:w="9000"/></w:sectPr>',
  ]),
  inBody(
    'sections of objects whose size is a share of the page',
    300,
    paragraph(`<w:pPr><w:sectPr><w:pgSz w:w="9000"/></w:sectPr></w:pPr>${shared}`),
  ),
  inBody(
    'aligned groups with text',
    600,
    paragraph(
      anchored(
        `<wp:positionV relativeFrom="page"><wp:align>center</wp:align></wp:positionV><wp:extent cx="9" cy="9"/><wpg:wgp><w:txbxContent>${paragraph(textRun('a'))}</w:txbxContent></wpg:wgp>`,
      ),
    ),
    ['', '<w:sectPr><w:pgSz w:w="9000"/></w:sectPr>'],
  ),
  inBody(
    'text boxes',
    500,
    paragraph(`<w:r><w:pict><w:txbxContent>${paragraph(textRun('a'))}</w:txbxContent></w:pict></w:r>`),
  ),
  inBody(
    'alternatives',
    600,
    `<w:r><mc:AlternateContent><mc:Choice Requires="x"><w:drawing/></mc:Choice><mc:Choice Requires="wpc"><w:t>a</w:t></mc:Choice><mc:Fallback><w:pict/></mc:Fallback></mc:AlternateContent></w:r>`,
    ['<w:p>', '</w:p>'],
  ),
  inParts('values of charts', 600, (count) => ({
    body: paragraph(textRun('a')),
    parts: {
      'chart.xml': `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">${many(count, (i) => `<c:val/><c:val><c:x/></c:val><c:numCache>${value(0)}${value(i)}</c:numCache><c:strCache><c:ptCount val="1"/>${value(9)}</c:strCache>`)}<c:numCache>${many(count, value)}</c:numCache><c:strCache><c:pt idx="0"><c:v>${'&amp;'.repeat(200)}</c:v></c:pt></c:strCache></c:chartSpace>`,
    },
  })),
  inParts('typefaces', 600, (count) => ({
    body: `${paragraph(textRun('א'))}${many(count, paragraph(inline(typefaces)))}`,
    parts: {
      'fontTable.xml':
        '<w:fonts xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:font w:name="Nowhere"><w:altName w:val="Courier New"/></w:font></w:fonts>',
    },
  })),
];
