/** Which fields keep the result that the document stores, wherever their instructions stand. */
import t from 'tap';
import { mayKeepResults, updatable, withStoredResults } from '../../../src/convert/rules/stored-fields.ts';
import { rewritten } from '../support/rewritten.ts';

const character = (type: string, more = '') => `<w:r><w:fldChar w:fldCharType="${type}"${more}/></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const text = (content: string) => `<w:r><w:t>${content}</w:t></w:r>`;
const [begin, separate, end] = [character('begin'), character('separate'), character('end')];
const field = (instruction: string, result = text('stored')) =>
  begin + code(instruction) + separate + result + end;
const simple = (instruction: string, result = text('stored'), more = '') =>
  `<w:fldSimple w:instr="${instruction}"${more}>${result}</w:fldSimple>`;

const foreign = (type: string) => `<w:r><w:fldChar x:fldCharType="${type}"/></w:r>`;
/** What LibreOffice may pass over, so that an instruction is another than it seems. */
const doubtful = [
  '<w:r><x:instrText>Q</x:instrText></w:r>',
  '<w:r><w:instrText xmlns:w="urn:x">Q</w:instrText></w:r>',
  `<mc:AlternateContent><mc:Choice Requires="x">${code('Q')}</mc:Choice></mc:AlternateContent>`,
  `<w:del>${code('Q')}</w:del>`,
  '<w:r><w:rPr><w:instrText>Q</w:instrText></w:rPr></w:r>',
  '<w:r><w:fldChar fldCharType="begin"/></w:r>',
  '<w:r><w:fldChar/></w:r>',
  ...['begin', 'separate', 'end'].map(foreign),
];

/** The part behind the change; undefined where nothing changed. */
const change = (part: string) => rewritten(withStoredResults, part);

const kept: readonly (readonly [string, string, string])[] = [
  ['a date', field(' DATE \\@ "d MMMM yyyy" '), field(' _ATE \\@ "d MMMM yyyy" ')],
  ['one in small letters', field('date'), field('_ate')],
  ['a formula', field(' = 1 + 1 '), field(' _ 1 + 1 ')],
  ['one in an attribute', simple(' SAVEDATE '), simple(' _AVEDATE ')],
  [
    'one in an attribute between apostrophes',
    "<w:fldSimple w:instr='DATE'><w:t>x</w:t></w:fldSimple>",
    "<w:fldSimple w:instr='_ATE'><w:t>x</w:t></w:fldSimple>",
  ],
  [
    'a file name without a result',
    begin + code(' FILENAME \\p ') + end,
    begin + code(' _ILENAME \\p ') + end,
  ],
  [
    'an instruction cut anywhere',
    begin + code(' ') + code('D') + code('A') + code('TE') + separate + text('x') + end,
    begin + code(' ') + code('_') + code('A') + code('TE') + separate + text('x') + end,
  ],
  [
    'a result that is a symbol',
    field('IF 1', '<w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r>'),
    field('_F 1', '<w:r><w:sym w:font="Wingdings" w:char="F04A"/></w:r>'),
  ],
  [
    'a result that is a picture',
    field('IF 1', '<w:r><w:drawing><x/></w:drawing></w:r>'),
    field('_F 1', '<w:r><w:drawing><x/></w:drawing></w:r>'),
  ],
  ['a result that is a tab', field('IF 1', '<w:r><w:tab/></w:r>'), field('_F 1', '<w:r><w:tab/></w:r>')],
  ['a kind in references', field(' &#70;ILENAME \\p '), field(' _#70;ILENAME \\p ')],
  ['a kind in references from its second letter on', field('F&#x49;LENAME'), field('_&#x49;LENAME')],
  ['a kind in quotation marks', field('"FILENAME" \\p'), field('__ILENAME" \\p')],
  ['a kind behind a backslash', field('\\FILENAME'), field('__ILENAME')],
  ['a field without content', '<w:fldSimple w:instr="FILENAME"/>', '<w:fldSimple w:instr="_ILENAME"/>'],
  [
    'the attributes of another prefix',
    '<w:fldSimple x:instr="PAGE" w:instr="FILENAME"><w:t>x</w:t></w:fldSimple>',
    '<w:fldSimple x:instr="PAGE" w:instr="_ILENAME"><w:t>x</w:t></w:fldSimple>',
  ],
  [
    'a field whose beginning says two things',
    field('DATE').replace('<w:fldChar ', '<w:fldChar x:fldCharType="end" '),
    field('_ATE').replace('<w:fldChar ', '<w:fldChar x:fldCharType="end" '),
  ],
  ['a file name outside a field', code('FILENAME'), code('_ILENAME')],
  [
    'a file name in a result',
    begin + separate + code('template') + end,
    begin + separate + code('_emplate') + end,
  ],
  ...doubtful.map((between): [string, string, string] => [
    `a file name in pieces around ${between}`,
    begin + code(' FILE') + between + code('NAME') + separate + text('x') + end,
    begin + code(' _ILE') + between + code('NAME') + separate + text('x') + end,
  ]),
  [
    'a file name in pieces inside one',
    begin + code('FILE<x:y>Q</x:y>NAME') + end,
    begin + code('_ILE<x:y>Q</x:y>NAME') + end,
  ],
  ['another prefix', field('TIME').replaceAll('w:', 'ns0:'), field('_IME').replaceAll('w:', 'ns0:')],
  ['no prefix', field('TIME').replaceAll('w:', ''), field('_IME').replaceAll('w:', '')],
  [
    'the outer of two',
    begin + code('IF ') + field('PAGE') + code(' = 1 ') + separate + text('x') + end,
    begin + code('_F ') + field('PAGE') + code(' = 1 ') + separate + text('x') + end,
  ],
  [
    'a table of contents, and the page numbers in it',
    begin + code(' TOC \\o ') + separate + text('One') + field('PAGEREF a', text('iv')) + end,
    begin + code(' _OC \\o ') + separate + text('One') + field('_AGEREF a', text('iv')) + end,
  ],
  [
    'a table of contents, but no page number behind it',
    field('TOC') + field('PAGEREF a'),
    field('_OC') + field('PAGEREF a'),
  ],
  [
    'the inner of two',
    begin + code('HYPERLINK "x"') + separate + field('DATE') + end,
    begin + code('HYPERLINK "x"') + separate + field('_ATE') + end,
  ],
  [
    'a result that is a field itself',
    begin + code('IF 1') + separate + field('REF x') + end,
    begin + code('_F 1') + separate + field('REF x') + end,
  ],
  [
    'one behind letters beyond ASCII',
    text('Zürich 日本') + field('DATE'),
    text('Zürich 日本') + field('_ATE'),
  ],
];

for (const [what, part, expected] of kept) {
  t.test(`keeps ${what}`, async (t) => {
    t.equal(change(part), expected);
    t.ok(mayKeepResults(Buffer.from(part)), 'and is looked into');
  });
}

const left: readonly (readonly [string, string])[] = [
  [
    'what depends on our pages',
    ['PAGE', 'NUMPAGES', 'SECTIONPAGES', 'PAGEREF x \\h'].map((kind) => field(kind)).join(''),
  ],
  [
    'what refers to text, and links',
    ['REF x', 'STYLEREF "Heading 1"', 'HYPERLINK "x"', 'HYPERLINK&#34;x"', 'SEQ Figure', 'PAGEREF _Toc1 \\h']
      .map((kind) => field(kind))
      .join(''),
  ],
  ['a kind that only begins like one', field('DATEBOOK') + simple('TIMES')],
  ['a date without a result', begin + code('DATE') + end],
  ['a date with an empty result', field('DATE', '<w:r><w:t></w:t></w:r>') + simple('DATE', '')],
  ['an empty element', '<w:fldSimple w:instr="DATE"/>'],
  [
    'what Word works out itself',
    character('begin', ' w:dirty="true"') +
      code('DATE') +
      separate +
      text('x') +
      end +
      simple('DATE', text('x'), ' w:dirty="1"'),
  ],
  [
    'the page numbers of a table of contents that Word works out itself',
    character('begin', ' w:dirty="true"') + code('TOC') + separate + field('PAGEREF a') + end,
  ],
  ['a field that does not end', begin + code('DATE') + separate + text('x')],
  ['an end without a beginning', end + code('DATE') + separate + text('x') + end],
  ['text that says so', text('DATE instrText fldSimple')],
];

for (const [what, part] of left) {
  t.test(`leaves ${what}`, async (t) => t.equal(change(part), undefined));
}

t.test('the style of links in a table of contents', async (t) => {
  const link = (style: string, words: string) =>
    `<w:r><w:rPr><w:rStyle w:val="${style}"/></w:rPr><w:t>${words}</w:t></w:r>`;
  const part = (kind: string, style: string) =>
    link('Link', 'a') + field(kind, link(style, 'b') + link('Linked', 'c')) + link('Link', 'd');
  for (const [instruction, style, expected] of [
    ['TOC', 'Link', part('_OC', '_ink')],
    ['QUOTE', 'Link', part('_UOTE', 'Link')],
    ['TOC', 'Other', part('_OC', 'Other')],
  ] as const) {
    t.equal(
      rewritten((xml) => withStoredResults(xml, 'Link'), part(instruction, style)),
      expected,
    );
  }
});

t.test('fields behind one another, with much between them', async (t) => {
  const filler = `<!--${'x'.repeat(1_048_000)}-->`;
  const parts = (kind: string) => Array.from({ length: 3 }, () => field(kind) + filler).join('');
  t.equal(change(parts('DATE')), parts('_ATE'));
  const cut = (kind: string) => begin + code(kind) + filler + filler + separate + filler + text('x') + end;
  t.equal(change(cut('DATE')), cut('_ATE'), 'one that is long');
});

t.test('fields nested deeper than any are left, and those around them are not', async (t) => {
  const nested = (kind: string, depth: number, inner: string): string =>
    depth === 0
      ? inner
      : (begin + code(kind)).repeat(depth) + inner + (separate + text('x') + end).repeat(depth);
  // Not t.equal, which takes minutes to tell such texts apart.
  const changed = change(nested('IF ', 10_000, nested('IF ', 50_000, '')));
  t.ok(changed === nested('_F ', 10_000, nested('IF ', 50_000, '')));
});

t.test('what looks like tags without end is read in linear time', async (t) => {
  // Quadratic reading of this would take minutes.
  for (const piece of ['<w:instrText ', '<w:fldSimple w:instr="', 'instrText ', 'instr=" ', '<w:fldChar ']) {
    const pieces = piece.repeat(1_048_576 / piece.length);
    t.equal(change(`<!--${pieces}-->`), undefined, piece);
    t.equal(change(pieces), undefined, piece);
  }
});

t.test('fields that LibreOffice updates', async (t) => {
  const updated = (part: string) => rewritten((xml) => withStoredResults(xml, 'Link', updatable), part);
  const link = '<w:r><w:rPr><w:rStyle w:val="Link"/></w:rPr><w:t>x</w:t></w:r>';
  for (const instruction of ['TOC \\o', 'DATE', 'TIME'])
    t.equal(updated(field(instruction, link + field('PAGEREF a'))), undefined, instruction);
  t.equal(updated(field('USERNAME')), field('_SERNAME'));
  t.equal(updated(field('FILENAME')), field('_ILENAME'), 'never a path of ours');
});
