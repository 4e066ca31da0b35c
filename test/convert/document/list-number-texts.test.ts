/** Numbers of lists as Word writes them. */
import t from 'tap';
import {
  isUnwritten,
  listNumberText,
  numberFormat,
  otherFormats,
  writtenNumber,
} from '../../../src/convert/document/list-number-texts.ts';

t.test('numbers in formats that LibreOffice writes otherwise', async (t) => {
  const texts: Readonly<Record<string, readonly (readonly [number, string | undefined])[]>> = {
    decimalEnclosedParen: [
      [1, '⑴'],
      [20, '⒇'],
      [21, '21'],
    ],
    decimalEnclosedFullstop: [[2, '⒉']],
    decimalEnclosedCircle: [
      [20, undefined],
      [21, '21'],
    ],
    decimalEnclosedCircleChinese: [[11, '11']],
    ideographEnclosedCircle: [
      [10, '㈩'],
      [11, '11'],
    ],
    numberInDash: [[3, '- 3 -']],
    hex: [[26, '1A']],
    decimalFullWidth: [[10, '１０']],
    decimalFullWidth2: [[10, '１０']],
    thaiNumbers: [[25, '๒๕']],
    hindiNumbers: [[10, '१०']],
    ideographDigital: [
      [9, undefined],
      [10, '一〇'],
    ],
    japaneseDigitalTenThousand: [[10, '一〇']],
    taiwaneseDigital: [[105, '一○五']],
    chineseCounting: [
      [99, undefined],
      [105, '一○五'],
    ],
    taiwaneseCounting: [[100, '一○○']],
    japaneseCounting: [
      [99, undefined],
      [101, '百一'],
      [1_110, '千百十'],
      [12_000, '一万二千'],
    ],
    japaneseLegal: [[2_110, '弐阡壱百壱拾']],
    ideographZodiacTraditional: [
      [1, '甲子'],
      [60, '癸亥'],
      [61, '甲子'],
    ],
    hebrew2: [
      [22, undefined],
      [23, 'תא'],
      [1_000, undefined],
    ],
    russianLower: [
      [29, undefined],
      [31, 'бб'],
    ],
    russianUpper: [[59, 'ААА']],
    arabicAlpha: [[28, 'ي']],
    arabicAbjad: [[1, 'أ']],
    hindiConsonants: [
      [1, 'अ'],
      [18, 'अः'],
      [36, 'अःअः'],
      [541, undefined],
    ],
    hindiVowels: [[21, 'ऩ']],
    thaiLetters: [[42, 'กก']],
    vietnameseCounting: [
      [5, 'năm'],
      [10, 'mười'],
      [15, 'mười lăm'],
      [21, 'hai mươi mốt'],
      [100, undefined],
    ],
    thaiCounting: [
      [1, 'หนึ่ง'],
      [11, 'สิบเอ็ด'],
      [20, 'ยี่สิบ'],
      [45, 'สี่สิบห้า'],
      [100, undefined],
    ],
    decimal: [[1, undefined]],
  };
  for (const [format, expected] of Object.entries(texts)) {
    for (const [value, text] of expected) t.equal(listNumberText(value, format), text, `${format} ${value}`);
    t.equal(listNumberText(0, format), undefined);
    t.equal(otherFormats.has(format), format !== 'decimal', format);
  }
});

t.test('custom formats', async (t) => {
  t.equal(numberFormat('upperRoman', 'a, b, c, ...'), 'upperRoman', 'is none');
  t.equal(numberFormat('custom', undefined), 'custom');
  for (const [description, name] of [
    ['1, 2, 3, ...', 'decimal'],
    ['01, 02, 03, ...', 'decimalZero'],
    ['I, II, III, ...', 'upperRoman'],
    ['①, ②, ③, ...', 'decimalEnclosedCircle'],
    ['１, ２, ３, ...', 'decimalFullWidth'],
    ['क, ख, ग, ...', 'hindiVowels'],
    ['*, †, ‡, ...', 'chicago'],
  ] as const)
    t.equal(numberFormat('custom', description), name, description);
  for (const unknown of ['一, 二, 三, ...', 'α, β, γ, ...', '001, 002, 003, ...'])
    t.equal(numberFormat('custom', unknown), unknown);
  t.equal(listNumberText(7, '001, 002, 003, ...'), undefined, 'LibreOffice knows up to four zeros');
  t.equal(writtenNumber(7, '001, 002, 003, ...'), '007');
  for (const zeros of ['000001, 000002, 000003, ...', '000001, ...', '000001'])
    t.equal(listNumberText(7, zeros), '000007', zeros);
  t.equal(numberFormat('custom', '0'.repeat(1_000_000)).length, 255, 'each number reads the description');
});

t.test('numbers that nobody can write', async (t) => {
  for (const format of ['α, β, γ, ...', '001, 2, 3, ...', '1, A, B, ...', 'hindiCounting'])
    t.ok(isUnwritten(1, format), format);
  for (const format of ['decimal', 'ganada', 'custom', '0001, 0002, 0003, ...', 'hex', 'japaneseCounting'])
    t.notOk(isUnwritten(1, format), format);
  t.notOk(isUnwritten(99, 'thaiCounting'));
  t.ok(isUnwritten(100, 'thaiCounting'));
});
