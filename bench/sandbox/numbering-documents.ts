/** Documents of numbers: every format that DOCX has, in lists, page numbers and fields. */
import { attackDocx, field, NAMESPACES, paragraph, text } from '../../test/attack/support/docx.ts';
import { png } from '../../test/attack/support/images.ts';
import { numberedListsDocx } from '../../test/support/numbered-lists.ts';
import { inLanguage, run } from './languages.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
/** Numbers at which formats differ most: one, two and three digits, and the ends of several alphabets. */
const NUMBERS = [1, 2, 12, 21, 101];

/** Values of ST_NumberFormat (ISO/IEC 29500-1, 17.18.59), without `custom`, which needs a picture of its digits. */
const numberFormats: readonly string[] =
  `decimal upperRoman lowerRoman upperLetter lowerLetter ordinal cardinalText
ordinalText hex chicago ideographDigital japaneseCounting aiueo iroha decimalFullWidth decimalHalfWidth japaneseLegal
japaneseDigitalTenThousand decimalEnclosedCircle decimalFullWidth2 aiueoFullWidth irohaFullWidth decimalZero bullet ganada
chosung decimalEnclosedFullstop decimalEnclosedParen decimalEnclosedCircleChinese ideographEnclosedCircle
ideographTraditional ideographZodiac ideographZodiacTraditional taiwaneseCounting ideographLegalTraditional
taiwaneseCountingThousand taiwaneseDigital chineseCounting chineseLegalSimplified chineseCountingThousand koreanDigital
koreanCounting koreanLegal koreanDigital2 vietnameseCounting russianLower russianUpper none numberInDash hebrew1 hebrew2
arabicAlpha arabicAbjad hindiVowels hindiConsonants hindiNumbers hindiCounting thaiLetters thaiNumbers thaiCounting
bahtText dollarText`.split(/\s+/);

/** Every format of ST_NumberFormat, on paragraphs of a language. */
export function numbersIn(language: string): Buffer {
  return numberedListsDocx(numberFormats.map((format) => ({ format, language, numbers: NUMBERS })));
}

/** The same formats in page numbers, notes and fields. */
export function numbersElsewhere(language: string): Buffer {
  const switches = [
    'CardText',
    'OrdText',
    'Ordinal',
    'DollarText',
    'Hex',
    'ROMAN',
    'ALPHABETIC',
    'THAIARABIC',
  ];
  const fields = switches.map((name) =>
    paragraph(
      field(`= 21 \\* ${name}`) +
        field(`PAGE \\* ${name}`) +
        field(`SEQ x \\* ${name}`) +
        run(name, inLanguage(language)),
    ),
  );
  const sections = numberFormats.map((format, i) => {
    const section = `<w:sectPr><w:footerReference w:type="default" r:id="rIdPart"/><w:pgSz w:w="4000" w:h="3000"/><w:pgMar w:top="300" w:right="300" w:bottom="300" w:left="300" w:header="100" w:footer="100"/><w:pgNumType w:fmt="${format}" w:start="${i + 1}"/></w:sectPr>`;
    return paragraph(run(format, inLanguage(language)), section);
  });
  return attackDocx({
    body: fields.join('') + sections.join(''),
    relationships: [{ id: 'rIdPart', type: 'footer', target: 'footer1.xml' }],
    parts: [
      {
        name: 'word/footer1.xml',
        type: `${WORD}.footer+xml`,
        data: `<w:ftr ${NAMESPACES}>${paragraph(field('PAGE', '1') + run('page', inLanguage(language)))}</w:ftr>`,
      },
    ],
  });
}

/** Multi-level lists, legal numbering, bullets of the usual fonts, and picture bullets. */
export function kindsOfList(): Buffer {
  const level = (number: number, format: string, label: string, more = '', properties = '') =>
    `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${label}"/>\
<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${360 * (number + 1)}" w:hanging="360"/></w:pPr>${properties}</w:lvl>`;
  const font = (name: string) =>
    `<w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:hint="default"/></w:rPr>`;
  const bullets = [
    ['Symbol', '\uf0b7'],
    ['Wingdings', '\uf0a7'],
    ['Wingdings 2', '\uf097'],
    ['Webdings', '\uf034'],
    ['Courier New', 'o'],
    ['MS Gothic', '☑'],
    ['OpenSymbol', '➢'],
  ] as const;
  const outline = [
    'decimal',
    'lowerLetter',
    'lowerRoman',
    'upperLetter',
    'upperRoman',
    'ordinal',
    'ordinalText',
    'cardinalText',
    'decimalZero',
  ];
  const lists: readonly (readonly string[])[] = [
    outline.map((format, i) => level(i, format, `%${i + 1}.`)),
    outline.map((format, i) =>
      level(i, format, Array.from({ length: i + 1 }, (_, n) => `%${n + 1}`).join('.'), '<w:isLgl/>'),
    ),
    outline.map((format, i) => level(i, format, `(%${i + 1})`, '<w:suff w:val="space"/>')),
    bullets.map(([name, character], i) => level(i, 'bullet', character, '', font(name))),
    [level(0, 'bullet', '', '<w:lvlPicBulletId w:val="0"/>', font('Symbol'))],
  ];
  const pictureBullet =
    '<w:numPicBullet w:numPicBulletId="0"><w:pict><v:shape id="b" style="width:9pt;height:9pt" o:bullet="t"><v:imagedata r:id="rId1"/></v:shape></w:pict></w:numPicBullet>';
  const definitions = lists.map(
    (levels, i) =>
      `<w:abstractNum w:abstractNumId="${i}"><w:multiLevelType w:val="multilevel"/>${levels.join('')}</w:abstractNum>`,
  );
  const instances = lists.map((_, i) => `<w:num w:numId="${i + 1}"><w:abstractNumId w:val="${i}"/></w:num>`);
  const body = lists.flatMap((levels, list) =>
    [0, 1].flatMap(() =>
      levels.map((_, depth) =>
        paragraph(
          text(`list ${list}, level ${depth}`),
          `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list + 1}"/></w:numPr>`,
        ),
      ),
    ),
  );
  return attackDocx({
    body: body.join(''),
    relationships: [{ id: 'rId1', type: 'numbering', target: 'numbering.xml' }],
    parts: [
      {
        name: 'word/numbering.xml',
        type: `${WORD}.numbering+xml`,
        data: `<w:numbering ${NAMESPACES}>${pictureBullet}${definitions.join('')}${instances.join('')}</w:numbering>`,
        relationships: [{ id: 'rId1', type: 'image', target: 'media/bullet.png' }],
      },
      { name: 'word/media/bullet.png', data: png(12, 12, [200, 60, 20]) },
    ],
  });
}
