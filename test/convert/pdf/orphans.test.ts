/** Tags that LibreOffice leaves out of the structure. */
import { closeSync, openSync } from 'node:fs';
import t from 'tap';
import { adoptedTags } from '../../../src/convert/pdf/orphans.ts';
import { readStructure, replaceObjects } from '../../../src/convert/pdf/structure.ts';
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
    const structure = readStructure(TailReader.over(fd));
    const changed = adoptedTags(structure);
    t.equal(changed.size, alternative === '' ? 2 : 1);
    replaceObjects(fd, structure, changed);
    t.strictSame(await violations(path, 'ua'), []);
    t.equal(adoptedTags(readStructure(TailReader.over(fd))).size, 0, 'once');
  });
}
