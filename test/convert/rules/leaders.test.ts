/** Dots that lead to the page number of an entry in a table of contents. */
import t from 'tap';
import { withPartedLeaders } from '../../../src/convert/rules/leaders.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const document = (inner: string) => `<w:document ${W}><w:body>${inner}</w:body></w:document>`;
const run = (inner: string) => `<w:r><w:rPr><w:webHidden/></w:rPr>${inner}</w:r>`;
const field = (instruction: string) =>
  run('<w:fldChar w:fldCharType="begin"/>') +
  run(`<w:instrText xml:space="preserve">${instruction}</w:instrText>`) +
  run('<w:fldChar w:fldCharType="separate"/>') +
  run('<w:t>4</w:t>') +
  run('<w:fldChar w:fldCharType="end"/>');
const stops = '<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9062"/></w:tabs></w:pPr>';
const entry = (leader: string, instruction: string) =>
  `<w:p>${stops}${run('<w:t>1.</w:t>')}${run('<w:tab/>')}${run('<w:t>Start</w:t>')}${run(leader)}${field(instruction)}</w:p>`;
const none = () => false;
const blank = '<w:t xml:space="preserve"> </w:t>';

t.test('a blank parts them from the entry and from its page', async (t) => {
  const part = document(entry('<w:tab/>', ' PAGEREF _Toc1 \\h ').repeat(2));
  t.equal(
    withPartedLeaders(part, none),
    document(entry(`${blank}<w:tab/>${blank}`, ' PAGEREF _Toc1 \\h ').repeat(2)),
  );
});

t.test('the leader may be that of the style', async (t) => {
  const styled = (leader: string, style = '<w:pPr><w:pStyle w:val="T1"/></w:pPr>') =>
    entry(leader, ' PAGEREF _Toc1 ').replace(stops, style);
  const parted = `${blank}<w:tab/>${blank}`;
  const written = document(styled('<w:tab/>') + styled('<w:tab/>', ''));
  const of = (found: string) => withPartedLeaders(written, (style) => style === found);
  t.equal(of('T1'), document(styled(parted) + styled('<w:tab/>', '')));
  t.equal(of(''), document(styled('<w:tab/>') + styled(parted, '')), 'or of the default one');
});

t.test('other tabs stay as they are', async (t) => {
  for (const part of [
    document(entry('<w:tab/>', ' SEQ Figure ')),
    document(entry('<w:tab/><w:t>page </w:t>', ' PAGEREF _Toc1 ')),
    document(`<w:p>${run('<w:tab/>')}</w:p><w:p>${field(' PAGEREF _Toc1 ')}</w:p>`),
    document(`<w:p>${stops}${field(' PAGEREF _Toc1 ')}</w:p>`),
    document(entry('<w:tab/>', ' PAGEREF _Toc1 ').replace('w:leader="dot"', '')),
    document(entry('<w:tab/>', ' PAGEREF _Toc1 ').replace('"dot"', '"none"')),
  ]) {
    t.equal(withPartedLeaders(part, none), part);
  }
});
