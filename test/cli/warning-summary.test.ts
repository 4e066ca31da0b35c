/** The warnings about many documents, by code. */
import t from 'tap';
import type { NamedWarnings } from '../../src/cli/batch/batch.ts';
import { WarningSummary } from '../../src/cli/warning-summary.ts';

function about(name: string, ...warnings: object[]): NamedWarnings {
  return {
    name,
    warnings: warnings.map((each) => ({ code: 'PAGE_COUNT_DIFFERS', level: 'note', message: '', ...each })),
  };
}

t.test('a line for each code names the fonts, or the documents; losses first', async (t) => {
  const summary = new WarningSummary();
  const font = (name: string) => ({ code: 'FONT_SUBSTITUTED', font: name });
  summary.add(about('a.docx', font('Garamond'), font('Arial Black')));
  summary.add(about('b.docx', font('Garamond'), {}));
  summary.add(about('c.docx', { code: 'TEXT_MISSING', level: 'loss' }));
  t.strictSame(summary.lines(), [
    'TEXT_MISSING in 1 document: c.docx',
    'FONT_SUBSTITUTED in 2 documents: Garamond, Arial Black',
    'PAGE_COUNT_DIFFERS in 1 document: b.docx',
  ]);
});

t.test('at most ten are named', async (t) => {
  const summary = new WarningSummary();
  for (let n = 1; n <= 12; n += 1) summary.add(about(`${n}.docx`, {}));
  t.strictSame(summary.lines(), [
    'PAGE_COUNT_DIFFERS in 12 documents: 1.docx, 2.docx, 3.docx, 4.docx, 5.docx, 6.docx, 7.docx, 8.docx, 9.docx, 10.docx, …',
  ]);
});
