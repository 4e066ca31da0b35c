/** Content controls that are bound to data, and the data. */
import { docxLeadingTo, docxWithParts, mainPart } from '../documents.ts';
import { relationships } from '../office-package.ts';
import { type GrowingDocument, inBody, many, paragraph, textRun } from './growing-document.ts';

const control = (properties: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${paragraph(textRun('a'))}</w:sdtContent></w:sdt>`;
const binding = (path: string) => control(`<w:dataBinding w:xpath="${path}"/>`);
const CHECK_BOX =
  '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="A"/></w14:checkbox>';
const choice = (path: string, kind: string) =>
  `<w:sdt><w:sdtPr><w:dataBinding w:prefixMappings="xmlns:d='d'" w:xpath="${path}"/>${kind}</w:sdtPr><w:sdtContent><w:p><w:r><w:t>a</w:t></w:r><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>`;
const item = (i: number) => `<w:listItem w:displayText="a" w:value="${i}"/>`;
const bound = (
  name: string,
  size: number,
  data: (count: number) => string,
  body: (count: number) => string,
): GrowingDocument => ({
  name,
  size,
  of: (count) =>
    docxLeadingTo(
      { 'data.xml': 'customXml' },
      {
        'word/data.xml': data(count),
        'word/_rels/data.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="a/customXmlProps" Target="properties.xml"/></Relationships>',
        'word/properties.xml': '<a:a xmlns:a="a" a:itemID="{1}"></a:a>',
      },
      body(count),
    ),
});
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const link = (id: number, type: string, target: string) =>
  `<Relationship Id="r${id}" Type="a/${type}" Target="${target}"/>`;
const linkedData = (
  name: string,
  size: number,
  most: number,
  parts: (count: number) => Record<string, string>,
): GrowingDocument => ({
  name,
  size,
  most,
  of: (count) =>
    docxWithParts({
      ...parts(count),
      'word/document.xml': mainPart(choice('/a', `<w:dropDownList>${item(1)}</w:dropDownList>`)),
    }),
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
  bound(
    'bound check boxes',
    400,
    (count) => `<a xmlns:c="b">${many(count, (i) => `<b${i % 9} c="1">true</b${i % 9}>`)}</a>`,
    (count) => many(count, (i) => choice(`/a/b${i % 9}[${Math.ceil(i / 9)}]`, CHECK_BOX)),
  ),
  linkedData('links to the same data', 100, 2_000, (count) => ({
    'word/data.xml': '<a>1</a>',
    'word/_rels/document.xml.rels': relationships(
      numbers(count).map((i) => link(i, 'customXml', 'data.xml')),
    ),
    'word/_rels/data.xml.rels': relationships(numbers(count).map((i) => link(i, 'other', 'data.xml'))),
  })),
  linkedData('data with the same description', 100, 900, (count) => ({
    'word/about.xml': `<a>${many(count, '<b itemID="1"/>')}</a>`,
    'word/_rels/document.xml.rels': relationships(
      numbers(count).map((i) => link(i, 'customXml', `data${i}.xml`)),
    ),
    ...Object.fromEntries(
      numbers(count).flatMap((i) => [
        [`word/data${i}.xml`, '<a>1</a>'],
        [`word/_rels/data${i}.xml.rels`, relationships([link(i, 'customXmlProps', 'about.xml')])],
      ]),
    ),
  })),
  bound(
    'bound lists',
    400,
    () => '<a>1</a>',
    (count) => many(count, (i) => choice('/a', `<w:dropDownList>${item(i)}${item(1)}</w:dropDownList>`)),
  ),
  bound(
    'items of a bound list',
    2_000,
    () => '<a>1</a>',
    (count) => choice('/a', `<w:comboBox>${many(count, item)}</w:comboBox>`),
  ),
  inBody('controls for a date', 700, control('<w:showingPlcHdr/><w:date><w:dateFormat w:val="d"/></w:date>')),
  inBody('dates of a control', 4_000, '<w:date/>', ['<w:sdt><w:sdtPr>', '</w:sdtPr></w:sdt>']),
];
