/** How a document with tracked changes is recognised, and what its settings say then. */
import t from 'tap';
import {
  hasTrackedChange,
  mayHaveTrackedChange,
  withMarks,
} from '../../../src/convert/rules/tracked-changes.ts';
import { rewritten } from '../support/rewritten.ts';

const by = 'w:id="1" w:author="A"';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const has = (part: string) => mayHaveTrackedChange(Buffer.from(part)) && hasTrackedChange(part);
const unmarked = (settings: string) => rewritten((xml) => withMarks(xml, false), settings);

t.test('tracked changes', async (t) => {
  for (const element of [
    'ins',
    'del',
    'moveFrom',
    'moveTo',
    'rPrChange',
    'pPrChange',
    'sectPrChange',
    'cellIns',
  ]) {
    t.ok(has(`<w:p><w:${element} ${by}><w:r/></w:${element}></w:p>`), element);
  }
  t.ok(has(`<p xmlns="${WORD}"><ins ${by.replaceAll('w:', '')}/></p>`), 'without a prefix');
  t.ok(has('<w:ins w:author="A" w:id="1">'), 'in any order');
});

t.test('what is none', async (t) => {
  t.notOk(has(`<w:comment ${by}><w:p/></w:comment>`), 'a comment');
  t.notOk(has(`<w:insideH w:val="single"/><w:t>ins author=</w:t>`), 'a border');
  t.notOk(has('<w:ins w:id="1"/><w:x w:author="A"/>'), 'the author of another');
  t.notOk(has(`<!--<w:ins ${by}>--><w:p/>`), 'a comment');
  for (const [before, behind] of [
    ['<!--', '-->'],
    ['', ''],
  ]) {
    t.notOk(has(`${before}${'<w:ins '.repeat(200_000)}author=${behind}`), 'tags without end, in linear time');
  }
});

t.test('settings without marks', async (t) => {
  const view = '<w:revisionView w:markup="0"/>';
  t.equal(
    unmarked('<w:settings xmlns:w="x"><w:zoom/></w:settings>'),
    `<w:settings xmlns:w="x">${view}<w:zoom/></w:settings>`,
  );
  t.equal(
    unmarked('<w:settings><w:zoom/><w:revisionView w:insDel="0"/></w:settings>'),
    `<w:settings>${view}<w:zoom/></w:settings>`,
    'in place of what they say',
  );
  t.equal(
    unmarked(`<settings xmlns="${WORD}"><zoom/></settings>`),
    `<settings xmlns="${WORD}"><revisionView markup="0"/><zoom/></settings>`,
  );
  for (const empty of ['<w:settings xmlns:w="x"/>', '<w:settings xmlns:w="x" />', '<w:settings/>']) {
    const tag = empty.replace(/\/>$/, '');
    t.equal(unmarked(empty), `${tag}>${view}</w:settings>`, 'no content');
  }
  t.equal(unmarked('<w:styles/>'), undefined, 'something else');
});

t.test('settings with marks', async (t) => {
  const marked = (settings: string) => rewritten((xml) => withMarks(xml, true), settings);
  t.equal(
    marked('<w:settings><w:revisionView w:markup="0"/><w:zoom/></w:settings>'),
    '<w:settings><w:zoom/></w:settings>',
  );
  t.equal(marked('<w:settings><w:zoom/></w:settings>'), undefined, 'as LibreOffice shows them');
});
