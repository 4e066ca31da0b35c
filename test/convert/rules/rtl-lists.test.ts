/** Of which lists the sides of bullets and numbers are exchanged. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { directionsOfLists, withRightToLeftLists } from '../../../src/convert/rules/rtl-lists.ts';
import { rewritten } from '../support/rewritten.ts';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function partsOf(body: string, styles = ''): KeptParts {
  const parts = new KeptParts('word/document.xml');
  const keep = (name: string, text: string) => parts.keep(name, [Buffer.from(text)]);
  keep('word/document.xml', `<w:document ${WORD}><w:body>${body}</w:body></w:document>`);
  keep('word/styles.xml', `<w:styles ${WORD}>${styles}</w:styles>`);
  keep(
    'word/_rels/document.xml.rels',
    `<Relationships><Relationship Id="r" Type="${RELATIONSHIPS}/styles" Target="styles.xml"/></Relationships>`,
  );
  return parts;
}

const item = (list: number, properties = '') =>
  `<w:p><w:pPr>${properties}<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr></w:p>`;
const definition = (id: number, sides: readonly string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">` +
  `${sides.map((side) => `<w:lvl><w:lvlJc w:val="${side}"/></w:lvl>`).join('')}</w:abstractNum>`;
const instance = (id: number, of: number, side = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${side && `<w:lvl><w:lvlJc w:val="${side}"/></w:lvl>`}</w:num>`;
const changed = (numbering: string, parts: KeptParts, libreOffice = '25.2.3.2') => {
  return rewritten(
    (xml) => withRightToLeftLists(xml, () => directionsOfLists(parts), libreOffice),
    numbering,
  );
};

const sides = ['left', 'right', 'center', 'start', 'end'];
const mirrored = ['right', 'left', 'center', 'end', 'start'];
const lists = (first: readonly string[], own: string, second: readonly string[]) =>
  definition(0, first) + definition(1, second) + instance(1, 0, own) + instance(2, 1);

t.test('lists of right-to-left paragraphs', async (t) => {
  const both = partsOf(item(1, '<w:bidi/>') + item(2));
  t.equal(changed(lists(sides, 'left', sides), both), lists(mirrored, 'right', sides), 'by the paragraph');
  const style = '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:pPr><w:bidi/></w:pPr></w:style>';
  const off = item(2, '<w:bidi w:val="0"/>');
  t.equal(
    changed(lists(sides, '', sides), partsOf(item(1) + off, style)),
    lists(mirrored, '', sides),
    'by the style',
  );
  const listed = `<w:style w:styleId="L"><w:pPr><w:bidi/><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>`;
  const styled = '<w:p><w:pPr><w:pStyle w:val="L"/></w:pPr></w:p>';
  t.equal(
    changed(lists(sides, '', sides), partsOf(styled, listed)),
    lists(sides, '', mirrored),
    'a list of a style',
  );
});

t.test('what stays as it is', async (t) => {
  const numbering = lists(sides, '', sides);
  for (const body of [
    item(1),
    item(1, '<w:bidi/>') + item(1),
    item(0, '<w:bidi/>'),
    item(7, '<w:bidi/>'),
    item(1, '<w:pPrChange><w:pPr><w:bidi/></w:pPr></w:pPrChange>') + item(2, '<w:bidi w:val="0"/>'),
    '<w:p><w:pPr><w:bidi/></w:pPr></w:p>',
  ]) {
    t.equal(changed(numbering, partsOf(body)), undefined, body);
  }
  const mirrors = changed(numbering, partsOf(item(1, '<w:bidi/>')), '26.8.2.2');
  t.equal(mirrors, undefined, 'for a LibreOffice that mirrors them itself');
  const shared = definition(0, sides) + instance(1, 0) + instance(2, 0);
  t.equal(changed(shared, partsOf(item(1, '<w:bidi/>') + item(2))), undefined, 'a definition that both have');
  const endless = '<w:lvlJc '.repeat(200_000);
  t.equal(changed(endless, partsOf(item(1, '<w:bidi/>'))), undefined, 'in linear time');
});
