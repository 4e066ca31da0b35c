/** Tags that LibreOffice leaves out of the structure. */
import { closeSync, openSync } from 'node:fs';
import t from 'tap';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import { adoptedTags } from '../../../src/convert/pdf/orphans.ts';
import { replaceObjects } from '../../../src/convert/pdf/replace-objects.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { Sample } from '../../pdf-rules/sample.ts';
import { violations } from '../../support/conformance.ts';
import { fileOf } from '../support/preflight.ts';

for (const [name, alternative] of [
  ['a line', ''],
  ['a picture with an alternative text', '/Alt(A dot)'],
] as const) {
  t.test(`${name} outside of the structure`, async (t) => {
    const sample = new Sample('ua');
    sample.change('document', '{figure}', '');
    sample.change('figure', '/P{document}', '/P{structure}');
    sample.change('figure', '/Alt(A dot)', alternative);
    const path = fileOf(t, sample.bytes());
    t.match(await violations(path, 'ua'), [
      { demand: 'All that pages draw is in an element or an artifact.' },
    ]);
    const fd = openSync(path, 'r+');
    t.teardown(() => closeSync(fd));
    const changed = adoptedTags(new PdfObjects(TailReader.over(fd)));
    t.equal(changed.size, 1);
    replaceObjects(fd, changed);
    const lacking = (await violations(path, 'ua')).map(({ demand }) =>
      demand.split(' ').slice(0, 3).join(' '),
    );
    t.strictSame(lacking, alternative === '' ? ['Figures have an'] : []);
    t.equal(adoptedTags(new PdfObjects(TailReader.over(fd))).size, 0, 'once');
  });
}
