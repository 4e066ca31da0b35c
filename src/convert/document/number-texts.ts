/** Numbers as fields write them (`\*` general formatting, ISO/IEC 29500-1, 17.16.4.3). */

/** Longest text in letters, as LibreOffice and Word repeat them. */
const MAX_LETTERS = 30;
const ROMAN: readonly (readonly [number, string])[] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
];
const MAX_ROMAN = 32_767;
const ONES = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
  ...['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
/** Beyond it Word gives an error. */
const MAX_WORDS = 999_999;

/** Formats that LibreOffice applies to page numbers as Word does. */
export const nativeFormats: ReadonlySet<string> = new Set([
  ...['arabic', 'roman', 'alphabetic', 'mergeformat', 'charformat'],
]);

/**
 * A number in a format of fields, by its name as written: `roman` and `ROMAN` differ. Words are English.
 *
 * @returns undefined for a format or number that is not known.
 */
export function numberText(value: number, format: string): string | undefined {
  const isUpper = /^[A-Z]/.test(format);
  switch (format.toLowerCase()) {
    case '':
    case 'arabic':
    case 'mergeformat':
    case 'charformat':
      return String(value);
    case 'roman':
      return cased(roman(value), isUpper);
    case 'alphabetic':
      return cased(letters(value), isUpper);
    case 'arabicdash':
      return `- ${value} -`;
    case 'ordinal':
      return Number.isInteger(value) ? `${value}${suffix(value)}` : undefined;
    case 'cardtext':
      return words(value);
    case 'ordtext':
      return ordinalWords(words(value));
    case 'hex':
      return Number.isInteger(value) && value >= 0 ? value.toString(16).toUpperCase() : undefined;
    default:
      return undefined;
  }
}

/** A text in a case that a field asks for; undefined for another format. */
export function casedText(text: string, format: string): string | undefined {
  switch (format.toLowerCase()) {
    case 'upper':
      return text.toUpperCase();
    case 'lower':
      return text.toLowerCase();
    case 'firstcap':
      return text.replace(/\p{L}/u, (letter) => letter.toUpperCase());
    case 'caps':
      return text.replace(/(?<![\p{L}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase());
    default:
      return undefined;
  }
}

function cased(text: string | undefined, isUpper: boolean): string | undefined {
  return isUpper ? text?.toUpperCase() : text;
}

function roman(value: number): string | undefined {
  if (!Number.isInteger(value) || value < 1 || value > MAX_ROMAN) return undefined;
  let [left, text] = [value, ''];
  for (const [worth, sign] of ROMAN) {
    text += sign.repeat(Math.floor(left / worth));
    left %= worth;
  }
  return text;
}

/** a to z, then aa to zz. */
function letters(value: number): string | undefined {
  const count = Math.ceil(value / 26);
  if (!Number.isInteger(value) || value < 1 || count > MAX_LETTERS) return undefined;
  return String.fromCharCode('a'.charCodeAt(0) + ((value - 1) % 26)).repeat(count);
}

function suffix(value: number): string {
  const tens = Math.abs(value) % 100;
  if (tens > 10 && tens < 14) return 'th';
  return ['th', 'st', 'nd', 'rd'][Math.abs(value) % 10] ?? 'th';
}

function words(value: number): string | undefined {
  if (!Number.isInteger(value) || value < 0 || value > MAX_WORDS) return undefined;
  if (value < 20) return ONES[value];
  if (value < 100) {
    const rest = value % 10;
    return `${TENS[Math.floor(value / 10)]}${rest === 0 ? '' : `-${ONES[rest]}`}`;
  }
  const unit = value < 1_000 ? 100 : 1_000;
  const rest = value % unit;
  const name = unit === 100 ? 'hundred' : 'thousand';
  return `${words(Math.floor(value / unit))} ${name}${rest === 0 ? '' : ` ${words(rest)}`}`;
}

function ordinalWords(cardinal: string | undefined): string | undefined {
  return cardinal?.replace(/[a-z]+$/, (last) => {
    if (ORDINALS[last] !== undefined) return ORDINALS[last];
    return last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`;
  });
}
