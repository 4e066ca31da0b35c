/** Attachments of a PDF, without the engine: test/e2e/conversions/attachments.ts has other programs read them. */
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import t from 'tap';
import { completePdf } from '../../../src/convert/pdf/complete.ts';
import { declareInvoice } from '../../../src/convert/pdf/facturx.ts';
import { countPages } from '../../../src/convert/pdf/pages.ts';
import { readObject, readObjectStart, readStructure } from '../../../src/convert/pdf/structure.ts';
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
  const structure = readStructure(TailReader.over(fd));
  t.equal(countPages(structure), 1, 'the old ones are where they were');
  t.match(structure.trailer, `/Size ${structure.xref.objects}`);
  const references = [...(/\/AF\[([^\]]*)\]/.exec(structure.catalog)?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  t.equal(references.length, 3);
  for (const [i, [name, content]] of Object.entries(contents).entries()) {
    const specification = readObject(structure, Number(references[i]?.[1]));
    const utf16 = Buffer.from(name, 'utf16le').swap16().toString('hex').toUpperCase();
    t.match(specification, `/UF<FEFF${utf16}>/AFRelationship/Supplement`);
    t.match(structure.catalog, `<FEFF${utf16}> ${references[i]?.[1]} 0 R`);
    const number = Number(/\/EF<<\/F (\d+) 0 R/.exec(specification)?.[1]);
    const { text: stream } = readObjectStart(structure, number, content.length + 1_000);
    t.match(stream, '/Type/EmbeddedFile/Subtype/application#2Fa#23b/Params');
    t.match(stream, `/Size ${content.length}/ModDate(D:20200102030405+08'00)`);
    t.match(stream, `/Length ${content.length}>>\nstream\n`);
    t.ok(Buffer.from(stream, 'latin1').includes(content), name);
  }
  t.match(readObject(structure, Number(references[1]?.[1])), '/F(b \\(a\\).txt)');
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
