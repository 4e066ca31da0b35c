/** Lines end where Word ends them: at blanks, and behind hyphens. */
import t from 'tap';
import { withWordsLineBreaks } from '../../../src/convert/rules/line-breaks.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const run = (text: string, attributes = ' xml:space="preserve"') =>
  `<w:r><w:rPr><w:b/></w:rPr><w:t${attributes}>${text}</w:t></w:r>`;
/** The texts of a paragraph, with ÷ where a line may end and × where it may not. */
const change = (runs: string) => {
  const xml = `<w:document ${W}><w:body><w:p>${runs}</w:p></w:body></w:document>`;
  const changed = withWordsLineBreaks(Buffer.from(xml).toString('latin1'));
  const marked = changed.replaceAll('&#x200B;', '\xc3\xb7').replaceAll('&#x2060;', '\xc3\x97');
  return [...marked.matchAll(/<w:t(?: [^>]*)?>([^<]*)/g)].map(([, text = '']) =>
    Buffer.from(text, 'latin1').toString(),
  );
};

t.test('at blanks', async (t) => {
  t.strictSame(change(run('{{ a }} ( b')), ['{{÷ a÷ }} (÷ b']);
  t.strictSame(change(run('Name : Ä  ; „ é')), ['Name÷ : Ä÷  ; „÷ é']);
  t.strictSame(change(run('a. . .')), ['a.÷ .÷ .'], 'typed leaders');
  t.strictSame(change(run('a ') + run('.xlsx')), ['a÷ ', '.xlsx'], 'across runs');
  t.strictSame(change(run('a &lt; b; c - d (e)')), ['a &lt; b; c - d (e)'], 'where LibreOffice does, too');
  t.strictSame(change(run('  ) a')), ['  ) a'], 'not at the beginning');
});

t.test('not within words', async (t) => {
  t.strictSame(change(run('x.html?id=1|2…a!b')), ['x.html?×id=1|×2…×a!×b']);
  t.strictSame(change(run('$(a).b(){} (c)')), ['$×(a).b()×{} (c)']);
  t.strictSame(change(run('a?') + run('b')), ['a?×', 'b'], 'across runs');
  t.strictSame(
    change(run('a? b! “c?” d!) e?!')),
    ['a? b! “c?” d!) e?!'],
    'where LibreOffice does not, either',
  );
  t.strictSame(change(run('https://a/b c/d')), ['https://×a/×b c/d'], 'a first word');
  t.strictSame(change(run('a-b–c')), ['a-b–c'], 'but behind hyphens');
});

t.test('what is left alone', async (t) => {
  t.strictSame(change(run('a , b?c 中 , d')), ['a , b?c 中 , d'], 'East Asian text');
  t.strictSame(change(`${run('a?')}<w:r><w:tab/></w:r>${run('b')}`), ['a?', 'b'], 'another part of the line');
  t.strictSame(change(`${run('a?')}</w:p><w:p>${run('b (x) )')}`), ['a?', 'b (x)÷ )'], 'another paragraph');
  t.strictSame(change(run('a') + run(' , b?', '')), ['a', ' , b?'], 'blanks that are none');
  t.strictSame(change(`<w:hyperlink>${run('a?b')}</w:hyperlink>${run('c?d')}`), ['a?b', 'c?×d'], 'links');
  for (const name of ['u', 'rStyle'])
    t.strictSame(change(run('a?b').replace('<w:b/>', `<w:${name} w:val="a"/>`)), ['a?b'], name);
  const large = '<w:r><w:rPr><w:sz w:val="40"/></w:rPr>';
  for (const blank of ['<w:tab/>', '<w:t xml:space="preserve"> </w:t>'])
    t.strictSame(
      change(`${run('a : b')}${large}${blank}</w:r>${run('b : c')}`).at(-1),
      'b : c',
      'behind blanks of another size, as it would make them count for the height of lines',
    );
  t.equal(change(run('a : '.repeat(60_000)))[0]?.match(/÷/g)?.length, 50_000, 'so many');
});
