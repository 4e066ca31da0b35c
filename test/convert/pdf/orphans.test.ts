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

type Change = (sample: Sample) => void;

/** A figure outside of the structure. */
const figure =
  (alternative: string): Change =>
  (sample) => {
    sample.change('document', '{figure}', '');
    sample.change('figure', '/P{document}', '/P{structure}');
    sample.change('figure', '/Alt(A dot)', alternative);
  };

/** Content is deep inside of what is lost. */
const table: Change = (sample) => {
  sample.change('document', '{table}', '');
  sample.change('table', '/P{document}', '/P{frame}');
  sample.parts.frame = { text: '<</Type/StructElem/S/Div/P{structure}/K[{table}]>>' };
};

const cases: readonly (readonly [name: string, change: Change, lacking: readonly string[]])[] = [
  ['a line', figure(''), ['Figures have an']],
  ['a picture with an alternative text', figure('/Alt(A dot)'), []],
  ['a floating table', table, []],
];

for (const [name, change, lacking] of cases) {
  t.test(`${name} outside of the structure`, async (t) => {
    const sample = new Sample('ua');
    change(sample);
    const path = fileOf(t, sample.bytes());
    const [before] = await violations(path, 'ua');
    t.match(before, { demand: 'All that pages draw is in an element or an artifact.' });
    const fd = openSync(path, 'r+');
    t.teardown(() => closeSync(fd));
    const changed = adoptedTags(new PdfObjects(TailReader.over(fd)));
    t.equal(changed.size, 1);
    replaceObjects(fd, changed);
    const demands = (await violations(path, 'ua')).map(({ demand }) =>
      demand.split(' ').slice(0, 3).join(' '),
    );
    t.strictSame(demands, lacking);
    t.equal(adoptedTags(new PdfObjects(TailReader.over(fd))).size, 0, 'once');
  });
}
