/** Content controls that are bound to data, and the data. */
import { docxLeadingTo } from '../documents.ts';
import { type GrowingDocument, inBody, many, paragraph, textRun } from './growing-document.ts';

const control = (properties: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${paragraph(textRun('a'))}</w:sdtContent></w:sdt>`;
const binding = (path: string) => control(`<w:dataBinding w:xpath="${path}"/>`);
const bound = (
  name: string,
  size: number,
  data: (count: number) => string,
  body: (count: number) => string,
): GrowingDocument => ({
  name,
  size,
  of: (count) => docxLeadingTo({ 'data.xml': 'customXml' }, { 'word/data.xml': data(count) }, body(count)),
});

export const bindingKinds: readonly GrowingDocument[] = [
  inBody('bindings', 700, binding('/a/b[1]')),
  bound(
    'bindings to long data',
    700,
    () => `<a>${'a'.repeat(200_000)}</a>`,
    (count) => many(count, binding('/a')),
  ),
  bound(
    'data',
    4_000,
    (count) => `<a>${many(count, (i) => `<b${i} c="1"/>`)}</a>`,
    () => binding('/a/b'),
  ),
  bound(
    'text of data',
    40,
    (count) => `<a>${many(count, 'text '.repeat(1_000))}</a>`,
    () => binding('/a'),
  ),
  inBody('steps of bindings', 30, (i) => binding(`${`/a[b=${i}]`.repeat(500)} | a`)),
  inBody('strings in bindings', 30, binding(`&quot;'${'a 1 '.repeat(1_000)}`)),
  inBody('long bindings', 2, binding('/a'.repeat(30_000))),
  inBody('controls for a date', 700, control('<w:showingPlcHdr/><w:date><w:dateFormat w:val="d"/></w:date>')),
  inBody('dates of a control', 4_000, '<w:date/>', ['<w:sdt><w:sdtPr>', '</w:sdtPr></w:sdt>']),
];
