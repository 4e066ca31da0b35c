/** Sample texts for fonts. */

/** Texts for stand-ins of scripts other than Latin. */
const samples: readonly (readonly [RegExp, string])[] = [
  [/CJK JP/, '日本語の文字'],
  [/CJK SC/, '简体汉字'],
  [/CJK TC/, '繁體漢字'],
  [/CJK KR|Nanum/, '한글 문서'],
  [/Yu Gothic|MS P?Gothic|Mincho|Meiryo/, '日本語の文字'],
  [/SimSun|SimHei|YaHei|DengXian/, '简体汉字'],
  [/MingLiU|JhengHei/, '繁體漢字'],
  [/Malgun|Gulim|Batang/, '한글 문서'],
  [/Arabic|Majalla|Nazanin|Titr|Dubai|Vazir/, 'سلام بسبب كلمة'],
  [/Hebrew|David|FrankRuehl|Miriam|Gisha/, 'שלום'],
  [/Angsana|Cordia|Sarabun|Leelawadee/, 'สวัสดี'],
  [/Devanagari|Mangal|Kokila/, 'नमस्ते'],
  [/Latha/, 'வணக்கம்'],
  [/Raavi/, 'ਸਤਿ'],
  [/Shruti/, 'નમસ્તે'],
  [/Gautami/, 'నమస్తే'],
  [/Tunga/, 'ನಮಸ್ತೆ'],
  [/Kartika/, 'നമസ്തേ'],
  [/Vrinda/, 'নমস্কার'],
  [/Symbola/, '☃♞'],
  [/OpenSymbol/, '\uf0b7'],
];
export const LATIN = 'Handgloves';

/** Sample text of a stand-in, in its script. */
export const sampleFor = (family: string): string =>
  samples.find(([pattern]) => pattern.test(family) && !family.startsWith('URW'))?.[1] ?? LATIN;

/** A paragraph in this font for all scripts, with these run properties. */
export const inEveryScript = (font: string, text: string, properties = ''): string =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>` +
  `${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
