/** Codes that mean nothing by themselves. */
import { closeSync, openSync } from 'node:fs';
import t, { type Test } from 'tap';
import { mapsWithAllCodes } from '../../../src/convert/pdf/cluster-codes.ts';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import { replaceObjects } from '../../../src/convert/pdf/replace-objects.ts';
import { readToUnicode } from '../../../src/convert/pdf/to-unicode.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { Sample } from '../../pdf-rules/sample.ts';
import { violations } from '../../support/conformance.ts';
import { fileOf } from '../support/preflight.ts';

const UNKNOWN = 'Every character that is shown has a Unicode value';

/** A PDF whose pages share their fonts, as those of LibreOffice. */
function shared(): Sample {
  const sample = new Sample('ua');
  sample.add('pages', '/Resources<</Font<</F1{font}/F2{font}>>>>');
  return sample;
}

function opened(t: Test, sample: Sample): { path: string; fd: number } {
  const path = fileOf(t, sample.bytes());
  const fd = openSync(path, 'r+');
  t.teardown(() => closeSync(fd));
  return { path, fd };
}

t.test('glyphs whose text another one has', async (t) => {
  const sample = shared();
  sample.changeData('unicode', '<01> <02> <0041>', '<01> <01> <0e01>');
  const { path, fd } = opened(t, sample);
  t.match(await violations(path, 'ua'), [
    { demand: new RegExp(`^${UNKNOWN}`), what: 'code 2 means undefined' },
  ]);
  const changed = mapsWithAllCodes(new PdfObjects(TailReader.over(fd)));
  t.equal(changed.size, 1, 'once, though two names lead to the font');
  t.match(
    [...readToUnicode(String([...changed.values()]))],
    [
      [1, '\u0e01'],
      [2, '\u2060'],
    ],
  );
  replaceObjects(fd, changed);
  t.strictSame(await violations(path, 'ua'), []);
  t.equal(mapsWithAllCodes(new PdfObjects(TailReader.over(fd))).size, 0, 'nothing is left');
});

t.test('more codes than a section may have', (t) => {
  const sample = shared();
  sample.change('font', '/LastChar 2', '/LastChar 250');
  const { fd } = opened(t, sample);
  const [map = ''] = mapsWithAllCodes(new PdfObjects(TailReader.over(fd))).values();
  t.strictSame(map.match(/\d+ beginbfchar/g), ['100 beginbfchar', '100 beginbfchar', '48 beginbfchar']);
  const codes = readToUnicode(map);
  t.equal(codes.size, 250);
  t.notOk(codes.has(0), 'the glyph for none stays without');
  t.end();
});

t.test('fonts that lack nothing, or have no map', (t) => {
  for (const change of [() => {}, (sample: Sample) => sample.change('font', '/ToUnicode{unicode}', '')]) {
    const sample = shared();
    change(sample);
    t.equal(mapsWithAllCodes(new PdfObjects(TailReader.over(opened(t, sample).fd))).size, 0);
  }
  t.end();
});
