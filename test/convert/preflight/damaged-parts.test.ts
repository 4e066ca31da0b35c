/** That a part which is no well-formed XML is left out, where the document is whole without it. */
import { closeSync, openSync } from 'node:fs';
import t from 'tap';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { Package } from '../../../src/convert/package/package.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { reportedDocx, wordPart } from '../../support/report-documents.ts';
import { fileOf, openPreflight } from '../support/preflight.ts';

const whole = wordPart('x', '<w:a w:b="1"><w:c/></w:a>');
const damage: Readonly<Record<string, string>> = {
  empty: '',
  'no XML': '\0\u0007\u0001 bytes',
  'broken off': whole.slice(0, -8),
  'with a wrong end tag': whole.replace('</w:a>', '</w:b>'),
  'with an attribute twice': whole.replace('w:b="1"', 'w:b="1" w:b="2"'),
  'with an unknown prefix': whole.replaceAll('w:a', 'q:a'),
  'with an unknown reference': whole.replace('"1"', '"&nbsp;"'),
  'with a broken declaration': whole.replace('version="1.0"', 'version="x"'),
};
const preflight = openPreflight();

for (const file of ['chart.xml', 'theme.xml', 'fontTable.xml', 'comments.xml', 'diagramData.xml']) {
  t.test(`a ${file} that is damaged is left out`, async (t) => {
    for (const [name, part] of Object.entries({ ...damage, whole })) {
      const path = fileOf(t, reportedDocx({ parts: { [file]: part } }));
      const { metadata } = await preflight.check(path);
      const isWhole = part === whole;
      t.strictSame(
        metadata.omitted,
        isWhole ? [] : [{ kind: 'damaged-part', count: 1, shownSince: undefined }],
        `${name}: a warning`,
      );
      const fd = openSync(path, 'r');
      t.teardown(() => closeSync(fd));
      const opened = await Package.open(TailReader.over(fd), new Allowance());
      const entry = opened.entry(`word/${file}`);
      const written = entry && (await opened.read(entry, 10_000)).toString();
      t.match(written, isWhole ? '<w:c/>' : '<nothing/>', name);
    }
  });
}

t.test('a part with the text of the document is not', async (t) => {
  for (const file of ['header.xml', 'styles.xml']) {
    const path = fileOf(t, reportedDocx({ parts: { [file]: damage['broken off'] ?? '' } }));
    t.strictSame((await preflight.check(path)).metadata.omitted, []);
  }
});
