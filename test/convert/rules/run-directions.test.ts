/** Text keeps its digits and punctuation where they are, in paragraphs of the other direction. */
import t from 'tap';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { withWordsDirections } from '../../../src/convert/rules/run-directions.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const styles = new Styles(
  `<w:styles ${W}><w:style w:styleId="Right"><w:pPr><w:bidi/></w:pPr></w:style><w:style w:styleId="Script"><w:rPr><w:rtl/></w:rPr></w:style></w:styles>`,
  noTheme,
);
const MARK = '&#x200E;';
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}<w:lang w:val="ar-SY"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const arabic = run(bytes(' خدمة '), '<w:rtl/>');
/** The body, with | for each mark. */
const change = (runs: string, properties = '<w:bidi/>', mark = MARK) => {
  const xml = `<w:document ${W}><w:body><w:p><w:pPr>${properties}</w:pPr>${runs}</w:p></w:body></w:document>`;
  const changed = withWordsDirections(xml, styles);
  return (changed.replaceAll(mark, '|').match(/(?<=<w:t [^>]*>)[^<]*/g) ?? []).map((text) =>
    Buffer.from(text, 'latin1').toString(),
  );
};

t.test('numbers with punctuation', async (t) => {
  t.strictSame(change(run('4-') + arabic), ['|4-|', ' خدمة ']);
  t.strictSame(change(run(' -') + run('4 ') + arabic), [' |-', '4| ', ' خدمة '], 'in several runs');
  t.strictSame(change(arabic + run('(API)&amp;')), [' خدمة ', '|(API)&amp;|']);
  t.strictSame(change(run(bytes('“a”')) + arabic), ['|“a”|', ' خدمة ']);
  t.strictSame(change(run(bytes('(à')) + arabic), ['|(à|', ' خدمة '], 'a last byte like a no-break space');
  t.strictSame(change(run('4-') + arabic, '<w:pStyle w:val="Right"/>'), ['|4-|', ' خدمة '], 'by the style');
});

t.test('what LibreOffice shows as Word does', async (t) => {
  t.strictSame(change(run('API 4') + arabic), ['API 4', ' خدمة '], 'no punctuation at either end');
  t.strictSame(change(run(' - ') + arabic), [' - ', ' خدمة '], 'neither letters nor digits');
  t.strictSame(change(run('4-', '<w:rtl/>') + arabic), ['4-', ' خدمة '], 'marked as of right-to-left script');
  t.strictSame(change(run('4-', '<w:rStyle w:val="Script"/>')), ['4-'], 'marked by its style');
  t.strictSame(change(run('4-') + arabic, ''), ['4-', ' خدمة '], 'a paragraph from left to right');
  t.strictSame(change(run(bytes('خدمة.')), ''), ['خدمة.'], 'no mark of right-to-left script');
  t.strictSame(change(run('4-') + arabic, '<w:pStyle w:val="Right"/><w:bidi w:val="0"/>'), ['4-', ' خدمة ']);
  t.strictSame(change(run(bytes('4- خدمة'))), ['4- خدمة'], 'letters of the other direction');
  t.strictSame(change(run(`4-${MARK}`)), ['4-|'], 'marks of its own');
});

t.test('right-to-left text in a paragraph from left to right', async (t) => {
  const rtl = (text: string) => run(bytes(text), '<w:rtl/>');
  const marked = (runs: string, properties = '') => change(runs, properties, '&#x200F;');
  t.strictSame(marked(rtl('1.6  הצעת מחיר')), ['|1.6  הצעת מחיר|']);
  t.strictSame(marked(run('A ') + rtl(' 1.') + rtl('מבוא ') + run(' b.')), ['A ', ' |1.', 'מבוא| ', ' b.']);
  t.strictSame(marked(rtl('خدمة.')), ['|خدمة.|']);
  t.strictSame(marked(rtl('1. מבוא'), '<w:pStyle w:val="Right"/>'), ['1. מבוא'], 'in one from right to left');
  for (const [text, why] of [
    [' הצעת ', 'letters at both ends'],
    ['1.6', 'no letters'],
    ['1. API מבוא', 'letters of the other direction'],
  ] as const)
    t.strictSame(marked(rtl(text)), [text], why);
});

t.test('what stands between', async (t) => {
  const tab = '<w:r><w:tab/></w:r>';
  t.strictSame(change(run('4-') + tab + run('-5')), ['|4-|', '|-5|']);
  t.strictSame(
    change(`${run('4-')}<w:r><w:pict><w:p>${run('5-')}</w:p></w:pict></w:r>${run('6-')}`),
    ['|4-|', '5-', '|6-|'],
    'a text box has a direction of its own',
  );
  const before = '<w:pPrChange><w:pPr><w:bidi w:val="0"/></w:pPr></w:pPrChange>';
  t.strictSame(change(run('4-'), `<w:bidi/>${before}`), ['|4-|']);
});
