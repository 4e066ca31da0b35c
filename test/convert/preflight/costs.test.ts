/** Kilobytes that would cost the engine a minute or a crash: bounded, far above what documents have. */
import t from 'tap';
import { DataBindings } from '../../../src/convert/package/data-bindings.ts';
import { Tag } from '../../../src/convert/package/tag.ts';
import { XmlScanner } from '../../../src/convert/package/xml-scanner.ts';
import * as documents from '../../support/documents.ts';
import { type Accepted, accepts, openPreflight, type Refused, refuses } from '../support/preflight.ts';

const MAIN = 'word/document.xml';
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = (text: string): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`, 'latin1');
const withMain = (inner: string): Buffer => documents.docxWithParts({ [MAIN]: documents.mainPart(inner) });
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const attributes = (count: number): string =>
  range(count)
    .map((i) => ` a${i}=""`)
    .join('');
const text = (bytes: number): string => `<w:r><w:t>${'a'.repeat(bytes)}</w:t></w:r>`;
const paragraph = (inner: string): string => `<w:p>${inner}</w:p>`;
const withDeletedEnd = (inner: string): string => paragraph(`<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>${inner}`);
const box = paragraph('<w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent>');

const style = (id: string, ...bases: readonly string[]): string =>
  `<w:style w:type="paragraph" w:styleId="${id}">${bases
    .map((base) => `<w:basedOn w:val="${base}"/>`)
    .join('')}</w:style>`;
const stylesPart = (...styles: readonly string[]): string =>
  `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${styles.join('')}</w:styles>`;
const withStyles = (part: string | Buffer): Buffer =>
  documents.docxLeadingTo({ 'a.xml': 'styles' }, { 'word/a.xml': part });
const chain = (length: number): string[] =>
  range(length).map((i) => style(`s${i}`, ...(i === 0 ? [] : [`s${i - 1}`])));
/** A tag with this many ids, and some with this many bases. */
const manyTimes = (ids: number, bases: number, tags = 1): string => {
  const each = (count: number, name: string) =>
    range(count)
      .map((i) => ` a${i}:${name}="${name}${i}"`)
      .join('');
  const links = `<w:basedOn${each(bases, 'val')}/>`.repeat(tags);
  return `<w:style${each(ids, 'styleId')}>${links}</w:style>`;
};
const circle = stylesPart(style('a', 'b'), style('b', 'c'), style('c', 'a'));

/** A document of this many bindings, whose data have this many nodes. */
const bound = (path: string, nodes: number, bindings = 1, node = '<b/>'): Buffer =>
  documents.docxLeadingTo(
    { 'data.xml': 'customXml' },
    { 'word/data.xml': `<a>${node.repeat(nodes - 1)}</a>` },
    `<w:sdt><w:sdtPr><w:dataBinding w:xpath="${path}"/></w:sdtPr></w:sdt>`.repeat(bindings),
  );
const inChunk = (document: Buffer): Buffer =>
  documents.docxLeadingTo(
    { 'a.docx': 'aFChunk' },
    { 'word/a.docx': document },
    '<w:altChunk r:id="rId1"/><w:p/>',
  );

const accepted: readonly Accepted[] = [
  ['many attributes in many elements', () => withMain(`<w:p${attributes(900)}/>`.repeat(3))],
  ['a paragraph of 100 kB', () => withMain(paragraph(text(100_000)))],
  ['a paragraph of 10,000 runs', () => withMain(paragraph(text(1).repeat(10_000)))],
  ['long paragraphs side by side', () => withMain(paragraph(text(100_000)).repeat(3))],
  [
    'much in a paragraph that is no text',
    () => withMain(paragraph(`<w:r><w:instrText>${'a'.repeat(300_000)}</w:instrText></w:r>`)),
  ],
  [
    'long paragraphs in data',
    () => documents.docxLeadingTo({ 'a.xml': 'customXml' }, { 'word/a.xml': paragraph(text(300_000)) }),
  ],
  [
    'many characters that are elements',
    () => withMain(paragraph('<w:r><w:sym/><w:tab/></w:r>'.repeat(2_900))),
  ],
  [
    'long paragraphs that were deleted or moved',
    () =>
      withMain(
        withDeletedEnd(`<w:del>${text(100_000)}</w:del><w:moveFrom>${text(10_000)}</w:moveFrom>`).repeat(3),
      ),
  ],
  ['a hundred levels of styles', () => withStyles(stylesPart(...chain(100)))],
  ['four thousand styles', () => withStyles(stylesPart(...range(4_000).map((i) => style(`s${i}`))))],
  ['a style based on itself', () => withStyles(stylesPart(style('a', 'a')))],
  [
    'styles that share a base',
    () => withStyles(stylesPart(style('a'), style('b', 'a'), style('c', 'a', 'b'))),
  ],
  [
    'styles that differ in letters of UTF-16 only',
    () => withStyles(utf16(stylesPart(style('一', '丁'), style('丁', '七'), style('七')))),
  ],
  [
    'what is called a style elsewhere',
    () => documents.docxLeadingTo({ 'a.xml': 'customXml' }, { 'word/a.xml': circle }),
  ],
  ['bindings as Word writes them', () => bound('/ns0:a[1]/ns1:b[1]/@c', 2_000, 200)],
  ['a binding that looks for a name', () => bound("//*[local-name()='Title' and @id='x//y']", 2_000, 100)],
  ['a costly binding to little', () => bound('//b[//b]', 50)],
  ['a costly binding to nothing', () => withMain('<w:dataBinding w:xpath="//b[//b[//b[//b]]]"/>')],
];

const refused: readonly Refused[] = [
  [
    'many attributes in one element',
    () => withMain(`<w:p${attributes(2_001)}/>`),
    'CORRUPTED_FILE',
    'attributes',
    /more than 2000 attributes.*breaks the package limits/,
  ],
  [
    'many attributes in elements inside each other',
    () => withMain(`${`<w:p${attributes(20)}>`.repeat(101)}${'</w:p>'.repeat(101)}`),
    'CORRUPTED_FILE',
    'attributes',
  ],
  [
    'an endless tag of a style',
    () => withStyles(stylesPart(style('a'.repeat(1_000_000)))),
    'CORRUPTED_FILE',
    'attributes',
  ],
  [
    'a paragraph of 10 MB',
    () => withMain(paragraph(text(10_000_000))),
    'CORRUPTED_FILE',
    'paragraph',
    /paragraph of more than 128 kB/,
  ],
  [
    'a long paragraph of many runs, a text box among them',
    () => withMain(paragraph(text(1_000).repeat(100) + box + text(1_000).repeat(40))),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a long paragraph in sections',
    () => withMain(paragraph(`<w:r><w:t><![CDATA[${'a'.repeat(140_000)}]]></w:t></w:r>`)),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a long paragraph behind an element in its text',
    () => withMain(paragraph(`<w:r><w:t>a<x/>${'a'.repeat(140_000)}</w:t></w:r>`)),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a long paragraph in what is called a style, in its text',
    () => withMain(paragraph(`<w:r><w:t><x:style>${'a'.repeat(140_000)}</x:style></w:t></w:r>`)),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a long paragraph of deleted text that no change deletes',
    () => withMain(paragraph(`<w:r><w:delText>${'a'.repeat(140_000)}</w:delText></w:r>`)),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a long paragraph of symbols',
    () => withMain(paragraph(`<w:r>${'<w:sym/>'.repeat(5_000)}</w:r>`)),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'long paragraphs whose ends are deleted',
    () => withMain(withDeletedEnd(text(50_000)).repeat(3)),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a long paragraph behind what is called a style',
    () => withMain('<x:style/>'.repeat(5_000) + paragraph(text(140_000))),
    'CORRUPTED_FILE',
    'paragraph',
  ],
  [
    'a hundred and one levels of styles',
    () => withStyles(stylesPart(...chain(101))),
    'CORRUPTED_FILE',
    'styles',
    /more than 100 levels/,
  ],
  [
    'the same, the last first',
    () => withStyles(stylesPart(...chain(101).reverse())),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'a style of many ids that is based on many styles',
    () => withStyles(stylesPart(manyTimes(900, 900))),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'a style of many ids that is often based on nothing',
    () => withStyles(stylesPart(manyTimes(900, 0, 5))),
    'CORRUPTED_FILE',
    'styles',
  ],
  ['20,000 chained styles', () => withStyles(stylesPart(...chain(20_000))), 'CORRUPTED_FILE', 'styles'],
  ['styles in a circle', () => withStyles(circle), 'CORRUPTED_FILE', 'styles', /in a circle/],
  ['styles in a circle in UTF-16', () => withStyles(utf16(circle)), 'CORRUPTED_FILE', 'styles'],
  [
    'styles in a circle by references',
    () => withStyles(stylesPart(style('&#x97;', 'b'), style('b', '&#151;'))),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'styles in a circle by references with zeros',
    () => withStyles(stylesPart(style('&#00000000097;', 'b'), style('b', '&#x000000061;'))),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'styles in a circle by white space',
    () => withStyles(stylesPart(style('a\r\nb', 'b'), style('b', 'a\tc'), style('a c', 'a b'))),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'styles in a circle in an encoding of one byte',
    () => withStyles(latin1(stylesPart(style('\x97é', 'è'), style('è', '&#x97;&#xe9;')))),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'styles in a circle behind a foreign element of that name',
    () =>
      withStyles(
        stylesPart(style('a', 'b').replace('<w:based', '<x:style styleId="c"/><w:based'), style('b', 'a')),
      ),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'styles in a circle through the first of two with an id',
    () => withStyles(stylesPart(style('a', 'b'), style('a'), style('b', 'a'))),
    'CORRUPTED_FILE',
    'styles',
  ],
  ['styles in a circle in a chunk', () => inChunk(withStyles(circle)), 'CORRUPTED_FILE', 'styles'],
  [
    'styles of many bases',
    () => withStyles(stylesPart(style('a', ...range(5_000).map((i) => `b${i}`)))),
    'CORRUPTED_FILE',
    'styles',
  ],
  [
    'a paragraph of 15,000 runs',
    () => withMain(paragraph(text(1).repeat(15_000))),
    'CORRUPTED_FILE',
    'paragraph',
    /kB of text/,
  ],
  [
    'a path in a path in a path',
    () => bound('count(//b[//b[//b[//b]]])', 100),
    'CORRUPTED_FILE',
    'data-binding',
    /paths \(XPath\)/,
  ],
  [
    'the same in a chunk',
    () => inChunk(bound('count(//b[//b[//b[//b]]])', 100)),
    'CORRUPTED_FILE',
    'data-binding',
  ],
  ...['<!---->', '<?a?>', '<![CDATA[]]>'].map(
    (node): Refused => [
      `a costly path to many ${node}`,
      () => bound('//node()[//node()]', 10_000, 1, node),
      'CORRUPTED_FILE',
      'data-binding',
    ],
  ),
  ['a path by references', () => bound('&#47;&#x2f;b[//b[//b[//b]]]', 100), 'CORRUPTED_FILE', 'data-binding'],
  ['many bindings to many data', () => bound('/a/b[last()]', 20_000, 500), 'CORRUPTED_FILE', 'data-binding'],
];

const preflight = openPreflight();
accepts(preflight, accepted);
refuses(preflight, refused);

t.test('what multiplies the visits of a path', async (t) => {
  const visits = (path: string) => {
    const bindings = new DataBindings();
    bindings.read(new Tag('dataBinding', ` w:xpath="${path}"`));
    return bindings.visits(1_000);
  };
  const power = (path: string) => Math.floor(Math.log10(visits(path)) / 3);
  for (const path of ['/a/b[2]/c', '//b', "/a[b='//c']", '/a[@id = 3]', 'a | b', "/a[b/c!='x']/d"]) {
    t.equal(power(path), 1, path);
  }
  for (const path of ['//a//b', '//a[/b]', '//a[b=c]', '//b1[c2 = d3]', '/a/../b/..', '//a/descendant::b']) {
    t.equal(power(path), 2, path);
  }
  t.equal(power('//a[//b[. = ../c]]'), 5);
  t.equal(visits(`/a${' | /a'.repeat(1_000)}`) > 1_000_000, true, 'length counts');
});

t.test('a tag is read whatever the pieces are', async (t) => {
  const xml = Buffer.from('<w:styles><w:style w:styleId="aé&amp;b" x=">"/><basedOn w:val=\'c\'/></w:styles>');
  for (let step = 1; step < xml.length; step += 1) {
    const read: string[][] = [];
    const scanner = new XmlScanner((tag) =>
      read.push([tag.name, ...tag.values('styleId'), ...tag.values('val')]),
    );
    for (let at = 0; at < xml.length; at += step) scanner.write(xml.subarray(at, at + step));
    t.strictSame(read, [
      ['style', 'aé&b'],
      ['basedOn', 'c'],
    ]);
    t.equal(scanner.nodes, 6);
  }
});
