/** Builds valid, malicious packages with the parts, relationships and settings that a case needs. */
import { relationships as relationshipsPart, XML } from '../../support/office-package.ts';
import { type ZipEntry, zip } from '../../support/zip.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** The declarations that the elements below need. */
export const NAMESPACES = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" \
xmlns:r="${OFFICE}" xmlns:a="${DRAWING}/main" xmlns:pic="${DRAWING}/picture" xmlns:c="${DRAWING}/chart" \
xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" \
xmlns:dgm="${DRAWING}/diagram" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" \
xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" \
xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" \
xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main"`;

export interface Relationship {
  readonly id: string;
  /** Last part of the type, such as `image`, or a whole type. */
  readonly type: string;
  readonly target: string;
  /** Whether the target is outside the package; true for a target that is a URL. */
  readonly external?: boolean;
}

interface Part {
  readonly name: string;
  readonly data: Buffer | string;
  /** Content type, where its extension does not say it. */
  readonly type?: string;
  readonly relationships?: readonly Relationship[];
}

interface AttackOptions {
  /** What is in `w:body`. */
  readonly body: string;
  /** Elements of `w:document` before the body. */
  readonly beforeBody?: string;
  readonly relationships?: readonly Relationship[];
  readonly parts?: readonly Part[];
  /** What is in `w:settings`, and what it refers to. */
  readonly settings?: { readonly content: string; readonly relationships?: readonly Relationship[] };
}

/** Content types by extension, for what the cases put in. */
const types: Readonly<Record<string, string>> = {
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  xml: 'application/xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  tif: 'image/tiff',
  bmp: 'image/bmp',
  pcx: 'image/x-pcx',
  psd: 'image/vnd.adobe.photoshop',
  svg: 'image/svg+xml',
  emf: 'image/x-emf',
  wmf: 'image/x-wmf',
  eps: 'application/postscript',
  pdf: 'application/pdf',
  pct: 'image/pict',
  bin: 'application/vnd.openxmlformats-officedocument.oleObject',
  odttf: 'application/vnd.openxmlformats-officedocument.obfuscatedFont',
  html: 'text/html',
  mht: 'message/rfc822',
  rtf: 'application/rtf',
  txt: 'text/plain',
  docx: `${WORD}.document`,
  odt: 'application/vnd.oasis.opendocument.text',
};

/** A valid DOCX of these parts; the same options give the same bytes. */
export function attackDocx({
  body,
  beforeBody = '',
  relationships = [],
  parts = [],
  settings,
}: AttackOptions): Buffer {
  const main: Part = {
    name: 'word/document.xml',
    type: `${WORD}.document.main+xml`,
    data: `${XML}<w:document ${NAMESPACES}>${beforeBody}<w:body>${body}</w:body></w:document>`,
    relationships: settings
      ? [...relationships, { id: 'rIdSettings', type: 'settings', target: 'settings.xml' }]
      : relationships,
  };
  const all: Part[] = [main, ...parts];
  if (settings) {
    all.push({
      name: 'word/settings.xml',
      type: `${WORD}.settings+xml`,
      data: `${XML}<w:settings ${NAMESPACES}>${settings.content}</w:settings>`,
      ...(settings.relationships && { relationships: settings.relationships }),
    });
  }
  return zip([
    { name: '[Content_Types].xml', data: contentTypes(all) },
    {
      name: '_rels/.rels',
      data: relationshipsPart([element({ id: 'rId1', type: 'officeDocument', target: main.name })]),
    },
    ...all.flatMap(entries),
  ]);
}

function entries({ name, data, relationships = [] }: Part): ZipEntry[] {
  const slash = name.lastIndexOf('/') + 1;
  const own: ZipEntry = { name, data };
  if (relationships.length === 0) return [own];
  const related = `${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`;
  return [own, { name: related, data: relationshipsPart(relationships.map(element)) }];
}

function element({ id, type, target, external = isUrl(target) }: Relationship): string {
  const mode = external ? ' TargetMode="External"' : '';
  const whole = type.includes(':') ? type : `${OFFICE}/${type}`;
  return `<Relationship Id="${id}" Type="${whole}" Target="${escapeXml(target)}"${mode}/>`;
}

const isUrl = (target: string): boolean => /^([a-z][a-z0-9.+-]*:|\\\\|\/\/)/i.test(target);

function contentTypes(parts: readonly Part[]): string {
  const defaults = Object.entries(types).map(
    ([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`,
  );
  const overrides = parts.flatMap(({ name, type }) =>
    type === undefined ? [] : [`<Override PartName="/${name}" ContentType="${type}"/>`],
  );
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join('')}${overrides.join('')}</Types>`;
}

/** Text escaped for XML, also for attributes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A paragraph of runs. */
export const paragraph = (runs: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${runs}</w:p>`;

/** A run of text. */
export const text = (content: string): string =>
  `<w:r><w:t xml:space="preserve">${escapeXml(content)}</w:t></w:r>`;

/** A field as Word writes it, in five runs, with the result that it had. */
export function field(instruction: string, result = 'result'): string {
  const character = (type: string) =>
    `<w:r><w:fldChar w:fldCharType="${type}"${type === 'begin' ? ' w:dirty="true"' : ''}/></w:r>`;
  return `${character('begin')}<w:r><w:instrText xml:space="preserve"> ${escapeXml(instruction)} </w:instrText></w:r>${character('separate')}${text(result)}${character('end')}`;
}

/** A picture of DrawingML in a run; `blip` has the attributes and children of its `a:blip`. */
export function picture(blip: string, number = 1): string {
  const size = 'cx="952500" cy="952500"';
  return `<w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="${number}" name="Picture ${number}"/>\
<a:graphic><a:graphicData uri="${DRAWING}/picture"><pic:pic>\
<pic:nvPicPr><pic:cNvPr id="${number}" name="Picture ${number}"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip ${blip}<a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>\
</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
}

/** A rectangle of DrawingML in a run, with this fill. */
export function shape(fill: string, number = 1): string {
  const size = 'cx="952500" cy="952500"';
  return `<w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="${number}" name="Shape ${number}"/>\
<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr/>\
<wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>${fill}</wps:spPr>\
<wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
}

/** A document with one picture, a file of the package. */
export function pictureDocx(name: string, data: Buffer | string): Buffer {
  return attackDocx({
    body: paragraph(picture('r:embed="rId1"/>') + text('picture above')),
    relationships: [{ id: 'rId1', type: 'image', target: `media/${name}` }],
    parts: [{ name: `word/media/${name}`, data }],
  });
}

/** A document with one external reference for each target, in a paragraph of its own. */
export function linkingDocx(
  targets: readonly string[],
  type: string,
  content: (id: string, index: number) => string,
): Buffer {
  return attackDocx({
    body: targets.map((_, i) => paragraph(content(`rId${i + 1}`, i + 1))).join('') + paragraph(text('end')),
    relationships: targets.map((target, i) => ({ id: `rId${i + 1}`, type, target, external: true })),
  });
}
