/**
 * Fields whose result depends on the page that they stand on: `PAGE`, `NUMPAGES`, `SECTION`, `SECTIONPAGES`, and `=` and `IF` over
 * them (ISO/IEC 29500-1, 17.16). A code is the instruction of a field, with each field inside it in braces:
 * `IF {PAGE} = {NUMPAGES} "Sign here" ""`. Of a field that does not depend on the page, they have the stored text: `{"ACME"}`.
 */
import { writtenNumber } from './list-number-texts.ts';
import { casedText, nativeFormats, numberText } from './number-texts.ts';

/** What the fields of a page know. */
export interface PageFacts {
  /** The number of the page, which need not be its index. */
  readonly page: number;
  /** Number of pages of the document. */
  readonly pages: number;
  /** From 1. */
  readonly section: number;
  readonly sectionPages: number;
  /** The format of page numbers in the section (ISO/IEC 29500-1, 17.18.59). */
  readonly format: string;
}

/** Longer than what people write; also bounds the depth of the evaluation. */
export const MAX_CODE = 1_000;
const MAX_DEPTH = 12;

/** The instruction of a field that pagination/page-fields.ts fills in, before its code in base64url and a full stop. */
export const PAGE_FIELD = '_PLATEN.';

const VALUES: Readonly<Record<string, (facts: PageFacts) => number>> = {
  PAGE: ({ page }) => page,
  NUMPAGES: ({ pages }) => pages,
  SECTION: ({ section }) => section,
  SECTIONPAGES: ({ sectionPages }) => sectionPages,
};
const SOME: PageFacts = { page: 2, pages: 5, section: 1, sectionPages: 4, format: 'decimal' };
const PAGE_INSIDE = /\{\s*(?:PAGE|NUMPAGES|SECTION|SECTIONPAGES)\b/i;
const KEEPS_FORMAT = /^(?:MERGE|CHAR)FORMAT$/i;
const COMPARISON = /^(?:<=|>=|<>|=|<|>)/;

/** The kind of a field by its instruction, in capitals; empty if it has none. */
export function kindOf(code: string): string {
  return /^\s*(=|[A-Za-z]+)/.exec(code)?.[1]?.toUpperCase() ?? '';
}

/** The formats that an instruction asks for (`\*`), as written. */
export function formatsIn(code: string): string[] {
  return [...code.matchAll(/\\\*\s*"?([A-Za-z]+)/g)].map(([, format = '']) => format);
}

/** Whether the result of a field may be another on another page. */
export function dependsOnPage(code: string): boolean {
  const kind = kindOf(code);
  return VALUES[kind] !== undefined || ((kind === '=' || kind === 'IF') && PAGE_INSIDE.test(code));
}

/** Whether LibreOffice shows it as Word does on every page. */
function isNative(code: string): boolean {
  const kind = kindOf(code);
  if (kind !== 'PAGE' && kind !== 'NUMPAGES') return false;
  return formatsIn(code).every((format) => nativeFormats.has(format.toLowerCase())) && !code.includes('\\#');
}

/** Whether a field is the number of a page in the format of its section. */
export function isPageNumber(code: string): boolean {
  return kindOf(code) === 'PAGE' && hasNoFormat(code);
}

/** Whether a field is the number of pages, without a format of its own: in digits. */
export function isPageCount(code: string): boolean {
  return kindOf(code) === 'NUMPAGES' && hasNoFormat(code);
}

function hasNoFormat(code: string): boolean {
  return isNative(code) && formatsIn(code).every((format) => KEEPS_FORMAT.test(format));
}

/**
 * Whether a field depends on its page in a way that LibreOffice does not know, and can be worked out.
 *
 * @param hasFormats whether LibreOffice lacks a format in which sections have their numbers.
 * @returns `unknown` if it cannot.
 */
export function pageDependence(code: string, hasFormats = false): 'none' | 'known' | 'unknown' {
  if (isNative(code) && !(hasFormats && isPageNumber(code))) return 'none';
  if (!dependsOnPage(code)) return 'none';
  return evaluate(code, SOME) === undefined ? 'unknown' : 'known';
}

/** The text of a field on a page; undefined if it is not understood. */
export function evaluate(code: string, facts: PageFacts): string | undefined {
  return code.length > MAX_CODE ? undefined : new Evaluation(code, facts).field(0);
}

/** Reads a code from left to right. A part that is not understood makes the whole undefined. */
class Evaluation {
  readonly #code: string;
  readonly #facts: PageFacts;
  #at = 0;

  constructor(code: string, facts: PageFacts) {
    this.#code = code;
    this.#facts = facts;
  }

  /** The field to the end of the code, or to the brace that ends it. */
  field(depth: number): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (this.#code[this.#at] === '"') return this.#operand(depth);
    const kind = this.#word(/\s*(=|[A-Za-z]+)/y)
      .trim()
      .toUpperCase();
    const value = VALUES[kind];
    if (value) {
      const number = value(this.#facts);
      if (kind !== 'PAGE' || depth > 0) return this.#formatted(number);
      const text = writtenNumber(number, this.#facts.format);
      return text === undefined ? undefined : this.#formatted(number, text);
    }
    if (kind === '=') {
      const sum = this.#sum(depth);
      return sum === undefined || !Number.isFinite(sum) ? undefined : this.#formatted(sum);
    }
    return kind === 'IF' ? this.#condition(depth) : undefined;
  }

  /** The switches behind a number, and the number as they have it. */
  #formatted(value: number, written = String(Math.round(value * 1e9) / 1e9)): string | undefined {
    let text = written;
    for (;;) {
      this.#word(/\s*/y);
      if (this.#isAtEnd()) return text;
      const format = /\s*\\\*\s*"?([A-Za-z]+)"?/y;
      const name = this.#group(format);
      if (name === undefined) return undefined;
      const other = KEEPS_FORMAT.test(name) ? text : (casedText(text, name) ?? numberText(value, name));
      if (other === undefined) return undefined;
      text = other;
    }
  }

  #isAtEnd(): boolean {
    return this.#at >= this.#code.length || this.#code[this.#at] === '}';
  }

  #sum(depth: number): number | undefined {
    let sum = this.#product(depth);
    for (;;) {
      const sign = this.#word(/\s*[+-]/y).trim();
      if (sum === undefined || sign === '') return sum;
      const next = this.#product(depth);
      sum = next === undefined ? undefined : sign === '+' ? sum + next : sum - next;
    }
  }

  #product(depth: number): number | undefined {
    let product = this.#factor(depth);
    for (;;) {
      const sign = this.#word(/\s*[*/]/y).trim();
      if (product === undefined || sign === '') return product;
      const next = this.#factor(depth);
      product = next === undefined ? undefined : sign === '*' ? product * next : product / next;
    }
  }

  #factor(depth: number): number | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (this.#word(/\s*-/y) !== '') return negative(this.#factor(depth + 1));
    if (this.#word(/\s*\(/y) !== '') {
      const inner = this.#sum(depth + 1);
      return this.#word(/\s*\)/y) === '' ? undefined : inner;
    }
    const call = this.#group(/\s*(MOD|INT|ABS|ROUND)\s*\(/iy)?.toUpperCase();
    if (call !== undefined) return this.#call(call, depth + 1);
    this.#word(/\s*/y);
    if (this.#code[this.#at] === '{') return numeric(this.#braces(depth));
    const number = this.#word(/\s*\d+(?:\.\d+)?/y);
    return number === '' ? undefined : Number(number);
  }

  #call(name: string, depth: number): number | undefined {
    const first = this.#sum(depth);
    const second = this.#word(/\s*[,;]/y) === '' ? undefined : this.#sum(depth);
    if (this.#word(/\s*\)/y) === '' || first === undefined) return undefined;
    if (name === 'INT') return Math.floor(first);
    if (name === 'ABS') return Math.abs(first);
    if (second === undefined) return undefined;
    if (name === 'MOD') return first - second * Math.floor(first / second);
    const unit = 10 ** second;
    return Math.round(first * unit) / unit;
  }

  #condition(depth: number): string | undefined {
    const left = this.#operand(depth);
    this.#word(/\s*/y);
    const comparison = COMPARISON.exec(this.#code.slice(this.#at, this.#at + 2))?.[0];
    if (left === undefined || comparison === undefined) return undefined;
    this.#at += comparison.length;
    const right = this.#operand(depth);
    if (right === undefined) return undefined;
    const yes = this.#operand(depth);
    this.#word(/\s*/y);
    const hasOther = !this.#isAtEnd() && this.#code[this.#at] !== '\\';
    const no = hasOther ? this.#operand(depth) : '';
    while (this.#word(/\s*\\\*\s*(?:MERGEFORMAT|CHARFORMAT)/iy) !== '');
    this.#word(/\s*/y);
    if (yes === undefined || no === undefined || !this.#isAtEnd()) return undefined;
    return holds(left, comparison, right) ? yes : no;
  }

  /** A text in quotation marks, a field, or a word. */
  #operand(depth: number): string | undefined {
    this.#word(/\s*/y);
    const first = this.#code[this.#at] ?? '';
    if (first === '{') return this.#braces(depth);
    if (!/["“”„]/.test(first)) return this.#word(/[^\s<>="“”„{}\\]+/y) || undefined;
    this.#at += 1;
    let text = '';
    for (;;) {
      text += this.#word(/[^"“”„{}\\]+/y);
      const next = this.#code[this.#at];
      if (next === undefined || next === '}') return undefined;
      if (next === '{') {
        const inner = this.#braces(depth);
        if (inner === undefined) return undefined;
        text += inner;
      } else {
        this.#at += 1;
        if (next !== '\\') return text;
        text += this.#code[this.#at] ?? '';
        this.#at += 1;
      }
    }
  }

  #braces(depth: number): string | undefined {
    this.#at += 1;
    const text = this.field(depth + 1);
    if (text === undefined || this.#code[this.#at] !== '}') return undefined;
    this.#at += 1;
    return text;
  }

  #word(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#code)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #group(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#code);
    if (found) this.#at += found[0].length;
    return found?.[1];
  }
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

/** The number that a text is; undefined if it is none. */
function numeric(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** Compares numbers as such, and all else as text. */
function holds(left: string, comparison: string, right: string): boolean {
  const [one, other] = [numeric(left), numeric(right)];
  const order =
    one !== undefined && other !== undefined
      ? Math.sign(one - other)
      : left === right
        ? 0
        : left < right
          ? -1
          : 1;
  switch (comparison) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    default:
      return order >= 0;
  }
}
