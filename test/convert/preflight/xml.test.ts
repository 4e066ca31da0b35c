/** What holds for every XML part: no document type, bounded nesting, an encoding that all read alike. */
import * as documents from '../../support/documents.ts';
import { contentTypes, relationships } from '../../support/office-package.ts';
import { type Accepted, accepts, openPreflight, type Refused, refuses } from '../support/preflight.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const MAIN = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
const ENTITIES = '<!DOCTYPE a [<!ENTITY b "c">]>';
const PLAIN =
  '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';

const withPart = (name: string, data: string | Buffer): Buffer => documents.docxWithParts({ [name]: data });
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
const bigEndian = (text: string): Buffer => utf16(text).swap16();
const nested = (element: string, depth: number): string =>
  `<a>${`<${element}>`.repeat(depth)}${`</${element}>`.repeat(depth)}</a>`;
const tables = (depth: number): Buffer =>
  withPart(
    'word/document.xml',
    documents.mainPart(
      `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}<w:p/>${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`,
    ),
  );
const MARK = '\ufeff';
const lead = (type: string, content: string): Buffer =>
  documents.docxLeadingTo({ 'a.bin': type }, { 'word/a.bin': content });
const declared = (declaration: string): Buffer => withPart('a.xml', `${declaration}<a/>`);

const wellDeclared = [
  '<?xml version="1.0"?>',
  "<?xml\n version\t=\r'1.0'\n?>",
  '<?xml version="1.1" encoding="utf-8"?>',
  '<?xml version="1.0" standalone="no" ?>',
  `${MARK}<?xml version="1.0" encoding='UTF-8' standalone='yes'?>`,
  '<?xml version="1.0" encoding="windows-1252"?>',
  '<?xml-stylesheet encoding="UTF-7"?>',
];
/** Readers disagree on the encoding, or some refuse it. LibreOffice reads the first as UTF-7. */
const badlyDeclared = [
  `<?xml version="1.0" encodingx='UTF-7' encoding="UTF-8"?>`,
  `<?xml version="1.0" encoding="UTF-8" encoding='UTF-7'?>`,
  `<?xml version="1.0" encoding='UTF-8' x=" encoding='UTF-7'"?>`,
  '<?xml version="1.0" encoding="UTF-8"standalone="yes"?>',
  '<?xml version="1.0" standalone="yes" encoding="UTF-8"?>',
  '<?xml version="1.0" standalone="maybe"?>',
  '<?xml version="2.0"?>',
  '<?xml version="1.0" encoding="latin-2"?>',
  '<?xml version="1.0" encoding="ISO-8859-12"?>',
  '<?xml version="1.0" encoding="Shift_JIS"?>',
  '<?xml version="1.0" encoding=""?>',
  '<?xml version="1.0" encoding="UTF-8&quot;?>',
  '<?xml encoding="UTF-8"?>',
  '<?xml ?>',
  '<?xml?>',
  '<?XML version="1.0"?>',
];

const picture = (svg: string): Buffer => documents.docxLeadingTo({ 'a.svg': 'image' }, { 'word/a.svg': svg });

/** What describes a package, in ways that are not well-formed. */
const malformed = (part: string): readonly string[] => [
  part.slice(0, -1),
  part.replace(/<\/(?=\w+>$)/, '</a'),
  `${part}<a/>`,
  `${part}a`,
  `<![CDATA[]]>${part}`,
  part.replace(/"([^"]*)"\/>/, '$1/>'),
  part.replace('/>', ' a="<"/>'),
  part.replace('/>', ' a="&b;"/>'),
  part.replace('/>', ' a="&#0;"/>'),
  part.replace('/>', ' a="" a=""/>'),
  part.replace('/>', ' a=""b=""/>'),
  part.replace('/>', ' a/>'),
  part.replace('/>', ' a:b=""/>'),
  part.replace('/>', '/><a:b/>'),
  part.replace('/>', ' xmlns:a="b" xmlns:c="b" a:d="" c:d=""/>'),
  part.replace('/>', ' xmlns:a=""/>'),
  part.replace('/>', '/>]]>'),
  part.replace('/>', '/>\0'),
  part.replace('/>', `/>${nested('a', 31)}`),
];

const accepted: readonly Accepted[] = [
  ['tables 50 deep', () => tables(50)],
  [
    'many tables side by side',
    () => withPart('word/document.xml', documents.mainPart('<w:tbl/><w:tbl> </w:tbl>'.repeat(100))),
  ],
  ['elements 499 deep', () => withPart('a.xml', nested('b', 498))],
  ['many elements side by side', () => withPart('a.xml', `<a>${'<b/><c></c>'.repeat(2_000)}</a>`)],
  ['a document type in a comment', () => withPart('a.xml', `<!-- ${ENTITIES} --><a/>`)],
  ['a document type in a section', () => withPart('a.xml', `<a><![CDATA[${ENTITIES}]]></a>`)],
  ['a document type in an instruction', () => withPart('a.xml', `<?b ${ENTITIES}?><a/>`)],
  ['UTF-16', () => withPart('a.xml', utf16('<?xml version="1.0" encoding="utf-16"?><ä/>'))],
  [
    'UTF-16 of the other kind',
    () => withPart('a.xml', bigEndian('<?xml version="1.0" encoding="UTF-16"?><ä/>')),
  ],
  [
    'an older encoding in which markup is ASCII',
    () => withPart('a.xml', '<?xml version="1.0" encoding=\'ISO-8859-1\'?><a/>'),
  ],
  ['an SVG picture with a document type that declares nothing', () => picture(`${PLAIN}<svg/>`)],
  [
    'an SVG picture with a document type whose name has brackets',
    () => picture('<!DOCTYPE svg SYSTEM "[>]"><svg/>'),
  ],
  ...wellDeclared.map(
    (declaration): Accepted => [
      `the declaration ${JSON.stringify(declaration)}`,
      () => declared(declaration),
    ],
  ),
  ['a picture that begins with two marks', () => lead('image', MARK + MARK)],
  ['a font that begins with two marks', () => lead('font', `${MARK}${MARK}\x10`)],
  [
    'a picture that begins like text in UTF-16',
    () => withPart('word/media/a.bin', Buffer.from('<\0\0\0\x10\0', 'latin1')),
  ],
];

const broken: Refused[] = [
  ['tables 51 deep', () => tables(51), 'CORRUPTED_FILE', 'nesting', /tables deeper than 50, which breaks/],
  [
    'tables 51 deep, of another prefix',
    () => withPart('word/header1.xml', nested('tbl', 51)),
    'CORRUPTED_FILE',
    'nesting',
  ],
  ['elements 501 deep', () => withPart('a.xml', nested('b', 501)), 'CORRUPTED_FILE', 'nesting'],
  [
    'elements 501 deep in UTF-16',
    () => withPart('a.xml', utf16(nested('b', 501))),
    'CORRUPTED_FILE',
    'nesting',
  ],
  [
    'elements 501 deep in a part that is called a picture',
    () => withPart('word/media/a.png', nested('b', 501)),
    'CORRUPTED_FILE',
    'nesting',
  ],
  [
    'a document type',
    () => withPart('word/styles.xml', `${ENTITIES}<a/>`),
    'CORRUPTED_FILE',
    'doctype',
    /DOCTYPE\), which breaks/,
  ],
  [
    'a document type without a subset',
    () => withPart('word/styles.xml', `${PLAIN}<a/>`),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type behind a comment',
    () => withPart('word/styles.xml', `<!--->-->${ENTITIES}<a/>`),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type behind much space',
    () => withPart('word/styles.xml', `${' '.repeat(3_000)}${ENTITIES}<a/>`),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type in the main part',
    () => withPart('word/document.xml', `${ENTITIES}<a/>`),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type in UTF-16',
    () => withPart('a.xml', utf16(`${ENTITIES}<a/>`)),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type in UTF-16 of the other kind',
    () => withPart('a.xml', bigEndian(`${ENTITIES}<a/>`)),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type in UTF-16 without a mark',
    () => withPart('a.xml', utf16(`${ENTITIES}<a/>`).subarray(2)),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type in a part that is called binary',
    () => withPart('word/a.bin', `${ENTITIES}<a/>`),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'an SVG picture that declares entities',
    () => picture(`${PLAIN.replace('>', ' [<!ENTITY a "b">]>')}<svg/>`),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'an SVG picture that declares entities behind a name with a bracket',
    () => picture('<!DOCTYPE svg SYSTEM ">" [<!ENTITY a "b">]><svg/>'),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'an SVG picture with a document type that something else leads to as well',
    () =>
      documents.docxLeadingTo({ 'a.svg': 'image', './a.svg': 'styles' }, { 'word/a.svg': `${PLAIN}<svg/>` }),
    'CORRUPTED_FILE',
    'doctype',
  ],
  [
    'a document type in the content types',
    () =>
      withPart(
        '[Content_Types].xml',
        contentTypes('word/document.xml', WORD).replace('<Types', `${ENTITIES}<Types`),
      ),
    'CORRUPTED_FILE',
    'damaged',
  ],
  ...['[Content_Types].xml', '_rels/.rels'].flatMap((name) => {
    const types = contentTypes('word/document.xml', WORD);
    const links = relationships([`<Relationship Id="r" Type="${MAIN}" Target="word/document.xml"/>`]);
    return malformed(name === '_rels/.rels' ? links : types).map(
      (part, i): Refused => [
        `${name} that is not well-formed (${i})`,
        () => withPart(name, part),
        'CORRUPTED_FILE',
        'damaged',
      ],
    );
  }),
  [
    'UTF-7',
    () => withPart('a.xml', '<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE a+AD4-<a/>'),
    'CORRUPTED_FILE',
    'encoding',
    /in an unusual encoding, or with a broken XML declaration/,
  ],
  ['EBCDIC', () => withPart('a.xml', Buffer.from('4c6fa7949340', 'hex')), 'CORRUPTED_FILE', 'encoding'],
  [
    'UTF-32',
    () => withPart('a.xml', Buffer.from('3c000000610000002f0000003e000000', 'hex')),
    'CORRUPTED_FILE',
    'encoding',
  ],
  ['a NUL', () => withPart('a.xml', '<a>\0</a>'), 'CORRUPTED_FILE', 'encoding'],
  [
    'UTF-16 that says it is something else',
    () => withPart('a.xml', utf16('<?xml version="1.0" encoding="UTF-7"?><a/>')),
    'CORRUPTED_FILE',
    'encoding',
  ],
  ...badlyDeclared.map(
    (declaration): Refused => [
      `the declaration ${JSON.stringify(declaration)}`,
      () => declared(declaration),
      'CORRUPTED_FILE',
      'encoding',
    ],
  ),
  ['two marks', () => withPart('a.xml', `${MARK}${MARK}<a/>`), 'CORRUPTED_FILE', 'encoding'],
  ['two marks of UTF-16', () => withPart('a.xml', utf16('\ufeff<a/>')), 'CORRUPTED_FILE', 'encoding'],
  [
    'the mark of UTF-8 with another encoding',
    () => declared(`${MARK}<?xml version="1.0" encoding="ISO-8859-1"?>`),
    'CORRUPTED_FILE',
    'encoding',
  ],
  [
    'a header that lenient programs might take for XML',
    () => lead('header', `${MARK}\0<a/>`),
    'CORRUPTED_FILE',
    'encoding',
    /only some programs can read as XML/,
  ],
  [
    'an XML declaration that does not end',
    () => withPart('a.xml', `<?xml version="1.0"${' '.repeat(2_000)}encoding="UTF-7"?><a/>`),
    'CORRUPTED_FILE',
    'encoding',
  ],
];

for (const name of ['word/document.xml', '_rels/.rels', '[Content_Types].xml']) {
  const whole = String(documents.partsWith().find((part) => part.name === name)?.data);
  for (const declaration of badlyDeclared) {
    const part = declaration + whole.replace(/^<\?xml.*\?>\n/, '');
    broken.push([`${name} with ${declaration}`, () => withPart(name, part), 'CORRUPTED_FILE', 'encoding']);
  }
}

const preflight = openPreflight();
accepts(preflight, accepted);
refuses(preflight, broken);
