/** Combining PDFs in a process that reads documents. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { pdf, pdfOf } from '../../support/documents.ts';
import { openReaders } from '../support/preflight.ts';

const readers = openReaders();
const never = () => new AbortController().signal;
const options = { title: 'All', bookmarks: undefined, attachments: undefined };

t.test('a process writes the whole, and says what it is', async (t) => {
  const folder = t.testdir({
    'one.pdf': pdf(2),
    'two.pdf': pdf(3),
    'whole.pdf': 'of a process that was killed',
  });
  const parts = ['one', 'two'].map((name) => ({ path: join(folder, `${name}.pdf`), name, title: name }));
  const out = join(folder, 'whole.pdf');
  const made = await readers.combine({ ...options, parts, out }, { signal: never() });
  const bytes = readFileSync(out);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  t.strictSame(made, { pages: 5, firstPages: [1, 3], sha256, conformance: [] });
});

t.test('a broken part is the conversion’s failure, and leaves nothing', async (t) => {
  const folder = t.testdir({ 'one.pdf': pdf() });
  const path = join(folder, 'two.pdf');
  writeFileSync(path, pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Kids[2 0 R]>>']));
  const parts = ['one', 'two'].map((name) => ({ path: join(folder, `${name}.pdf`), name, title: name }));
  const out = join(folder, 'whole.pdf');
  const failure = readers.combine({ ...options, parts, out }, { signal: never() });
  await t.rejects(failure, { code: 'CONVERSION_FAILED', cause: /two: the page tree leads back/ });
  t.notOk(existsSync(out));
  t.notOk(existsSync(`${out}.draft`));
});
