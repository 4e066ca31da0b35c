/**
 * Numbers in number formats (ISO/IEC 29500-1, 17.18.59) as Word writes them, where LibreOffice writes others: mostly plain digits.
 * What it writes as Word does is not here.
 */
import { numberText } from './number-texts.ts';

/** Word begins anew after so many repetitions. */
const MAX_REPEATED = 30;

/** Digits from 0. */
const digits: Readonly<Record<string, string>> = {
  decimalFullWidth: '０１２３４５６７８９',
  decimalFullWidth2: '０１２３４５６７８９',
  hindiNumbers: '०१२३४५६७८९',
  thaiNumbers: '๐๑๒๓๔๕๖๗๘๙',
  ideographDigital: '〇一二三四五六七八九',
  japaneseDigitalTenThousand: '〇一二三四五六七八九',
  taiwaneseDigital: '○一二三四五六七八九',
  chineseCounting: '○一二三四五六七八九',
  taiwaneseCounting: '○一二三四五六七八九',
};
/** Letters, which are written twice behind the last one, and so on. */
const letters: Readonly<Record<string, readonly string[]>> = {
  russianLower: [...'абвгдежзиклмнопрстуфхцчшщыэюя'],
  russianUpper: [...'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ'],
  arabicAlpha: [...'أبتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  arabicAbjad: [...'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'],
  hindiVowels: [...'कखगघङचछजझञटठडढणतथदधनऩपफबभमयरऱलळऴवशषसह'],
  hindiConsonants: [...'अआइईउऊऋऌऍऎएऐऑऒओऔ', 'अं', 'अः'],
  chicago: [...'*†‡§'],
  thaiLetters: [...'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'],
};
/** The sign of 1, and how many there are: behind them come plain digits. */
const signs: Readonly<Record<string, readonly [first: string, count: number]>> = {
  decimalEnclosedCircle: ['①', 20],
  decimalEnclosedCircleChinese: ['①', 10],
  decimalEnclosedFullstop: ['⒈', 20],
  decimalEnclosedParen: ['⑴', 20],
  ideographEnclosedCircle: ['㈠', 10],
};
/** Digits, and the signs of 10, 100, 1,000 and 10,000; whether a 1 stands before the first three. */
const counting: Readonly<Record<string, readonly [digits: string, units: string, hasOne: boolean]>> = {
  japaneseCounting: ['〇一二三四五六七八九', '十百千万', false],
  japaneseLegal: ['〇壱弐参四伍六七八九', '拾百阡萬', true],
};
/** Custom formats of lists that LibreOffice knows. */
export const nativeZeros: readonly string[] = [
  '001, 002, 003, ...',
  '0001, 0002, 0003, ...',
  '00001, 00002, 00003, ...',
];
/** Formats of which LibreOffice writes the numbers up to this one as Word does. */
const known: ReadonlyMap<string, number> = new Map([
  ['ideographDigital', 9],
  ['japaneseLegal', 9],
  ['japaneseCounting', 99],
  ['chineseCounting', 99],
  ['taiwaneseCounting', 99],
  ['decimalEnclosedCircle', 20],
  ['decimalEnclosedCircleChinese', 10],
  ['hebrew2', 22],
  ['russianLower', 29],
  ['russianUpper', 29],
  ['arabicAlpha', 27],
  ['hindiVowels', 20],
  ['thaiLetters', 32],
  ...['chicago', 'decimalZero', ...nativeZeros].map((format) => [format, Number.MAX_SAFE_INTEGER] as const),
]);
/** Longest description of a custom format that is read: each number of a list reads it. */
const MAX_DESCRIPTION = 255;
/** A custom format of digits behind zeros. */
const ZEROS = /^(0*)1(?:, \1[2],.*|, \.{3})?$/;
/** The format that Word has and nobody describes. */
const UNKNOWN = 'hindiCounting';
const STEMS = '甲乙丙丁戊己庚辛壬癸';
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥';
const HEBREW = 'אבגדהוזחטיכלמנסעפצקרשת';
const VIETNAMESE = ['không', 'một', 'hai', 'ba', 'bốn', 'năm', 'sáu', 'bảy', 'tám', 'chín'];
const THAI = ['ศูนย์', 'หนึ่ง', 'สอง', 'สาม', 'สี่', 'ห้า', 'หก', 'เจ็ด', 'แปด', 'เก้า'];

/** All formats in which some number is another one. */
export const otherFormats: ReadonlySet<string> = new Set([
  ...[digits, letters, signs, counting].flatMap((each) => Object.keys(each)),
  ...['hex', 'numberInDash', 'ideographZodiacTraditional', 'hebrew2', 'vietnameseCounting', 'thaiCounting'],
]);

/** Formats that LibreOffice gives other formats, from 1 on. */
export const lackingFormats: ReadonlySet<string> = new Set(
  [...otherFormats].filter((format) => !known.has(format) && format !== 'arabicAbjad'),
);
/** Formats as fields call them. */
const fieldFormats: ReadonlyMap<string, string> = new Map([
  ['', 'Arabic'],
  ['decimal', 'Arabic'],
  ['lowerRoman', 'roman'],
  ['upperRoman', 'ROMAN'],
  ['lowerLetter', 'alphabetic'],
  ['upperLetter', 'ALPHABETIC'],
]);

/**
 * Formats by the text that describes them as custom ones, their first three numbers ([MS-DOCX], 2.4). What East Asian formats begin
 * with alike is not one of them.
 */
const described = new Map(
  ['decimalZero', ...fieldFormats.keys(), ...otherFormats]
    .filter((format) => format !== '')
    .toReversed()
    .map((format) => [`${[1, 2, 3].map((number) => writtenNumber(number, format)).join(', ')}, ...`, format]),
);
described.delete('一, 二, 三, ...');

/**
 * A format by its attributes (ISO/IEC 29500-1, 17.9.17): its name, or the description of a custom one without a name.
 *
 * @param value its name, or `custom`.
 */
export function numberFormat(value: string, description: string | undefined): string {
  if (value !== 'custom' || description === undefined) return value;
  const read = description.slice(0, MAX_DESCRIPTION);
  return described.get(read) ?? read;
}

/** Whether nobody knows how Word writes a number in a format: it gets digits. @param format see {@link numberFormat}. */
export function isUnwritten(value: number, format: string): boolean {
  if (otherFormats.has(format)) return listNumberText(value, format) === undefined && isOther(value, format);
  return format === UNKNOWN || (!/^\w*$/.test(format) && !ZEROS.test(format));
}

function isOther(value: number, format: string): boolean {
  return value > (known.get(format) ?? 0);
}

/**
 * A number in a format of lists.
 *
 * @returns undefined where LibreOffice writes it as Word does, and where it is not known how Word does.
 */
export function listNumberText(value: number, format: string): string | undefined {
  return isOther(value, format) ? otherText(value, format) : undefined;
}

/** A number in any of these formats, or a usual one; undefined in others. */
export function writtenNumber(value: number, format: string): string | undefined {
  const name = fieldFormats.get(format);
  return name === undefined ? otherText(value, format) : numberText(value, name);
}

function otherText(value: number, format: string): string | undefined {
  if (value < 1) return undefined;
  const zeros = format === 'decimalZero' ? '0' : ZEROS.exec(format)?.[1];
  if (zeros !== undefined) return String(value).padStart(zeros.length + 1, '0');
  const repeated = letters[format];
  if (repeated) return repeatedLetter(value, repeated);
  const sign = signs[format];
  if (sign) return value > sign[1] ? String(value) : behind(sign[0], value - 1);
  // Up to here, the same as in Japanese.
  const isSmall = !isOther(value, format) && format.endsWith('eseCounting');
  const count = counting[isSmall ? 'japaneseCounting' : format];
  if (count) return counted(value, ...count);
  const zero = digits[format];
  if (zero !== undefined) return String(value).replace(/\d/g, (digit) => zero.charAt(Number(digit)));
  switch (format) {
    case 'hex':
      return numberText(value, 'Hex');
    case 'numberInDash':
      return numberText(value, 'ArabicDash');
    case 'ideographZodiacTraditional':
      return STEMS.charAt((value - 1) % STEMS.length) + BRANCHES.charAt((value - 1) % BRANCHES.length);
    case 'hebrew2':
      return hebrewLetter(value);
    case 'vietnameseCounting':
      return value < 100 ? vietnamese(value) : undefined;
    case 'thaiCounting':
      return value < 100 ? thai(value) : undefined;
    default:
      return undefined;
  }
}

/** A sign that is so many places behind another one. */
function behind(first: string, places: number): string {
  return String.fromCodePoint((first.codePointAt(0) ?? 0) + places);
}

function repeatedLetter(value: number, from: readonly string[]): string | undefined {
  const count = Math.ceil(value / from.length);
  return count > MAX_REPEATED ? undefined : from[(value - 1) % from.length]?.repeat(count);
}

/** Behind the last letter, each time through the alphabet adds that one in front. */
function hebrewLetter(value: number): string | undefined {
  const times = Math.floor((value - 1) / HEBREW.length);
  return times > MAX_REPEATED ? undefined : 'ת'.repeat(times) + HEBREW.charAt((value - 1) % HEBREW.length);
}

/** Digits with the signs of their places, without zeros. */
function counted(value: number, digit: string, units: string, hasOne: boolean): string {
  const myriads = Math.floor(value / 10_000);
  const parts = [1_000, 100, 10, 1].map((worth, at) => {
    const number = Math.floor(value / worth) % 10;
    if (number === 0) return '';
    const unit = units.charAt(2 - at);
    return (number === 1 && unit !== '' && !hasOne ? '' : digit.charAt(number)) + unit;
  });
  const above = myriads > 0 ? counted(myriads, digit, units, hasOne) + units.charAt(3) : '';
  return above + parts.join('');
}

function vietnamese(value: number): string {
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  const word = VIETNAMESE[ones] ?? '';
  if (tens === 0) return word;
  const last = ones === 5 ? 'lăm' : ones === 1 && tens > 1 ? 'mốt' : word;
  return `${tens === 1 ? 'mười' : `${VIETNAMESE[tens]} mươi`}${ones === 0 ? '' : ` ${last}`}`;
}

function thai(value: number): string {
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : tens === 2 ? 'ยี่' : THAI[tens]}สิบ`;
  return ten + (ones === 0 ? '' : ones === 1 && tens > 0 ? 'เอ็ด' : THAI[ones]);
}
