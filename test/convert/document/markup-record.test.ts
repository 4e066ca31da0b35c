/** Parts that are read again and again: every visitor is told the same. */
import t from 'tap';
import { type MarkupVisitor, visitMarkup } from '../../../src/convert/document/markup.ts';
import { forgetRecords, recordOf } from '../../../src/convert/document/markup-record.ts';
import { tagsIn } from '../../../src/convert/document/tags.ts';

const PARAGRAPH =
  '<w:p w:id="1"><!-- <w:r> --><w:r ><w:tab/><w:tab a="/>" /><w:t>one</w:t >two<![CDATA[<w:r>]]></w:r></w:p>\n';

/** What a visitor is told of a part. */
function told(xml: string): unknown[] {
  const all: unknown[] = [];
  const visitor: MarkupVisitor = {
    open: (...tag) => all.push(['open', ...tag]),
    close: (...tag) => all.push(['close', ...tag]),
    text: (_, start, end) => all.push(['text', xml.slice(start, end)]),
  };
  visitMarkup(xml, visitor);
  return all;
}

t.afterEach(() => forgetRecords());

const parts = {
  whole: `<w:body>${PARAGRAPH.repeat(200)}</w:body>`,
  'that ends another element': `<w:body>${PARAGRAPH.repeat(200)}</w:bod>${PARAGRAPH}`,
  'with a longer end': `<w:body>${PARAGRAPH.repeat(200)}</w:body2>${PARAGRAPH}`,
  'that breaks off': `<w:body>${PARAGRAPH.repeat(200)}<w:p`,
  'that nests too deep': `<w:body>${PARAGRAPH.repeat(200)}${'<w:p>'.repeat(600)}`,
  'of tags alone': `<a>${'<b/><c></c>'.repeat(1_000)}</a>`,
};

t.test('the same once more', async (t) => {
  for (const [name, xml] of Object.entries(parts)) {
    const first = told(xml);
    t.ok(first.length > 1_000, `${name}: it has been read`);
    t.ok(recordOf(xml), `${name}: there is a record`);
    t.strictSame(told(xml), first, `a part ${name}`);
    t.strictSame(told(`${xml} `.slice(0, -1)), first, `${name}: an equal text`);
  }
});

t.test('the names that a visitor wants', async (t) => {
  const { whole } = parts;
  const isTab = (name: string) => name === 'w:tab';
  const first = tagsIn(whole, isTab);
  t.equal(first.length, 400);
  t.strictSame(tagsIn(whole, isTab), first);
  t.strictSame(
    tagsIn(whole, (name) => name === 'w:tbl'),
    [],
  );
});

t.test('no record of what is short, or has many names', async (t) => {
  const many = Array.from({ length: 2_000 }, (_, n) => `<a${n}>x</a${n}>`).join('');
  for (const xml of ['<a>short</a>', `<a>${many}</a>`]) {
    const first = told(xml);
    t.equal(recordOf(xml), undefined);
    t.strictSame(told(xml), first);
  }
});

t.test('only the latest are kept', async (t) => {
  const xmls = Array.from({ length: 20 }, (_, n) => `<a>${n}${'<b/>'.repeat(2_000)}</a>`);
  for (const xml of xmls) told(xml);
  t.notOk(recordOf(xmls[0] ?? ''));
  t.ok(recordOf(xmls[19] ?? ''));
  forgetRecords();
  t.notOk(recordOf(xmls[19] ?? ''));
});
