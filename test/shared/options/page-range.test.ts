import t from 'tap';
import { PageRange } from '../../../src/shared/options/page-range.ts';

t.test('ranges are normalised', async (t) => {
  for (const [text, normalised] of [
    ['1', '1'],
    ['1-3,7,10-', '1-3,7,10-'],
    ['7,1-3', '1-3,7'],
    ['1-3,2-5', '1-5'],
    ['1,2,3', '1-3'],
    ['4-,2', '2,4-'],
    ['4-,5-9,3', '3-'],
    ['2,2,2', '2'],
    ['999999', '999999'],
    [Array.from({ length: 100 }, (_, i) => 2 * i + 1).join(','), undefined],
  ] as const) {
    t.equal(String(PageRange.read(text)), normalised ?? text, text);
  }
});

t.test('what is no list of ranges', async (t) => {
  const texts = [
    '',
    '0',
    '01',
    '-3',
    '3-1',
    '1,',
    ',1',
    '1--2',
    '1-2-3',
    '1 - 2',
    'a',
    '1;2',
    '1000000',
    '１',
    '1\n',
  ];
  for (const text of [...texts, Array(101).fill('1').join(',')]) {
    t.equal(PageRange.read(text), undefined, JSON.stringify(text));
  }
});

t.test('how many of the pages a document has', async (t) => {
  const range = PageRange.read('1-3,7,10-');
  for (const [pages, count] of [
    [1, 1],
    [3, 3],
    [6, 3],
    [7, 4],
    [9, 4],
    [10, 5],
    [20, 15],
  ] as const) {
    t.equal(range?.count(pages), count, `${pages}`);
    // Page 7 is there from 7 pages on, the last range from 10.
    t.equal(range?.exceeds(count), pages < 10, `${pages} exceeded`);
  }
  t.equal(PageRange.read('3-')?.count(2), 0);
  t.equal(PageRange.read('3-')?.exceeds(1), false);
});
