/** That parts which no reader takes for XML may begin as XML does, and that separators of Windows are those of packages. */
import { closeSync, openSync } from 'node:fs';
import t, { type Test } from 'tap';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { Package } from '../../../src/convert/package/package.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { docx, docxLeadingTo } from '../../support/documents.ts';
import { fileOf, openPreflight } from '../support/preflight.ts';

const preflight = openPreflight();
/** Beginnings of bytes that look like XML: in UTF-8, in UTF-16 and in none. */
const beginnings = [
  '<w:p w:x="',
  '\xff\xfe<\0a\0',
  '\0<',
  '<?xml version="2"?>',
  '\xef\xbb\xbf\xef\xbb\xbf<a',
];

async function written(t: Test, path: string): Promise<Package> {
  const fd = openSync(path, 'r');
  t.teardown(() => closeSync(fd));
  return Package.open(TailReader.over(fd), new Allowance());
}

t.test('an embedded font, a macro and a video stay as they are, whatever their first bytes', async (t) => {
  for (const type of ['font', 'vbaProject', 'printerSettings', 'video']) {
    for (const beginning of beginnings) {
      const bytes = Buffer.from(`${beginning}\xe9\x07<w:ins w:id="1"/>`, 'latin1');
      const path = fileOf(t, docxLeadingTo({ 'part.bin': type }, { 'word/part.bin': bytes }));
      await preflight.check(path);
      const opened = await written(t, path);
      const entry = opened.entry('word/part.bin');
      t.strictSame(entry && (await opened.read(entry, 10_000)), bytes, type);
    }
  }
});

t.test('names with backslashes are written with slashes', async (t) => {
  const document = docx();
  const bytes = Buffer.from(
    document.toString('latin1').replaceAll('word/document.xml', 'word\\document.xml'),
    'latin1',
  );
  const path = fileOf(t, bytes);
  await preflight.check(path);
  const names = [...(await written(t, path)).entries.values()].map(({ fileNameRaw }) =>
    fileNameRaw.toString(),
  );
  t.ok(names.includes('word/document.xml'));
  t.strictSame(
    names.filter((name) => name.includes('\\')),
    [],
  );
});
