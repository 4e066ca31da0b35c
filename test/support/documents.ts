/** Documents for tests, built from nothing; the same arguments give the same bytes. */
import { noise, noisePng } from './noise.ts';
import { officePackage, relationships, XML } from './office-package.ts';
import { asWordSaves, type ZipEntry, zip } from './zip.ts';

export * from './other-formats.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const DOCUMENT_TYPE = `${WORD}.document.main+xml`;
const MAIN_PART = 'word/document.xml';

/** The namespaces in which transitional and strict documents differ (ISO/IEC 29500 parts 1 and 4). */
const transitional = {
  main: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  drawing: 'http://schemas.openxmlformats.org/drawingml/2006',
};
const strict: typeof transitional = {
  main: 'http://purl.oclc.org/ooxml/wordprocessingml/main',
  relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
  drawing: 'http://purl.oclc.org/ooxml/drawingml',
};

export interface DocxOptions {
  /** Text of the paragraphs, in order, before the pages. */
  readonly paragraphs?: readonly string[];
  /** Number of pages, each with the text `Page N` on it; the paragraphs are on the first. */
  readonly pages?: number;
  /** Number of pictures at the end, each a different one. */
  readonly images?: number;
  /** Width and height of each picture in pixels. */
  readonly imageSide?: number;
  /** Bytes of a stored, incompressible part that nothing refers to. */
  readonly paddingBytes?: number;
}

/** A valid DOCX; with no options one page that says `Hello from Platen.` */
export function docx(options: DocxOptions = {}): Buffer {
  return zip(documentParts(options));
}

/** A valid DOCX in the strict variant of the format. */
export function strictDocx(options: DocxOptions = {}): Buffer {
  return zip(documentParts(options, { namespaces: strict }));
}

/** A valid one-page DOCX of exactly `bytes` bytes. */
export function docxOfSize(bytes: number): Buffer {
  const paddingBytes = bytes - docx({ paddingBytes: 0 }).length;
  if (paddingBytes < 0) throw new RangeError(`a DOCX has more than ${bytes} bytes`);
  return docx({ paddingBytes });
}

/** A DOCX of `images` incompressible pictures of `side` × `side` pixels: about 3 × images × side² bytes. */
export function imageDocx(images: number, side: number): Buffer {
  return docx({ images, imageSide: side });
}

/** A DOCX of pages that each begin with these paragraphs; every second page ends with a picture of its own. */
export function illustratedDocx(pages: number, paragraphs: readonly string[], side: number): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const inner = numbers.flatMap((page) => [
    paragraph(`Page ${page}`, page > 1),
    ...paragraphs.map((text) => paragraph(text)),
    ...(page % 2 === 0 ? [picture(page / 2, side, transitional)] : []),
  ]);
  const options = { images: Math.floor(pages / 2), imageSide: side };
  return zip(documentParts(options, { inner: inner.join('') }));
}

/**
 * A DOCX of a few KB whose conversion takes LibreOffice about ten seconds: 6,000 page breaks.
 *
 * @param more additional page breaks, to distinguish documents.
 */
export function slowDocx(more = 0): Buffer {
  return withMainPart(body('<w:p><w:r><w:br w:type="page"/></w:r></w:p>'.repeat(6_000 + more)));
}

/** A macro-enabled document (.docm); its default macro project is invalid. */
export function docm(project = noise(512)): Buffer {
  return macroEnabled('application/vnd.ms-word.document.macroEnabled.main+xml', project);
}

/** A macro-enabled template (.dotm). */
export function dotm(project = noise(512)): Buffer {
  return macroEnabled('application/vnd.ms-word.template.macroEnabledTemplate.main+xml', project);
}

function macroEnabled(mainType: string, project: Buffer): Buffer {
  const toProject = `<Relationship Id="rIdVba" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>`;
  const links = 'word/_rels/document.xml.rels';
  const parts = documentParts({}, { mainType }).filter(({ name }) => name !== links);
  return zip([
    ...parts,
    { name: links, data: relationships([toProject]) },
    { name: 'word/vbaProject.bin', data: project },
  ]);
}

/** A template (.dotx). */
export function dotx(): Buffer {
  return zip(documentParts({}, { mainType: `${WORD}.template.main+xml` }));
}

/** A DOCX that was cut off in the middle. */
export function truncatedDocx(): Buffer {
  const whole = docx();
  return whole.subarray(0, Math.floor(whole.length / 2));
}

/** A DOCX whose main part is not well-formed XML; the package is fine, but LibreOffice cannot load it. */
export function malformedDocx(): Buffer {
  return withMainPart(body('<w:p><w:r></w:p>'));
}

/** A DOCX whose main part is named but missing. */
export function docxWithoutMainPart(): Buffer {
  return zip(documentParts().filter(({ name }) => name !== MAIN_PART));
}

/** A DOCX with an empty main part, of which LibreOffice would make a blank page. */
export function docxWithEmptyMainPart(): Buffer {
  return withMainPart('');
}

/** A DOCX with two main parts of the same name. */
export function docxWithDuplicateEntries(): Buffer {
  return zip([...documentParts(), { name: MAIN_PART, data: body('<w:p/>') }]);
}

/** A DOCX with an additional entry of this name, such as one that leads out of the package. */
export function docxWithEntry(name: string): Buffer {
  return zip([...documentParts(), { name, data: 'content' }]);
}

/** As many extra fields as directories have room for, in a package and in two inside it: 1.4 million objects. */
export function docxOfManyFields(): Buffer {
  const extra = Buffer.alloc(65_000, '\xff\xff\0\0', 'latin1');
  const around = (data: Buffer | string) => {
    const entries = Array.from({ length: 30 }, (_, i) => ({ name: `e${i}`, data: '', extra }));
    return zip([...partsWith(), ...entries, { name: 'word/a.docx', data }]);
  };
  return around(around(around('')));
}

/** A DOCX of exactly `entries` entries. */
export function docxWithEntries(entries: number): Buffer {
  const parts = documentParts();
  const extra = Array.from({ length: entries - parts.length }, (_, i) => ({
    name: `customXml/item${i}.xml`,
    data: '<item/>',
  }));
  return zip([...parts, ...extra]);
}

/** A DOCX whose entries are marked as encrypted, as ZIP tools do. */
export function zipEncryptedDocx(): Buffer {
  return zip(documentParts().map((part) => ({ ...part, flags: 1 })));
}

/** A DOCX in which these parts are replaced; `undefined` removes a part. */
export function docxWithParts(parts: Readonly<Record<string, string | Buffer | undefined>>): Buffer {
  return zip(partsWith(parts));
}

/** The same, as Word saves it. */
export function wordDocxWithParts(parts: Readonly<Record<string, string | Buffer | undefined>>): Buffer {
  return asWordSaves(partsWith(parts));
}

/** The entries of a DOCX in which these parts are replaced; `undefined` removes a part. */
export function partsWith(
  parts: Readonly<Record<string, string | Buffer | undefined>> = {},
): readonly ZipEntry[] {
  const kept = documentParts().filter(({ name }) => !(name in parts));
  const replaced = Object.entries(parts).flatMap(([name, data]) =>
    data === undefined ? [] : [{ name, data }],
  );
  return [...kept, ...replaced];
}

/** A main part with this content. */
export function mainPart(inner: string): string {
  return body(inner);
}

/** A DOCX whose main part links to these parts, by relationship types such as `image`. */
export function docxLeadingTo(
  targets: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string | Buffer>>,
  inner = paragraph('Hello from Platen.'),
): Buffer {
  const each = Object.entries(targets).map(
    ([target, type], i) =>
      `<Relationship Id="rId${i + 1}" Type="${transitional.relationships}/${type}" Target="${target}"/>`,
  );
  return docxWithParts({
    ...parts,
    [MAIN_PART]: body(inner),
    'word/_rels/document.xml.rels': relationships(each),
  });
}

interface Variant {
  readonly mainType?: string;
  readonly namespaces?: typeof transitional;
  /** Content of its body instead of the options' paragraphs. */
  readonly inner?: string;
}

function documentParts(options: DocxOptions = {}, variant: Variant = {}): ZipEntry[] {
  const { images = 0, imageSide = 64, paddingBytes } = options;
  const { mainType = DOCUMENT_TYPE, namespaces = transitional } = variant;
  const { inner = content(options, namespaces) } = variant;
  const parts = officePackage({
    name: MAIN_PART,
    type: mainType,
    data: body(inner, namespaces),
    relationshipNamespace: namespaces.relationships,
  });
  for (let i = 1; i <= images; i += 1) {
    parts.push({ name: `word/media/image${i}.png`, data: noisePng(imageSide, i), stored: true });
  }
  if (images > 0) {
    parts.push({ name: 'word/_rels/document.xml.rels', data: imageRelationships(images, namespaces) });
  }
  if (paddingBytes !== undefined) {
    parts.push({ name: 'word/media/padding.bin', data: noise(paddingBytes), stored: true });
  }
  return parts;
}

function withMainPart(data: string): Buffer {
  return zip(officePackage({ name: MAIN_PART, type: DOCUMENT_TYPE, data }));
}

function imageRelationships(images: number, namespaces: typeof transitional): string {
  return relationships(
    Array.from(
      { length: images },
      (_, i) =>
        `<Relationship Id="rId${i + 1}" Type="${namespaces.relationships}/image" Target="media/image${i + 1}.png"/>`,
    ),
  );
}

function body(inner: string, namespaces = transitional): string {
  return `${XML}<w:document xmlns:w="${namespaces.main}" xmlns:r="${namespaces.relationships}"><w:body>${inner}</w:body></w:document>`;
}

function content(options: DocxOptions, namespaces: typeof transitional): string {
  const { pages = 0, images = 0, imageSide = 64 } = options;
  const paragraphs = options.paragraphs ?? (pages + images > 0 ? [] : ['Hello from Platen.']);
  const texts = paragraphs.map((text) => paragraph(text));
  for (let page = 1; page <= pages; page += 1) texts.push(paragraph(`Page ${page}`, page > 1));
  for (let image = 1; image <= images; image += 1) texts.push(picture(image, imageSide, namespaces));
  return texts.join('');
}

function paragraph(text: string, onNewPage = false): string {
  const properties = onNewPage ? '<w:pPr><w:pageBreakBefore/></w:pPr>' : '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${escaped}</w:t></w:r></w:p>`;
}

/** A picture in its own paragraph, at 96 pixels an inch but at most 6 inches wide. */
function picture(number: number, side: number, { drawing }: typeof transitional): string {
  const emu = Math.min(side * 9_525, 5_486_400);
  return `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${drawing}/wordprocessingDrawing">\
<wp:extent cx="${emu}" cy="${emu}"/><wp:docPr id="${number}" name="Picture ${number}"/>\
<a:graphic xmlns:a="${drawing}/main"><a:graphicData uri="${drawing}/picture">\
<pic:pic xmlns:pic="${drawing}/picture">\
<pic:nvPicPr><pic:cNvPr id="${number}" name="image${number}.png"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:embed="rId${number}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${emu}" cy="${emu}"/></a:xfrm>\
<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>\
</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}
