import { docxWithParts } from './documents.ts';
import { relationships, XML } from './office-package.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

/** A DOCX with one linked picture, which it does not contain. */
export function linkedImageDocx(url: string): Buffer {
  const size = 'cx="952500" cy="952500"';
  const picture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing">\
<wp:extent ${size}/><wp:docPr id="1" name="Picture"/>\
<a:graphic xmlns:a="${DRAWING}/main"><a:graphicData uri="${DRAWING}/picture">\
<pic:pic xmlns:pic="${DRAWING}/picture">\
<pic:nvPicPr><pic:cNvPr id="1" name="Picture"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:link="rId1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>\
</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  return docxWithParts({
    'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}"><w:body>${picture}</w:body></w:document>`,
    'word/_rels/document.xml.rels': relationships([
      `<Relationship Id="rId1" Type="${OFFICE}/image" Target="${url}" TargetMode="External"/>`,
    ]),
  });
}
