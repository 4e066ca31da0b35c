/** Finding objects of a PDF. */
import { closeSync, openSync } from 'node:fs';
import t from 'tap';
import { readObject, readStructure } from '../../../src/convert/pdf/structure.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { pdfOf } from '../../support/documents.ts';
import { fileOf } from '../support/preflight.ts';

t.test('an object ends where it ends, whatever follows', async (t) => {
  const content = 'has an endobj';
  const stream = `<</Length ${content.length}>>\nstream\n${content}\nendstream`;
  const pdf = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>', '17', stream, '18']);
  const fd = openSync(fileOf(t, pdf), 'r');
  t.teardown(() => closeSync(fd));
  const structure = readStructure(TailReader.over(fd));
  t.equal(readObject(structure, 3).trim(), '3 0 obj\n17');
  t.equal(readObject(structure, 4).trim(), `4 0 obj\n${stream}`);
});
