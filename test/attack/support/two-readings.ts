/**
 * Documents that two readers could read in two ways: other encodings, instructions of fields in pieces, names of parts,
 * relationships and content types. Each has `EVIL` where LibreOffice could find it beside what was checked, or a field that would
 * show a path.
 */
import { docx, docxWithParts, mainPart } from '../../support/documents.ts';
import { contentTypes } from '../../support/office-package.ts';
import { zip } from '../../support/zip.ts';

const MAIN = 'word/document.xml';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const FOREIGN =
  'xmlns:x="urn:x" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"';
const MARK = '\ufeff';

/** Parts by name; undefined leaves one out. */
type Parts = Readonly<Record<string, string | Buffer | undefined>>;
/** Names of what is in an encoding, a markup, or a package. */
type TwoReadings = Readonly<Record<string, Parts>>;

const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const bare = (part: string) => part.replace(/^<\?xml.*\?>\n/, '');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** In UTF-7 it says EVIL. */
const hidden = paragraph('honest text') + paragraph('+AEUAVgBJAEw-');

/** A part in ways that readers decode differently. */
export function decoded(part: string): Readonly<Record<string, string | Buffer>> {
  const content = bare(part);
  return {
    'no declaration': content,
    'UTF-7': `<?xml version="1.0" encoding="UTF-7"?>${content}`,
    'an encoding that only looks like one': `<?xml version="1.0" encodingx='UTF-7' encoding="UTF-8"?>${content}`,
    'two encodings': `<?xml version="1.0" encoding="UTF-8" encoding='UTF-7'?>${content}`,
    'an encoding in another attribute': `<?xml version="1.0" x=" encoding='UTF-7'"?>${content}`,
    'an encoding in the text': `<?xml version="1.0"?><?x encoding='UTF-7'?>${content}`,
    'an instruction in front': `<?xml-stylesheet encoding="UTF-7"?>${content}`,
    'a declaration behind space': ` <?xml version="1.0" encoding="UTF-7"?>${content}`,
    'two declarations': `<?xml version="1.0"?><?xml version="1.0" encoding="UTF-7"?>${content}`,
    'a mark': MARK + content,
    'a mark and an encoding': `${MARK}<?xml version="1.0" encoding="UTF-7"?>${content}`,
    'two marks': MARK + MARK + content,
    'three marks': MARK + MARK + MARK + content,
    'UTF-16': utf16(MARK + content),
    'UTF-16 without a mark': utf16(`<?xml version="1.0"?>${content}`),
    'UTF-16 with two marks': utf16(MARK + MARK + content),
    'UTF-16 behind a mark of UTF-8': Buffer.concat([Buffer.from(MARK), utf16(content)]),
    'UTF-16 that says UTF-7': utf16(`${MARK}<?xml version="1.0" encoding="UTF-7"?>${content}`),
    'Latin 1': Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${content}`, 'latin1'),
    'a NUL': content.replace('>', '>\0'),
    controls: content.replace('</', '\x01</'),
    'no UTF-8': Buffer.from(content.replace('</', '\xff</'), 'latin1'),
    'no character': content.replace('</', '\uffff</'),
    'a reference to no character': content.replace('</', '&#1;</'),
    'an unknown reference': content.replace('</', '&evil;</'),
  };
}

const main = mainPart(hidden);
const encodings: TwoReadings = Object.fromEntries(
  Object.entries(decoded(main)).map(([what, part]) => [`${what} in the main part`, { [MAIN]: part }]),
);

const code = (text: string) => `<w:instrText xml:space="preserve">${text}</w:instrText>`;
/** A field whose instruction is these elements of a run. */
const field = (instruction: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r>${instruction}</w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>stored</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
const simple = (attributes: string) =>
  `<w:p><w:fldSimple ${attributes}><w:r><w:t>stored</w:t></w:r></w:fldSimple></w:p>`;
const twoPieces = (between: string) => field(code('FILE') + between + code('NAME \\p'));
const branch = (chosen: string, fallback = '') =>
  `<mc:AlternateContent><mc:Choice Requires="x">${chosen}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;

const markup: Readonly<Record<string, string>> = {
  'a field': field(code('FILENAME \\p')),
  'a field in an attribute': simple('w:instr="FILENAME \\p"'),
  'an attribute of another prefix': simple('x:instr="PAGE" w:instr="FILENAME \\p"'),
  'an attribute without a prefix': simple('instr="PAGE" w:instr="FILENAME \\p"'),
  'a field without content': '<w:p><w:fldSimple w:instr="FILENAME \\p"/></w:p>',
  'a field that begins and ends': field(code('FILENAME \\p')).replace(
    '<w:fldChar ',
    '<w:fldChar x:fldCharType="end" ',
  ),
  'an element of another prefix in an instruction': field(
    '<w:instrText>FILE<x:instrText>Q</x:instrText>NAME \\p</w:instrText>',
  ),
  'text in an instruction': field('<w:instrText>FILE<w:t>Q</w:t>NAME \\p</w:instrText>'),
  'empty text in an instruction': field('<w:instrText><w:t/>FILENAME \\p</w:instrText>'),
  'an instruction of another prefix': twoPieces('<x:instrText>Q</x:instrText>'),
  'an instruction of another namespace': twoPieces('<w:instrText xmlns:w="urn:x">Q</w:instrText>'),
  'an instruction with another prefix': field(`<z:instrText xmlns:z="${WORD}">FILENAME \\p</z:instrText>`),
  'a branch that nobody takes': twoPieces(branch(code('Q'))),
  'a branch that somebody takes': twoPieces(branch('', code('Q')).replace('"x"', '"wps"')),
  'two branches': field(branch(code('PAGE'), code('FILENAME \\p'))),
  'an instruction that is deleted': twoPieces(
    `</w:r><w:del w:id="1" w:author="A"><w:r>${code('Q')}</w:r></w:del><w:r>`,
  ),
  'a result that begins in a branch': field(
    `${branch('<w:fldChar w:fldCharType="separate"/>')}${code('FILENAME \\p')}`,
  ),
  'a character of a field of another prefix': twoPieces('<w:fldChar x:fldCharType="separate"/>'),
  'a character of a field without a prefix': twoPieces('<w:fldChar fldCharType="begin"/>'),
  'a CDATA section': field(code('FILE<![CDATA[NAME]]> \\p')),
  'a comment': field(code('FILE<!-- Q -->NAME \\p')),
  'a processing instruction': field(code('FILE<?x Q?>NAME \\p')),
  references: field(code('&#70;I&#x4c;ENAME \\p')),
  'references to space': field(code('&#32;&#x9;FILENAME \\p')),
  'quotation marks': field(code('"FILENAME" \\p')),
  'a backslash': field(code('\\FILENAME \\p')),
  'small letters and lines': field(code('\nfileName\n\\p')),
  'a text in another namespace': '<w:p><w:r><w:t xmlns:w="urn:x">honest</w:t></w:r></w:p>',
  'a section that looks like markup': paragraph('<![CDATA[<w:t>honest</w:t>]]>'),
  'two branches of text': `<w:p><w:r>${branch('<w:t>honest</w:t>', '<w:t>other</w:t>')}</w:r></w:p>`,
  'an attribute of lines': `<w:p><w:bookmarkStart w:id="1" w:name="a&#10;b\n>"/><w:r><w:t>honest</w:t></w:r></w:p>`,
};

const inMarkup: TwoReadings = Object.fromEntries(
  Object.entries(markup).map(([what, inner]) => [
    what,
    { [MAIN]: mainPart(paragraph('honest text') + inner).replace('<w:document ', `<w:document ${FOREIGN} `) },
  ]),
);

const link = (id: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="${LINKS}/officeDocument" Target="${target}"${more}/>`;
const toMain = link('a', MAIN);
const toEvil = link('b', 'word/evil.xml');
const links = (inner: string, attributes = '') =>
  `<Relationships xmlns="${PACKAGE}"${attributes}>${inner}</Relationships>`;
const types = contentTypes(MAIN, TYPE).replace(
  '<Override',
  `<Override PartName="/word/evil.xml" ContentType="${TYPE}"/><Override`,
);
/** A package with a second document in it. */
const withEvil = (more: Parts): Parts => ({
  [MAIN]: mainPart(paragraph('honest text')),
  'word/evil.xml': mainPart(paragraph('EVIL')),
  '[Content_Types].xml': types,
  ...more,
});

const roots: Readonly<Record<string, string | Buffer>> = {
  'a link in another default namespace': links(`${toEvil.replace('Id', 'xmlns="urn:x" Id')}${toMain}`),
  'a link of another prefix': links(toEvil.replace('<', '<x:').replace('Id', 'xmlns:x="urn:x" Id') + toMain),
  'links with a prefix': `<p:Relationships xmlns:p="${PACKAGE}">${toMain.replace('<', '<p:')}${toEvil}</p:Relationships>`,
  'a target of another prefix': links(
    toMain.replace('Target', 'x:Target="word/evil.xml" Target'),
    ' xmlns:x="urn:x"',
  ),
  'two main parts': links(toMain + toEvil),
  'an external main part in front': links(toEvil.replace('/>', ' TargetMode="External"/>') + toMain),
  'a type with space around it': links(toEvil.replace(/Type="([^"]*)"/, 'Type=" $1 "') + toMain),
  'two links with one id': links(toMain + toEvil.replace('"b"', '"a"').replace('officeDocument"', 'custom"')),
  'a link in a comment': links(`<!-- ${toEvil} -->${toMain}`),
  'a link in a section': links(`<x:y xmlns:x="urn:x"><![CDATA[${toEvil}]]></x:y>${toMain}`),
  'a link in an attribute': links(toMain.replace('/>', ' x="&lt;Relationship/>"/>')),
  'a target with a percent sign': links(link('a', 'word/%64ocument.xml')),
  'a target that goes up': links(link('a', 'word/../word/document.xml')),
  'a target from the root': links(link('a', '/word/document.xml')),
  'a target in capitals': links(link('a', 'WORD/DOCUMENT.XML')),
  'a target with a backslash': links(link('a', 'word\\document.xml')),
  'a target with a fragment': links(link('a', `${MAIN}#a`)),
  ...Object.fromEntries(
    Object.entries(decoded(links(toMain))).map(([what, part]) => [`${what} in the relationships`, part]),
  ),
};

const inPackage: TwoReadings = {
  ...Object.fromEntries(
    Object.entries(roots).map(([what, part]) => [what, withEvil({ '_rels/.rels': part })]),
  ),
  ...Object.fromEntries(
    Object.entries(decoded(types)).map(([what, part]) => [
      `${what} in the content types`,
      withEvil({ '[Content_Types].xml': part }),
    ]),
  ),
  'a type in another namespace': withEvil({
    '[Content_Types].xml': types.replace(
      '</Types>',
      `<Override xmlns="urn:x" PartName="/${MAIN}" ContentType="text/plain"/></Types>`,
    ),
  }),
  'names in capitals': { [MAIN]: undefined, 'WORD/Document.XML': main },
  'a name with a percent sign': { ...withEvil({}), 'word/%64ocument.xml': mainPart(paragraph('EVIL')) },
};

const header = (part: string | Buffer, name = 'header.xml'): Parts => ({
  [MAIN]: mainPart(
    `${paragraph('honest text')}<w:p/><w:sectPr><w:headerReference w:type="default" r:id="rId1"/></w:sectPr>`,
  ),
  'word/_rels/document.xml.rels': links(`<Relationship Id="rId1" Type="${LINKS}/header" Target="${name}"/>`),
  [`word/${name}`]: part,
});
const headerPart = `<w:hdr xmlns:w="${WORD}">${paragraph('+AEUAVgBJAEw-')}</w:hdr>`;
const inHeaders: TwoReadings = {
  ...Object.fromEntries(
    Object.entries(decoded(headerPart)).map(([what, part]) => [`${what} in a header`, header(part)]),
  ),
  'a header that is called a picture': header(headerPart, 'header.png'),
  'two marks in a header that is called a picture': header(MARK + MARK + headerPart, 'header.png'),
};

const insert = (content: Buffer | string): Parts => ({
  [MAIN]: mainPart(`<w:altChunk r:id="rId1"/>${paragraph('honest text')}`),
  'word/_rels/document.xml.rels': links(
    `<Relationship Id="rId1" Type="${LINKS}/aFChunk" Target="chunk.docx"/>`,
  ),
  'word/chunk.docx': content,
});
const evil = docx({ paragraphs: ['EVIL'] });
const inserted: TwoReadings = {
  'an archive behind something else': insert(Buffer.concat([Buffer.from('junk'), evil])),
  'an archive behind HTML': insert(Buffer.concat([Buffer.from('<html><body>HTML</body></html>'), evil])),
  'an archive before something else': insert(Buffer.concat([evil, Buffer.alloc(1_000, 'x')])),
  'an archive without an end': insert(evil.subarray(0, -30)),
  ...Object.fromEntries(
    Object.entries(decoded(main)).map(([what, part]) => [
      `${what} in an inserted document`,
      insert(docxWithParts({ [MAIN]: part })),
    ]),
  ),
  'a field in an inserted document': insert(docxWithParts({ [MAIN]: mainPart(field(code('FILENAME \\p'))) })),
};

/** All of them. */
export const twoReadings: TwoReadings = {
  ...encodings,
  ...inMarkup,
  ...inPackage,
  ...inHeaders,
  ...inserted,
};

/** What LibreOffice prints as EVIL, or with a path, where no preflight sees it. */
export const proofs: readonly string[] = [
  'an encoding that only looks like one in the main part',
  'an encoding in the text in the main part',
  'UTF-7 in a header',
  'a link in another default namespace',
  'a branch that nobody takes',
  'an attribute of another prefix',
];

/** A document with these parts. */
export function documentOf(parts: Parts): Buffer {
  return docxWithParts(parts);
}

/** The parts of an archive that was read, with another in place of one of them. */
export function replacing(parts: ReadonlyMap<string, Buffer>, name: string, part: string | Buffer): Buffer {
  return zip([...parts].map(([each, data]) => ({ name: each, data: each === name ? part : data })));
}
