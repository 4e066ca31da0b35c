/** Lists, their definitions and levels. */
import { wordPart } from '../report-documents.ts';
import { type GrowingDocument, inParts, many, paragraph, textRun } from './growing-document.ts';

const item = (list: number, more = '') =>
  paragraph(
    textRun('a', '<w:rFonts w:ascii="Calibri"/>'),
    `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>${more}`,
  );
const level = (index: number) =>
  `<w:lvl w:ilvl="${index}"><w:lvlText w:val="\uf0b7"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360"/></w:pPr><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr></w:lvl>`;
const definition = (id: number, inner: string) =>
  `<w:abstractNum w:abstractNumId="${id}">${inner}</w:abstractNum>`;
const list = (id: number, of: number) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/></w:num>`;
const ofLists = (
  name: string,
  size: number,
  inner: (count: number) => string,
  body: (count: number) => string,
) =>
  inParts(name, size, (count) => ({
    body: body(count),
    parts: { 'numbering.xml': wordPart('numbering', inner(count)) },
  }));
const clear = '<w:tabs><w:tab w:val="clear" w:pos="1569"/></w:tabs>';
const one = () => item(1, '<w:bidi/>');

/** Its second level never begins anew. */
const endless = definition(
  1,
  '<w:lvl w:ilvl="0"><w:start w:val="1"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:lvlRestart w:val="0"/></w:lvl>',
);
const below = item(1).replace('<w:ilvl w:val="0"/>', '<w:ilvl w:val="1"/>');

/** In a format that LibreOffice lacks. */
const hindi = definition(
  1,
  '<w:lvl w:ilvl="0"><w:numFmt w:val="hindiNumbers"/><w:lvlText w:val="%1"/><w:pPr><w:ind w:left="9"/></w:pPr></w:lvl>',
);
const restarted = (id: number) =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`;

export const listKinds: readonly GrowingDocument[] = [
  inParts('items of a style in another format', 400, (count) => ({
    body: many(count, paragraph(textRun('a'), '<w:pStyle w:val="s"/>')),
    parts: {
      'numbering.xml': wordPart('numbering', hindi + list(1, 1)),
      'styles.xml': wordPart(
        'styles',
        '<w:style w:type="paragraph" w:styleId="s"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:ind w:left="9" w:hanging="9"/></w:pPr></w:style>',
      ),
    },
  })),
  inParts('cleared tab stops', 1_000, (count) => ({
    body: many(count, () => item(1, clear)),
    parts: {
      'styles.xml': wordPart(
        'styles',
        `<w:style w:default="1" w:type="paragraph"><w:pPr>${clear}</w:pPr></w:style>`,
      ),
    },
  })),
  ofLists(
    'items with other digits',
    300,
    () => hindi + list(1, 1),
    (count) => many(count, one),
  ),
  ofLists(
    'lists with other digits',
    200,
    (count) => hindi + many(count, restarted),
    (count) => many(count, item),
  ),
  ofLists(
    'lists in custom formats',
    200,
    (count) =>
      hindi.replace('"hindiNumbers"', '"custom" w:format="①, ②, ③, ..."') +
      many(
        count,
        (id) =>
          `<w:num w:numId="${id}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:numFmt w:val="custom" w:format="α, β, γ, ..."/><w:lvlText w:val="%1"/></w:lvl></w:lvlOverride></w:num>`,
      ),
    (count) => many(count, item),
  ),
  ofLists(
    'items with a long text in a long format',
    300,
    (count) =>
      hindi
        .replace('"hindiNumbers"', `"custom" w:format="${'0'.repeat(100 * count)}1, 2"`)
        .replace('w:val="%1', `w:val="${'a'.repeat(100 * count)}%1`) + list(1, 1),
    (count) => many(count, one),
  ),
  inParts('notes with other digits', 200, (count) => ({
    body: paragraph('<w:r><w:footnoteReference w:id="1"/></w:r>'),
    parts: {
      'numbering.xml': wordPart(
        'numbering',
        hindi.replace('<w:pPr>', `<w:suff w:val="${'a'.repeat(5_000)}"/><w:pPr>`) + list(1, 1),
      ),
      'footnotes.xml': wordPart('footnotes', `<w:footnote w:id="1">${many(count, one)}</w:footnote>`),
    },
  })),
  ofLists(
    'items of lists whose numbers go on',
    200,
    () => endless + list(1, 1),
    (count) => many(count, item(1) + below),
  ),
  ofLists(
    'lists with levels of their own that go on',
    300,
    (count) =>
      endless +
      many(
        count,
        (i) =>
          `<w:num w:numId="${i}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`,
      ),
    one,
  ),
  ofLists(
    'definitions of lists',
    300,
    (count) => many(count, (i) => definition(i, level(0)) + list(i, i)),
    one,
  ),
  ofLists(
    'lists of a definition',
    1_000,
    (count) => definition(1, many(9, level)) + many(count, (i) => list(i, 1)),
    one,
  ),
  ofLists('levels of a definition', 400, (count) => definition(1, many(count, level)) + list(1, 1), one),
  ofLists(
    'levels of a list',
    400,
    (count) =>
      definition(1, level(0)) +
      `<w:num w:numId="1"><w:abstractNumId w:val="1"/>${many(count, (i) => `<w:lvlOverride>${level(i)}</w:lvlOverride>`)}</w:num>`,
    one,
  ),
  ofLists(
    'list items',
    500,
    () => definition(1, level(0)) + list(1, 1),
    (count) => many(count, item(1)),
  ),
  ofLists(
    'items of lists of their own',
    300,
    (count) => definition(1, level(0)) + many(count, (i) => list(i, 1)),
    (count) => many(count, (i) => item(i, '<w:bidi/>')),
  ),
  ofLists(
    'styles of lists',
    1_000,
    (count) => many(count, (i) => definition(i, `<w:numStyleLink w:val="s${i}"/>`)),
    one,
  ),
  ofLists(
    'list items of either direction',
    400,
    () => definition(1, level(0)) + list(1, 1) + list(2, 1),
    (count) => item(1, '<w:bidi/>') + many(count, item(2)),
  ),
  inParts('list items of either direction, by their style', 400, (count) => ({
    body: item(1, '<w:bidi/>') + many(count, item(2, '<w:pStyle w:val="s"/>')),
    parts: {
      'numbering.xml': wordPart('numbering', definition(1, level(0)) + list(1, 1) + list(2, 1)),
      'styles.xml': wordPart(
        'styles',
        '<w:style w:type="paragraph" w:styleId="s"><w:pPr><w:bidi/></w:pPr></w:style>',
      ),
    },
  })),
];
