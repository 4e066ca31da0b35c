/** What the benchmark of the sandbox takes for a difference, and the documents that it builds. */
import { join } from 'node:path';
import t from 'tap';
import { difference, isDifferent, type Shown, verdictOn } from '../../bench/sandbox/comparison.ts';
import { builtDocuments } from '../../bench/sandbox/documents.ts';
import { openPreflight } from '../convert/support/preflight.ts';
import { createJob, temporaryFolder } from '../support/kit.ts';

const shown: Shown = { text: 'First\nsecond\n\f', pages: 'a', pageCount: 1 };
const failed: Shown = { text: '', pages: '', pageCount: 0, failure: 'it crashed' };

t.test('what differs is said', async (t) => {
  const cases: readonly (readonly [string, Shown, Shown, RegExp?])[] = [
    ['same', shown, shown],
    ['refused', failed, failed],
    [
      'different text',
      shown,
      { ...shown, text: 'Ordinal 1\nsecond\n\f' },
      /^1 lines; open: First; confined: Ordinal 1$/,
    ],
    ['different pages', shown, { ...shown, pages: 'b' }, /drawn differently/],
    ['different end', shown, failed, /^open: a PDF; confined: it crashed$/],
    ['different end', failed, { ...failed, failure: 'it hung' }, /crashed; confined: it hung$/],
  ];
  for (const [verdict, open, confined, what] of cases) {
    t.equal(verdictOn(open, confined), verdict);
    t.equal(isDifferent(verdictOn(open, confined)), what !== undefined, verdict);
    if (what) t.match(difference(open, confined), what);
  }
  t.notOk(isDifferent('unsteady'), 'where the sandbox is not what makes the difference');
});

t.test('the service takes every document that is built', async (t) => {
  const preflight = openPreflight();
  const folder = await temporaryFolder(t);
  for (const { name, content } of builtDocuments()) {
    const job = await createJob(folder, content);
    await t.resolves(preflight.check(join(job.folder, 'input.docx')), name);
  }
});
