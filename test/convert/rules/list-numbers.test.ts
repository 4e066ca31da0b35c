/** Items of lists that LibreOffice numbers unlike Word. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { listNumbers, withListInstances, withListItems } from '../../../src/convert/rules/list-numbers.ts';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const level = (index: number, restart = '', start = 1) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="${start}"/>${restart && `<w:lvlRestart w:val="${restart}"/>`}</w:lvl>`;
const definition = (...levels: readonly string[]) =>
  `<w:abstractNum w:abstractNumId="7">${levels.join('')}</w:abstractNum>`;
const list = (inner = '') => `<w:num w:numId="3"><w:abstractNumId w:val="7"/>${inner}</w:num>`;
const properties = (at: number, more = '') =>
  `<w:pPr>${more}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="3"/></w:numPr></w:pPr>`;
const item = (at: number) => `<w:p>${properties(at)}<w:r/></w:p>`;
const items = (levels: string) => [...levels].map((each) => item(Number(each))).join('');

const stylesOf = (styles: string) => new Styles(`<w:styles ${WORD}>${styles}</w:styles>`, noTheme);

/** The added instances, by the index of their paragraph, and both parts. */
function numbered(body: string, numbering: string, styles = '', notes = '') {
  const main = `<w:document ${WORD}><w:body>${body}</w:body></w:document>`;
  const part = `<w:numbering ${WORD}>${numbering}</w:numbering>`;
  const parts = new KeptParts('word/document.xml');
  const keep = (name: string, text: string) => parts.keep(name, [Buffer.from(text)]);
  keep('word/document.xml', main);
  keep('word/numbering.xml', part);
  keep('word/footnotes.xml', `<w:footnotes ${WORD}>${notes}</w:footnotes>`);
  const link = (type: string) => `<Relationship Id="${type}" Type="${TYPES}/${type}" Target="${type}.xml"/>`;
  keep(
    'word/_rels/document.xml.rels',
    `<Relationships>${link('numbering')}${link('footnotes')}</Relationships>`,
  );
  const lists = listNumbers(parts, stylesOf(styles));
  const items = [...(lists?.items ?? [])].flatMap(([, found]) => [...found]);
  const first = (pattern: RegExp) =>
    items.flatMap(
      ([
        index,
        {
          list: { markup },
        },
      ]) => {
        const value = pattern.exec(markup)?.[1];
        return value === undefined ? [] : [[index, value] as const];
      },
    );
  const latin1 = (text: string) => Buffer.from(text).toString('latin1');
  const found = lists?.items.get('word/document.xml');
  return {
    starts: first(/startOverride w:val="(\d+)"/).map(([index, start]) => [index, Number(start)]),
    texts: first(/lvlText w:val="([^"]*)"/),
    unwritten: lists?.unwritten,
    main: found && withListItems(main, found),
    part: lists && Buffer.from(withListInstances(latin1(part), lists), 'latin1').toString(),
  };
}

t.test('a level that never begins anew', async (t) => {
  const { starts, main, part } = numbered(items('011010011'), definition(level(0), level(1, '0')) + list());
  t.strictSame(starts, [
    [4, 3],
    [7, 4],
  ]);
  t.match(main, `<w:ilvl w:val="1"/><w:numId w:val="4"/>`);
  t.match(main, `<w:ilvl w:val="1"/><w:numId w:val="5"/>`);
  t.match(
    part,
    `${list()}<w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="1"><w:startOverride w:val="3"/></w:lvlOverride></w:num><w:num w:numId="5">`,
  );
});

t.test('a level that begins anew below one of the higher levels', async (t) => {
  const numbering = definition(level(0), level(1), level(2, '1', 5)) + list();
  t.strictSame(numbered(items('01212012'), numbering).starts, [[4, 6]], 'from its first number');
});

t.test('items of a style', async (t) => {
  const style = (more: string) =>
    `<w:style w:type="paragraph" w:styleId="S"><w:pPr>${more}<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr></w:pPr></w:style>`;
  const styled = '<w:p><w:pPr><w:pStyle w:val="S"/><w:jc/></w:pPr><w:r/></w:p>';
  const body = item(0) + styled + item(0) + styled;
  const numbering = definition(level(0), level(1, '0')) + list();
  const { starts, main } = numbered(body, numbering, style(''));
  t.strictSame(starts, [[3, 2]]);
  t.match(main, `<w:pStyle w:val="S"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr><w:jc/>`);
  const base =
    '<w:style w:type="paragraph" w:styleId="B"><w:pPr><w:ind w:left="1" w:right="2"/></w:pPr></w:style>';
  const edged = numbered(body, numbering, base + style('<w:basedOn w:val="B"/><w:ind w:hanging="9"/>'));
  t.strictSame(edged.starts, [[3, 2]]);
  t.match(
    edged.main,
    '<w:numId w:val="4"/></w:numPr><w:ind w:hanging="9"/><w:jc/>',
    'with the indentation of the style, but not what is above its list',
  );
  const usual = style('').replace('<w:style ', '<w:style w:default="1" ');
  const bare = '<w:p><w:r/></w:p>';
  t.match(
    numbered(item(0) + bare + item(0) + bare, numbering, usual).main,
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr></w:pPr><w:r/></w:p>',
    'without properties',
  );
});

t.test('numbers that are right already', async (t) => {
  const never = definition(level(0), level(1, '0'));
  const none = (body: string, numbering: string, message: string) =>
    t.strictSame(
      numbered(body, numbering),
      { starts: [], texts: [], unwritten: undefined, main: undefined, part: undefined },
      message,
    );
  none(items('0101'), definition(level(0), level(1)) + list(), 'levels that begin anew');
  none(items('0111'), never + list(), 'nothing comes between');
  none(
    items('0101'),
    never + list('<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'),
    'a list that begins elsewhere',
  );
  none(items('0101').replaceAll('"3"', '"0"'), never + list(), 'no list');
  const box = `<w:p><w:r><w:txbxContent>${items('0101')}</w:txbxContent></w:r></w:p>`;
  none(box, never + list(), 'paragraphs in another one');
  const old = `<w:p><w:pPr><w:pPrChange>${properties(1)}</w:pPrChange></w:pPr></w:p>`;
  none(items('010') + old, never + list(), 'properties of the past');
});

const written = (index: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:pStyle w:val="S"/>${more}<w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="720"/></w:pPr></w:lvl>`;

t.test('number formats that LibreOffice lacks', async (t) => {
  const numbering = definition(
    written(0, 'decimalEnclosedParen', '第%1&amp;'),
    written(1, 'lowerLetter', '%1.%2'),
    written(2, 'thaiNumbers', '%3'),
    written(3, 'decimal', '%1', '<w:isLgl/>'),
  );
  const { texts, main, part } = numbered(items('0122300'), numbering + list());
  t.strictSame(texts, [
    [0, '第⑴&amp;'],
    [1, '⑴.%2'],
    [2, '๑'],
    [3, '๒'],
    [5, '第⑵&amp;'],
    [6, '第⑶&amp;'],
  ]);
  t.match(main, '<w:ilvl w:val="2"/><w:numId w:val="6"/>');
  t.match(
    part,
    `<w:num w:numId="5"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="1"><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="⑴.%2"/><w:pPr><w:ind w:left="720"/></w:pPr></w:lvl></w:lvlOverride></w:num>`,
    'with the looks of the level, and the format of its own number',
  );
});

t.test('items with the same text have the same instance', async (t) => {
  const numbering =
    definition(written(0, 'decimal', '%1'), written(1, 'hindiNumbers', '%2')) +
    list() +
    list('<w:lvlOverride w:ilvl="1"><w:startOverride w:val="1"/></w:lvlOverride>').replace('"3"', '"4"');
  const other = item(1).replace('"3"', '"4"');
  const { texts, part } = numbered(items('0101') + other + item(1), numbering);
  t.strictSame(texts, [
    [1, '१'],
    [3, '१'],
    [4, '१'],
    [5, '२'],
  ]);
  t.equal(part?.split('<w:num ').length, 5);
});

t.test('lists with levels of their own', async (t) => {
  const own = (more: string) => `<w:lvlOverride w:ilvl="0">${more}</w:lvlOverride>`;
  const numbering =
    definition(written(0, 'upperRoman', '%1'), written(1, 'hex', '%1-%2')) +
    list(
      own(written(0, 'thaiNumbers', '%1')) +
        '<w:lvlOverride w:ilvl="1"><w:startOverride w:val="15"/></w:lvlOverride>',
    );
  const { texts, part } = numbered(items('01'), numbering);
  t.strictSame(texts, [
    [0, '๑'],
    [1, '%1'],
  ]);
  t.match(part, '<w:lvlText w:val="๑-F"/>');
  const counted = '<w:lvlOverride w:ilvl="1"><w:startOverride w:val="7"/></w:lvlOverride>';
  t.match(
    numbered(
      items('01'),
      definition(written(0, 'hindiNumbers', '%1'), written(1, 'decimal', '%1.%2')) + list(counted),
    ).part,
    '<w:lvlOverride w:ilvl="1"><w:startOverride w:val="7"/><w:lvl w:ilvl="1">',
    'which begin elsewhere',
  );
});

t.test('lists of a style', async (t) => {
  const numbering =
    `<w:abstractNum w:abstractNumId="7"><w:numStyleLink w:val="L"/></w:abstractNum>${list()}` +
    `<w:abstractNum w:abstractNumId="8">${written(0, 'hex', '%1')}</w:abstractNum>` +
    '<w:num w:numId="9"><w:abstractNumId w:val="8"/></w:num>';
  const style = '<w:style w:styleId="L"><w:pPr><w:numPr><w:numId w:val="9"/></w:numPr></w:pPr></w:style>';
  t.strictSame(numbered(items('0'), numbering, style).texts, [[0, '1']]);
});

t.test('text boxes and notes count by themselves', async (t) => {
  const numbering = definition(written(0, 'hex', '0x%1')) + list();
  const box = (inner: string) => `<w:p><w:r><w:txbxContent>${inner}</w:txbxContent></w:r></w:p>`;
  const fallback = `<w:p><mc:Fallback>${item(0)}</mc:Fallback></w:p>`;
  const { texts } = numbered(items('00') + box(item(0)) + fallback + item(0), numbering, '', item(0));
  t.strictSame(texts, [
    [0, '0x1'],
    [1, '0x2'],
    [3, '0x1'],
    [5, '0x3'],
    [0, '0x1'],
  ]);
});

t.test('custom formats', async (t) => {
  const custom = (format: string) =>
    written(0, 'custom', '[%1]').replace('w:val="custom"', `w:val="custom" w:format="${format}"`);
  const { part, main } = numbered(items('0'), definition(custom('α, β, γ, ...')) + list());
  t.match(
    part,
    '<w:numFmt w:val="decimal"/>',
    'that LibreOffice does not know keep the text around the number',
  );
  t.equal(main, undefined);
  const known = definition(custom('001, 002, 003, ...')) + list();
  t.match(numbered(items('0'), known).part, 'w:format="001, 002, 003, ..."');
  const below = custom('α, β, γ, ...').replace('ilvl="0"', 'ilvl="1"').replace('[%1]', '%1 %2');
  const copied = numbered(items('01'), definition(written(0, 'hex', '%1'), below) + list()).part;
  t.match(copied, '<w:lvlText w:val="1 %2"/>');
  t.notMatch(copied, 'custom', 'nor in added instances');
  const named = definition(custom('①, ②, ③, ...')) + list();
  t.match(numbered(items('0'), named).part, '<w:numFmt w:val="decimalEnclosedCircle"/>', 'that have a name');
  const zeros = definition(custom('000001, 000002, 000003, ...')) + list();
  t.strictSame(numbered(items('00'), zeros).texts, [
    [0, '[000001]'],
    [1, '[000002]'],
  ]);
});

t.test('numbers that are digits, as nobody can write them', async (t) => {
  const unwritten = (body: string, ...levels: readonly string[]) =>
    numbered(body, definition(...levels) + list()).unwritten;
  t.equal(unwritten(items('00'), written(0, 'hindiCounting', '%1')), 2);
  t.equal(unwritten(items('00'), written(0, 'hindiCounting', '-')), undefined, 'numbers that are not shown');
  const legal = written(0, 'hindiCounting', '%1', '<w:isLgl/>');
  t.equal(unwritten(items('00'), legal), undefined, 'digits that are meant');
  const hex = written(0, 'hex', '%1');
  t.equal(unwritten(items('0'.repeat(1_002)), hex), 2, 'more texts than instances may be added');
  const long = `<w:suff w:val="${'a'.repeat(5_000)}"/>`;
  t.equal(unwritten(items('0'), written(0, 'hex', '%1', long)), 1, 'a level that is very long');
});

t.test('levels that are very long stay as they are', async (t) => {
  const long = `<w:suff w:val="${'a'.repeat(5_000)}"/>`;
  t.strictSame(numbered(items('0'), definition(written(0, 'hex', '%1', long)) + list()).texts, []);
});
