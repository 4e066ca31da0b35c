/** Documents whose conversions have warnings. */
import { docxWithParts, mainPart, wordDocxWithParts } from './documents.ts';
import { relationships, XML } from './office-package.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const EXTENDED = 'http://schemas.openxmlformats.org/officeDocument/2006/extended-properties';
const STRICT = 'http://purl.oclc.org/ooxml';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';

export interface ReportedParts {
  /** Content of the body. */
  readonly body?: string;
  /** Other parts in the folder `word`, by file name; the name gives the relationship's type. */
  readonly parts?: Readonly<Record<string, string>>;
  /** External links of the main part, by type. */
  readonly external?: Readonly<Record<string, string>>;
  /** Content of `docProps/app.xml`; if there is any, the archive is as Word saves it. */
  readonly properties?: string;
  /** Another program wrote the archive, whatever the properties say. */
  readonly isChanged?: boolean;
  /** Whether it is in the strict variant of the format. */
  readonly isStrict?: boolean;
  /** Writes a part in another way. */
  readonly written?: (xml: string) => string;
}

/** A DOCX with these parts. */
export function reportedDocx({
  body = run('Text'),
  parts = {},
  external = {},
  properties,
  isChanged = properties === undefined,
  isStrict = false,
  written = isStrict ? strictly : (xml) => xml,
}: ReportedParts): Buffer {
  const internal = Object.keys(parts).map((file, i) => relationship(`rId${i + 1}`, typeOf(file), file));
  const links = Object.entries(external).map(([type, target], i) =>
    relationship(`rIdX${i + 1}`, type, target, ' TargetMode="External"'),
  );
  const toProperties = relationship('rId2', 'extended-properties', 'docProps/app.xml');
  const own = {
    ...Object.fromEntries(Object.entries(parts).map(([file, data]) => [`word/${file}`, data])),
    'word/document.xml': mainPart(body),
    'word/_rels/document.xml.rels': relationships([...internal, ...links]),
    ...(properties !== undefined && {
      'docProps/app.xml': `${XML}<Properties xmlns="${EXTENDED}">${properties}</Properties>`,
      '_rels/.rels': relationships([
        relationship('rId1', 'officeDocument', 'word/document.xml'),
        toProperties,
      ]),
    }),
  };
  const build = isChanged ? docxWithParts : wordDocxWithParts;
  return build(Object.fromEntries(Object.entries(own).map(([name, xml]) => [name, written(xml)])));
}

/** A part in the strict variant (ISO/IEC 29500-1, 15.2.12.3: the link to the properties has another name as well). */
function strictly(xml: string): string {
  return xml
    .replaceAll(`${OFFICE}/extended-properties`, `${STRICT}/officeDocument/relationships/extendedProperties`)
    .replaceAll(EXTENDED, `${STRICT}/officeDocument/extendedProperties`)
    .replaceAll(OFFICE, `${STRICT}/officeDocument/relationships`)
    .replaceAll(WORD, `${STRICT}/wordprocessingml/main`);
}

/** A part of WordprocessingML, such as `styles`, with this content. */
export function wordPart(root: string, inner: string): string {
  return `${XML}<w:${root} xmlns:w="${WORD}" xmlns:r="${OFFICE}">${inner}</w:${root}>`;
}

/** A theme with these font elements, by `major` and `minor`. */
export function theme(fonts: { readonly major?: string; readonly minor?: string }): string {
  return `${XML}<a:theme xmlns:a="${DRAWING}" name="T"><a:themeElements><a:fontScheme name="T">\
<a:majorFont>${fonts.major ?? ''}</a:majorFont><a:minorFont>${fonts.minor ?? ''}</a:minorFont>\
</a:fontScheme></a:themeElements></a:theme>`;
}

/** A paragraph with a run with these properties. */
export function run(text: string, properties = '', paragraphProperties = ''): string {
  return `<w:p><w:pPr>${paragraphProperties}</w:pPr><w:r><w:rPr>${properties}</w:rPr>\
<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** Run properties with this font for all alphabets. */
export function inFont(name: string): string {
  return `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;
}

/** An insertion, a deletion and a comment. */
export const reviewed: ReportedParts = {
  body: `<w:p><w:r><w:t>kept </w:t></w:r>\
<w:ins w:id="1" w:author="A"><w:r><w:t>inserted</w:t></w:r></w:ins>\
<w:del w:id="2" w:author="A"><w:r><w:delText>deleted</w:delText></w:r></w:del>\
<w:r><w:commentReference w:id="0"/></w:r></w:p>`,
  parts: {
    'settings.xml': wordPart('settings', '<w:zoom w:percent="100"/>'),
    'comments.xml': wordPart(
      'comments',
      '<w:comment w:id="0" w:author="A"><w:p><w:r><w:t>remark</w:t></w:r></w:p></w:comment>',
    ),
  },
};

/** The properties that Word stores with a document of this many pages. */
export function savedByWord(pages: number): string {
  return `<Pages>${pages}</Pages><Application>Microsoft Office Word</Application>`;
}

function relationship(id: string, type: string, target: string, more = ''): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${more}/>`;
}

/** `header1.xml` is a header. */
function typeOf(file: string): string {
  return file.replace(/\d*\.xml$/, '');
}
