/** The bookmarks by which the engine says where Word's pages begin. */
import t from 'tap';
import { anchorName, withAnchors, withoutAnchors } from '../../../src/convert/pagination/page-anchors.ts';
import { mainPart } from '../../support/documents.ts';
import {
  BREAK,
  bodyOf,
  empty,
  first,
  line,
  MARK,
  paragraph,
  readStarts,
  renamed,
  table,
  text,
} from './support/parts.ts';

function anchored(xml: string): string {
  const starts = readStarts(xml);
  if (!starts) throw new Error('a part without marks');
  return withAnchors(xml, starts);
}

/** What is in the body then, with `{name}` for each anchor. */
function anchors(body: string): string {
  const pairs = /<w:bookmarkStart w:id="(\d+)" w:name="platen-page-([^"]+)"\/><w:bookmarkEnd w:id="\1"\/>/g;
  return bodyOf(anchored(mainPart(body))).replace(pairs, '{$2}');
}

t.test('anchors are named by the page start', async (t) => {
  t.equal(anchorName(0, 'begin'), 'platen-page-0');
  t.equal(anchorName(12, 'previous-end'), 'platen-page-12-end');
});

t.test('they stand before the first run of a page, and behind the last run before it', async (t) => {
  const [a, b, c] = [text('a'), text('b', MARK), text('c')];
  t.equal(
    anchors(paragraph(a) + paragraph(b) + paragraph(c)),
    `<w:p>${a}{0-end}</w:p><w:p>{0}${b}</w:p><w:p>${c}{1-end}</w:p>`,
  );
  t.equal(anchors(paragraph(a + b)), `<w:p>${a}{0}${b}{1-end}</w:p>`, 'within a paragraph there is but one');
  t.equal(
    anchors(paragraph(a) + empty + paragraph(b)),
    `<w:p>${a}{0-end}{1-end}</w:p><w:p>{0}</w:p><w:p>{1}${b}{2-end}</w:p>`,
    'at an empty paragraph',
  );
  t.equal(
    anchors(paragraph(b) + table(line('a')) + empty),
    `<w:p>${b}</w:p>${table(line('a')).replace(a, `${a}{0-end}{1-end}`)}<w:p></w:p>`,
    'not at one that ends the document',
  );
  t.equal(
    anchors(paragraph(a + BREAK + c) + paragraph(b)),
    `<w:p>${a}{0-end}${BREAK}{0}${c}{1-end}</w:p><w:p>{1}${b}{2-end}</w:p>`,
    "at a break of the document's own",
  );
  t.equal(
    anchors(table(line('a') + line('b', MARK))),
    table(line('a') + line('b', MARK))
      .replace(a, `${a}{0-end}`)
      .replace(b, `{0}${b}{1-end}`),
    'in rows of a table',
  );
});

t.test('no two have the same number, and nothing else changes', async (t) => {
  const body = (first + empty + paragraph(text('b', MARK))).repeat(20);
  const xml = anchored(mainPart(body));
  const ids = [...xml.matchAll(/<w:bookmarkStart w:id="(\d+)"/g)].map(([, id]) => id);
  t.equal(new Set(ids).size, ids.length);
  t.equal(ids.length, 2 * 40 + 1);
  t.equal(xml.replace(/<w:bookmark(Start|End)[^>]*>/g, ''), mainPart(body));
});

t.test('whatever the prefix of the namespace is', async (t) => {
  t.match(
    anchored(renamed(first + paragraph(text('b', MARK)))),
    /<x:bookmarkStart x:id="\d+" x:name="platen-page-0"\/><x:bookmarkEnd x:id="\d+"\/><x:r>/,
  );
});

t.test('they can be taken out again', async (t) => {
  const own = '<w:bookmarkStart w:id="1" w:name="own"/><w:bookmarkEnd w:id="1"/>';
  for (const xml of [
    mainPart(own + first + empty + paragraph(text('b', MARK))),
    renamed(first + empty + first),
  ]) {
    t.not(anchored(xml), xml);
    t.equal(withoutAnchors(anchored(xml)), xml);
  }
});
