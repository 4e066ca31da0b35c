/** How a document with tracked changes is recognised, and what its settings say then. */
import t from 'tap';
import { hasTrackedChange, withoutMarks } from '../../../src/convert/rules/tracked-changes.ts';

const by = 'w:id="1" w:author="A"';
const has = (part: string) => hasTrackedChange(Buffer.from(part));
const unmarked = (settings: string) => withoutMarks(Buffer.from(settings))?.toString();

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
  t.ok(has(`<ins ${by.replaceAll('w:', '')}/>`), 'without a prefix');
  t.ok(has('<w:ins w:author="A" w:id="1">'), 'in any order');
});

t.test('what is none', async (t) => {
  t.notOk(has(`<w:comment ${by}><w:p/></w:comment>`), 'a comment');
  t.notOk(has(`<w:insideH w:val="single"/><w:t>ins author=</w:t>`), 'a border');
  t.notOk(has('<w:ins w:id="1"/><w:x w:author="A"/>'), 'the author of another');
  const endless = Buffer.from(`<!--${'<w:ins '.repeat(200_000)}author-->`);
  t.notOk(hasTrackedChange(endless), 'tags without end, in linear time');
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
    unmarked('<settings xmlns="x"><zoom/></settings>'),
    '<settings xmlns="x"><revisionView markup="0"/><zoom/></settings>',
  );
  for (const empty of ['<w:settings xmlns:w="x"/>', '<w:settings xmlns:w="x" />', '<w:settings/>']) {
    const tag = empty.replace(/\/>$/, '');
    t.equal(unmarked(empty), `${tag}>${view}</w:settings>`, 'no content');
  }
  t.equal(unmarked('<w:styles/>'), undefined, 'something else');
});
