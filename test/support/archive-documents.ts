/** Documents with features that PDF/A restricts. */
import { readFontTable } from '../../scripts/fonts/table.mjs';
import { docxWithParts, mainPart } from './documents.ts';
import { inEveryScript, LATIN, sampleFor } from './font-samples.ts';
import { noisePng } from './noise.ts';
import { relationships, XML } from './office-package.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const SHAPE = 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape';

const everyStyle = ['', '<w:b/><w:bCs/>', '<w:i/><w:iCs/>', '<w:b/><w:bCs/><w:i/><w:iCs/>'];

/** A DOCX with every font of the table of stand-ins, in all styles or only in some: run properties. */
export function documentInEveryFont(styles: readonly string[] = everyStyle): Buffer {
  const paragraphs = readFontTable().standIns.flatMap(({ word, use, otherLetters = [] }) =>
    styles.map((style) => {
      const letters = [use, ...otherLetters].map(sampleFor).join(' ');
      return inEveryScript(word[0] ?? '', `${letters} ${LATIN} “1234” – Éß ﬁ.`, style);
    }),
  );
  return docxWithParts({ 'word/document.xml': mainPart(paragraphs.join('')) });
}

/** A DOCX with transparency, links, form fields and properties. */
export function documentWithEverything(): Buffer {
  const link = (attribute: string, text: string) =>
    `<w:p><w:hyperlink ${attribute}><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
  const field = (properties: string, text: string) =>
    `<w:p><w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent><w:r><w:t>${text}</w:t></w:r></w:sdtContent></w:sdt></w:p>`;
  const body = [
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:id="1" w:name="here"/><w:r><w:t>Heading</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>',
    link('r:id="rLink"', 'a link that leads out'),
    link('w:anchor="here"', 'a link to the heading'),
    drawing(
      `<pic:pic xmlns:pic="${DRAWING}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:embed="rPicture"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`,
      `${DRAWING}/picture`,
    ),
    drawing(
      `<wps:wsp xmlns:wps="${SHAPE}"><wps:cNvSpPr/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm>\
<a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="3366CC"><a:alpha val="40000"/></a:srgbClr></a:solidFill>\
<a:effectLst><a:outerShdw dist="50800" dir="2700000"><a:srgbClr val="000000"><a:alpha val="40000"/></a:srgbClr></a:outerShdw></a:effectLst>\
</wps:spPr><wps:bodyPr/></wps:wsp>`,
      SHAPE,
    ),
    '<w:p><w:r><w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>',
    '<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>a+b=√2</m:t></m:r></m:oMath></w:p>',
    '<w:p><w:r><w:t>remarked</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
    field('<w:text/>', 'filled in'),
    field('<w:dropDownList><w:listItem w:value="a"/><w:listItem w:value="b"/></w:dropDownList>', 'a'),
    field(
      '<w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="1"/></w14:checkbox>',
      '☒',
    ),
  ];
  const word = (root: string, inner: string) =>
    `${XML}<w:${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</w:${root}>`;
  const note = (id: number, text: string) =>
    `<w:footnote w:id="${id}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:footnote>`;
  const properties = `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">\
<dc:title>Größe &amp; „Maß“ (文書)</dc:title><dc:subject>Betreff</dc:subject><dc:creator>Ä. Ö, Ü; ß</dc:creator><cp:keywords>one, two</cp:keywords>\
<dc:description>Some words</dc:description></cp:coreProperties>`;
  return docxWithParts({
    'word/document.xml': mainPart(body.join('')),
    'word/styles.xml': word(
      'styles',
      '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
    ),
    'word/comments.xml': word(
      'comments',
      '<w:comment w:id="0" w:author="A"><w:p><w:r><w:t>remark</w:t></w:r></w:p></w:comment>',
    ),
    'word/footnotes.xml': word('footnotes', note(2, 'a note')),
    'word/media/picture.png': noisePng(32, 1, { transparent: true }),
    'word/_rels/document.xml.rels': relationships([
      ...['styles', 'comments', 'footnotes'].map((name) => relationship(name, name, `${name}.xml`)),
      relationship('rPicture', 'image', 'media/picture.png'),
      relationship('rLink', 'hyperlink', 'https://example.org/', ' TargetMode="External"'),
    ]),
    'docProps/core.xml': properties,
    '_rels/.rels': relationships([
      relationship('rId1', 'officeDocument', 'word/document.xml'),
      `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
    ]),
  });
}

function relationship(id: string, type: string, target: string, more = ''): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${more}/>`;
}

function drawing(graphic: string, uri: string): string {
  return `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing"><wp:extent cx="914400" cy="914400"/>\
<wp:docPr id="1" name="d"/><a:graphic xmlns:a="${DRAWING}/main"><a:graphicData uri="${uri}">${graphic}</a:graphicData></a:graphic>\
</wp:inline></w:drawing></w:r></w:p>`;
}
