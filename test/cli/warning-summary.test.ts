/** The warnings about many documents, by code. */
import t from 'tap';
import type { BatchResult } from '../../src/batch/batch.ts';
import { WarningSummary } from '../../src/cli/warning-summary.ts';

function converted(document: string, ...warnings: object[]): BatchResult {
  const about = { pdf: 'a.pdf', pages: 1, milliseconds: 1 };
  return {
    ...about,
    document,
    result: 'converted',
    warnings: warnings.map((each) => ({ code: 'PAGE_COUNT_DIFFERS', level: 'note', message: '', ...each })),
  };
}

t.test('a line for each code names the fonts, or the documents; losses first', async (t) => {
  const summary = new WarningSummary();
  const font = (name: string) => ({ code: 'FONT_SUBSTITUTED', font: name });
  summary.add(converted('a.docx', font('Garamond'), font('Arial Black')));
  summary.add(converted('b.docx', font('Garamond'), {}));
  summary.add(converted('c.docx', { code: 'TEXT_MISSING', level: 'loss' }));
  summary.add({ document: 'd.docx', result: 'failed', code: 'CORRUPTED_FILE', message: '' });
  t.strictSame(summary.lines(), [
    'TEXT_MISSING in 1 document: c.docx',
    'FONT_SUBSTITUTED in 2 documents: Garamond, Arial Black',
    'PAGE_COUNT_DIFFERS in 1 document: b.docx',
  ]);
});

t.test('at most ten are named', async (t) => {
  const summary = new WarningSummary();
  for (let n = 1; n <= 12; n += 1) summary.add(converted(`in/${n}.docx`, {}), `${n}.docx`);
  t.strictSame(summary.lines(), [
    'PAGE_COUNT_DIFFERS in 12 documents: 1.docx, 2.docx, 3.docx, 4.docx, 5.docx, 6.docx, 7.docx, 8.docx, 9.docx, 10.docx, …',
  ]);
});
