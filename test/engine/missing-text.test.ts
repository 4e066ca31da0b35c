/** What a PDF lacks of its document's text and content, in documents that LibreOffice converts. */
import { execFile } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { Converter } from '../../src/convert/converter.ts';
import { notableWarningsOf, type Warning } from '../../src/convert/report/warnings.ts';
import { Workspaces } from '../../src/convert/workspace.ts';
import { Queue } from '../../src/queue/queue.ts';
import { never, openReaders } from '../convert/support/preflight.ts';
import { pdfImages, pdfText } from '../e2e/support/pdf.ts';
import { docxWithParts, mainPart } from '../support/documents.ts';
import { RecordingLog, startKit, temporaryFolder } from '../support/kit.ts';
import { noisePng } from '../support/noise.ts';
import { relationships } from '../support/office-package.ts';
import { convertIn } from '../support/queue.ts';
import { run, wordPart } from '../support/report-documents.ts';

/** Far beyond what any document takes. */
const LONG_MS = 300_000;
const exec = promisify(execFile);
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const { engine } = await startKit(t);
const queue = new Queue({ workers: 1, limit: 1, timeoutMs: LONG_MS });
const converter = new Converter({ readers: openReaders(), engine, queue, timeoutMs: LONG_MS });
const workspaces = await Workspaces.open(await temporaryFolder(t), 10, new RecordingLog().log);
t.teardown(() => workspaces.close());

interface Content {
  readonly body: string;
  /** Links of the main part: the type, and the name of the part in its folder. */
  readonly links?: readonly (readonly [id: string, type: string, target: string])[];
  /** Parts of the folder `word`. */
  readonly parts?: Readonly<Record<string, string | Buffer>>;
}

interface Converted {
  readonly pdf: Buffer;
  readonly warnings: readonly Warning[];
}

async function convert({ body, links = [], parts = {} }: Content): Promise<Converted> {
  const related = links.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${OFFICE}/${type}`}" Target="${target}"/>`,
  );
  const workspace = workspaces.create();
  await writeFile(
    workspace.input,
    docxWithParts({
      ...Object.fromEntries(Object.entries(parts).map(([name, data]) => [`word/${name}`, data])),
      'word/document.xml': mainPart(body).replace('<w:document', `<w:document ${NAMESPACES}`),
      'word/_rels/document.xml.rels': relationships(related),
    }),
  );
  const { fd, report } = await convertIn(converter, workspace, never());
  try {
    const warnings = notableWarningsOf(report).filter(({ code }) =>
      ['TEXT_MISSING', 'CONTENT_OMITTED'].includes(code),
    );
    return { pdf: readFileSync(fd), warnings };
  } finally {
    closeSync(fd);
    await workspace.dispose();
  }
}

const NAMESPACES = Object.entries({
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  dgm: 'http://schemas.openxmlformats.org/drawingml/2006/diagram',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  o: 'urn:schemas-microsoft-com:office:office',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  v: 'urn:schemas-microsoft-com:vml',
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  wpc: 'http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas',
  wpi: 'http://schemas.microsoft.com/office/word/2010/wordprocessingInk',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
})
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ');

const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => `Sentence ${i} of many tells of the ${i % 7} quick brown foxes. `);

/** A text box of a height that does not grow. */
const textBox = (inner: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="3000000" cy="500000"/><wp:docPr id="1" name="b"/><a:graphic>\
<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/>\
<wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>\
</a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>${inner}</w:txbxContent></wps:txbx><wps:bodyPr><a:noAutofit/></wps:bodyPr>\
</wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const prose = sentences(12).join('');
const inCell = (row: string, inner: string) =>
  `<w:tbl><w:tr><w:trPr>${row}</w:trPr><w:tc>${inner}</w:tc></w:tr></w:tbl>${run('After')}`;
const fieldCharacter = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const field = (instruction: string, result: string) =>
  `${fieldCharacter('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${fieldCharacter('separate')}` +
  `<w:r><w:t>${result}</w:t></w:r>${fieldCharacter('end')}`;

t.test('text that is cut off', async (t) => {
  const long = sentences(60)
    .map((text) => run(text))
    .join('');
  const frame =
    '<w:framePr w:w="4000" w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="1000" w:y="3000"/>';
  const lost: Readonly<Record<string, string>> = {
    'in a text box': textBox(long),
    "in a frame, at the page's end": sentences(90)
      .map((text) => run(text, '', frame))
      .join(''),
    'in a row of a table': inCell('<w:trHeight w:val="600" w:hRule="exact"/>', long),
    'in a text box, behind a field without an end': `<w:p>${fieldCharacter('begin')}<w:r><w:instrText> TITLE </w:instrText></w:r></w:p>${textBox(long)}`,
  };
  for (const [where, body] of Object.entries(lost)) {
    const { pdf, warnings } = await convert({ body: run('Before') + body });
    const letters = (text: string) => text.replace(/[^a-z]/gi, '').length;
    const all = letters(body.replace(/<[^>]*>/g, ''));
    const share = Math.round((100 * (all - letters(await pdfText(pdf)))) / all);
    t.ok(share > 50, where);
    t.match(warnings, [{ code: 'TEXT_MISSING' }], where);
    t.ok(
      Math.abs(Number(warnings[0]?.percent) - share) <= 3,
      `${warnings[0]?.percent} %, and by poppler ${share} %`,
    );
  }
});

t.test('a little of a long text that is cut off', async (t) => {
  const long = sentences(600)
    .map((text) => run(text))
    .join('');
  const { warnings } = await convert({ body: long + textBox(run(sentences(12).join(''))) });
  t.strictSame(warnings, [{ code: 'TEXT_MISSING', percent: 1 }]);
});

t.test('a repeated header does not make up for missing text', async (t) => {
  const header = run(`A line of a header that stands on all pages. ${'Quick brown foxes. '.repeat(10)}`);
  const section = '<w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr>';
  const pages = `<w:p><w:r><w:br w:type="page"/></w:r></w:p>`.repeat(30);
  const { warnings } = await convert({
    body:
      textBox(
        sentences(60)
          .map((text) => run(text))
          .join(''),
      ) +
      pages +
      section,
    links: [['rId1', 'header', 'header1.xml']],
    parts: { 'header1.xml': wordPart('hdr', header) },
  });
  t.match(warnings, [{ code: 'TEXT_MISSING' }]);
});

const style = (id: string, properties: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:rPr>${properties}</w:rPr></w:style>`;
const styled: Pick<Content, 'links' | 'parts'> = {
  links: [
    ['rIdS', 'styles', 'styles.xml'],
    ['rIdF', 'footnotes', 'footnotes.xml'],
  ],
  parts: {
    'styles.xml': wordPart('styles', style('Hidden', '<w:vanish/>')),
    'footnotes.xml': wordPart('footnotes', `<w:footnote w:id="2">${run(prose)}</w:footnote>`),
  },
};

/** Text that the PDF has, or rightly lacks. */
const whole: Readonly<Record<string, string>> = {
  'hidden text': run(prose, '<w:vanish/>'),
  'text that a style hides': run(prose, '', '<w:pStyle w:val="Hidden"/>'),
  'text of a hidden row': inCell('<w:hidden/>', run(prose)),
  'deleted and moved text': `<w:p><w:moveFrom w:id="1" w:author="A"><w:r><w:t>${prose}</w:t></w:r></w:moveFrom>\
<w:del w:id="2" w:author="A"><w:r><w:delText>${prose}</w:delText></w:r></w:del></w:p>`,
  'results of fields that are made anew': `<w:p>${field(' TITLE ', prose)}${field(' DATE ', 'a day long ago, in the past')}</w:p>`,
  'the result of a field in the instruction of another': `<w:p>${fieldCharacter('begin')}<w:r><w:instrText> IF </w:instrText></w:r>\
${field(' HYPERLINK "x" ', prose)}${fieldCharacter('separate')}<w:r><w:t>no</w:t></w:r>${fieldCharacter('end')}</w:p>`,
  'text that data replace': `<w:sdt><w:sdtPr><w:dataBinding w:xpath="/a" w:storeItemID="{1}"/></w:sdtPr><w:sdtContent>${run(prose)}</w:sdtContent></w:sdt>`,
  'contents of controls': `<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>${run(prose)}</w:sdtContent></w:sdt>`,
  placeholders: `<w:p><w:sdt><w:sdtPr><w:showingPlcHdr/><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>Click here to fill in this text</w:t></w:r></w:sdtContent></w:sdt></w:p>`,
  footnotes: `<w:p><w:r><w:t>a</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
  'text around references of notes': `<w:p>${'<w:r><w:t>word</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'.repeat(19)}</w:p>`,
  'text around formulas': `<w:p>${'<w:r><w:t>let </w:t></w:r><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>'.repeat(19)}</w:p>`,
  'text around fields': `<w:p>${`<w:r><w:t>page </w:t></w:r>${field(' PAGE ', 'old')}`.repeat(19)}</w:p>`,
  ligatures: run(
    'office affix fluffy tattoo attic ﬁne '.repeat(9),
    '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/>',
  ),
  capitals: run(`${prose} Straße`, '<w:caps/>') + run(prose, '<w:smallCaps/>'),
  'letters with effects':
    run(prose, '<w:outline/>') + run(prose, '<w:emboss/>') + run(prose, '<w:shadow/><w:strike/>'),
  'transparent letters': run(
    prose,
    '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="FF0000"><w14:alpha w14:val="50000"/></w14:srgbClr></w14:solidFill></w14:textFill>',
  ),
  'accents, apart and together': run('e\u0301 é a\u030a å naïve façade '.repeat(9)),
  'letters that the font lacks': run(
    'Tất cả mọi người sinh ra đều được tự do và bình đẳng. '.repeat(9),
    '<w:rFonts w:ascii="Century" w:hAnsi="Century"/>',
  ),
  Arabic: run('السلام عليكم، هذا مستند تجريبي ١٢٣ طويل بما يكفي. '.repeat(9), '<w:rtl/>', '<w:bidi/>'),
  'Arabic in English': run('The word السلام عليكم means peace, and كتاب is a book. '.repeat(9)),
  Hebrew: run('שָׁלוֹם עולם, זהו מסמך ארוך. '.repeat(9), '<w:rtl/>', '<w:bidi/>'),
  Hindi: run('यह एक लंबा दस्तावेज़ है, जिसमें क्षेत्र और विद्या हैं। '.repeat(9)),
  Tamil: run('இது ஒரு நீண்ட ஆவணம், இதில் பல சொற்கள் உள்ளன. '.repeat(9)),
  Thai: run('นี่คือเอกสารที่ยาวพอ มีหลายคำและตัวเลข '.repeat(9)),
  Japanese: run('日本語の文書。ｶﾀｶﾅとＡＢＣ、株式会社㈱。'.repeat(9)),
  'ruby text': `<w:p>${`<w:r><w:ruby><w:rt><w:r><w:t>かんじのよみかた</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢字</w:t></w:r></w:rubyBase></w:ruby></w:r>`.repeat(9)}</w:p>`,
  'symbols of a font': run(prose, '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'),
  'characters that no font has': run('\u{11f04}\u{11f05}\u{11f06}\u{11f07}'.repeat(9)),
  'turned text': inCell('<w:trHeight w:val="9000"/>', run(sentences(2).join(''))).replace(
    '<w:tc>',
    '<w:tc><w:tcPr><w:textDirection w:val="btLr"/></w:tcPr>',
  ),
  'an alternative for others': `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:t>${prose}</w:t></mc:Choice>\
<mc:Fallback><w:t>${prose} Another.</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
  'few letters': run('Hi'),
};

t.test('a complete PDF gets no warning', async (t) => {
  for (const [what, body] of Object.entries(whole)) {
    const { warnings } = await convert({ body: run('Before') + body, ...styled });
    t.strictSame(warnings, [], what);
  }
});

const blip = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData \
uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/>\
</pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm>\
<a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>\
</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const ole = (preview: string) =>
  `<w:p><w:r><w:object><v:shape id="s" style="width:72pt;height:72pt" o:ole="">${preview}</v:shape><o:OLEObject Type="Embed" \
ProgID="Package" ShapeID="s" DrawAspect="Content" ObjectID="_1" r:id="rId1"/></w:object></w:r></w:p>`;
const smartArt = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="3000000" cy="900000"/><wp:docPr id="1" name="d"/><a:graphic>\
<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds r:dm="rId1" r:lo="rId2" r:qs="rId3" r:cs="rId4"/>\
</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
const DIAGRAM = 'http://schemas.openxmlformats.org/drawingml/2006/diagram';
const connection = (id: number, ends: string) => `<dgm:cxn modelId="${id}" ${ends} srcOrd="0" destOrd="0"/>`;
const data = `<dgm:dataModel xmlns:dgm="${DIAGRAM}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>\
<dgm:pt modelId="1" type="doc"/><dgm:pt modelId="2"><dgm:t><a:bodyPr/><a:p><a:r><a:t>inner</a:t></a:r></a:p></dgm:t></dgm:pt>\
<dgm:pt modelId="3" type="pres"><dgm:prSet presAssocID="1" presName="all"/></dgm:pt>\
<dgm:pt modelId="4" type="pres"><dgm:prSet presAssocID="2" presName="one"/></dgm:pt></dgm:ptLst><dgm:cxnLst>\
${connection(5, 'srcId="1" destId="2"')}${connection(6, 'type="presOf" srcId="1" destId="3"')}\
${connection(7, 'type="presOf" srcId="2" destId="4"')}${connection(8, 'type="presParOf" srcId="3" destId="4"')}</dgm:cxnLst></dgm:dataModel>`;
const layout = `<dgm:layoutDef xmlns:dgm="${DIAGRAM}"><dgm:layoutNode name="all"><dgm:alg type="lin"/><dgm:shape/><dgm:forEach axis="ch" \
ptType="node"><dgm:layoutNode name="one"><dgm:alg type="tx"/><dgm:shape type="rect"/><dgm:presOf axis="self"/></dgm:layoutNode>\
</dgm:forEach></dgm:layoutNode></dgm:layoutDef>`;
/** A drawing canvas with a text box. */
const canvas = `<w:drawing><wp:inline><wp:extent cx="3000000" cy="900000"/><wp:docPr id="1" name="c"/><a:graphic><a:graphicData \
uri="http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas"><wpc:wpc><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm>\
<a:off x="0" y="0"/><a:ext cx="2000000" cy="500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx>\
<w:txbxContent>${run('inner')}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></wpc:wpc></a:graphicData></a:graphic></wp:inline></w:drawing>`;
const embedded = docxWithParts({ 'word/document.xml': mainPart(run('inner')) });
const webArchive = Buffer.from(
  'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n' +
    '<html><body>inner</body></html>\r\n--b--\r\n',
);
const fallback = '<mc:Fallback><w:t>inner</w:t></mc:Fallback>';
const box = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`, 'latin1');

/** LibreOffice takes in web pages and RTF from 26.8 on. */
const isNew = Number.parseFloat(engine.status().libreOffice ?? '') >= 26.8;
const chunkKind = isNew ? undefined : 'alt-chunk';

/** Content with its kind in the warning; undefined if it is shown. */
const contents: readonly (readonly [what: string, kind: string | undefined, content: Content])[] = [
  ['HTML', chunkKind, chunk('c.html', Buffer.from('<html><body>inner</body></html>'))],
  ['RTF', chunkKind, chunk('c.rtf', Buffer.from('{\\rtf1 inner}'))],
  ['plain text', 'alt-chunk', chunk('c.txt', Buffer.from('inner'))],
  ['a web archive', 'alt-chunk', chunk('c.mht', webArchive)],
  ['a web page that is missing', 'alt-chunk', { ...chunk('c.html', Buffer.alloc(0)), parts: {} }],
  ['a DOCX', undefined, chunk('c.docx', embedded)],
  [
    'a subdocument',
    'subdocument',
    {
      body: '<w:p><w:subDoc r:id="rId1"/></w:p>',
      links: [['rId1', 'subDocument', 'c.docx']],
      parts: { 'c.docx': embedded },
    },
  ],
  [
    'SmartArt without drawing and layout',
    'smartart',
    { body: smartArt, links: [['rId1', 'diagramData', 'data1.xml']], parts: { 'data1.xml': data } },
  ],
  [
    'SmartArt without drawing',
    undefined,
    {
      body: smartArt,
      links: [
        ['rId1', 'diagramData', 'data1.xml'],
        ['rId2', 'diagramLayout', 'layout1.xml'],
      ],
      parts: { 'data1.xml': data, 'layout1.xml': layout },
    },
  ],
  ['an object without a picture', 'ole-object', withObject(ole(''), {})],
  [
    'an object with a picture',
    undefined,
    withObject(ole('<v:imagedata r:id="rId2"/>'), { 'i.png': noisePng(8, 1) }),
  ],
  ['a picture that is missing', 'missing-picture', picture('i.png')],
  ['a picture', undefined, picture('i.png', noisePng(8, 1))],
  [
    'a picture whose name is encoded in the link alone',
    'missing-picture',
    {
      ...picture('my%20i.png'),
      parts: { 'my i.png': noisePng(8, 1) },
    },
  ],
  [
    'EPS',
    'eps',
    picture(
      'i.eps',
      Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n0 0 9 9 rectfill\n%%EOF\n'),
    ),
  ],
  ['HEIC, whatever its name', 'heic', picture('i.png', box('heic'))],
  ['AVIF', 'avif', picture('i.avif', box('avif'))],
  ['JPEG 2000', 'jpeg-2000', picture('i.jp2', Buffer.from('\0\0\0\x0cjP  \r\n\x87\n', 'latin1'))],
  ['JPEG XL', 'jpeg-xl', picture('i.jxl', Buffer.from('\xff\x0a\0\0', 'latin1'))],
  ['ink without a picture', 'alternate-content', alternatives('wpi', '<w:t>inner</w:t>', '')],
  ['ink with a picture', undefined, alternatives('wpi', '<w:t>inner</w:t>', fallback)],
  ['a canvas', undefined, alternatives('wpc', canvas, '')],
  ['a canvas with a fallback', undefined, alternatives('wpc', canvas, fallback)],
];

function chunk(name: string, content: Buffer): Content {
  return {
    body: '<w:altChunk r:id="rId1"/>',
    links: [['rId1', 'aFChunk', name]],
    parts: { [name]: content },
  };
}

function picture(name: string, content?: Buffer): Content {
  return { body: blip('rId1'), links: [['rId1', 'image', name]], parts: content ? { [name]: content } : {} };
}

function withObject(body: string, parts: Readonly<Record<string, Buffer>>): Content {
  return {
    body,
    links: [
      ['rId1', 'oleObject', 'e.bin'],
      ['rId2', 'image', 'i.png'],
    ],
    parts: { 'e.bin': Buffer.from('an object'), ...parts },
  };
}

/** A shape of 200 × 50 points whose text is WordArt. */
function wordArt(inner: string): string {
  return `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2540000" cy="635000"/><wp:docPr id="1" name="w"/><a:graphic><a:graphicData \
uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm>\
<a:off x="0" y="0"/><a:ext cx="2540000" cy="635000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx>\
<w:txbxContent>${inner}</w:txbxContent></wps:txbx><wps:bodyPr lIns="0" tIns="0" rIns="0" bIns="0"><a:prstTxWarp prst="textPlain"/>\
</wps:bodyPr></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

/** What a command of poppler prints of it. */
async function poppler(pdf: Buffer, command: string, ...args: readonly string[]): Promise<Buffer> {
  const running = exec(command, args, { encoding: 'buffer', maxBuffer: 16_777_216 });
  running.child.stdin?.end(pdf);
  return (await running).stdout;
}

/** Size of what a page shows in this colour, in points. */
async function inkOf(pdf: Buffer, colour: readonly number[]): Promise<{ wide: number; high: number }> {
  const picture = await poppler(pdf, 'pdftoppm', '-r', '72', '-aaVector', 'no', '-');
  const [header = '', width = ''] = /^P6\s(\d+)\s\d+\s255\s/.exec(picture.toString('latin1', 0, 64)) ?? [];
  const pixels = picture.subarray(header.length);
  const places = Array.from({ length: pixels.length / 3 }, (_, at) => at).filter((at) =>
    colour.every((value, i) => pixels[3 * at + i] === value),
  );
  const size = (values: readonly number[]) => Math.max(...values) - Math.min(...values) + 1;
  return {
    wide: size(places.map((at) => at % Number(width))),
    high: size(places.map((at) => Math.floor(at / Number(width)))),
  };
}

function alternatives(requires: string, choice: string, otherwise: string): Content {
  const both = `<mc:Choice Requires="${requires}">${choice}</mc:Choice>${otherwise}`;
  return { body: `<w:p><w:r><mc:AlternateContent>${both}</mc:AlternateContent></w:r></w:p>` };
}

t.test('content that is not shown', async (t) => {
  for (const [what, kind, content] of contents) {
    const { pdf, warnings } = await convert({
      ...content,
      body: run('Before') + content.body + run('After'),
    });
    const expected = kind === undefined ? [] : [{ code: 'CONTENT_OMITTED', kind, count: 1 }];
    t.strictSame(warnings, expected, what);
    const isShown = /inner/.test(await pdfText(pdf)) || (await pdfImages(pdf)) > 0;
    t.equal(isShown, kind === undefined, what);
  }
});

t.test('WordArt is drawn, whatever gives it a colour', async (t) => {
  const fill = (colour: string) => `<w14:textFill><w14:solidFill>${colour}</w14:solidFill></w14:textFill>`;
  for (const [properties, colour] of [
    ['', [0, 0, 0]],
    ['<w:color w:val="FF0000"/>', [255, 0, 0]],
    [fill('<w14:srgbClr w14:val="0000FF"/>'), [0, 0, 255]],
    [fill('<w14:schemeClr w14:val="accent1"/>'), [0, 0, 0]],
  ] as const) {
    for (const word of ['drawn', 'a long line of letters that are drawn']) {
      const { pdf, warnings } = await convert({ body: wordArt(run(word, properties)) });
      t.equal(await pdfText(pdf), '', 'not as text');
      const ink = await inkOf(pdf, colour);
      t.ok(ink.wide > 180 && ink.wide < 220 && ink.high > 30 && ink.high < 60, JSON.stringify(ink));
      t.strictSame(warnings, [], 'no text is missing');
    }
  }
});

t.test('text of SmartArt is turned as its drawing says', async (t) => {
  const turned = ['horz', 'vert', 'vert270'];
  const shapes = turned.map(
    (vert, i) =>
      `<dsp:sp modelId="{${i}}"><dsp:spPr><a:xfrm><a:off x="${i * 1_000_000}" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm>` +
      `<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></dsp:spPr><dsp:txBody><a:bodyPr vert="${vert}"/><a:p><a:r><a:t>${vert}</a:t></a:r></a:p></dsp:txBody></dsp:sp>`,
  );
  const drawing = `<dsp:drawing xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dsp:spTree>${shapes.join('')}</dsp:spTree></dsp:drawing>`;
  const extension =
    '<dgm:extLst><a:ext uri="http://schemas.microsoft.com/office/drawing/2008/diagram"><dsp:dataModelExt xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram" relId="rId5"/></a:ext></dgm:extLst>';
  const { pdf } = await convert({
    body: smartArt,
    links: [
      ['rId1', 'diagramData', 'data1.xml'],
      ['rId2', 'diagramLayout', 'layout1.xml'],
      ['rId5', 'http://schemas.microsoft.com/office/2007/relationships/diagramDrawing', 'drawing1.xml'],
    ],
    parts: {
      'data1.xml': data.replace('</dgm:dataModel>', `${extension}</dgm:dataModel>`),
      'layout1.xml': layout,
      'drawing1.xml': drawing,
    },
  });
  const boxes = (await poppler(pdf, 'pdftotext', '-bbox', '-', '-')).toString();
  for (const vert of turned) {
    const [, ...sides] =
      new RegExp(`xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">${vert}<`).exec(boxes) ?? [];
    const [left = 0, top = 0, right = 0, bottom = 0] = sides.map(Number);
    t.equal(bottom - top > right - left, vert !== 'horz', vert);
  }
});

/** The last test: the kit now loads all dictionaries, which takes seconds of CPU time, until it is stopped. */
t.test('a PDF with hyphenated words gets no warning', async (t) => {
  const { pdf, warnings } = await convert({
    body: run('verzekeringsmaatschappijen '.repeat(60), '<w:lang w:val="nl-NL"/>'),
    links: [['rIdE', 'settings', 'settings.xml']],
    parts: { 'settings.xml': wordPart('settings', '<w:autoHyphenation/>') },
  });
  t.match(await pdfText(pdf), /[a-z][-\u00ad]\n/);
  t.strictSame(warnings, []);
});
