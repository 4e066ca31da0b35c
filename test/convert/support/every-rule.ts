/** A document for all rules of the print view at once. */
import { type ReportedParts, wordPart } from '../../support/report-documents.ts';

const fonts = (name: string) =>
  `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}" w:cs="${name}"/>`;
const paragraph = (properties: string, run = '', text = 'x') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t>${text}</w:t></w:r></w:p>`;
const section = (columns: string) =>
  `<w:sectPr><w:type w:val="evenPage"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:bottom="1440" w:header="700" w:footer="700"/>${columns}<w:docGrid w:type="lines" w:linePitch="360"/></w:sectPr>`;
const row = `<w:tr><w:trPr><w:trHeight w:val="400"/></w:trPr><w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/><w:tcBorders><w:top w:val="nil"/><w:bottom w:val="single" w:sz="8"/><w:tl2br w:val="single"/></w:tcBorders><w:vAlign w:val="center"/></w:tcPr>${paragraph('<w:pStyle w:val="A"/><w:spacing w:line="360" w:lineRule="auto"/>', '<w:sz w:val="40"/>')}</w:tc></w:tr>`;
const narrow = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="300"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr>${[
  'wide',
  'x',
]
  .map(
    (word) =>
      `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${paragraph('', fonts('Calibri'), word)}</w:tc>`,
  )
  .join('')}</w:tr></w:tbl>`;
const field =
  '<w:p><w:fldSimple w:instr="AUTHOR"><w:r><w:t>stored</w:t></w:r></w:fldSimple><w:ins w:id="1" w:author="A"/></w:p>';
const entry =
  '<w:p><w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs></w:pPr><w:r><w:t>One</w:t></w:r><w:r><w:tab/></w:r><w:r><w:instrText> PAGEREF one </w:instrText></w:r></w:p>';
const cover =
  '<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="position:absolute"/></w:pict></w:r><w:r><w:br w:type="page"/></w:r><w:r><w:t>x</w:t></w:r></w:p>';
const date =
  '<w:sdt><w:sdtPr><w:showingPlcHdr/><w:dataBinding w:xpath="/a"/><w:date><w:dateFormat w:val="d"/></w:date></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>';
const picture =
  '<w:sdt><w:sdtPr><w:dataBinding w:xpath="/a"/><w:picture/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>';
const formula =
  '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>=</m:t></m:r></m:oMath></w:p>';
const pale =
  '<w:p><w:r><w:drawing><a:graphicData xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="none"><a:alphaModFix amt="9"/></a:blip></pic:blipFill><pic:spPr><a:prstGeom prst="rect"/><a:ln><a:solidFill/></a:ln></pic:spPr></pic:pic></a:graphicData></w:drawing></w:r></w:p>';
const object =
  '<w:p><w:r><w:object><v:imagedata xmlns:v="urn:schemas-microsoft-com:vml" r:id="p"/><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" r:id="o"/></w:object></w:r></w:p>';
const floating =
  '<w:p><w:r><w:drawing><wp:anchor xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="9000000" cy="900000"/><wp:wrapSquare wrapText="bothSides"/></wp:anchor></w:drawing></w:r></w:p>';
const wordArt =
  '<w:p><w:r><w:drawing><wps:wsp xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:txbx><w:txbxContent><w:p/></w:txbxContent></wps:txbx><wps:bodyPr><a:prstTxWarp xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" prst="textWave1"/></wps:bodyPr></wps:wsp></w:drawing></w:r></w:p>';
const share =
  '<w:p><w:r><w:drawing><wp:anchor xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="9" cy="9"/><wp14:sizeRelH xmlns:wp14="http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing" relativeFrom="page"><wp14:pctWidth>50000</wp14:pctWidth></wp14:sizeRelH></wp:anchor></w:drawing></w:r></w:p>';
const firstPage = '<w:pgBorders w:display="firstPage"><w:top w:val="single" w:sz="4"/></w:pgBorders>';
const item = (level: number) =>
  paragraph(`<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="3"/></w:numPr>`);
const body = [
  paragraph('<w:contextualSpacing/><w:spacing w:before="200" w:after="200"/>'),
  `<w:tbl><w:tblPr><w:tblCellSpacing w:w="15" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol/></w:tblGrid>${row}${row}</w:tbl>`,
  narrow,
  paragraph(
    '<w:spacing w:line="480" w:lineRule="auto"/>',
    `${fonts('Malgun Gothic')}<w:webHidden/>`,
    'x : y',
  ),
  paragraph('<w:bidi/>', '', '4-'),
  paragraph('<w:shd w:val="clear" w:color="auto" w:fill="999999"/>'),
  paragraph('', '<w:rFonts w:hAnsi="Arial" w:eastAsia="SimSun"/>', '一“'),
  paragraph('<w:bidi/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>', fonts('Arial'), 'א'),
  paragraph(
    '<w:framePr w:wrap="auto"/>',
    `${fonts('Nowhere')}<w:bCs/><w:b/><w:szCs w:val="30"/><w:rtl/>`,
    '12',
  ),
  paragraph('', '<w:rFonts w:ascii="A" w:hAnsi="Symbol" w:hint="default"/>', '\uf0b7'),
  `${paragraph('<w:framePr w:dropCap="drop" w:lines="3" w:wrap="around"/>', '', 'J')}<w:p/>`,
  field,
  entry,
  cover,
  paragraph('<w:numPr><w:numId w:val="4"/></w:numPr><w:spacing w:before="240" w:beforeAutospacing="0"/>'),
  paragraph('<w:spacing w:before="240" w:lineRule="auto"/>'),
  '<w:p><w:pPr><w:spacing w:line="180" w:lineRule="auto"/></w:pPr></w:p>',
  paragraph('<w:numPr><w:numId w:val="4"/></w:numPr><w:tabs><w:tab w:val="clear" w:pos="900"/></w:tabs>'),
  paragraph('<w:pStyle w:val="Undefined"/><w:numPr><w:numId w:val="2"/></w:numPr>'),
  ...[0, 1, 0, 1].map(item),
  date,
  picture,
  object,
  pale,
  formula,
  '<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
  '<w:p><w:r><w:footnoteReference w:customMarkFollows="1" w:id="1"/><w:t>**</w:t></w:r></w:p>',
  '<w:p><w:r><w:ptab w:relativeTo="margin" w:alignment="right"/></w:r></w:p>',
  paragraph(`<w:spacing w:before="400"/>${section(`${firstPage}<w:cols w:num="2"/>`)}`),
  floating,
  share,
  wordArt,
  section('<w:headerReference w:type="default" r:id="rId1"/><w:lnNumType w:countBy="1"/><w:cols/>'),
].join('');
/** Each rule of the print view changes something in it, and its tracked changes are made. */
export const everyRule = {
  body,
  parts: {
    'header1.xml': wordPart('hdr', floating.replace('</w:p>', '<w:r><w:t>x</w:t></w:r></w:p>')),
    'theme.xml': '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"/>',
    'chart.xml':
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><c:numCache><c:pt idx="0"/></c:numCache></c:chartSpace>',
    'image.xml':
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><image href="a.png"/></svg>',
    'numbering.xml': wordPart(
      'numbering',
      `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:lvlText w:val="\uf0b7"/><w:lvlJc w:val="left"/><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"/><w:lvl w:ilvl="1"><w:lvlRestart w:val="0"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>`,
    ),
    'styles.xml': wordPart(
      'styles',
      `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:eastAsia="ko-KR"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:wordWrap w:val="0"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:styleId="A"><w:pPr><w:wordWrap/></w:pPr><w:rPr/></w:style><w:style w:type="character" w:styleId="Link"><w:name w:val="Hyperlink"/></w:style>`,
    ),
    'footnotes.xml': wordPart(
      'footnotes',
      '<w:footnote w:id="1"><w:p/></w:footnote><w:footnote w:id="2"><w:p/></w:footnote>',
    ),
    'fontTable.xml': wordPart(
      'fonts',
      '<w:font w:name="Nowhere"><w:altName w:val="Courier New"/><w:charset w:val="00"/></w:font>',
    ),
    'settings.xml': wordPart(
      'settings',
      '<w:themeFontLang w:eastAsia="ja-JP"/><w:balanceSingleByteDoubleByteWidth/><w:trackRevisions/>',
    ),
  },
} satisfies ReportedParts;

/** The fonts that it finds. */
export const fontsOfEveryRule: ReadonlySet<string> = new Set(['arial', 'courier new']);
