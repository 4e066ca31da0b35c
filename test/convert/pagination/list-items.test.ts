/** Where the lines of list items begin, by numbering and styles. */
import t from 'tap';
import { ParagraphProperties } from '../../../src/convert/document/paragraph-properties.ts';
import { Styles } from '../../../src/convert/document/styles.ts';
import { noTheme } from '../../../src/convert/document/theme.ts';
import { ListItems } from '../../../src/convert/pagination/list-items.ts';
import { wordPart } from '../../support/report-documents.ts';
import { numbered } from './support/parts.ts';

const level = (index: number, left: string) =>
  `<w:lvl w:ilvl="${index}"><w:pPr><w:ind ${left} w:hanging="360"/></w:pPr></w:lvl>`;
const numbering = wordPart(
  'numbering',
  `<w:abstractNum w:abstractNumId="7">${level(0, 'w:left="720"')}${level(1, 'w:start="1440"')}</w:abstractNum>` +
    '<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="Outline"/></w:abstractNum>' +
    '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>' +
    `<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">${level(0, 'w:left="99"')}</w:lvlOverride></w:num>` +
    '<w:num w:numId="3"><w:abstractNumId w:val="8"/></w:num>' +
    '<w:num w:numId="4"><w:abstractNumId w:val="9"/></w:num>',
);
const style = (id: string, properties: string, based = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}">${based && `<w:basedOn w:val="${based}"/>`}<w:pPr>${properties}</w:pPr></w:style>`;
const styles = wordPart(
  'styles',
  [
    style('Indented', '<w:ind w:left="333"/>'),
    style('Item', numbered(1, 1)),
    style('SubItem', '', 'Item'),
    style('FarItem', `${numbered(1)}<w:ind w:left="555"/>`),
    style('FartherItem', '<w:ind w:left="666"/>', 'Item'),
    style('LateItem', numbered(1), 'Indented'),
    style('Liste à puces', numbered(1)),
    '<w:style w:type="numbering" w:styleId="Outline"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
  ].join(''),
);
const listsOf = (list: string, style: string) => new ListItems(list, new Styles(style, noTheme));
const lists = listsOf(numbering, styles);
const find = (properties: string, from = lists) =>
  from.find(new ParagraphProperties(Buffer.from(properties).toString('latin1'), 'w:'), 'w:');
const named = (id: string) => `<w:pStyle w:val="${id}"/>`;

t.test('a paragraph of a list has the edge of its level', async (t) => {
  t.strictSame(find(numbered(1)), { left: '720' });
  t.strictSame(find(numbered(1, 1)), { left: '1440' });
  t.strictSame(find('<w:numPr><w:numId w:val="1"/></w:numPr>'), { left: '720' }, 'the first level');
  t.strictSame(find(numbered(2)), { left: '99' }, 'that of its instance');
  t.strictSame(find(numbered(2, 1)), { left: '1440' }, 'which overrides one level');
  t.strictSame(find(numbered(3)), { left: '720' }, 'of a list that is one of a style');
  t.strictSame(find(named('Indented') + numbered(1)), { left: '720' }, 'whatever its style says');
});

t.test('one whose style has the list', async (t) => {
  t.strictSame(find(named('Item')), { left: '1440' });
  t.strictSame(find(named('SubItem')), { left: '1440' }, 'or a style that it is based on');
  t.strictSame(find(named('FarItem')), { left: '555' }, 'the edge of the style itself');
  t.strictSame(find(named('FartherItem')), { left: '666' }, 'or of one based on it');
  t.strictSame(find(named('LateItem')), { left: '720' }, 'but none of a style below');
  t.strictSame(find(named('Item') + numbered(2)), { left: '99' }, 'a list of its own');
  t.strictSame(find(named('Liste à puces')), { left: '720' }, 'whatever it is called');
});

t.test('an edge of its own stays', async (t) => {
  for (const own of ['w:left="1"', 'w:start="1"', 'w:leftChars="100"']) {
    t.strictSame(find(`${numbered(1)}<w:ind ${own} w:hanging="2"/>`), { left: undefined }, own);
  }
  t.strictSame(find(`${numbered(1)}<w:ind w:hanging="2"/>`), { left: '720' });
});

t.test('what is no item', async (t) => {
  t.equal(find(''), undefined);
  t.equal(find(named('Indented')), undefined);
  t.equal(find(named('Item') + numbered(0)), undefined, 'one that has left the list of its style');
});

t.test('lists that say nothing of their edge', async (t) => {
  t.strictSame(find(numbered(9)), { left: undefined }, 'one that there is not');
  t.strictSame(find(numbered(4)), { left: undefined }, 'one without a definition');
  t.strictSame(find(numbered(1), listsOf('', '')), { left: undefined });
  const odd = numbering.replace('w:left="720"', `w:left='"/&gt;'`);
  t.strictSame(find(numbered(1), listsOf(odd, styles)), { left: undefined }, 'nor what is no length');
});
