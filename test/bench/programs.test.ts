/** What the lists of documents say of a PDF, in sentences. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { unmetOf } from '../../bench/programs/checks.ts';
import { plainPdf } from '../support/plain-pdf.ts';

const pdf = join(t.testdir(), 'a.pdf');
const red = '1 0 0 rg 0 0 50 50 re f 0 g';
writeFileSync(pdf, plainPdf(['Left word\nChap one 2', 'The last; page'], { operators: [red] }));
const shown = { pdf, warnings: ['FONT_SUBSTITUTED'] };

for (const met of [
  'text has "Left word", "page"',
  'text has "Chap one … 2"; text has no "three", "four"',
  'text without blanks has "Leftword"',
  'first page has "Left" and no "last"; last page has "The last; page"; 2 pages',
  'pages of 595 x 842 points; red pixels on the first page; coloured pixels on the first page',
  'from the left of "Left" to the left of "word": 20 to 40 points',
  'the middle of "Left" is at 0.1 to 0.2 of the page\'s width and 0.1 to 0.2 of its height',
]) {
  t.test(met, async (t) => t.strictSame(await unmetOf(met, shown), []));
}

for (const unmet of [
  'text has "Left word", "missing"',
  'text has no "missing", "Left"',
  'text has "2 … Chap"',
  '1 page',
  'last page has "page" and no "last"',
  'from the left of "Left" to the left of "word": 100 to 200 points',
  'the middle of "missing" is at 0.1 to 0.9 of the page\'s width',
  'pale red pixels on the first page',
  'no strong red on the page',
]) {
  t.test(`not: ${unmet}`, async (t) => t.strictSame(await unmetOf(unmet, shown), [unmet]));
}

t.test('a warning of a loss may stand for the text', async (t) => {
  const check = 'text has "missing"; or a warning that says so';
  t.strictSame(await unmetOf(check, { pdf, warnings: ['CONTENT_OMITTED'] }), []);
  t.strictSame(await unmetOf(check, shown), ['text has "missing"']);
});

t.test('a refusal', async (t) => {
  const check = 'text has "HELLO"; or a 400 that names the reason';
  t.strictSame(await unmetOf(check, { refusal: 'a name has a backslash' }), []);
  t.strictSame(await unmetOf(check, { refusal: 'no' }), ['no']);
});

t.test('a sentence that is not known is a mistake of the list', async (t) => {
  await t.rejects(unmetOf('it is nice', shown), { message: 'an unknown check: it is nice' });
});
