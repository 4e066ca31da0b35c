/** Attachments of a PDF, without the engine: test/e2e/conversions/attachments.ts has other programs read them. */
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import t from 'tap';
import { completePdf } from '../../../src/convert/pdf/complete.ts';
import { declareInvoice } from '../../../src/convert/pdf/facturx.ts';
import { PdfObjects } from '../../../src/convert/pdf/objects/pdf-objects.ts';
import { countPages } from '../../../src/convert/pdf/pages.ts';
import type { Attachment } from '../../../src/shared/options/conversion-options.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { pdfOf } from '../../support/documents.ts';
import { noise } from '../../support/noise.ts';
import { plainPdf } from '../../support/plain-pdf.ts';

const created = "D:20200102030405+08'00'";

/** Files in a folder. */
function attachmentsIn(folder: string, contents: Readonly<Record<string, Buffer>>): Attachment[] {
  return Object.entries(contents).map(([name, content], i) => {
    const path = join(folder, `file-${i}`);
    writeFileSync(path, content);
    return { name, path, type: 'application/a#b', bytes: content.length, sha256: '', md5: 'd41d8cd9' };
  });
}

async function attach(folder: string, pdf: Buffer, attachments: readonly Attachment[]): Promise<Buffer> {
  const path = join(folder, 'pdf');
  writeFileSync(path, pdf);
  const fd = openSync(path, 'r+');
  try {
    const attached = { attachments, open: (path: string) => openSync(path, 'r') };
    completePdf(fd, { pdfa: undefined, isAnchored: false, attached });
  } finally {
    closeSync(fd);
  }
  return readFileSync(path);
}

t.test('new objects stand behind the others', async (t) => {
  const folder = t.testdir();
  const contents = {
    'a.bin': noise(2_500_000),
    'b (ä).txt': Buffer.from('endobj endstream'),
    'c.txt': Buffer.alloc(0),
  };
  const pdf = plainPdf(['Hello'], { created });
  const attachments = attachmentsIn(folder, contents);
  const whole = await attach(folder, pdf, attachments);
  const fd = openSync(join(folder, 'pdf'), 'r');
  t.teardown(() => closeSync(fd));
  const made = new PdfObjects(TailReader.over(fd));
  t.equal(countPages(made), 1, 'the old ones are where they were');
  t.equal(made.trailer['/Size'], made.size);
  const references = made.array(made.catalog['/AF']);
  t.equal(references.length, 3);
  const { '/EmbeddedFiles': tree } = made.dictionary(made.catalog['/Names']);
  const named = made.array(made.dictionary(tree)['/Names']);
  for (const [i, [name, content]] of Object.entries(contents).entries()) {
    const specification = made.dictionary(references[i]);
    t.equal(made.text(specification['/UF']), name);
    t.equal(specification['/AFRelationship'], '/Supplement');
    t.equal(made.text(named[2 * i]), name);
    t.strictSame(named[2 * i + 1], references[i]);
    const { '/F': file } = made.dictionary(specification['/EF']);
    const stream = made.dictionary(file);
    t.match(stream, { '/Type': '/EmbeddedFile', '/Subtype': '/application/a#b' });
    t.match(stream['/Params'], { '/Size': content.length, '/ModDate': { bytes: "D:20200102030405+08'00" } });
    t.ok(made.streamData(file, content.length).equals(content), name);
  }
  t.match(made.dictionary(references[1]), { '/F': { bytes: 'b (a).txt' } }, 'for readers without Unicode');
  t.ok((await attach(folder, pdf, attachments)).equals(whole), 'the same bytes again');
});

t.test('what cannot be', async (t) => {
  const folder = t.testdir();
  const [file] = attachmentsIn(folder, { 'a.bin': noise(10) });
  const one = [file as Attachment];
  const pdf = plainPdf(['Hello'], { created });
  await t.rejects(attach(folder, plainPdf(['Hello']), one), /no \/CreationDate/);
  const pages = '<</Type/Pages/Kids[]/Count 0>>';
  await t.rejects(
    attach(folder, pdfOf(['<</Type/Catalog/Names<<>>/Pages 2 0 R>>', pages]), one),
    /has attachments/,
  );
  truncateSync(String(file?.path), 5);
  await t.rejects(attach(folder, pdf, one), /became shorter/);
});

t.test('the schema of an invoice stands in the list that there is', async (t) => {
  const own =
    '<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"' +
    ' xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">' +
    '<pdfaExtension:schemas>\n <rdf:Bag><rdf:li>own</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>';
  for (const description of [own, '']) {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF>`;
    const xmp = declareInvoice(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`, 'basicwl');
    t.equal(xmp.match(/<pdfaExtension:schemas>/g)?.length, 1);
    t.equal(xmp.includes('<rdf:li>own</rdf:li>'), description !== '');
    t.match(xmp, '<fx:ConformanceLevel>BASIC WL</fx:ConformanceLevel>');
    new SaxesParser({ xmlns: true }).write(xmp).close();
  }
  t.throws(() => declareInvoice('', 'basic'), /no RDF/);
});
