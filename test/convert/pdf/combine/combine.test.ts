/** Combining PDFs: what clashes, what is shared, what is said of the whole, and what cannot be read. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { type CombineOptions, combinePdfs } from '../../../../src/convert/pdf/combine/combine.ts';
import type { PdfaLevel } from '../../../../src/shared/options/pdfa.ts';
import { Sample } from '../../../pdf-rules/sample.ts';
import { type Profile, profiles, violations } from '../../../support/conformance.ts';
import { pdfOf } from '../../../support/documents.ts';
import { contentsOf } from '../../../support/pdf-contents.ts';
import { PdfFile } from '../../../support/pdf-file.ts';

const run = promisify(execFile);

/** Combines PDFs. */
function combined(
  t: Test,
  pdfs: readonly (Buffer | Sample)[],
  options: Partial<CombineOptions> = {},
  names: readonly string[] = [],
): { path: string; pages: number; firstPages: readonly number[] } {
  const folder = t.testdir();
  const parts = pdfs.map((pdf, index) => {
    const path = join(folder, `${index}.pdf`);
    writeFileSync(path, pdf instanceof Sample ? pdf.bytes() : pdf);
    return { path, name: names[index] ?? `part ${index + 1}.docx`, title: `Part ${index + 1}` };
  });
  const path = join(folder, 'whole.pdf');
  try {
    return { path, ...combinePdfs(parts, path, { pdfa: undefined, pdfua: false, ...options }) };
  } catch (error) {
    t.notOk(existsSync(path), 'nothing is left of it');
    throw error;
  }
}

/** With descriptions in XMP as LibreOffice writes them: one for each namespace. */
function sample(profile: Profile = 'ua'): Sample {
  const made = new Sample(profile);
  const xmp = String(made.part('metadata').data);
  const tag = (name: string) => new RegExp(`<${name}[^>]*>.*?</${name}>`, 's').exec(xmp)?.[0] ?? '';
  const namespaces = new Map(
    [...xmp.matchAll(/xmlns:(\w+)="([^"]*)"/g)].map(([, name = '', uri]) => [name, uri]),
  );
  const description = (names: readonly string[], ...tags: readonly string[]) => {
    const declared = names.map((name) => ` xmlns:${name}="${namespaces.get(name)}"`).join('');
    return `  <rdf:Description rdf:about=""${declared}>\n${tags.map(tag).join('')}\n  </rdf:Description>\n`;
  };
  made.part('metadata').data = [
    xmp.slice(0, xmp.indexOf('<rdf:Description')),
    '\n',
    profile === 'ua' ? '' : description(['pdfaid'], 'pdfaid:part', 'pdfaid:conformance', 'pdfaid:rev'),
    description(['dc'], 'dc:title', 'dc:creator', 'dc:description'),
    description(['pdfaExtension', 'pdfaSchema', 'pdfaProperty'], 'pdfaExtension:schemas'),
    description(['pdfuaid'], 'pdfuaid:part'),
    description(['pdf'], 'pdf:Keywords', 'pdf:Producer'),
    description(['xmp'], 'xmp:CreatorTool', 'xmp:CreateDate', 'xmp:ModifyDate'),
    xmp.slice(xmp.indexOf('</rdf:RDF>')),
  ].join('');
  return made;
}

for (const profile of profiles) {
  t.test(`PDFs that keep the rules of ${profile}, all together`, async (t) => {
    const other = sample(profile);
    other.change('catalog', 'en-GB', 'de-DE');
    const options = profile === 'ua' ? { pdfua: true } : { pdfa: profile as PdfaLevel };
    const { path, pages } = combined(t, [sample(profile), other, sample(profile)], {
      ...options,
      title: 'A',
    });
    t.equal(pages, 3);
    t.strictSame(await violations(path, profile), []);
    t.equal((await run('qpdf', ['--check', path])).stderr, '');
    const { tags, contradictions } = await contentsOf(path);
    t.strictSame(contradictions, []);
    t.match(tags, [{ type: '/Document', kids: [{ language: 'en-GB' }, { language: 'de-DE' }, {}] }]);
    const pdf = await PdfFile.read(path);
    t.equal(pdf.text(pdf.catalog['/Lang']), profile === 'ua' ? 'en-GB' : undefined);
    t.equal(pdf.array(pdf.catalog['/OutputIntents']).length, 1, 'one profile of colours');
  });
}

t.test('what is the same is there once', async (t) => {
  const different = sample();
  different.part('program').data = Buffer.concat([
    different.part('program').data as Buffer,
    Buffer.from('\0'),
  ]);
  const { path } = combined(t, [sample(), sample(), different, sample()]);
  const pdf = await PdfFile.read(path);
  const fonts = [...pdf.dictionaries()].filter(({ value }) => value['/Type'] === '/FontDescriptor');
  t.equal(fonts.length, 2);
  const names = fonts.map(({ value }) => pdf.name(value['/FontName']));
  t.equal(new Set(names).size, 2, 'subsets have different names');
  for (const name of names) t.match(name, /^\/[A-Z]{6}\+Test$/);
  const images = [...pdf.streams].filter(([, dictionary]) => dictionary['/Subtype'] === '/Image');
  t.equal(images.length, 1);
});

/** A PDF with all that has a name, numbers or a place in a list. */
function named({ state = '', text = 'A' } = {}): Buffer {
  return pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R/Dests 5 0 R/Names<</Dests<</Names[(tree)[3 0 R/Fit]]>>/EmbeddedFiles<</Names[(a.txt)8 0 R]>>>>\
/PageLabels<</Nums[0<</S/r>>]>>/AF[8 0 R]/OCProperties<</OCGs[6 0 R]/D<</Order[6 0 R]${state}>>>>/Outlines 10 0 R\
/OpenAction 13 0 R/StructTreeRoot 14 0 R>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 400]/Resources<</Properties<</L 6 0 R>>>>>>',
      '<</Type/Page/Parent 2 0 R/Annots[4 0 R 12 0 R]/Contents 7 0 R/StructParents 7>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/Dest/here>>',
      '<</here[3 0 R/XYZ 1 2 0]>>',
      `<</Type/OCG/Name(Layer ${text})>>`,
      '<</Length 3>>\nstream\nq Q\nendstream',
      '<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 9 0 R>>/AFRelationship/Data>>',
      `<</Type/EmbeddedFile/Length ${text.length}>>\nstream\n${text}\nendstream`,
      '<</Type/Outlines/First 11 0 R/Last 11 0 R/Count 1>>',
      '<</Title(Inner)/Parent 10 0 R/A<</S/GoTo/D(tree)>>>>',
      '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/A<</S/GoTo/D(tree)>>>>',
      '<</S/JavaScript/JS(app.alert\\(1\\))>>',
      `<</Type/StructTreeRoot/K[15 0 R]/RoleMap<</Special/${text === 'A' ? 'P' : 'H1'}/H2/P>>/ClassMap<</C<</O/Layout/Width ${text.length}>>>>\
/ParentTree<</Nums[7[16 0 R]]>>/IDTree<</Names[(one)16 0 R]>>>>`,
      '<</S/Document/P 14 0 R/K[16 0 R 17 0 R]>>',
      '<</S/Special/P 15 0 R/Pg 3 0 R/K 0/ID(one)/C/C>>',
      '<</S/H2/P 15 0 R/A<</O/Table/Headers[(one)]>>>>',
    ],
    `/Info<</Author(${text})/Subject(S)/CreationDate(D:20200101000000Z)>>`,
  );
}

t.test('an element of a blank page, which LibreOffice names and does not write', async (t) => {
  const pdf = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>>>',
    '<</Type/StructTreeRoot/K[5 0 R 6 0 R]>>',
    'null',
    '<</S/Document/P 4 0 R>>',
  ]);
  const { tags } = await contentsOf(combined(t, [pdf, pdf]).path);
  t.match(tags, [{ type: '/Document', kids: [{ type: '/Document' }, { type: '/Document' }] }]);
  t.equal(tags[0]?.kids.length, 2);
});

t.test('names that clash get others, and lead where they did', async (t) => {
  const pdfs = [
    named(),
    named({ text: 'BB', state: '/BaseState/OFF' }),
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/MediaBox[0 0 9 9]/Resources<<>>>>',
    ]),
  ];
  const { path } = combined(t, pdfs);
  t.equal((await run('qpdf', ['--check', path])).stderr, '');
  for (const [index, pdf] of pdfs.slice(0, 2).entries()) {
    const single = join(t.testdirName, `${index}.pdf`);
    writeFileSync(single, pdf);
    const [own, whole] = [await contentsOf(single), await contentsOf(path, index)];
    t.strictSame(whole.contradictions, []);
    t.strictSame(whole.links[index], own.links[0]);
    t.match(whole.outline[index], {
      title: `Part ${index + 1}`,
      target: { page: 0, rest: ['/XYZ', 0, 400, 0] },
      kids: own.outline,
    });
    const kid = whole.tags[0]?.kids[index] as { kids: { type: string }[] };
    t.strictSame(
      kid.kids.map(({ type }) => type),
      [index === 0 ? '/P' : '/H1', '/P'],
      'types mean what they did',
    );
  }
  const whole = await contentsOf(path);
  t.strictSame([...whole.destinations.keys()], ['here', 'here-2', 'tree', 'tree-2']);
  t.strictSame(whole.files, ['a.txt', 'a.txt-2']);
  t.strictSame(whole.layers, ['Layer A', 'Layer BB']);
  t.strictSame(
    [...whole.labels],
    [
      [0, { '/S': '/r' }],
      [1, { '/S': '/r' }],
      [2, { '/S': '/D' }],
    ],
  );
  const pdf = await PdfFile.read(path);
  const shown = pdf.dictionary(pdf.dictionary(pdf.catalog['/OCProperties'])['/D']);
  t.strictSame(shown['/OFF'], [pdf.array(shown['/Order'])[1]], 'what its part hides is hidden');
  t.equal(pdf.array(pdf.catalog['/AF']).length, 2);
  t.notOk('/OpenAction' in pdf.catalog, 'no script');
  t.notMatch(readFileSync(path, 'latin1'), /JavaScript/);
  const classes = pdf.dictionary(pdf.dictionary(pdf.catalog['/StructTreeRoot'])['/ClassMap']);
  t.strictSame(Object.keys(classes), ['/C', '/C-2']);
  const used = [...pdf.dictionaries()].flatMap(({ value }) =>
    value['/S'] && value['/C'] ? [value['/C']] : [],
  );
  t.strictSame(used, ['/C', '/C-2'], 'elements have the classes that they had');
  const headers = [...pdf.dictionaries()].flatMap(({ value }) =>
    pdf.array(value['/Headers']).map((id) => pdf.text(id)),
  );
  t.strictSame(headers, ['0001-one', '0002-one']);
});

/** The root of the structure, and the kids of its only element. */
function structureOf(pdf: PdfFile) {
  const root = pdf.dictionary(pdf.catalog['/StructTreeRoot']);
  const [top, ...others] = pdf.array(root['/K']).map((kid) => pdf.dictionary(kid));
  return { root, top, others, kids: pdf.array(top?.['/K']).map((kid) => pdf.dictionary(kid)) };
}

t.test('identifiers lead to the elements of their part', async (t) => {
  const pdf = await PdfFile.read(combined(t, [named(), named(), named()]).path);
  const { root } = structureOf(pdf);
  const entries = pdf.array(pdf.dictionary(root['/IDTree'])['/Names']);
  const ids = entries.map((entry, index) => pdf.text(index % 2 === 0 ? entry : pdf.dictionary(entry)['/ID']));
  t.strictSame(
    ids,
    ['0001-one', '0002-one', '0003-one'].flatMap((id) => [id, id]),
    'each once, and in order',
  );
});

t.test('without identifiers, there is no tree of them', async (t) => {
  const { root } = structureOf(await PdfFile.read(combined(t, [sample(), sample()]).path));
  t.notOk('/IDTree' in root);
  t.notOk('/ClassMap' in root);
  t.notOk('/Namespaces' in root);
});

t.test('namespaces of all parts are in the whole, and those of elements among them', async (t) => {
  const namespaced = () => {
    const made = sample();
    made.parts.space = { text: '<</Type/Namespace/NS(http://iso.org/pdf2/ssn)>>' };
    made.add('structure', '/Namespaces[{space}]');
    made.add('h1', '/NS{space}');
    return made;
  };
  const pdf = await PdfFile.read(combined(t, [namespaced(), sample(), namespaced()]).path);
  const spaces = pdf.array(structureOf(pdf).root['/Namespaces']);
  t.equal(spaces.length, 2);
  for (const space of spaces) t.equal(pdf.text(pdf.dictionary(space)['/NS']), 'http://iso.org/pdf2/ssn');
  const used = [...pdf.dictionaries()].flatMap(({ value }) =>
    '/NS' in value && '/S' in value ? [value['/NS']] : [],
  );
  t.strictSame(used.map(String).sort(), spaces.map(String).sort());
});

t.test('a part without a Document', async (t) => {
  const loose = (language: string) => {
    const made = sample();
    made.change('catalog', '/Lang(en-GB)', language);
    made.change('document', '/S/Document', '/S/Sect');
    return made;
  };
  const several = sample();
  several.change('structure', '/K[{document}]', '/K[{document}{extra}]');
  several.parts.extra = { text: '<</Type/StructElem/S/P/P{structure}>>' };
  const parts = [loose('/Lang(de-DE)'), loose(''), several, sample()];
  const { path } = combined(t, parts, { pdfua: true, title: 'A' });
  const pdf = await PdfFile.read(path);
  const { top, others, kids } = structureOf(pdf);
  t.strictSame(others, []);
  t.equal(top?.['/S'], '/Document');
  t.strictSame(
    kids.map((kid) => [kid['/S'], pdf.text(kid['/Lang']), pdf.array(kid['/K']).length]),
    [
      ['/Part', 'de-DE', 1],
      ['/Part', undefined, 1],
      ['/Part', 'en-GB', 2],
      ['/Document', 'en-GB', 8],
    ],
  );
  for (const kid of kids) t.same(pdf.dictionary(kid['/P']), top);
  const inner = kids.slice(0, 3).flatMap((kid) => pdf.array(kid['/K']).map((each) => pdf.dictionary(each)));
  for (const element of inner) t.equal(pdf.dictionary(element['/P'])['/S'], '/Part', 'it knows its part');
  t.strictSame(await violations(path, 'ua'), []);
});

t.test('a Document is one by its name, and keeps its language', async (t) => {
  const french = sample();
  french.change('document', '/S/Document', '/S/Document/Lang(fr)');
  const renamed = sample();
  renamed.change('structure', '/Standard/P', '/Standard/P/Document/Sect');
  const pdf = await PdfFile.read(combined(t, [french, renamed]).path);
  const { kids, root } = structureOf(pdf);
  t.strictSame(
    kids.map((kid) => [kid['/S'], pdf.text(kid['/Lang'])]),
    [
      ['/Document', 'fr'],
      ['/Part', 'en-GB'],
    ],
  );
  const [inner] = pdf.array(kids[1]?.['/K']).map((kid) => pdf.dictionary(kid));
  t.equal(pdf.dictionary(root['/RoleMap'])[String(inner?.['/S'])], '/Sect', 'what it calls so is none');
});

t.test('a part without a structure adds no element', async (t) => {
  const bare = sample();
  bare.change('catalog', '/StructTreeRoot{structure}', '');
  const empty = sample();
  empty.change('structure', '/K[{document}]', '/K[]');
  const pdf = await PdfFile.read(combined(t, [bare, sample(), empty]).path);
  t.equal(structureOf(pdf).kids.length, 1);
});

t.test('the whole says what all parts say', async (t) => {
  const later = Buffer.from(
    named({ text: 'BB' }).toString('latin1').replace('D:20200101', 'D:20210101'),
    'latin1',
  );
  const { path } = combined(t, [named(), later, named()], { title: 'Über „alles“' });
  const pdf = await PdfFile.read(path);
  const info = pdf.dictionary(pdf.trailer['/Info']);
  t.equal(pdf.text(info['/Title']), 'Über „alles“');
  t.equal(pdf.text(info['/Subject']), 'S');
  t.equal(info['/Author'], undefined);
  t.equal(pdf.text(info['/CreationDate']), 'D:20210101000000Z');
  const ids = pdf.array(pdf.trailer['/ID']);
  t.equal(ids.length, 2);
  const another = combined(t, [named(), later], { title: 'Über „alles“' });
  t.notSame((await PdfFile.read(another.path)).trailer['/ID'], ids);
});

t.test('files are attached to the whole, as an invoice if they are one', async (t) => {
  const content = Buffer.from('<invoice/>');
  const digest = (name: string) => createHash(name).update(content).digest('hex');
  const file = { name: 'factur-x.xml', type: 'text/xml', bytes: content.length, path: '' };
  const open = () => {
    const path = join(t.testdirName, 'invoice.xml');
    writeFileSync(path, content);
    return openSync(path, 'r');
  };
  const attachments = [{ ...file, sha256: digest('sha256'), md5: digest('md5') }];
  const attached = { attachments, open, facturx: 'en16931' } as const;
  const { path } = combined(t, [sample('3b'), sample('3b')], { pdfa: '3b', attached });
  t.strictSame(await violations(path, '3b'), []);
  t.strictSame((await contentsOf(path)).files, ['factur-x.xml']);
  t.match(readFileSync(path, 'latin1'), /<fx:ConformanceLevel>EN 16931</);
  const { stdout } = await run('qpdf', ['--show-attachment=factur-x.xml', path]);
  t.equal(stdout, '<invoice/>');
});

const page = '<</Type/Page/MediaBox[0 0 9 9]/Resources 4 0 R>>';
const start = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page];

t.test('fields of documents with equal names', async (t) => {
  const withField = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
    ...start.slice(1),
    '<</FT/Tx/T(Field)/Type/Annot/Subtype/Widget/Rect[0 0 1 1]>>',
  ]);
  const names = ['a-3.docx', 'a.docx', 'a.docx'];
  const { path } = combined(t, [withField, withField, withField], {}, names);
  const whole = await PdfFile.read(path);
  const roots = whole.array(whole.dictionary(whole.catalog['/AcroForm'])['/Fields']);
  t.strictSame(
    roots.map((root) => whole.text(whole.dictionary(root)['/T'])),
    ['a-3', 'a', 'a-3-1'],
  );
});

t.test('what a form has besides its fields', async (t) => {
  /** Its font has the name that another form's has, or is the same. */
  const withForm = (font: string) =>
    pdfOf([
      `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DA(/F1 9 Tf)/Q 2/NeedAppearances true/CO[4 0 R]/DR<</Font<</F1 5 0 R>>>>>>>>`,
      ...start.slice(1),
      '<</FT/Tx/T(Field)/Type/Annot/Subtype/Widget/Rect[0 0 1 1]/DA(/F1 12 Tf)>>',
      `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
    ]);
  const parts = [withForm('Helvetica'), withForm('Courier'), withForm('Helvetica')];
  const { path } = combined(t, parts, {}, ['a.b.docx', '.docx', 'c.docx']);
  const whole = await PdfFile.read(path);
  const form = whole.dictionary(whole.catalog['/AcroForm']);
  const roots = whole.array(form['/Fields']).map((root) => whole.dictionary(root));
  t.strictSame(
    roots.map((root) => [whole.text(root['/T']), whole.text(root['/DA']), root['/Q']]),
    [
      ['a_b', '/F1 9 Tf', 2],
      ['document', '/F1-2 9 Tf', 2],
      ['c', '/F1 9 Tf', 2],
    ],
  );
  const kids = roots.flatMap((root) => whole.array(root['/Kids']));
  const fields = kids.map((kid) => whole.dictionary(kid));
  t.strictSame(
    fields.map((field) => field['/Parent']),
    whole.array(form['/Fields']),
  );
  t.strictSame(
    fields.map((field) => whole.text(field['/DA'])),
    ['/F1 12 Tf', '/F1-2 12 Tf', '/F1 12 Tf'],
  );
  t.equal(form['/NeedAppearances'], true);
  t.strictSame(form['/CO'], kids, 'the order of calculations');
  const fonts = whole.dictionary(whole.dictionary(form['/DR'])['/Font']);
  t.strictSame(Object.keys(fonts), ['/F1', '/F1-2']);

  const single = await PdfFile.read(
    combined(t, [withForm('Helvetica'), pdfOf(['<</Type/Catalog/Pages 2 0 R>>', ...start.slice(1), '<<>>'])])
      .path,
  );
  const own = single.dictionary(single.catalog['/AcroForm']);
  t.match([single.text(own['/DA']), own['/Q']], ['/F1 9 Tf', 2], 'the only form stays as it is');
  t.equal(single.text(single.dictionary(single.array(own['/Fields'])[0])['/T']), 'Field');
});

t.test('bookmarks lead to each other, and to what is above them', async (t) => {
  const { path } = combined(t, [named(), named(), named()]);
  const pdf = await PdfFile.read(path);
  const { '/Outlines': root } = pdf.catalog;
  const { '/First': first, '/Last': last, '/Count': count } = pdf.dictionary(root);
  t.equal(count, 6, 'all are shown');
  const items = [first];
  for (let next = pdf.dictionary(first)['/Next']; next !== undefined; next = pdf.dictionary(next)['/Next'])
    items.push(next);
  t.equal(items.length, 3);
  t.equal(items.at(-1), last);
  for (const [index, item] of items.entries()) {
    const { '/Parent': parent, '/Prev': previous, '/Count': own, '/First': inner } = pdf.dictionary(item);
    t.strictSame([parent, previous, own], [root, items[index - 1], 1]);
    t.equal(pdf.dictionary(inner)['/Parent'], item, 'those of a part are below its own');
  }
  const tags = pdf.dictionary(pdf.catalog['/StructTreeRoot']);
  t.equal(tags['/ParentTreeNextKey'], 24, 'each part has the numbers up to 7');
});

t.test('resources that lead to each other stay as they are', async (t) => {
  const form =
    '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 4 0 R/Length 3>>\nstream\nq Q\nendstream';
  const pdf = pdfOf([...start, '<</XObject<</X 5 0 R/Y 5 0 R>>>>', form]);
  const { path } = combined(t, [pdf, pdf]);
  t.equal((await run('qpdf', ['--check', path])).stderr, '');
  const whole = await PdfFile.read(path);
  for (const { dictionary } of whole.pages) {
    const { '/X': x, '/Y': y } = whole.dictionary(whole.dictionary(dictionary['/Resources'])['/XObject']);
    t.equal(x, y);
    t.strictSame(whole.dictionary(x)['/Resources'], dictionary['/Resources']);
  }
});

const many = 200_000;
const hostile: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no pages', ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'], /there are no pages/],
  ['a circle of pages', ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]>>'], /leads back/],
  [
    'resources in resources, without end',
    [...start, ...Array.from({ length: 200 }, (_, index) => `<</X ${index + 5} 0 R>>`), '<<>>'],
    /nested too deeply/,
  ],
  [
    'a tree of parents that leads back',
    [
      '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R>>',
      ...start.slice(1),
      '<</Type/StructTreeRoot/ParentTree 5 0 R>>',
      '<</Kids[5 0 R]>>',
    ],
    /leads back/,
  ],
  [
    'a number of the tree of parents that is none',
    [...start.slice(0, 2), '<</Type/Page/StructParents 99999999999>>'],
    /tree of parents is none/,
  ],
  [
    'a stream beyond the end',
    [...start, '<</X 5 0 R>>', '<</Length 99>>\nstream\n\nendstream'],
    /longer than its place/,
  ],
  [
    'an object that is an array of arrays',
    [...start.slice(0, 2), '<</Type/Page/Annots 4 0 R>>', '['.repeat(many)],
    /nested too deeply/,
  ],
];

for (const [what, objects, message] of hostile) {
  t.test(`refuses ${what}, and says which part it is`, (t) => {
    const began = process.cpuUsage();
    t.throws(() => combined(t, [named(), pdfOf(objects)]), {
      message: new RegExp(`^part 2\\.docx: .*${message.source}`),
    });
    t.ok(process.cpuUsage(began).user < 5_000_000);
    t.end();
  });
}

t.test('much that is honest but large takes linear time', (t) => {
  const timeOf = (count: number) => {
    const elements = Array.from({ length: count }, (_, index) => `<</S/P/P 5 0 R/K ${index}>>`);
    const kids = elements.map((_, index) => `${index + 6} 0 R`).join(' ');
    const pdf = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/MediaBox[0 0 9 9]/Resources<<>>/StructParents 0>>',
      `<</Type/StructTreeRoot/K 5 0 R/ParentTree<</Nums[0[${kids}]]>>>>`,
      `<</S/Document/P 4 0 R/K[${kids}]>>`,
      ...elements,
    ]);
    const began = process.cpuUsage();
    combined(t, [pdf]);
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  timeOf(20_000);
  const [small, large] = [timeOf(20_000), timeOf(80_000)];
  t.ok(large < 10 * small, `${small} and ${large} µs`);
  t.end();
});

t.test('a PDF that is there already stays', (t) => {
  const { path } = combined(t, [named()]);
  const before = readFileSync(path);
  const part = { path: join(t.testdirName, '0.pdf'), name: 'n', title: 'n' };
  t.throws(() => combinePdfs([part], path, { pdfa: undefined, pdfua: false }), { code: 'EEXIST' });
  t.ok(readFileSync(path).equals(before));
  t.end();
});
