/** A document that shows the numbers of its pages. */
import { docxLeadingTo } from './documents.ts';
import { XML } from './office-package.ts';

/** A document whose header and text say where they are, with a section for each of these properties. */
export function countedDocx(...sections: readonly string[]): Buffer {
  const field = (code: string) => `<w:fldSimple w:instr="${code}"><w:r><w:t>9</w:t></w:r></w:fldSimple>`;
  const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
  const body = sections.map((properties, index) => {
    const header = index === 0 ? '<w:headerReference w:type="default" r:id="rId1"/>' : '';
    const section = `<w:sectPr>${header}<w:pgSz w:w="11906" w:h="16838"/>${properties}</w:sectPr>`;
    const own = index === sections.length - 1;
    const inner = `<w:p>${text('a')}</w:p><w:p><w:r><w:br w:type="page"/></w:r>${text('of ')}${field('NUMPAGES')}</w:p>`;
    return own ? inner + section : `${inner}<w:p><w:pPr>${section}</w:pPr></w:p>`;
  });
  const shown = `${field('PAGE')}${text('/')}${field('NUMPAGES')}${text(' ')}${field('SECTIONPAGES')}`;
  const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const header = `${XML}<w:hdr xmlns:w="${w}"><w:p>${shown}</w:p></w:hdr>`;
  return docxLeadingTo({ 'header1.xml': 'header' }, { 'word/header1.xml': header }, body.join(''));
}
