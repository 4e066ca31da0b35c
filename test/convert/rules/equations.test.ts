/** Equations in fields, as formulas and runs. */
import t from 'tap';
import { equationMarkup } from '../../../src/convert/rules/equations.ts';

const markup = (code: string, properties = '') => equationMarkup(code, 'w:', properties, 'm:');
const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const math = (inner: string) =>
  `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${inner}</m:oMath>`;
const text = (letters: string) => `<m:r><m:t xml:space="preserve">${letters}</m:t></m:r>`;
const box = '<w:bdr w:val="single" w:sz="4" w:space="0" w:color="auto"/>';

const drawn: readonly (readonly [string, string])[] = [
  ['EQ \\f(1,2)', math(`<m:f><m:num>${text('1')}</m:num><m:den>${text('2')}</m:den></m:f>`)],
  [
    'EQ a\\r(x)',
    run('a') +
      math(`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${text('x')}</m:e></m:rad>`),
  ],
  ['EQ \\r(3;x)', math(`<m:rad><m:deg>${text('3')}</m:deg><m:e>${text('x')}</m:e></m:rad>`)],
  ['EQ \\x(a & b)', run('a &amp; b', box)],
  ['EQ x\\s\\up 8(2)', run('x') + run('2', '<w:position w:val="16"/>')],
  ['EQ x\\s\\do(2)', run('x') + run('2', '<w:position w:val="-4"/>')],
  ['EQ \\b(a)', run('(') + run('a') + run(')')],
  ['EQ \\b\\bc\\{(f(x)\\, y)', run('{') + run('f(x), y') + run('}')],
  ['EQ \\b\\lc\\|(a)', run('|') + run('a')],
  ['EQ \\l(a,b)', run('a') + run(',') + run('b')],
  ['EQ \\o\\ac(○,12)', run('⑫')],
];
t.test('formulas have the prefix of the part', async (t) => {
  const drawn = equationMarkup('EQ \\r(\\f(1,2))', 'w:', '', 'math:') ?? '';
  t.match(drawn, /^<math:oMath xmlns:math="[^"]*"><math:rad><math:radPr><math:degHide math:val="1"\/>/);
  t.notMatch(drawn, /<\/?m:/);
});

for (const [code, expected] of drawn) t.test(code, async (t) => t.equal(markup(code), expected));

t.test('in the properties of its run', async (t) => {
  t.equal(markup('EQ \\x(a)', '<w:rPr><w:b/></w:rPr>'), run('a', `<w:b/>${box}`));
  t.equal(markup('EQ a', '<w:rPr><w:b/></w:rPr>'), run('a', '<w:b/>'));
});

t.test('what LibreOffice draws', async (t) => {
  for (const code of [
    'EQ \\* jc2 \\* hps10 \\o\\ad(\\s\\up 9(a),b)',
    'EQ \\o\\ad(\\s\\up 8(a),\\s\\do 3(b))',
  ])
    t.equal(markup(code), 'native', code);
});

t.test('what nobody draws', async (t) => {
  for (const code of [
    ...[
      'EQ \\i(1,2,3)',
      'EQ \\a(1,2)',
      'EQ \\f(1)',
      'EQ \\f(1,\\i(1))',
      'EQ \\o(a,b)',
      'EQ \\o\\ac(○,99)',
      'EQ \\x\\to(a)',
    ],
    ...['EQ \\f(1,2', 'EQ \\f', 'EQ \\q(1)', `EQ ${'\\f('.repeat(300)}`],
  ])
    t.equal(markup(code), undefined, code.slice(0, 40));
});
