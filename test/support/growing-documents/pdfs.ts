/** PDFs that grow, as only a child under a document's control would write them. */
import { pdfOf } from '../documents.ts';
import { many } from './growing-document.ts';

interface GrowingPdf {
  readonly name: string;
  readonly size: number;
  readonly most?: number;
  readonly of: (size: number) => Buffer;
}

interface Content {
  /** Pages, as their objects are; the first of them is object 11. */
  readonly pages?: readonly string[];
  /** What stands in the dictionaries of the page tree's root, its resources, fonts, destinations and form. */
  readonly root?: string;
  readonly kids?: string;
  readonly resources?: string;
  readonly fonts?: string;
  readonly font?: string;
  readonly cmap?: string;
  readonly destinations?: string;
  readonly fields?: string;
  readonly content?: string;
  readonly info?: string;
  readonly xmp?: string;
  readonly catalog?: string;
}

const stream = (content: string, entries = '') =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const CMAP = '1 begincodespacerange<00><ff>endcodespacerange 1 beginbfchar<41><0041>endbfchar';
const XMP = '<rdf:RDF><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:RDF>';
const TEXT = 'BT /F1 12 Tf 72 700 Td <414141> Tj ET\n';
const PAGE = '<</Type/Page/Contents 8 0 R>>';

function pdf({
  pages = [PAGE],
  root = '',
  kids = pages.map((_, i) => `${11 + i} 0 R `).join(''),
  resources = '/XObject<</Fm1 8 0 R>>',
  fonts = '/F1 5 0 R',
  font = '/BaseFont/ABCDEF+Arial',
  cmap = CMAP,
  destinations = '/platen-page-0[11 0 R/XYZ 0 700 0]',
  fields = '',
  content = TEXT,
  info = '',
  xmp = XMP,
  catalog = '',
}: Content): Buffer {
  return pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R/Dests 7 0 R/Metadata 9 0 R/OutputIntents[10 0 R]/AcroForm<</Fields[${fields}]>>${catalog}>>`,
      `<</Type/Pages/Count ${pages.length}/Resources 3 0 R${root}/Kids[${kids}]>>`,
      `<</Font 4 0 R${resources}>>`,
      `<<${fonts}>>`,
      `<</Type/Font/Subtype/TrueType${font}/ToUnicode 6 0 R>>`,
      stream(cmap),
      `<<${destinations}>>`,
      stream(content, '/Subtype/Form'),
      stream(xmp),
      `<</CreationDate(D:20240101000000Z)${info}>>`,
      ...pages,
    ],
    '/Info 10 0 R',
  );
}
const kind = (name: string, size: number, of: (size: number) => Content, most?: number): GrowingPdf => ({
  name: `${name} of a PDF`,
  size,
  ...(most !== undefined && { most }),
  of: (count) => pdf(of(count)),
});

export const pdfKinds: readonly GrowingPdf[] = [
  kind('pages', 300, (count) => ({ pages: Array.from({ length: count }, () => PAGE) }), 9_000),
  kind('blanks in a page', 40_000, (count) => ({
    pages: [`<</Type/Page/Contents${' '.repeat(count)}8 0 R>>`],
  })),
  kind('beginnings of kids', 10_000, (count) => ({ root: many(count, '/Kids ') })),
  kind('references to fonts', 20, (count) => ({ fonts: many(count, (i) => `/F${i} 5 0 R`) }), 190),
  kind('names of fonts', 40_000, (count) => ({ font: `/BaseFont/${'a#41-'.repeat(count)}` })),
  kind('blanks in fonts', 40_000, (count) => ({ font: ` ${' '.repeat(count)}/BaseFont/A` })),
  kind(
    'codes of a font',
    2_000,
    (count) => ({ cmap: CMAP.replace('<41><0041>', many(count, '<41><0041>')) }),
    5_000,
  ),
  kind(
    'ranges of codes of a font',
    15,
    (count) => ({
      cmap: CMAP.replace('bfchar<41><0041>', `bfrange${many(count, '<00><ff><0041>')}`).replace(
        'endbfchar',
        'endbfrange',
      ),
    }),
    15,
  ),
  kind(
    'beginnings of codes of a font',
    4_000,
    (count) => ({ cmap: CMAP + many(count, 'beginbfchar') }),
    5_000,
  ),
  kind('long texts of a code', 1_000, (count) => ({
    cmap: CMAP.replace('0041', '0041'.repeat(3)),
    content: many(count, TEXT),
  })),
  kind('texts', 2_000, (count) => ({ content: many(count, TEXT) })),
  kind('letters of a text', 20_000, (count) => ({ content: `BT /F1 12 Tf <${'41'.repeat(count)}> Tj ET` })),
  kind('literal texts', 4_000, (count) => ({ content: `BT /F1 1 Tf ${many(count, '(A(A)\\)) Tj')}` })),
  kind('brackets in texts', 20_000, (count) => ({ content: `BT /F1 1 Tf ${'('.repeat(count)}` })),
  kind('marked content', 4_000, (count) => ({
    content: many(count, '/P<</MCID 0>>BDC\n') + many(count, 'EMC\n'),
  })),
  kind('artifacts', 3_000, (count) => ({ content: many(count, '/Artifact <</Type/Pagination>>BDC EMC\n') })),
  kind('beginnings of artifacts', 5_000, (count) => ({ content: many(count, '/Artifact ') })),
  kind('replaced texts', 2_000, (count) => ({
    content: many(count, '/Span<</ActualText<FEFF0041>>>BDC /F1 1 Tf <41> Tj EMC '),
  })),
  kind('replaced texts without an end', 4_000, (count) => ({ content: many(count, '/ActualText<FEFF ') })),
  kind('comments', 20_000, (count) => ({ content: many(count, '%a') })),
  kind('cells with lines', 2_000, (count) => ({
    content: many(count, 'q 0.9960784313 1 1 rg 1 2 3 4 re f*\nQ\n'),
  })),
  kind('numbers', 20_000, (count) => ({ content: many(count, '1.1 2 ') })),
  kind('destinations', 500, (count) => ({
    destinations: many(count, (i) => `/platen-page-${i}[11 0 R/XYZ 0 ${700 - (i % 700)} 0]`),
  })),
  kind('destinations without an end', 5_000, (count) => ({
    destinations: many(count, '/a [ 11 0 R /XYZ 1 1 '),
  })),
  kind('long destinations', 40_000, (count) => ({ destinations: `/a[11 0 R/XYZ 1 1 ${'x'.repeat(count)}` })),
  kind('fields', 500, (count) => ({ fields: '10 0 R '.repeat(count), info: '/V<FEFF0041>' }), 15_000),
  kind('forms', 500, (count) => ({ resources: `/XObject<<${'/Fm 8 0 R'.repeat(count)}>>` }), 15_000),
  kind('blanks in the metadata', 40_000, (count) => ({
    xmp: XMP.replace('<rdf:RDF>', `<rdf:RDF><dc:title>${' '.repeat(count)}`),
  })),
  kind('titles in the metadata', 4_000, (count) => ({
    xmp: XMP.replace('<rdf:RDF>', `<rdf:RDF>${many(count, '<dc:title> <rdf:Alt> ')}`),
  })),
  kind('dates in the metadata', 4_000, (count) => ({
    xmp: XMP.replace('<rdf:RDF>', `<rdf:RDF>${many(count, '<xmp:CreateDate>a</xmp:CreateDate>')}`),
  })),
  kind(
    'the information',
    40_000,
    (count) => ({ info: `/Title<FEFF${'0041'.repeat(count)}>/Keywords<FEFF0041>` }),
    900_000,
  ),
  kind('keys in the catalog', 20_000, (count) => ({ catalog: many(count, '/Names') })),
  kind('a title in the metadata', 20_000, (count) => ({
    info: '/Title<FEFF0041>',
    xmp: XMP.replace(
      '<rdf:RDF>',
      `<rdf:RDF><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${'a'.repeat(count)}</rdf:li>`,
    ),
  })),
];
