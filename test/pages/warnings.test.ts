/** What the page to try the service says of warnings. */
import t from 'tap';
import type { Warning } from '../../src/convert/report/warnings.ts';
import { warningsHeader } from '../../src/http/conversion/warnings-header.ts';
import { describeWarnings } from '../../src/pages/try-it/warnings.ts';
import { warningCodes } from '../../src/shared/warning-levels.ts';

t.test('every warning is a sentence', async (t) => {
  const warnings = warningCodes.map(
    (code): Warning => ({
      ...{
        code,
        percent: 52,
        kind: 'jpeg-2000',
        pages: 4,
        wordPages: 3,
        count: 2,
        scripts: ['Hani', 'Zsye'],
      },
      ...{ font: 'ＭＳ 明朝', by: 'IPAexMincho' },
      ...(code === 'NONCONFORMING' && { standard: 'PDF/A-2b' }),
    }),
  );
  const { loss, notes } = describeWarnings(warningsHeader(warnings) ?? null);
  t.equal(loss.length + notes.length, warningCodes.length);
  for (const sentence of notes) t.match(sentence, /^[A-Z].*\.$/);
  t.strictSame(loss, [
    'About 52 % of the text is missing.',
    'Content that cannot be shown is missing: 2 × jpeg 2000.',
    'No font here has some of the characters (Han, Emoji): boxes stand in their place.',
    'Content that the document only links to is missing.',
    'The PDF breaks rules of PDF/A-2b.',
  ]);
  t.match(notes.at(-1), 'IPAexMincho stands in for ＭＳ 明朝.');
});

t.test('none without a header, and none of codes to come', async (t) => {
  t.strictSame(describeWarnings(null), { loss: [], notes: [] });
  t.strictSame(describeWarnings('NEW_CODE;a=1, MORE_WARNINGS;count=3'), { loss: [], notes: ['And 3 more.'] });
});
