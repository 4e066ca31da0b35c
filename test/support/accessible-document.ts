/** A document whose author thought of everything that PDF/UA needs. */
import { docxWithParts, mainPart } from './documents.ts';
import { noisePng } from './noise.ts';
import { relationships, XML } from './office-package.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

const text = (words: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t>${words}</w:t></w:r></w:p>`;
const border = '<w:pBdr><w:bottom w:val="single" w:sz="8" w:space="1" w:color="3366CC"/></w:pBdr>';
const cell = (words: string) => `<w:tc>${text(words)}</w:tc>`;
const field = (properties: string, words: string) =>
  `<w:p><w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent><w:r><w:t>${words}</w:t></w:r></w:sdtContent></w:sdt></w:p>`;
const line = `<w:p><w:r><w:pict><v:line xmlns:v="urn:schemas-microsoft-com:vml" style="position:absolute" from="0,0" to="400pt,9pt"/>\
</w:pict></w:r></w:p>`;
const floating = '<w:tblpPr w:vertAnchor="page" w:horzAnchor="page" w:tblpX="1440" w:tblpY="12000"/>';
const relationship = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${more}/>`;

interface AccessibleDocumentOptions {
  /** Of the picture; no text by default. */
  readonly alternative?: string | undefined;
  readonly title?: string | undefined;
  readonly hasHeaderRow?: boolean;
  /** Whether it has what LibreOffice tags outside of the structure: a line in the header, and a floating table beside no text. */
  readonly hasStrays?: boolean;
}

/** A DOCX with headings, lines, links, a note, a list, a table, a picture and form fields. */
export function accessibleDocx({
  alternative = 'A square of noise',
  title = 'Words & numbers',
  hasHeaderRow = true,
  hasStrays = false,
}: AccessibleDocumentOptions = {}): Buffer {
  const link =
    '<w:p><w:hyperlink r:id="rLink"><w:r><w:t>a link that leads out</w:t></w:r></w:hyperlink></w:p>';
  const picture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing"><wp:extent cx="914400" cy="914400"/>\
<wp:docPr id="1" name="p" descr="${alternative}"/><a:graphic xmlns:a="${DRAWING}/main"><a:graphicData uri="${DRAWING}/picture">\
<pic:pic xmlns:pic="${DRAWING}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:embed="rPicture"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>\
<a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>\
</a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const table = (properties: string) =>
    `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>\
<w:tr>${hasHeaderRow ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${cell('A')}${cell('B')}</w:tr>\
<w:tr>${cell('1')}${cell('2')}</w:tr></w:tbl>`;
  const body = [
    text('Heading', '<w:pStyle w:val="Heading1"/>'),
    text('between lines', border),
    text('below them', border),
    link,
    '<w:p><w:r><w:t>noted</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    ...['one', 'two'].map((words) =>
      text(words, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    ),
    table(''),
    picture,
    field('<w:dropDownList><w:listItem w:value="a"/><w:listItem w:value="b"/></w:dropDownList>', 'a'),
    field(
      '<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="1"/></w14:checkbox>',
      '☒',
    ),
    ...(hasStrays ? [table(floating), '<w:p/>'] : []),
    '<w:sectPr><w:headerReference w:type="default" r:id="rheader"/></w:sectPr>',
  ];
  const word = (root: string, inner: string) =>
    `${XML}<w:${root} xmlns:w="${WORD}" xmlns:r="${OFFICE}">${inner}</w:${root}>`;
  const language =
    '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="en-GB"/></w:rPr></w:rPrDefault></w:docDefaults>';
  const heading =
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>';
  const level =
    '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>';
  const outside = relationship('rLink', 'hyperlink', 'https://example.org/', ' TargetMode="External"');
  return docxWithParts({
    'word/document.xml': mainPart(body.join('')),
    'word/styles.xml': word('styles', language + heading),
    'word/numbering.xml': word(
      'numbering',
      `<w:abstractNum w:abstractNumId="0">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    ),
    'word/footnotes.xml': word('footnotes', `<w:footnote w:id="2">${text('a note')}</w:footnote>`),
    'word/header.xml': word('hdr', hasStrays ? line + link : link),
    'word/_rels/header.xml.rels': relationships([outside]),
    'word/media/picture.png': noisePng(32, 1, { transparent: true }),
    'word/_rels/document.xml.rels': relationships([
      ...['styles', 'numbering', 'footnotes', 'header'].map((name) =>
        relationship(`r${name}`, name, `${name}.xml`),
      ),
      relationship('rPicture', 'image', 'media/picture.png'),
      outside,
    ]),
    'docProps/core.xml': `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" \
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title.replaceAll('&', '&amp;')}</dc:title></cp:coreProperties>`,
    '_rels/.rels': relationships([
      relationship('rId1', 'officeDocument', 'word/document.xml'),
      `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
    ]),
  });
}
