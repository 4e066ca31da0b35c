/** Finding objects of a PDF. */
import { closeSync, openSync } from 'node:fs';
import t from 'tap';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import {
  freeLostObjects,
  hasLostObjects,
  readObject,
  readStructure,
} from '../../../src/convert/pdf/structure.ts';
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

t.test('objects that the file does not have are free ones', async (t) => {
  const catalog = '<</Type/Catalog/Pages 2 0 R/Lang 3 0 R>>';
  const sound = pdfOf([catalog, '<</Type/Pages/Kids[]/Count 0>>', '(de)']);
  const broken = sound.toString('latin1').replace(/\d{10} 00000 n (?=\ntrailer)/, '4294967295 00000 n ');
  const fd = openSync(fileOf(t, Buffer.from(broken, 'latin1')), 'r+');
  t.teardown(() => closeSync(fd));
  const structure = readStructure(TailReader.over(fd));
  t.ok(hasLostObjects(structure));
  freeLostObjects(fd, structure);
  const mended = readStructure(TailReader.over(fd));
  t.notOk(hasLostObjects(mended));
  t.throws(() => readObject(mended, 3), { message: 'object 3 has no position' });
  const objects = new PdfObjects(TailReader.over(fd));
  t.equal(objects.get(objects.catalog['/Lang']), null);
});
