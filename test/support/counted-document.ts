/** Documents that show the numbers of their pages. */
import { docxLeadingTo } from './documents.ts';
import { XML } from './office-package.ts';

const w = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

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
  const header = `${XML}<w:hdr xmlns:w="${w}"><w:p>${shown}</w:p></w:hdr>`;
  return docxLeadingTo({ 'header1.xml': 'header' }, { 'word/header1.xml': header }, body.join(''));
}

/**
 * A document of three pages with other headers on even pages, each of which says which it is and the number of its page, and with
 * margins of 2 and 5 cm, which are mirrored.
 *
 * @param properties of its section.
 */
export function facingDocx(properties = ''): Buffer {
  const number = '<w:fldSimple w:instr="PAGE"><w:r><w:t>9</w:t></w:r></w:fldSimple>';
  const header = (side: string) =>
    `${XML}<w:hdr xmlns:w="${w}"><w:p><w:r><w:t>${side}</w:t></w:r>${number}</w:p></w:hdr>`;
  const references =
    '<w:headerReference w:type="default" r:id="rId1"/><w:headerReference w:type="even" r:id="rId2"/>';
  const margins =
    '<w:pgMar w:top="1440" w:right="1134" w:bottom="1440" w:left="2835" w:header="720" w:footer="720" w:gutter="0"/>';
  const breaks = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(2);
  return docxLeadingTo(
    { 'header1.xml': 'header', 'header2.xml': 'header', 'settings.xml': 'settings' },
    {
      'word/header1.xml': header('odd'),
      'word/header2.xml': header('even'),
      'word/settings.xml': `${XML}<w:settings xmlns:w="${w}"><w:mirrorMargins/><w:evenAndOddHeaders/></w:settings>`,
    },
    `${breaks}<w:p><w:r><w:t>end</w:t></w:r></w:p><w:sectPr>${references}<w:pgSz w:w="11906" w:h="16838"/>${margins}${properties}</w:sectPr>`,
  );
}
