/** Documents as programs change them, for `npm run bench:fidelity -- --changed`. */
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { fromBufferPromise } from 'yauzl';
import { type ChangedPages, changedReport, changeNames, withChange } from '../../bench/fidelity/changed.ts';
import { readCommandLine } from '../../bench/fidelity/command-line.ts';
import { reportedDocx, savedByWord } from '../support/report-documents.ts';

const paragraph = (words: string, more = '') =>
  `<w:p><w:r>${more}<w:t xml:space="preserve">${words}</w:t></w:r></w:p>`;
const field = paragraph('field', '<w:fldChar w:fldCharType="begin"/>');
const table = `<w:tbl><w:tr><w:tc>${paragraph('cell')}</w:tc></w:tr></w:tbl>`;
const document = reportedDocx({
  body: ['one', 'two', 'three', 'four', 'five'].map((words) => paragraph(words)).join(field + table),
  properties: savedByWord(1),
});

async function textOf(docx: Buffer): Promise<string> {
  const opened = await fromBufferPromise(docx);
  for await (const entry of opened.eachEntry()) {
    if (entry.fileName !== 'word/document.xml') continue;
    const xml = (await buffer(await opened.openReadStreamPromise(entry))).toString();
    return [...xml.matchAll(/<w:t [^>]*>([^<]*)/g)].map(([, words]) => words).join(' ');
  }
  return '';
}

t.test('every fourth paragraph of the body is changed', async (t) => {
  const between = ' field cell ';
  const texts = new Map(
    await Promise.all(
      changeNames.map(async (change) => {
        const changed = await withChange(document, change);
        return [change, changed && (await textOf(changed))] as const;
      }),
    ),
  );
  t.strictSame(Object.fromEntries(texts), {
    'as it is': ['one', 'two', 'three', 'four', 'five'].join(between),
    'in another archive': ['one', 'two', 'three', 'four', 'five'].join(between),
    'a quarter removed': `one${between}two${between}three${between.trimEnd()}${between}five`,
    'a quarter doubled': ['one', 'two', 'three', 'four four', 'five'].join(between),
    'a quarter replaced': ['one', 'two', 'three', 'fourfourfour', 'five'].join(between),
  });
  t.equal(await withChange(document, 'as it is'), document);
  const short = reportedDocx({ body: paragraph('one') });
  t.equal(await withChange(short, 'a quarter removed'), undefined, 'nothing to change');
});

t.test('the report', async (t) => {
  const pages = (count: number, halfEmpty = 0): ChangedPages => ({ pages: count, halfEmpty });
  const of = (change: string, auto: ChangedPages, word: ChangedPages, pagination: string) => ({
    name: 'letter',
    change,
    pagination,
    layouts: { auto, word, engine: pages(2) },
  });
  const report = changedReport([
    of('a quarter removed', pages(2), pages(3), 'engine: not-saved-by-word'),
    of('a quarter removed', pages(2, 1), pages(2), 'word: marks'),
  ]);
  t.match(report, /^a quarter removed +2 +1 +1 +1$/m);
  t.match(report, 'letter, a quarter removed: 2 pages for 2, 1 half-empty for 0 (word: marks)');
});

t.test('the command line', async (t) => {
  t.strictSame(readCommandLine(['folder', '--changed']), { changed: 'folder' });
});
