/** That formulas are written as LibreOffice shows them. */
import t from 'tap';
import { withShownFormulas } from '../../../src/convert/rules/formulas.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const part = (inner: string, m = 'm') =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:${m}="${OFFICE}/math"><w:p>${inner}</w:p></w:document>`;
const run = (text: string, properties = '') =>
  `<m:r>${properties && `<m:rPr>${properties}</m:rPr>`}<m:t>${text}</m:t></m:r>`;
const formula = (inner: string) => part(`<m:oMath>${inner}</m:oMath>`);
const shown = (xml: string, size?: number, libreOffice = '25.2.3.2') =>
  withShownFormulas(xml, size === undefined ? undefined : () => size, libreOffice);
/** The commands in a part, and what is around them. */
const commands = (xml: string) =>
  xml.replaceAll('&quot;', '"').replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
const NOTHING = run('""');

/** The commands for text of a formula that is nothing else. */
function commandsFor(text: string, properties = ''): string {
  const bytes = Buffer.from(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')).toString('latin1');
  const found = /<m:t>(.*)<\/m:t>/.exec(shown(formula(run(bytes, properties))));
  return commands(found?.[1] ?? '').replaceAll('&lt;', '<');
}

t.test('operators have operands, or are signs', async (t) => {
  for (const [text, wanted] of [
    ['a=b', 'a = b'],
    ['=5', '"" = 5'],
    ['a=', 'a = ""'],
    ['a==b', 'a = "" = b'],
    ['a<=b', 'a < "" = b'],
    ['-x', '- x'],
    ['a+-b', 'a + - b'],
    ['a-', 'a - ""'],
    ['=', '"="'],
    ['*-', '"∗" "−"'],
  ] as const) {
    t.equal(commandsFor(text), wanted, text);
  }
});

t.test('signs and words are no commands', async (t) => {
  for (const [text, wanted] of [
    ['|x|', '"|" x "|"'],
    ['a#b%c^d_e~f`g&h', 'a "#" b "%" c "^" d "_" e "~" f "`" g "&" h'],
    ['"\\', '"\\"" ∖'],
    ['[0;1)', '"[" 0 ; 1 )'],
    ['{x}', '{ "" x }'],
    ['x or sin y', 'x italic "or" italic "sin" y'],
    ['3.5x1,000', '3.5 x 1,000'],
    ['αβ≤𝑥', 'italic "αβ" ≤ 𝑥'],
    ['x→∞', 'x → ∞'],
  ] as const) {
    t.equal(commandsFor(text), wanted, text);
  }
});

t.test('text looks as its run says', async (t) => {
  for (const [properties, text, wanted] of [
    ['<m:nor/>', 'if (x) or  "y"', '"if " ( "x" ) " or  " "\\"" "y" "\\""'],
    ['<m:lit/>', 'a=b', '"a=b"'],
    ['<m:nor m:val="0"/>', 'a=b', 'a = b'],
    ['<m:sty m:val="p"/>', 'max x', '"max" "x"'],
    ['<m:sty m:val="b"/>', 'v2', 'bold "v" bold 2'],
    ['<m:sty m:val="bi"/>', 'v', 'bold v'],
    ['<m:scr m:val="double-struck"/>', 'RX', 'ℝ X'],
  ] as const) {
    t.equal(commandsFor(text, properties), wanted, properties);
  }
  t.match(shown(formula(run('a', '<m:nor/>'))), '<m:_or/>', 'LibreOffice adds no quotation marks');
});

t.test('an argument is never empty', async (t) => {
  const fraction = (num: string, den: string) => formula(`<m:f>${num}<m:den>${den}</m:den></m:f>`);
  t.equal(commands(shown(fraction('<m:num/>', ''))), fraction(`<m:num>${NOTHING}</m:num>`, NOTHING));
  t.equal(
    commands(shown(fraction('<m:num><m:r><m:t></m:t></m:r></m:num>', run('2')))),
    fraction(`<m:num><m:r><m:t></m:t></m:r>${NOTHING}</m:num>`, run('2')),
  );
  t.equal(shown(formula('')), formula(''), 'a formula may be');
});

t.test('a construct is an operand', async (t) => {
  const root = `<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('x')}</m:e></m:rad>`;
  t.equal(commands(shown(formula(run('=') + root + run('=')))), formula(run('"" =') + root + run('= ""')));
});

t.test('functions and limits keep their names where they are applied', async (t) => {
  const applied = (name: string) => `<m:func><m:fName>${name}</m:fName><m:e>${run('x')}</m:e></m:func>`;
  const limit = (name: string) => `<m:limLow><m:e>${name}</m:e><m:lim>${run('n')}</m:lim></m:limLow>`;
  for (const each of [applied(run('sin')), applied(limit(run('lim')))])
    t.equal(shown(formula(each)), formula(each));
  t.equal(commands(shown(formula(applied(run('max'))))), formula(applied(run('"max"'))));
  t.equal(commands(shown(formula(limit(run('lim'))))), formula(limit(run('italic "lim"'))));
});

t.test('lines of equations are aligned', async (t) => {
  const array = (lines: readonly string[]) =>
    formula(`<m:eqArr>${lines.map((line) => `<m:e>${line}</m:e>`).join('')}</m:eqArr>`);
  t.equal(
    commands(shown(array([run('a&amp;=b'), run('&amp;'), run('c')]))),
    array([run('alignl') + run('a = b'), run('') + NOTHING, run('alignl') + run('c')]),
  );
  t.equal(shown(array([run('a')])), array([run('a')]), 'at where they say');
});

t.test('signs of sums and brackets', async (t) => {
  const sum = (sign: string, before = '') =>
    formula(
      `${before}<m:nary><m:naryPr><m:chr m:val="${sign}"/></m:naryPr><m:sub>${run('i')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${run('x')}</m:e></m:nary>`,
    );
  const bytes = (text: string) => Buffer.from(text).toString('latin1');
  t.equal(shown(sum(bytes('∑'))), sum(bytes('∑')));
  t.equal(shown(sum(bytes('⋃'))), sum(bytes('⋃'), run('oper &#8899;')));
  t.equal(shown(sum('{')), sum('{', run('oper &#65371;')), 'a bracket is no operator');
  const brackets = (begin: string, separator: string, end: string) =>
    formula(
      `<m:d><m:dPr><m:begChr m:val="${begin}"/><m:sepChr m:val="${separator}"/><m:endChr m:val="${end}"/></m:dPr><m:e>${run('x')}</m:e></m:d>`,
    );
  for (const [before, after] of [
    [brackets('(', '|', ')'), brackets('(', '|', ')')],
    [brackets('{', ',', ''), brackets('{', ',', '')],
    [brackets(']', '=', '['), brackets('left none "]" ', ' "=" ', ' "[" right none')],
    [brackets(bytes('⌈'), '', bytes('⌉')), brackets('left lceil ', '', ' right rceil')],
  ] as const) {
    t.equal(commands(shown(before)), after);
  }
  const group = (sign: string) =>
    formula(
      `<m:groupChr><m:groupChrPr><m:chr m:val="${sign}"/></m:groupChrPr><m:e>${run('x')}</m:e></m:groupChr>`,
    );
  t.equal(shown(group('=')), group('&#65309;'));
});

t.test('limits beside their sum', async (t) => {
  const bytes = (text: string) => Buffer.from(text).toString('latin1');
  const limits = (inner = run('i')) => `<m:sub>${inner}</m:sub><m:sup/>`;
  const sum = (properties: string, inner = limits()) =>
    `<m:nary><m:naryPr>${properties}</m:naryPr>${inner}<m:e>${run('x')}</m:e></m:nary>`;
  const beside = (properties: string, sign: string, inner = run('i')) =>
    `<m:sSubSup><m:naryPr>${properties}</m:naryPr><m:e>${run(`${sign} ""`)}</m:e>` +
    `<m:sub>${inner}</m:sub><m:sup>${NOTHING}</m:sup></m:sSubSup><m:box><m:e>${run('x')}</m:e></m:box>`;
  const chr = (sign: string) => `<m:chr m:val="${bytes(sign)}"/>`;
  const at = (place: string) => `<m:limLoc m:val="${place}"/>`;
  const SUP_HIDDEN = '<m:supHide m:val="1"/>';
  for (const [properties, sign] of [
    [chr('∑') + at('subSup'), 'sum'],
    [chr('∏') + at('subSup') + SUP_HIDDEN, 'prod'],
    [chr('⋃') + at('subSup'), 'oper ⋃'],
    [chr('∮'), 'lint'],
    ['', 'int'],
  ] as const) {
    t.equal(commands(shown(formula(sum(properties)))), commands(formula(beside(properties, sign))), sign);
  }
  const SUB_HIDDEN = '<m:subHide m:val="1"/>';
  for (const properties of [chr('∑'), chr('∫') + at('undOvr'), SUB_HIDDEN, SUB_HIDDEN + SUP_HIDDEN]) {
    const written = shown(formula(sum(properties)));
    t.match(written, '<m:nary>', properties);
    t.notMatch(written, 'sSubSup', properties);
  }
  const inner = sum(chr('∑') + at('subSup'));
  t.equal(
    shown(formula(sum('', limits(inner)))),
    formula(beside('', 'int', beside(chr('∑') + at('subSup'), 'sum'))).replaceAll('""', '&#34;&#34;'),
    'in each other',
  );
  for (const strange of [
    ...['<m:e/><m:sub/>', '<m:sub/>', '<m:sub/><m:e/><m:sup/>', '<m:sub/><m:sup/><m:e/><m:e/>'],
    '<m:sub/><m:sup/><w:smartTag><m:e/></w:smartTag>',
    '<w:customXml><m:sub/><m:e/></w:customXml>',
  ]) {
    const whole = formula(`<m:nary>${strange}</m:nary>`);
    t.notMatch(shown(whole), 'sSubSup', strange);
  }
});

t.test('names that every object of JavaScript has are text', async (t) => {
  for (const name of ['constructor', '__proto__']) {
    t.equal(commandsFor(name, '<m:nor/>'), `"${name}"`, name);
    const properties = `<m:begChr m:val="${name}"/><m:${name} m:val="x"/>`;
    const brackets = shown(formula(`<m:d><m:dPr>${properties}</m:dPr><m:e>${run('x')}</m:e></m:d>`));
    t.match(commands(brackets), `m:val="left none "${name[0]}" "/><m:${name} m:val="x"/>`, name);
    const sum = `<m:nary><m:naryPr><m:chr m:val="${name}"/></m:naryPr><m:sub/><m:sup/><m:e/></m:nary>`;
    t.match(shown(formula(sum)), run(`oper ${name[0]}`), name);
  }
});

t.test('one limit above, one below', async (t) => {
  const limit = (name: string) => `<m:limLow><m:e>${name}</m:e><m:lim>${run('n')}</m:lim></m:limLow>`;
  const none = '<m:dPr><m:begChr m:val=""/><m:endChr m:val=""/></m:dPr>';
  t.equal(
    shown(formula(limit(limit(run('x'))))),
    formula(limit(`<m:d>${none}<m:e>${limit(run('x'))}</m:e></m:d>`)),
  );
});

t.test('a phantom that is shown is a box', async (t) => {
  const phantom = (name: string, properties = '') =>
    formula(`<m:${name}><m:phantPr>${properties}</m:phantPr><m:e>${run('x')}</m:e></m:${name}>`);
  t.equal(shown(phantom('phant')), phantom('box'));
  t.equal(shown(phantom('phant', '<m:show m:val="0"/>')), phantom('phant', '<m:show m:val="0"/>'));
});

t.test('a formula is as large as text', async (t) => {
  const none = '<m:dPr><m:begChr m:val=""/><m:endChr m:val=""/></m:dPr>';
  const sized = (size: string, inner: string) =>
    formula(`${run(`size ${size}`)}<m:d>${none}<m:e>${inner}</m:e></m:d>`);
  t.equal(shown(formula(run('x')), 24), formula(run('x')), '12 points');
  t.equal(shown(formula(run('x')), 21), sized('10.5', run('x')), 'of the paragraph');
  const own = `<m:r><w:rPr><w:sz w:val="40"/></w:rPr><m:t>x</m:t></m:r>`;
  t.equal(shown(formula(own + run('y')), 24), sized('20', own + run('y')), 'of the first run');
  t.equal(shown(formula(own.replace('40', 'NaN')), 24), formula(own.replace('40', 'NaN')));
});

t.test('hundreds of operators are signs, as LibreOffice gives up', async (t) => {
  t.match(commandsFor('a=b'.repeat(201)), /^a "=" (?:italic "ba" "=" ){200}b$/);
});

t.test('text beyond a megabyte is as plain as it was', async (t) => {
  const long = formula(run('=')).repeat(2) + formula(run('x'.repeat(2 ** 20)) + run('='));
  t.match(shown(long), /(?:<m:t>&#34;=&#34;<\/m:t>.*){2}<m:t>x{1048576}<\/m:t>.*<m:t>=<\/m:t>/);
});

t.test('LibreOffice from 26.2 on gets the text as it is', async (t) => {
  t.equal(shown(formula(run('=')), 20, '26.2.0'), formula(run('=')));
});

t.test('nothing else changes', async (t) => {
  for (const each of [part('<w:r><w:t>=</w:t></w:r>'), part('<m:r><m:t>=</m:t></m:r>'), '<m:oMath', '']) {
    t.equal(shown(each), each);
  }
});

t.test('text beyond a megabyte is as plain as it was', async (t) => {
  const long = 'a'.repeat(1_048_577);
  const rest = run('over { b', '<m:nor/>') + run('c==d');
  const result = shown(part(`<m:oMath>${run(long)}</m:oMath><m:oMath>${rest}</m:oMath>`));
  t.ok(result.endsWith(`<m:oMath>${rest}</m:oMath></w:p></w:document>`));
});
