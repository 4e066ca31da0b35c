/** What the settings of a document say that shows its tracked changes. */
import t from 'tap';
import { withMarks } from '../../../src/convert/rules/change-marks.ts';
import { rewritten } from '../support/rewritten.ts';

const marked = (settings: string) => rewritten(withMarks, settings);

t.test('settings that hide marks', async (t) => {
  for (const view of ['<w:revisionView w:markup="0"/>', '<w:revisionView w:markup="0"></w:revisionView>'])
    t.equal(marked(`<w:settings>${view}<w:zoom/></w:settings>`), '<w:settings><w:zoom/></w:settings>');
});

t.test('others, as LibreOffice shows marks', async (t) => {
  t.equal(marked('<w:settings><w:zoom/></w:settings>'), undefined);
});
