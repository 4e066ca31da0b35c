/** Text documents for LibreOffice's dictionaries, locale data and rules. */
import { attackDocx, field, NAMESPACES, paragraph, text } from '../../test/attack/support/docx.ts';
import { inLanguage, run, sentences } from './languages.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const languages = Object.keys(sentences);

/** Text of every language, with stored results of proofing as in Word; hyphenated in narrow columns. */
export function proofread(): Buffer {
  const narrow =
    '<w:sectPr><w:pgSz w:w="4800" w:h="16000"/><w:pgMar w:top="300" w:right="720" w:bottom="300" w:left="720"/></w:sectPr>';
  const body = Object.entries(sentences).map(([language, sentence]) => {
    return paragraph(
      `<w:proofErr w:type="spellStart"/>${run(`${language} ${sentence} `.repeat(3), inLanguage(language))}<w:proofErr w:type="spellEnd"/>`,
      '<w:jc w:val="both"/>',
    );
  });
  return attackDocx({
    body: body.join('') + narrow,
    settings: {
      content:
        '<w:autoHyphenation/><w:hyphenationZone w:val="0"/><w:proofState w:spelling="dirty" w:grammar="dirty"/>',
    },
  });
}

/** Text that autocorrect and a thesaurus would handle while typing. */
export function autocorrected(): Buffer {
  const typed = [
    "teh adn (c) (r) (tm) 1/2 1st 2nd -- --> ... \"quoted\" 'it's' abbout accomodate",
    '*bold* _underlined_ http://example.com/ :smile: TWo INitials',
    'happy good big run',
  ];
  return attackDocx({
    body: languages
      .map((language) => typed.map((line) => paragraph(run(line, inLanguage(language)))).join(''))
      .join(''),
  });
}

export function smartTags(): Buffer {
  const tag = (kind: string, content: string) =>
    `<w:smartTag w:uri="urn:schemas-microsoft-com:office:smarttags" w:element="${kind}"><w:smartTagPr><w:attr w:name="Year" w:val="2024"/></w:smartTagPr>${text(content)}</w:smartTag>`;
  return attackDocx({
    body: ['date', 'place', 'City', 'PersonName', 'time', 'metricconverter', 'stockticker', 'phone']
      .map((kind) => paragraph(text('a ') + tag(kind, `3 July 2024, London, ACME (${kind})`)))
      .join(''),
  });
}

/** Dates, times, numbers and properties as fields, which LibreOffice formats by its locale data. */
export function fields(): Buffer {
  const pictures = [
    'dddd, d MMMM yyyy',
    'd.M.yy',
    'HH:mm:ss',
    'MMMM d, yyyy h:mm am/pm',
    'yyyy年M月d日',
    '[$-411]ggge年',
  ];
  const instructions = [
    ...pictures.map((format) => `CREATEDATE \\@ "${format}"`),
    '= 1234567.891 \\# "#,##0.00"',
    'NUMWORDS',
    'NUMPAGES',
    'AUTHOR',
    'TITLE',
    'FILENAME',
    'INDEX \\c 2',
    'TOC \\o "1-3"',
    'EQ \\f(1,2)',
    'SYMBOL 183 \\f Symbol',
    'ADVANCE \\d 4',
    'DOCPROPERTY Company',
  ];
  const entries = ['zebra', 'ähre', 'Öl', 'čaj', 'ñandú', 'apple'].map((word) =>
    paragraph(field(`XE "${word}"`, '') + text(word)),
  );
  return attackDocx({
    body:
      languages
        .map((language) =>
          instructions
            .map((instruction) => paragraph(field(instruction) + run(language, inLanguage(language))))
            .join(''),
        )
        .join('') + entries.join(''),
  });
}

/** Scripts with special rules: ruby, vertical lines, emphasis, right to left, line breaks by dictionary. */
export function scripts(): Buffer {
  const ruby =
    '<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="10"/><w:hpsRaise w:val="18"/><w:hpsBaseText w:val="21"/><w:lid w:val="ja-JP"/></w:rubyPr><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r>';
  const effects = [
    '<w:em w:val="dot"/>',
    '<w:eastAsianLayout w:id="1" w:combine="1"/>',
    '<w:eastAsianLayout w:id="2" w:vert="1"/>',
    '<w:smallCaps/>',
    '<w:caps/>',
    '<w:rtl/>',
    '<w:u w:val="wave"/>',
  ];
  const body = languages.flatMap((language) =>
    effects.map((effect) =>
      paragraph(
        run(sentences[language] ?? '', inLanguage(language, effect)),
        language === 'ar-SA' || language === 'he-IL' ? '<w:bidi/>' : '',
      ),
    ),
  );
  const vertical =
    '<w:sectPr><w:pgSz w:w="8000" w:h="8000"/><w:pgMar w:top="500" w:right="500" w:bottom="500" w:left="500"/><w:textDirection w:val="tbRl"/><w:docGrid w:type="linesAndChars" w:linePitch="360"/></w:sectPr>';
  return attackDocx({ body: paragraph(ruby) + body.join('') + vertical });
}

/** Content controls, legacy form fields, comments, tracked changes and notes, for which LibreOffice has windows. */
export function controls(): Buffer {
  const control = (properties: string, content: string) =>
    `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${text(content)}</w:sdtContent></w:sdt>`;
  const body = [
    control(
      '<w:date w:fullDate="2024-07-03T00:00:00Z"><w:dateFormat w:val="dddd, d. MMMM yyyy"/><w:lid w:val="de-DE"/></w:date>',
      'Mittwoch, 3. Juli 2024',
    ),
    control(
      '<w:dropDownList><w:listItem w:displayText="one" w:value="1"/><w:listItem w:displayText="two" w:value="2"/></w:dropDownList>',
      'one',
    ),
    control('<w:text/>', 'plain text'),
    '<w:ins w:id="1" w:author="A" w:date="2024-07-03T00:00:00Z"><w:r><w:t>inserted</w:t></w:r></w:ins><w:del w:id="2" w:author="A" w:date="2024-07-03T00:00:00Z"><w:r><w:delText>deleted</w:delText></w:r></w:del>',
    `<w:commentRangeStart w:id="0"/>${text('commented')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>`,
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="c"/><w:enabled/><w:checkBox><w:sizeAuto/><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
  ];
  return attackDocx({
    body: body.map((inner) => paragraph(inner)).join(''),
    relationships: [{ id: 'rId1', type: 'comments', target: 'comments.xml' }],
    parts: [
      {
        name: 'word/comments.xml',
        type: `${WORD}.comments+xml`,
        data: `<w:comments ${NAMESPACES}><w:comment w:id="0" w:author="A" w:date="2024-07-03T00:00:00Z" w:initials="A">${paragraph(text('a comment'))}</w:comment></w:comments>`,
      },
    ],
  });
}

/** With a signature, for which LibreOffice would look up certificates. The key and value are made up. */
export function signed(): Buffer {
  const signatures = 'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature';
  const algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
  const bytes = Buffer.alloc(256, 1).toString('base64');
  return attackDocx({
    body: paragraph(text('Signed.')),
    relationships: [{ id: 'rId1', type: `${signatures}/origin`, target: '/_xmlsignatures/origin.sigs' }],
    parts: [
      {
        name: '_xmlsignatures/origin.sigs',
        type: 'application/vnd.openxmlformats-package.digital-signature-origin',
        data: '',
        relationships: [{ id: 'rId1', type: `${signatures}/signature`, target: 'sig1.xml' }],
      },
      {
        name: '_xmlsignatures/sig1.xml',
        type: 'application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml',
        data: `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#" Id="idPackageSignature"><SignedInfo>\
<CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/><SignatureMethod Algorithm="${algorithm}"/>\
<Reference URI="#idPackageObject"><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>\
<DigestValue>${Buffer.alloc(32, 1).toString('base64')}</DigestValue></Reference></SignedInfo>\
<SignatureValue>${bytes}</SignatureValue><KeyInfo><X509Data><X509Certificate>${bytes}</X509Certificate></X509Data></KeyInfo>\
<Object Id="idPackageObject"><Manifest/></Object></Signature>`,
      },
    ],
  });
}
