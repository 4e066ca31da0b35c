/** One element may have more edits in it than a function takes arguments: some 125,000. */
import t from 'tap';
import { withBoundControls } from '../../../src/convert/rules/bound-controls.ts';
import { withCountedCaches } from '../../../src/convert/rules/chart-caches.ts';
import { withNotesInOrder } from '../../../src/convert/rules/note-order.ts';
import { withObjectPictures } from '../../../src/convert/rules/object-pictures.ts';

const MANY = 200_000;
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const part = (inner: string, root = 'document') => `<w:${root} xmlns:w="${W}">${inner}</w:${root}>`;
const checkBox = (bindings: string, content: string) =>
  part(`<w:sdt><w:sdtPr>${bindings}<w14:checkbox/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`);
const binding = '<w:dataBinding w:xpath="/a"/>';
const run = '<w:r><w:t>x</w:t></w:r>';
const count = (xml: string, piece: string) => xml.split(piece).length - 1;

t.test('bindings and texts of a control', async (t) => {
  const unbound = withBoundControls(checkBox(binding.repeat(MANY), run), () => 'true');
  t.equal(count(unbound, '<w:_ataBinding'), MANY);
  const written = withBoundControls(checkBox(binding, run.repeat(MANY)), () => 'true');
  t.equal(count(written, '<w:t></w:t>'), MANY - 1);
});

t.test('values of a chart', async (t) => {
  const c = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
  const chart = `<c:chart xmlns:c="${c}"><c:numCache>${'<c:pt/>'.repeat(MANY)}</c:numCache></c:chart>`;
  t.equal(count(withCountedCaches(chart), '<c:_t/>'), MANY);
});

t.test('objects with a picture', async (t) => {
  const object = `<w:object><v:imagedata r:id="a"/>${'<o:OLEObject/>'.repeat(MANY)}</w:object>`;
  t.equal(count(withObjectPictures(part(object)), '<o:_LEObject/>'), MANY);
});

t.test('notes', async (t) => {
  const notes = part('<w:footnote w:id="1"/>'.repeat(MANY), 'footnotes');
  const ordered = withNotesInOrder(notes, false, () => ({ first: 5, references: ['1'] }));
  t.equal(ordered, part('<w:footnote w:id="5"/>', 'footnotes'));
});
