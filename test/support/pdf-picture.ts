/** A document with a PDF as its picture. */
import { docxLeadingTo } from './documents.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

/** @param length declared length of its only stream; correct by default. */
export function pdfPictureDocx(length?: number): Buffer {
  const size = 'cx="952500" cy="952500"';
  const picture = `<w:p><w:r><w:t>Hello</w:t></w:r><w:r><w:drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing">\
<wp:extent ${size}/><wp:docPr id="1" name="Picture"/>\
<a:graphic xmlns:a="${DRAWING}/main"><a:graphicData uri="${DRAWING}/picture">\
<pic:pic xmlns:pic="${DRAWING}/picture">\
<pic:nvPicPr><pic:cNvPr id="1" name="Picture"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>\
</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  return docxLeadingTo({ 'a.pdf': 'image' }, { 'word/a.pdf': pdf(length) }, picture);
}

/** A line across a page. */
function pdf(length?: number): Buffer {
  const content = '0 0 m 100 100 l S\n';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<>>>>',
    `<</Length ${length ?? content.length}>>stream\n${content}\nendstream`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  const trailer = `trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer);
}
