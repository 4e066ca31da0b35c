/** How alike the letters of words are: a page that has lost its bold or italic is less like Word's. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { matchWords } from '../../bench/fidelity/layout.ts';
import { comparePages, lettersOf } from '../../bench/fidelity/pages.ts';
import { readText } from '../../src/cli/compare/words.ts';
import { plainPdf } from '../support/plain-pdf.ts';

const TEXT = 'Headings are bold\nand terms are in italics\nso that a reader sees them';
/** Operators that embolden a page's text as Word does, and slant it. */
const BOLD = '2 Tr 0.343 w';
const SLANTED = '1 0 0.333 1 -233 0 cm';

t.test('weight and slant count, place does not', async (t) => {
  const folder = t.testdir({});
  const letters = async (theirs: string, ours: string, mediaBox?: [number, number, number, number]) => {
    const [word, other] = [join(folder, 'word.pdf'), join(folder, 'ours.pdf')];
    await writeFile(word, plainPdf([TEXT], { operators: [theirs] }));
    await writeFile(other, plainPdf([TEXT], { operators: [ours], ...(mediaBox && { mediaBox }) }));
    const matches = matchWords(await readText(word), await readText(other));
    return lettersOf(await comparePages(word, other, { word: 1, ours: 1 }, matches, folder));
  };
  t.equal(await letters('', ''), 1);
  t.equal(await letters(BOLD, BOLD, [-40, 30, 555, 872]), 1, 'moved by 40 and 30 points');
  const [noBold, noItalic, neither] = [
    await letters(BOLD, ''),
    await letters(SLANTED, ''),
    await letters(`${SLANTED} ${BOLD}`, ''),
  ];
  t.ok(noBold < 0.9, `bold is lost: ${noBold}`);
  t.ok(noItalic < 0.8, `italic is lost: ${noItalic}`);
  t.ok(neither < noBold && neither < noItalic, `both are lost: ${neither}`);
});

t.test('pages without words in common', async (t) => {
  t.equal(lettersOf([]), 1);
  const page = { page: 1, similarity: 1, width: 1, height: 1 };
  t.equal(
    lettersOf([
      { ...page, words: 3, letters: 0.5 },
      { ...page, words: 1, letters: 0.9 },
      { ...page, words: 0, letters: 0 },
    ]),
    0.6,
    'a page counts by its words',
  );
});
