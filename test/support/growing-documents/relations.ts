/** Parts of a package and the relationships between them. */
import { docxWithParts, mainPart } from '../documents.ts';
import { relationships, XML } from '../office-package.ts';
import { reportedDocx, wordPart } from '../report-documents.ts';
import { type GrowingDocument, inParts, many, paragraph, textRun } from './growing-document.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DIAGRAM = 'http://schemas.openxmlformats.org/drawingml/2006/diagram';
const LINKS = 'word/_rels/document.xml.rels';
const link = (id: string, type: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${more}/>`;
/** Some hundred of them are a description of a package that is read as a whole. */
const linked = (
  name: string,
  size: number,
  parts: (count: number) => Readonly<Record<string, string>>,
  most?: number,
): GrowingDocument => ({
  name,
  size,
  ...(most !== undefined && { most }),
  of: (count) => docxWithParts(parts(count)),
});
const diagram = (id: string) => `<w:r><w:drawing><dgm:relIds r:dm="${id}" r:lo="l"/></w:drawing></w:r>`;
const inParagraphs = (units: string) => mainPart(paragraph(units));
const data = (inner: string) => `${XML}<dgm:dataModel xmlns:dgm="${DIAGRAM}">${inner}</dgm:dataModel>`;
const files = (count: number, name: (index: number) => string, content: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), content]));

export const relationKinds: readonly GrowingDocument[] = [
  inParts('damaged parts', 300, (count) => ({
    body: paragraph(textRun('a')),
    parts: files(count, (i) => `comments${i}.xml`, '<a><b></a>'),
  })),
  inParts('a theme', 2_000, (count) => ({
    body: paragraph(textRun('a')),
    parts: { 'theme.xml': `<a xmlns:b="b">${many(count, '<b:c xmlns:b="c"><b:d b:e="&lt;"/></b:c>')}</a>` },
  })),
  linked('fonts that begin as XML', 300, (count) => ({
    [LINKS]: relationships(Array.from({ length: count }, (_, i) => link(`r${i}`, 'font', `${i}.odttf`))),
    ...files(count, (i) => `word/${i}.odttf`, '<w:p\0'),
  })),
  linked(
    'relationships',
    800,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: count }, (_, i) => link(`r${i}`, 'image', `media/${i}.png`)),
      ),
    }),
    20_000,
  ),
  linked(
    'links to properties that are missing',
    800,
    (count) => ({
      '_rels/.rels': relationships([
        link('main', 'officeDocument', 'word/document.xml'),
        ...Array.from({ length: count }, (_, i) => link(`r${i}`, 'extended-properties', `${i}.xml`)),
      ]),
    }),
    20_000,
  ),
  linked(
    'relationships of a target',
    800,
    (count) => ({
      [LINKS]: relationships(Array.from({ length: count }, (_, i) => link(`r${i}`, `type${i}`, 'a.xml'))),
      'word/a.xml': '<a/>',
    }),
    20_000,
  ),
  linked(
    'parts of one name with relationships of many types',
    60,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: 20 * count }, (_, i) =>
          link(`r${i}`, i === 0 ? 'aFChunk' : `type${i}`, 'a.svg'),
        ),
      ),
      'word/_rels/b.xml.rels': relationships([link('r', 'image', 'c.svg')]),
      ...files(count, (i) => `word/${i}/c.svg`, '<!DOCTYPE svg><svg/>'),
    }),
    1_000,
  ),
  linked(
    'parts that a lenient parser might take for XML',
    60,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: 20 * count }, (_, i) => link(`r${i}`, i % 2 ? 'image' : 'font', 'a.bin')),
      ),
      ...files(count, (i) => `word/${i}/a.bin`, '\0\0\0<a/>'),
    }),
    1_000,
  ),
  linked(
    'external links',
    600,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: count }, (_, i) =>
          link(`r${i}`, 'image', `http://a.test/${i}`, ' TargetMode="External"'),
        ),
      ),
    }),
    20_000,
  ),
  linked(
    'paths of a target',
    10,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: count }, (_, i) => link(`r${i}`, 'image', `${'a/../'.repeat(2_000)}${i}`)),
      ),
    }),
    300,
  ),
  linked(
    'pictures with relationships',
    300,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: count }, (_, i) => link(`r${i}`, 'image', `media/${i}.png`)),
      ),
      'word/document.xml': inParagraphs(
        many(
          count,
          (i) => `<w:r><w:drawing><wp:inline><a:blip r:embed="r${i}"/></wp:inline></w:drawing></w:r>`,
        ),
      ),
    }),
    8_000,
  ),
  linked(
    'diagrams of the same data',
    400,
    (count) => ({
      [LINKS]: relationships([link('d', 'diagramData', 'd.xml'), link('l', 'diagramLayout', 'l.xml')]),
      'word/document.xml': inParagraphs(many(count, diagram('d'))),
      'word/d.xml': data(many(5 * count, '<dgm:pt/>')),
      'word/l.xml': '<a/>',
    }),
    8_000,
  ),
  linked(
    'diagrams with drawings',
    200,
    (count) => ({
      [LINKS]: relationships(
        Array.from(
          { length: count },
          (_, i) => link(`d${i}`, 'diagramData', 'd.xml') + link(`w${i}`, 'diagramDrawing', 'w.xml'),
        ),
      ),
      'word/document.xml': inParagraphs(many(count, (i) => diagram(`d${i}`))),
      'word/d.xml': data('<dsp:dataModelExt relId="none"/>'),
      'word/w.xml': '<a/>',
    }),
    8_000,
  ),
  linked(
    'headers with items of lists',
    60,
    (count) => ({
      [LINKS]: relationships(
        Array.from({ length: 20 * count }, (_, i) => link(`r${i}`, 'header', `header${i}.xml`)),
      ),
      ...files(
        count,
        (i) => `word/header${i}.xml`,
        wordPart('hdr', paragraph(textRun('a'), '<w:numPr><w:numId w:val="1"/></w:numPr>')),
      ),
    }),
    1_000,
  ),
  linked('chunks and other documents', 600, (count) => ({
    [LINKS]: relationships([link('c', 'aFChunk', 'c.html')]),
    'word/document.xml': mainPart(many(count, '<w:altChunk r:id="c"/><w:subDoc r:id="none"/>')),
    'word/c.html': '<html/>',
  })),
  linked('elements inside each other in a chunk', 5_000, (count) => ({
    [LINKS]: relationships([link('c', 'aFChunk', 'c.html')]),
    'word/document.xml': mainPart('<w:altChunk r:id="c"/>'),
    'word/c.html': `<html xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><x typeface="Arial" w:author="A"/><w:rFonts/><w:fldSimple/>${many(count, '<w:p><w:ins>')}`,
  })),
  linked('parts', 100, (count) => files(count, (i) => `customXml/item${i}.xml`, '<a/>'), 1_900),
  linked(
    'parts with relationships of their own',
    80,
    (count) => ({
      ...files(count, (i) => `word/${i}.xml`, '<a/>'),
      ...files(count, (i) => `word/_rels/${i}.xml.rels`, relationships([link('r', 'image', 'a.png')])),
    }),
    900,
  ),
  linked('core properties', 1_000, (count) => ({
    '_rels/.rels': relationships([
      link('r1', 'officeDocument', 'word/document.xml'),
      `<Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
    ]),
    'docProps/core.xml': `<cp:coreProperties>${many(count, (i) => `<dc:p${i}>a<x>&amp;</x></dc:p${i}>`)}<dcterms:modified>2024-01-01T00:00:00Z</dcterms:modified></cp:coreProperties>`,
  })),
  inParts(
    'notes',
    600,
    (count) => ({
      body: paragraph(
        many(
          count,
          (i) =>
            `<w:r><w:footnoteReference w:id="${i}"/><w:endnoteReference w:id="${i}"/></w:r><mc:AlternateContent><mc:Fallback><w:r/></mc:Fallback></mc:AlternateContent>`,
        ),
      ),
      parts: {
        'footnotes.xml': wordPart(
          'footnotes',
          many(count, (i) => `<w:footnote w:id="${i}">${paragraph(textRun('a'))}</w:footnote>`),
        ),
        'endnotes.xml': wordPart(
          'endnotes',
          many(count, (i) => `<w:endnote w:id="${i}">${paragraph(textRun('a'))}</w:endnote>`),
        ),
      },
    }),
    8_000,
  ),
  inParts('notes that begin anew', 300, (count) => ({
    body: many(count, (i) =>
      paragraph(
        `<w:r><w:rPr><w:b/></w:rPr><w:footnoteReference w:id="${2 * i}" w:customMarkFollows="0"/></w:r><w:r><w:footnoteReference w:customMarkFollows="1" w:id="${2 * i + 1}"/><w:t>**</w:t></w:r>`,
        '<w:sectPr><w:footnotePr><w:numFmt w:val="hex"/><w:numStart w:val="30"/><w:numRestart w:val="eachSect"/></w:footnotePr></w:sectPr>',
      ),
    ),
    parts: {
      'footnotes.xml': wordPart(
        'footnotes',
        many(
          2 * count,
          (i) =>
            `<w:footnote w:id="${i}">${paragraph(`<w:r><w:footnoteRef/></w:r>${textRun('**')}`)}</w:footnote>`,
        ),
      ),
    },
  })),
  inParts('endnotes of sections', 300, (count) => ({
    body: many(count, (i) => paragraph(`<w:r><w:endnoteReference w:id="${i}"/></w:r>`, '<w:sectPr/>')),
    parts: {
      'settings.xml': wordPart(
        'settings',
        `<w:endnotePr>${many(count, () => '<w:pos w:val="sectEnd"/>')}</w:endnotePr>`,
      ),
    },
  })),
  inParts('comments of readers', 800, (count) => ({
    body: paragraph(textRun('a')),
    parts: {
      'comments.xml': wordPart(
        'comments',
        many(count, (i) => `<w:comment w:id="${i}">${paragraph(textRun('a'))}</w:comment>`),
      ),
    },
  })),
  ...['', paragraph(textRun('a'), '<w:sectPr/>')].map((section) => ({
    name: `paragraphs of a document in a document${section && ', and its sections'}`,
    size: 300,
    of: (count: number) =>
      docxWithParts({
        [LINKS]: relationships([link('c', 'aFChunk', 'c.docx')]),
        'word/document.xml': mainPart('<w:altChunk r:id="c"/>'),
        'word/c.docx': reportedDocx({
          body: `${many(count, paragraph(textRun('a')) + section)}<w:sectPr><w:type w:val="a"/></w:sectPr>`,
        }),
      }),
  })),
  {
    name: 'linked pictures of a document in a document',
    size: 300,
    of: (count) =>
      docxWithParts({
        [LINKS]: relationships([link('c', 'aFChunk', 'c.docx')]),
        'word/document.xml': mainPart('<w:altChunk r:id="c"/>'),
        'word/c.docx': docxWithParts({
          [LINKS]: relationships(
            Array.from({ length: count }, (_, i) =>
              link(`r${i}`, 'image', `https://example.com/${i}.png`, ' TargetMode="External"'),
            ),
          ),
          'word/document.xml': inParagraphs(many(count, (i) => `<w:r><a:blip r:link="r${i}"/></w:r>`)),
        }),
      }),
  },
  {
    name: 'lists of a document in a document',
    size: 300,
    of: (count) =>
      docxWithParts({
        [LINKS]: relationships([link('c', 'aFChunk', 'c.docx')]),
        'word/document.xml': mainPart('<w:altChunk r:id="c"/>'),
        'word/c.docx': reportedDocx({
          body: many(count, paragraph(textRun('a', '<w:webHidden></w:webHidden>'))),
          parts: {
            'numbering.xml': wordPart(
              'numbering',
              `<w:abstractNum w:abstractNumId="1">${many(count, '<w:lvl w:ilvl="0"><w:lvlText w:val="\uf0b7"/><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr></w:lvl>')}</w:abstractNum>`,
            ),
          },
        }),
      }),
  },
];
