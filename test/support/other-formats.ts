/** Generated files of other formats, which people upload by mistake. */
import { deflateRawSync } from 'node:zlib';
import { compoundFile } from './compound.ts';
import { noise, noisePng } from './noise.ts';
import { officePackage, XML } from './office-package.ts';
import { zip } from './zip.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** An Excel workbook without cells (.xlsx). */
export function xlsx(): Buffer {
  const data = `${XML}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets/></workbook>`;
  return zip(
    officePackage({ name: 'xl/workbook.xml', type: `${OFFICE}.spreadsheetml.sheet.main+xml`, data }),
  );
}

/** A PowerPoint presentation without slides (.pptx). */
export function pptx(): Buffer {
  const data = `${XML}<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>`;
  const type = `${OFFICE}.presentationml.presentation.main+xml`;
  return zip(officePackage({ name: 'ppt/presentation.xml', type, data }));
}

/** An OpenDocument text with one paragraph (.odt); `kind` makes it another OpenDocument format. */
export function odt(kind = 'text'): Buffer {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const namespace = (name: string) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;
  return zip([
    { name: 'mimetype', data: type, stored: true },
    {
      name: 'content.xml',
      data: `${XML}<office:document-content ${namespace('office')} ${namespace('text')} office:version="1.3"><office:body><office:text><text:p>Hello</text:p></office:text></office:body></office:document-content>`,
    },
    {
      name: 'META-INF/manifest.xml',
      data: `${XML}<manifest:manifest ${namespace('manifest')} manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    },
  ]);
}

/** A document encrypted with a password, as Office does it; `packageBytes` is the size of the encrypted package. */
export function encryptedDocx(packageBytes = 8_192): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(packageBytes - 5));
  // Agile encryption, version 4.4 ([MS-OFFCRYPTO] 2.3.4.10).
  const version = Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]);
  const descriptor =
    '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption"><keyData saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512"/></encryption>';
  return compoundFile([
    { name: 'EncryptionInfo', data: Buffer.concat([version, Buffer.from(XML + descriptor)]) },
    { name: 'EncryptedPackage', data: Buffer.concat([size, noise(packageBytes)]) },
  ]);
}

/** A legacy Word document (.doc), but only its container. */
export function legacyDoc(): Buffer {
  return compoundFile([
    { name: 'WordDocument', data: Buffer.from([0xec, 0xa5, 0xc1, 0]) },
    { name: '1Table', data: Buffer.alloc(0) },
  ]);
}

/** A legacy Excel workbook (.xls), but only its container. */
export function legacyXls(): Buffer {
  return compoundFile([{ name: 'Workbook', data: Buffer.from([0x09, 0x08, 0x10, 0]) }]);
}

/** A Rich Text document. */
export function rtf(): Buffer {
  return Buffer.from('{\\rtf1\\ansi Hello\\par}');
}

/** An HTML page. */
export function html(): Buffer {
  return Buffer.from('<!DOCTYPE html>\n<html><head><title>Hello</title></head><body>Hello</body></html>\n');
}

/** Plain text. */
export function plainText(): Buffer {
  return Buffer.from('Hello,\nthis is no document.\n');
}

/** A file without bytes. */
export function empty(): Buffer {
  return Buffer.alloc(0);
}

/** A ZIP archive of a text file. */
export function plainZip(): Buffer {
  return zip([{ name: 'readme.txt', data: plainText() }]);
}

/** A PNG image. */
export function png(): Buffer {
  return noisePng(8);
}

/** Binary noise without a known signature. */
export function binary(): Buffer {
  return deflateRawSync(noise(1_024));
}

/** A PDF of `pages` empty pages with one cross-reference table, as LibreOffice writes it. */
export function pdf(pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, i) => `${i + 3} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages\n/MediaBox[0 0 612 792]\n/Kids[ ${kids} ]\n/Count ${pages}>>`,
    ...Array.from({ length: pages }, () => '<</Type/Page/Parent 2 0 R/Resources<<>>>>'),
  ];
  return pdfOf(objects);
}

/**
 * A PDF of these objects, numbered from 1; the first is the catalog.
 *
 * @param entries of the trailer, in addition to the usual ones.
 */
export function pdfOf(objects: readonly string[], entries = ''): Buffer {
  let file = '%PDF-1.6\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const [i, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${i + 1} 0 obj\n${object}\nendobj\n\n`;
  }
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${entries}>>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer, 'latin1');
}
