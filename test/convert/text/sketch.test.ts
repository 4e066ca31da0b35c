import t from 'tap';
import { missingGroups, packed, TextSketch } from '../../../src/convert/text/sketch.ts';

const sketchOf = (text: string): TextSketch => {
  const sketch = new TextSketch();
  sketch.add(text);
  return sketch;
};

t.test('the counts of a short text are sent in a byte each', async (t) => {
  const document = packed(sketchOf('Payable within thirty days'));
  t.equal(document.counts.BYTES_PER_ELEMENT, 1);
  t.equal(document.total, sketchOf('Payable within thirty days').total);
  t.equal(missingGroups(document, sketchOf('Payable within thirty days')), 0);
  t.equal(missingGroups(document, sketchOf('Payable within')), document.total - 'payablewithin'.length + 2);
});

t.test('a count that no byte holds is sent whole', async (t) => {
  // 'aaa' occurs 256 times.
  const document = packed(sketchOf('a'.repeat(258)));
  t.equal(document.counts.BYTES_PER_ELEMENT, 4);
  t.equal(missingGroups(document, sketchOf('a')), 256);
});
