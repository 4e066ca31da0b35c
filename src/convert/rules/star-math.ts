/**
 * StarMath, the language of LibreOffice's formulas. LibreOffice takes the text of a formula in a document for StarMath, so that
 * some signs and words are commands. Here text becomes StarMath that shows it.
 */

/** Shows nothing, and stands where an operand or an argument is missing. */
export const NOTHING = '""';

/** `operator`: needs operands on both sides. `sign`: needs one behind it. */
export interface Term {
  readonly kind: 'operand' | 'operator' | 'sign';
  readonly source: string;
}

/** How text of a formula is shown. */
export interface TextLook {
  /** Ordinary text, not mathematics. */
  readonly isText: boolean;
  readonly isUpright: boolean;
  readonly isBold: boolean;
  readonly isDoubleStruck: boolean;
  /** The name of a function, with what it is applied to behind it. */
  readonly isFunction: boolean;
}

const OPERATORS = '=<>*/';
const SIGNS = '+-';
/** LibreOffice itself makes these plain signs, but not within quotation marks. */
const BRACKETS = '(){}';
/** The signs that mean what they are. */
const PLAIN = "!$',.:;?@";
const FUNCTIONS = /^(?:ar(?:c(?:cos|cot|sin|tan)|cosh|coth|sinh|tanh)|(?:cos|cot|sin|tan)h?|exp|ln|log|lim)$/;
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['"', '"\\""'],
  ['\\', '∖'],
]);
/** As signs on their own look. */
const SYMBOLS: Readonly<Record<string, string>> = { '-': '−', '*': '∗' };
const DOUBLE_STRUCK: Readonly<Record<string, string>> = {
  ...{ C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
};
const TOKENS = /\.?[0-9]+(?:[.,][0-9]+)*|\p{L}[\p{L}\p{M}]*|\S/gu;
const TEXT_TOKENS = /[(){}"\\]|[^(){}"\\]+/g;

/** The text as what it is. */
export function termsOf(text: string, look: TextLook): Term[] {
  const tokens = text.match(look.isText ? TEXT_TOKENS : TOKENS) ?? [];
  return tokens.map((token) =>
    look.isText ? operand(unquotable(token) ?? quoted(token.replace(/\s/g, ' '))) : termOf(token, look),
  );
}

/** Operators that have no operands at all are signs like others. */
export function alone({ kind, source }: Term): string {
  return kind === 'operand' ? source : quoted(SYMBOLS[source] ?? source);
}

/** A sign that is no operator, in an attribute: there, LibreOffice changes no brackets. */
export function signOf(sign: string): string {
  return OTHERS.get(sign) ?? quoted(sign);
}

function quoted(text: string): string {
  return `"${text}"`;
}

/** @param token a word, a number or a sign. */
function termOf(token: string, look: TextLook): Term {
  const sign = asciiSigns.get(token);
  if (sign) return sign;
  if (/^\p{L}/u.test(token)) return operand(wordOf(token, look));
  return operand(look.isBold && /[0-9]$/.test(token) ? `bold ${token}` : token);
}

function termOfSign(sign: string): Term {
  if (OPERATORS.includes(sign)) return { kind: 'operator', source: sign };
  if (SIGNS.includes(sign)) return { kind: 'sign', source: sign };
  return operand(unquotable(sign) ?? (PLAIN.includes(sign) ? sign : quoted(sign)));
}

/** Most signs are among them; no look changes one. */
const asciiSigns: ReadonlyMap<string, Term> = new Map(
  Array.from({ length: 0x7f }, (_, code) => String.fromCodePoint(code))
    .filter((sign) => /[^\sA-Za-z0-9]/.test(sign))
    .map((sign) => [sign, termOfSign(sign)]),
);

function operand(source: string): Term {
  return { kind: 'operand', source };
}

/** How a sign is written that cannot stand in quotation marks; undefined for others. */
function unquotable(token: string): string | undefined {
  if (!BRACKETS.includes(token)) return OTHERS.get(token);
  // LibreOffice takes `{}` for an empty argument, even where the former is a sign.
  return token === '{' ? `${token} ${NOTHING}` : token;
}

/** A word may be a command, so only single letters are without quotation marks. */
function wordOf(word: string, { isUpright, isBold, isDoubleStruck, isFunction }: TextLook): string {
  if (isFunction && FUNCTIONS.test(word)) return word;
  const bold = isBold ? 'bold ' : '';
  if (isDoubleStruck) return bold + [...word].map((letter) => DOUBLE_STRUCK[letter] ?? letter).join(' ');
  if (isUpright) return bold + quoted(word);
  return bold + ([...word].length === 1 ? word : `italic ${quoted(word)}`);
}
