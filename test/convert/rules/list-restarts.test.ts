/** Items of lists whose numbers go on behind an item of a higher level. */
import t from 'tap';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { continuedLists, withContinuedLists } from '../../../src/convert/rules/list-restarts.ts';

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering';

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

/** The numbers with which added lists start, by the index of their paragraph, and both parts. */
function continued(body: string, numbering: string, styles = '') {
  const main = `<w:document ${WORD}><w:body>${body}</w:body></w:document>`;
  const part = `<w:numbering ${WORD}>${numbering}</w:numbering>`;
  const parts = new KeptParts('word/document.xml');
  const keep = (name: string, text: string) => parts.keep(name, [Buffer.from(text)]);
  keep('word/document.xml', main);
  keep('word/numbering.xml', part);
  keep(
    'word/_rels/document.xml.rels',
    `<Relationships><Relationship Id="r" Type="${TYPE}" Target="numbering.xml"/></Relationships>`,
  );
  const lists = continuedLists(parts, stylesOf(styles));
  return {
    starts: [...(lists?.items ?? [])].map(([index, { start }]) => [index, start]),
    main: lists && withContinuedLists(main, true, lists),
    part: lists && withContinuedLists(part, false, lists),
  };
}

t.test('a level that never begins anew', async (t) => {
  const { starts, main, part } = continued(items('011010011'), definition(level(0), level(1, '0')) + list());
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
  t.strictSame(continued(items('01212012'), numbering).starts, [[4, 6]], 'from its first number');
});

t.test('items of a style', async (t) => {
  const style = (more: string) =>
    `<w:style w:type="paragraph" w:styleId="S"><w:pPr>${more}<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr></w:pPr></w:style>`;
  const styled = '<w:p><w:pPr><w:pStyle w:val="S"/><w:jc/></w:pPr><w:r/></w:p>';
  const body = item(0) + styled + item(0) + styled;
  const numbering = definition(level(0), level(1, '0')) + list();
  const { starts, main } = continued(body, numbering, style(''));
  t.strictSame(starts, [[3, 2]]);
  t.match(main, `<w:pStyle w:val="S"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr><w:jc/>`);
  t.strictSame(
    continued(body, numbering, style('<w:ind w:left="9"/>')).starts,
    [],
    'not with an edge of its own',
  );
  const usual = style('').replace('<w:style ', '<w:style w:default="1" ');
  const bare = '<w:p><w:r/></w:p>';
  t.match(
    continued(item(0) + bare + item(0) + bare, numbering, usual).main,
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr></w:pPr><w:r/></w:p>',
    'without properties',
  );
});

t.test('numbers that are right already', async (t) => {
  const never = definition(level(0), level(1, '0'));
  const none = (body: string, numbering: string, message: string) =>
    t.strictSame(continued(body, numbering), { starts: [], main: undefined, part: undefined }, message);
  none(items('0101'), definition(level(0), level(1)) + list(), 'levels that begin anew');
  none(items('0111'), never + list(), 'nothing comes between');
  none(items('0101'), never + list('<w:lvlOverride w:ilvl="0"/>'), 'a list with levels of its own');
  none(items('0101').replaceAll('"3"', '"0"'), never + list(), 'no list');
  const box = `<w:p><w:r><w:txbxContent>${items('0101')}</w:txbxContent></w:r></w:p>`;
  none(box, never + list(), 'paragraphs in another one');
  const old = `<w:p><w:pPr><w:pPrChange>${properties(1)}</w:pPrChange></w:pPr></w:p>`;
  none(items('010') + old, never + list(), 'properties of the past');
});
