/** Which fields keep the result that the document stores, wherever their instructions stand. */
import t from 'tap';
import {
  FieldNotes,
  type FieldSurroundings,
  type StoredFieldsOptions,
  updatable,
  withStoredResults,
} from '../../../src/convert/rules/stored-fields.ts';
import { rewritten } from '../support/rewritten.ts';

const character = (type: string, more = '') => `<w:r><w:fldChar w:fldCharType="${type}"${more}/></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const text = (content: string) => `<w:r><w:t>${content}</w:t></w:r>`;
const [begin, separate, end] = [character('begin'), character('separate'), character('end')];
const field = (instruction: string, result = text('stored')) =>
  begin + code(instruction) + separate + result + end;
const simple = (instruction: string, result = text('stored'), more = '') =>
  `<w:fldSimple w:instr="${instruction}"${more}>${result}</w:fldSimple>`;

const FLAT = '</w:r><w:r><w:rPr><w:sz w:val="2"/><w:szCs w:val="2"/></w:rPr>';
/** With separators in the runs that they were in. */
const SPLIT =
  /<\/(\w+):r><\1:r><\1:rPr><\1:sz \1:val="2"\/><\1:szCs \1:val="2"\/><\/\1:rPr>(<[^>]*>)<\/\1:r><\1:r>/g;
const withoutSplits = (part: string | undefined) => part?.replaceAll(SPLIT, '$2');

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
const change = (part: string, options?: StoredFieldsOptions) =>
  withoutSplits(rewritten((xml) => withStoredResults(xml, options), part));

/** A document with a bookmark, a heading and a style of its own. */
const document: FieldSurroundings = {
  bookmarks: new Set(['here', 'above']),
  hasPage: (bookmark) => bookmark === 'here',
  hasChapters: false,
  hasPageFormats: false,
  lacksPageFormat: false,
  hasUnwrittenPages: false,
  shownStyle: (name) => ({ 'heading 1': 'heading 1', 'Überschrift 1': 'heading 1' })[name],
  headingLevel: (style) => (style === 'H1' ? 1 : undefined),
};
const main = (inner: string) => `<w:document><w:body>${inner}</w:body></w:document>`;
const header = (inner: string) => `<w:hdr><w:p>${inner}</w:p></w:hdr>`;
/** What becomes of fields in such a document, and what is noted. */
function changed(part: string) {
  const notes = new FieldNotes();
  return { part: change(part, { document, notes }) ?? part, notes };
}

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
  [
    'a file name as text before the result, which LibreOffice takes for the instruction',
    begin + text('FILE') + text('NAME') + separate + end,
    begin.replace('</w:r>', '') +
      '<w:instrText xml:space="preserve"> _FIELD </w:instrText>' +
      separate.replace('<w:r>', '') +
      end,
  ],
  [
    'a file name in a deleted instruction',
    begin + code('FILENAME').replaceAll('instrText', 'delInstrText') + separate + text('x') + end,
    begin + code('_ILENAME').replaceAll('instrText', 'delInstrText') + separate + text('x') + end,
  ],
  ...doubtful.map((between): [string, string, string] => [
    `a file name in pieces around ${between}`,
    begin + code(' FILE') + between + code('NAME') + separate + text('x') + end,
    begin +
      code(' _ILE') +
      between +
      // A field of its own, or so it seems.
      code(/<w:fldChar (?:x:)?fldCharType="begin"/.test(between) ? '_AME' : 'NAME') +
      separate +
      text('x') +
      end,
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
    'a table of contents, and page numbers of unknown bookmarks',
    field('TOC') + field('PAGEREF a'),
    field('_OC') + field('_AGEREF a'),
  ],
  [
    'the inner of two',
    begin + code('HYPERLINK "x"') + separate + field('DATE') + end,
    begin + code('HYPERLINK "x"') + separate + field('_ATE') + end,
  ],
  [
    'a result that is a field itself',
    begin + code('IF 1') + separate + field('REF x') + end,
    begin + code('_F 1') + separate + field('_EF x') + end,
  ],
  [
    'an empty result',
    field('MERGEFIELD Name', '') + field('IF 1 = 2 "a" "b"', text('')) + simple('TITLE', ''),
    field('_ERGEFIELD Name', '') + field('_F 1 = 2 "a" "b"', text('')) + simple('_ITLE', ''),
  ],
  [
    'references, and what LibreOffice does not know either',
    ['REF x', 'STYLEREF "Heading 1"', 'SEQ Figure', 'PAGEREF _Toc1 \\h', 'BARCODE', 'INCLUDETEXT "x"']
      .map((kind) => field(kind))
      .join(''),
    ['_EF x', '_TYLEREF "Heading 1"', '_EQ Figure', '_AGEREF _Toc1 \\h', '_ARCODE', '_NCLUDETEXT "x"']
      .map((kind) => field(kind))
      .join(''),
  ],
  [
    'no text of an instruction, nor its paragraphs',
    `<w:p>${begin}${code('IF 1 = 2 "')}${text('no')}</w:p><w:p>${text('no')}${code('"')}${separate}${end}</w:p>`,
    `<w:p>${begin.replace('</w:r>', '')}<w:instrText xml:space="preserve"> _FIELD </w:instrText>${separate.replace('<w:r>', '')}${end}</w:p>`,
  ],
  ['a kind beyond ASCII', field('имя') + field(' 姓名 '), field('_мя') + field(' _名 ')],
  [
    'one behind letters beyond ASCII',
    text('Zürich 日本') + field('DATE'),
    text('Zürich 日本') + field('_ATE'),
  ],
];

for (const [what, part, expected] of kept) {
  t.test(`keeps ${what}`, async (t) => {
    t.equal(change(part), expected);
  });
}

const left: readonly (readonly [string, string])[] = [
  ['what depends on our pages', field('PAGE') + field('NUMPAGES \\* roman')],
  [
    'links, forms, and what shows nothing',
    ['HYPERLINK "x"', 'HYPERLINK&#34;x"', 'FORMTEXT', 'SET x "y"', 'XE "x"']
      .map((kind) => field(kind))
      .join(''),
  ],
  [
    'what is drawn by its instruction',
    begin + code('SYMBOL 183') + end + begin + code('MACROBUTTON x y') + end,
  ],
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
      simple('TITLE', text('x'), ' w:dirty="1"'),
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
    t.equal(change(part(instruction, style), { linkStyle: 'Link' }), expected);
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

t.test('a separator makes no line higher', async (t) => {
  const split = (part: string) => rewritten((xml) => withStoredResults(xml), part);
  const flat = `<w:r>${FLAT}<w:fldChar w:fldCharType="separate"/></w:r><w:r></w:r>`;
  t.equal(split(field('DATE')), field('_ATE').replace(separate, flat));
  const [look, mark] = ['<w:rPr><w:sz w:val="40"/></w:rPr>', '<w:fldChar w:fldCharType="separate"/>'];
  const parts = field('DATE').split(separate);
  t.equal(
    split(parts.join(`<w:r>${look}${mark}<w:t>a</w:t></w:r>`)),
    field('_ATE').replace(separate, `<w:r>${look}${FLAT}${mark}</w:r><w:r>${look}<w:t>a</w:t></w:r>`),
    'in a run with text',
  );
  for (const [part, name] of [
    [field('DATE', ''), 'without a result'],
    [field('QUOTE', `${text('a')}</w:p><w:p>${text('b')}`), 'which may stand alone in its line'],
    [parts.join(`<w:r><w:rPr>${' '.repeat(3_000)}</w:rPr>${mark}</w:r>`), 'with long properties'],
    [parts.join(`<w:smartTag>${mark}</w:smartTag>`), 'outside a run'],
    [simple('DATE'), 'there is none'],
    [field('HYPERLINK x'), 'which LibreOffice does not show'],
  ] as const)
    t.notMatch(split(`<w:p>${part}</w:p>`) ?? '', '"2"', name);
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
  const updated = (part: string) => change(part, { linkStyle: 'Link', updated: updatable });
  const link = '<w:r><w:rPr><w:rStyle w:val="Link"/></w:rPr><w:t>x</w:t></w:r>';
  for (const instruction of ['TOC \\o', 'DATE', 'TIME'])
    t.equal(updated(field(instruction, link)), undefined, instruction);
  t.equal(updated(field('USERNAME')), field('_SERNAME'));
  t.equal(updated(field('FILENAME')), field('_ILENAME'), 'never a path of ours');
});

t.test('page references', async (t) => {
  for (const [what, instruction, result, expected] of [
    ['to a bookmark', 'PAGEREF here \\h', '4', undefined],
    ['in a format of Word', 'PAGEREF here \\* roman', 'iv', '_AGEREF here \\* roman'],
    ['with a result that is no number', 'PAGEREF here', 'iv', '_AGEREF here'],
    ['to a bookmark above a page break', 'PAGEREF above', '4', '_AGEREF above'],
    ['to a bookmark that is gone', 'PAGEREF gone', '4', '_AGEREF gone'],
  ] as const) {
    const part = changed(main(field(instruction, text(result)))).part;
    t.equal(part, main(field(expected ?? instruction, text(result))), what);
  }
});

t.test('cross-references remain links', async (t) => {
  const link = begin.replace(
    '</w:r>',
    '<w:instrText xml:space="preserve"> HYPERLINK \\l &quot;here&quot; </w:instrText>',
  );
  const linked = link + separate.replace('<w:r>', '') + text('stored') + end;
  t.equal(changed(main(`<w:p>${field('REF here \\h')}</w:p>`)).part, main(`<w:p>${linked}</w:p>`));
  t.equal(changed(main(simple(' REF here \\h '))).part, main(simple(' HYPERLINK \\l &quot;here&quot; ')));
  for (const part of [
    field('REF here'),
    field('REF gone \\h'),
    `<w:hyperlink>${field('REF here \\h')}</w:hyperlink>`,
    field('REF here \\h', `${text('a')}</w:p><w:p>${text('b')}`),
  ])
    t.equal(changed(main(`<w:p>${part}</w:p>`)).part, main(`<w:p>${part.replace('REF', '_EF')}</w:p>`));
});

t.test('the text of a style in a header', async (t) => {
  const reference = (name: string, more = '') => `STYLEREF "${name}"${more}`;
  t.equal(
    changed(header(field(reference('heading 1', ' \\l')))).part,
    header(field(reference('heading 1', ' \\l'))),
  );
  t.match(changed(header(field(reference('Überschrift 1')))).part, 'STYLEREF &quot;heading 1&quot;');
  for (const [what, part] of [
    ['a style that nothing has', header(field(reference('Titre 1')))],
    ['where it stands', header(field(reference('heading 1', ' \\p')))],
    ['in the body', main(field(reference('heading 1')))],
  ] as const)
    t.equal(changed(part).part, part.replace('STYLEREF', '_TYLEREF'), what);
});

t.test('sequences', async (t) => {
  const paragraph = (inner: string, style = 'Caption') =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inner}</w:p>`;
  const heading = paragraph(text('Chapter'), 'H1');
  const empty = (more = '') => paragraph(field(`SEQ Figure${more}`, ''));
  const shown = (parts: string) =>
    [...changed(main(parts)).part.matchAll(/<w:t(?: xml:space="preserve")?>([^<]*)</g)]
      .map(([, each]) => each)
      .filter((each) => each !== '' && each !== 'Chapter')
      .join(' ');
  t.equal(shown(empty() + empty() + empty(' \\c') + empty(' \\r 7') + empty(' \\* ROMAN')), '1 2 2 7 VIII');
  t.equal(shown(paragraph(field('SEQ Figure', text('5'))) + empty()), '5 6', 'from what is stored');
  t.equal(
    shown(heading + empty(' \\s 1') + empty(' \\s 1') + heading + empty(' \\s 1')),
    '1 2 1',
    'by chapter',
  );
  t.equal(shown(empty() + empty(' \\h') + empty()), '1 3', 'hidden');
  t.equal(
    shown(`${simple('SEQ A', '')}<w:fldSimple w:instr="SEQ A"/>${begin}${code('SEQ A')}${end}`),
    '1 2 3',
  );
  const dirty = field('SEQ A', text('9') + text('9')).replace('"begin"', '"begin" w:dirty="1"');
  t.equal(shown(field('SEQ A', text('1')) + dirty), '1 2', 'dirty');
  const list = field('TOC \\c "Figure"', '');
  const listed = changed(main(list + empty() + paragraph(field('SEQ Figure \\* roman', text('iv'))))).part;
  t.match(listed, '> SEQ Figure \\r 1 \\* ARABIC <', 'as LibreOffice lists them');
  t.match(listed, '> SEQ Figure \\r 2 \\* roman <');
});

t.test('numbers in the text', async (t) => {
  const alone = (instruction: string) => `<w:p>${begin}${code(instruction)}${end}</w:p>`;
  const numbers = (parts: string) => {
    const { part, notes } = changed(main(parts));
    const found = [...part.matchAll(/<w:t xml:space="preserve">([^<]*)</g)].map(([, each]) => each);
    return [found.join(' '), Object.fromEntries(notes.missing)];
  };
  t.strictSame(numbers(alone('AUTONUM') + alone('AUTONUMLGL \\s )')), ['1. 2)', {}]);
  t.strictSame(
    numbers(
      ['', ' \\l 2', ' \\l 2', ' \\l 1', ' \\l 3 \\s 4'].map((more) => alone(`LISTNUM${more}`)).join(''),
    ),
    ['1) a) b) 2) iv)', {}],
  );
  t.strictSame(numbers(alone('AUTONUMOUT') + alone('LISTNUM LegalDefault')), [
    '',
    { 'field-autonum': 1, 'field-listnum': 1 },
  ]);
});

t.test('no result of a field in the instruction of another', async (t) => {
  const inner = simple('SEQ A', code('A')) + code('-') + field('MERGEFIELD x', text('say "1\\'));
  const part = `<w:p>${begin}${code('TC "')}${inner}${code('"')}${end}</w:p>`;
  const alone = `<w:instrText xml:space="preserve"> TC &quot;-say 1&quot; </w:instrText>`;
  const opened = begin.replace('</w:r>', '');
  t.equal(changed(main(part)).part, main(`<w:p>${opened}${alone}${end.replace('<w:r>', '')}</w:p>`));
  const link = begin + code('HYPERLINK "x/') + field('PAGE') + code('"') + separate + text('there') + end;
  t.match(changed(main(`<w:p>${link}</w:p>`)).part, '> HYPERLINK &quot;x/&quot; <');
  const cut = `<w:p>${begin}${code('FORMTEXT ')}${inner}<w:del/>${separate}${text('x')}${end}</w:p>`;
  t.match(changed(main(cut)).part, '>_ORMTEXT <', 'of which LibreOffice prints what is stored');
  t.match(changed(main(cut.replace('FORMTEXT', 'SET'))).part, '>SET <', 'but not of what shows nothing');
});

t.test('tables of contents to fill', async (t) => {
  for (const part of [field('TOC \\o', ''), field('INDEX').replace('"begin"', '"begin" w:dirty="1"')]) {
    const { part: after, notes } = changed(main(`<w:p>${part}</w:p>`));
    t.match(after, /<w:instrText xml:space="preserve">(?:TOC \\o|INDEX)</);
    t.match(after, '</w:p><w:p>', 'with a paragraph that ends in it');
    t.ok(notes.fillsIndexes);
  }
  t.notOk(changed(main(field('TOC \\o'))).notes.fillsIndexes);
  t.equal(change(field('TOC', '')), field('_OC', ''), 'not in a document inside another');
});

t.test('fields that depend on their page', async (t) => {
  const nested =
    begin + code(' = ') + field(' PAGE ', text('2')) + code(' - 1 ') + separate + text('1') + end;
  const { part, notes } = changed(header(nested));
  t.ok(notes.hasPageFields);
  const coded = /_PLATEN\.([\w-]+)\./.exec(part)?.[1] ?? '';
  t.equal(Buffer.from(coded, 'base64url').toString(), '= { PAGE } - 1');
  t.match(part, '>1</w:t>', 'the stored result until then');
  const whole = rewritten(
    (xml) => withStoredResults(xml, { document, notes: new FieldNotes() }),
    header(nested),
  );
  t.notMatch(whole, FLAT, 'the run with the separator, which gives the result its looks, stays');
  t.notMatch(part, '> PAGE ');
  const own = changed(main(nested)).part;
  t.notMatch(own, '_PLATEN', 'in the body, Word shows what is stored');
  t.match(changed(main(simple('SECTIONPAGES'))).part, '_PLATEN.');
  const unknown = changed(header(field('PAGE \\* ChineseNum1') + simple('= {x')));
  t.strictSame([...unknown.notes.missing], [['field-page', 1]]);
});

t.test('page numbers in a format that LibreOffice lacks', async (t) => {
  const written = (part: string) => {
    const lacks = { ...document, lacksPageFormat: true };
    return rewritten((xml) => withStoredResults(xml, { document: lacks }), part) ?? part;
  };
  t.match(written(header(field(' PAGE '))), '_PLATEN.');
  t.notMatch(written(header(field(' PAGE \\* Arabic '))), '_PLATEN.');
  t.notMatch(written(main(field(' PAGE '))), '_PLATEN.', 'not in the body');
});

t.test('numbers of pages are digits where page numbers are not', async (t) => {
  const written = (part: string, hasPageFormats = true) =>
    change(part, { document: { ...document, hasPageFormats } });
  for (const part of [main, header]) {
    t.match(written(part(field(' NUMPAGES '))), '> NUMPAGES \\* Arabic <');
    t.match(written(part(simple('NUMPAGES \\* MERGEFORMAT'))), '" NUMPAGES \\* Arabic \\* MERGEFORMAT "');
    for (const code of ['NUMPAGES \\* roman', 'NUMPAGES \\* Arabic', 'PAGE'])
      t.equal(written(part(field(code))), undefined, code);
    t.equal(written(part(field(' NUMPAGES ')), false), undefined, 'where all are');
  }
});

t.test('the chapter in front of a page number is counted', async (t) => {
  const pages = field(' PAGE ') + simple('NUMPAGES');
  const missing = (part: string, hasChapters: boolean) => {
    const notes = new FieldNotes();
    change(part, { document: { ...document, hasChapters }, notes });
    return [...notes.missing];
  };
  t.strictSame(missing(header(pages), true), [['field-chapter', 1]]);
  t.strictSame(missing(header(pages), false), []);
  t.strictSame(missing(main(pages), true), [], 'outside headers, Word shows what is stored');
});

t.test('barcodes', async (t) => {
  const notes = new FieldNotes();
  const codes: string[] = [];
  const drawBarcode = (type: string, { text }: { readonly text: string }) => {
    codes.push(`${type} ${text}`);
    return text === 'wrong' ? undefined : '<svg viewBox="0 0 1 1"><path d="M0 0L1 1Z" /></svg>';
  };
  const shown = (part: string) => change(part, { drawBarcode, notes }) ?? part;
  const drawing =
    /<w:fldChar w:fldCharType="separate"\/>.*<w:drawing>.*<\/w:drawing><w:fldChar w:fldCharType="end"\/>/;
  t.match(shown(main(field('DISPLAYBARCODE a QR', ''))), drawing);
  t.match(
    shown(main(simple('DISPLAYBARCODE b QR', ''))),
    /"_ISPLAYBARCODE b QR"><w:r><w:drawing>.*<\/w:r><\/w:fldSimple>/,
  );
  const inner = field('MERGEFIELD Name', text('c d'));
  const pieces = `${character('begin')}${code('DISPLAYBARCODE "')}${inner}${code('" QR')}${character('separate')}${character('end')}`;
  t.match(shown(main(pieces)), drawing);
  t.strictSame([...notes.missing], []);
  for (const code of [
    'DISPLAYBARCODE wrong QR',
    'MERGEBARCODE a QR',
    `DISPLAYBARCODE "${'x'.repeat(1_000)}" QR`,
  ])
    t.notMatch(shown(main(field(code, ''))), '<w:drawing>', code.slice(0, 30));
  t.notMatch(shown(main(field('DISPLAYBARCODE e QR', text('stored')))), '<w:drawing>');
  t.strictSame([...notes.missing], [['field-barcode', 3]]);
  t.strictSame(codes, ['QR a', 'QR b', 'QR c d', 'QR wrong']);
  notes.barcodes = 4_000_000;
  t.notMatch(shown(main(field('DISPLAYBARCODE f QR', ''))), '<w:drawing>', 'beyond four megabytes');
});

t.test('what nobody draws is counted', async (t) => {
  const { part, notes } = changed(
    main(field('DISPLAYBARCODE "x" QR', '') + field('EQ \\i(1,2,3)', '') + field('EQ \\f(1,2)', text('½'))),
  );
  t.strictSame(
    [...notes.missing],
    [
      ['field-barcode', 1],
      ['field-eq', 1],
    ],
  );
  t.match(part, '½');
  const long = (kilobytes: number) =>
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${'a'.repeat(1_000 * kilobytes)}"/></w:rPr>${`<w:fldChar w:fldCharType="begin"/><w:instrText>EQ \\l(${'a,'.repeat(450)}a)</w:instrText><w:fldChar w:fldCharType="end"/>`.repeat(6)}</w:r></w:p>`;
  t.strictSame([...changed(main(long(1))).notes.missing], [['field-eq', 1]], 'beyond four megabytes');
  t.strictSame([...changed(main(long(3))).notes.missing], [['field-eq', 6]]);
  t.match(
    changed(main(field('EQ \\f(1,2)', ''))).part,
    '<m:num><m:r><m:t xml:space="preserve">1</m:t></m:r></m:num>',
  );
});
