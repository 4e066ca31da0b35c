/** Drop caps above an empty paragraph get a frame like any other. */
import t from 'tap';
import { withLoneDropCaps } from '../../../src/convert/rules/drop-caps.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const main = (body: string) => `<w:document ${W}><w:body>${body}</w:body></w:document>`;
const change = (body: string) => withLoneDropCaps(main(body));
const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cap = (more: string) => paragraph('J', `<w:framePr ${more}w:wrap="around" w:x="1441"/>`);
const drop = 'w:dropCap="drop" w:lines="3" ';
const empty = '<w:p><w:r><w:t/></w:r></w:p>';

t.test('above an empty paragraph', async (t) => {
  for (const next of [empty, '<w:p/>', '<w:p><w:r><w:drawing><w:t>a</w:t></w:drawing></w:r></w:p>'])
    t.equal(change(cap(drop) + next + paragraph('e')), main(cap('') + next + paragraph('e')), next);
  t.equal(change(cap('w:dropCap="margin" ') + empty), main(cap('') + empty), 'in the margin');
});

t.test('what LibreOffice shows as Word does', async (t) => {
  for (const body of [
    cap(drop) + paragraph('e') + empty,
    cap('w:dropCap="none" ') + empty,
    cap('') + empty,
    `${cap(drop)}<w:tbl><w:tr><w:tc>${empty}</w:tc></w:tr></w:tbl>`,
    `<w:tbl><w:tr><w:tc>${cap(drop)}</w:tc><w:tc>${empty}</w:tc></w:tr></w:tbl>`,
  ])
    t.equal(change(body), main(body), body);
});
