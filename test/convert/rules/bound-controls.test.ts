/** Bound check boxes, lists and pictures show what Word shows of their data. */
import t from 'tap';
import { BoundData } from '../../../src/convert/document/bound-data.ts';
import { KeptParts } from '../../../src/convert/document/kept-parts.ts';
import { withBoundControls } from '../../../src/convert/rules/bound-controls.ts';
import { relationships } from '../../support/office-package.ts';

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
const ID = '{11111111-2222-3333-4444-555555555555}';
const DATA = `<root xmlns="urn:a" xmlns:b="urn:b"><yes>true</yes><no>0</no><code>DE</code><code>F&amp;R</code>
<b:empty/><b:other flag="1" b:flag="0">x<c/>y</b:other><more xmlns=""><code>none</code></more></root>`;

const kept = new KeptParts('word/document.xml');
const keep = (name: string, text: string) => {
  t.ok(kept.wants(name, text.length));
  kept.keep(name, [Buffer.from(text)]);
};
keep(
  'word/_rels/document.xml.rels',
  relationships([`<Relationship Id="r1" Type="${TYPE}customXml" Target="../customXml/item1.xml"/>`]),
);
keep(
  'customxml/_rels/item1.xml.rels',
  relationships([`<Relationship Id="r1" Type="${TYPE}customXmlProps" Target="props1.xml"/>`]),
);
keep('customxml/item1.xml', DATA);
keep('customxml/props1.xml', `<ds:datastoreItem ds:itemID="${ID.toLowerCase()}" xmlns:ds="urn:ds"/>`);
const data = new BoundData(kept);
const prefixes = "xmlns:a='urn:a' xmlns:b='urn:b'";

t.test('values by the paths that Word writes', async (t) => {
  const value = (path: string, store = ID) => data.value({ store, path, prefixes });
  t.equal(value('/a:root[1]/a:yes[1]'), 'true');
  t.equal(value('/a:root/a:code[2]'), 'F&R');
  t.equal(value('/a:root/a:yes', ''), 'true', 'in any part');
  t.equal(value('/a:root/a:yes', '{0}'), undefined, 'in another part');
  t.equal(value('/a:root/b:empty'), '');
  t.equal(value('/a:root/b:other/@flag'), '1');
  t.equal(value('/a:root/b:other/@b:flag'), '0');
  t.equal(value('/a:root/more/code'), 'none', 'without a namespace');
  for (const path of ['/a:root/b:other', '/root/yes', '/a:root/a:code[3]', '//a:yes', 'a:yes', '/x:root', ''])
    t.equal(value(path), undefined, path);
});

t.test('data that are too large are not kept', async (t) => {
  const parts = new KeptParts('word/document.xml');
  t.notOk(parts.wants('customxml/item1.xml', 200_000));
  for (let i = 0; i < 8; i += 1) parts.keep(`customxml/item${i}.xml`, [Buffer.alloc(131_072)]);
  t.notOk(parts.wants('customxml/item9.xml', 1));
  t.ok(parts.wants('word/styles.xml', 1));
});

const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`;
const control = (path: string, kind: string, content: string) =>
  `<w:sdt><w:sdtPr><w:dataBinding w:prefixMappings="${prefixes}" w:xpath="/a:root/${path}" w:storeItemID="${ID}"/>${kind}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const change = (body: string) => {
  const xml = `<w:document ${W}><w:body><w:p>${body}</w:p></w:body></w:document>`;
  const changed = withBoundControls(Buffer.from(xml).toString('latin1'), (binding) => data.value(binding));
  return Buffer.from(changed, 'latin1').toString();
};
const contentOf = (body: string) => /<w:sdtContent>(.*)<\/w:sdtContent>/.exec(change(body))?.[1];
const isBound = (body: string) => change(body).includes('<w:dataBinding');
const box = (isChecked: 0 | 1, states = '') =>
  `<w14:checkbox><w14:checked w14:val="${isChecked}"/>${states}</w14:checkbox>`;
const list = '<w:dropDownList><w:listItem w:displayText="Germany &amp; Ü" w:value="DE"/></w:dropDownList>';
const written = (text: string) => `<w:t xml:space="preserve">${text}</w:t>`;
const fonts = (font: string) =>
  `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>`;

t.test('check boxes', async (t) => {
  t.notOk(isBound(control('a:yes', box(1), run('☒'))));
  t.equal(contentOf(control('a:yes', box(1), run('X'))), run('X'), 'as stored');
  t.equal(
    contentOf(control('a:yes', box(0), run('☐'))),
    `<w:r><w:rPr>${fonts('MS Gothic')}</w:rPr>${written('&#x2612;')}</w:r>`,
  );
  const states =
    '<w14:checkedState w14:val="00FE" w14:font="Wingdings"/><w14:uncheckedState w14:val="00A8" w14:font="Wingdings"/>';
  t.equal(
    contentOf(
      control(
        'a:no',
        box(1, states),
        run('þ', '<w:rPr><w:rFonts w:ascii="Arial"/><w:b/></w:rPr>') + run('more'),
      ),
    ),
    `<w:r><w:rPr>${fonts('Wingdings')}<w:b/></w:rPr>${written('&#x00A8;')}</w:r><w:r><w:t></w:t></w:r>`,
  );
  t.equal(
    contentOf(control('a:no', box(1), run('☒', '<w:rPr><w:b/></w:rPr>'))),
    `<w:r><w:rPr><w:b/>${fonts('MS Gothic')}</w:rPr>${written('&#x2610;')}</w:r>`,
  );
  t.equal(contentOf(control('a:code', box(1), run('☒'))), run('☒'), 'neither true nor false');
  t.equal(contentOf(control('a:gone', box(1), run('☒'))), run('☒'), 'no data');
  t.equal(contentOf(control('a:yes', box(0), '<w:p/>')), '<w:p/>', 'no run');
});

t.test('lists', async (t) => {
  const shown = `<w:r>${written('Germany &amp; Ü')}</w:r>`;
  t.equal(contentOf(control('a:code', list, run('France'))), shown);
  t.notOk(isBound(control('a:code', list, run('France'))));
  t.equal(contentOf(control('a:gone', list, run('France'))), run('France'));
  t.ok(isBound(control('a:yes', list, run('France'))), 'the data are no value of an item');
  t.notOk(isBound(control('b:empty', list, run('France'))));
});

t.test('others', async (t) => {
  t.notOk(isBound(control('a:yes', '<w:picture/>', run('picture'))));
  t.ok(isBound(control('a:yes', '<w:text/>', run('text'))));
  t.ok(isBound(control('a:yes', '', run('text'))));
  const inner = control('a:code', list, run('France'));
  t.match(change(control('a:yes', '<w:text/>', `<w:p>${inner}</w:p>`)), 'Germany', 'inside another');
});
