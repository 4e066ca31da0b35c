/** Operators and operands of a content stream (ISO 32000-1, 7.8.2). */

/** A name starts with `/`; strings are bytes. */
export type Operand = null | boolean | number | string | Buffer | readonly Operand[] | OperandDictionary;
export interface OperandDictionary {
  readonly [key: string]: Operand;
}

export interface Operation {
  readonly operator: string;
  /** Of an inline image (`BI`), only its dictionary. */
  readonly operands: readonly Operand[];
}

const SPACE = /[\0\t\n\f\r ]+/y;
const COMMENT = /%[^\r\n]*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?=[\0\t\n\f\r ()<>[\]{}/%]|$)/y;
const WORD = /[^\0\t\n\f\r ()<>[\]{}/%]+/y;
const NAME = /\/[^\0\t\n\f\r ()<>[\]{}/%]*/y;
const HEXADECIMAL = /<([0-9A-Fa-f\s]*)>/y;
const INLINE_DATA_END = /[\n\r ]EI(?=[\0\t\n\f\r ]|$)/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** @throws Error if the content is no such stream. */
export function* operations(content: Buffer): Iterable<Operation> {
  const reader = new Reader(content.toString('latin1'));
  let operands: Operand[] = [];
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (!('operator' in token)) {
      operands.push(token.operand);
    } else if (token.operator === 'BI') {
      yield { operator: 'BI', operands: [reader.inlineImage()] };
      operands = [];
    } else {
      yield { operator: token.operator, operands };
      operands = [];
    }
  }
}

type Token = { readonly operator: string } | { readonly operand: Operand };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined at the end. */
  next(): Token | undefined {
    while (this.#match(SPACE) || this.#match(COMMENT));
    if (this.#at >= this.#text.length) return undefined;
    const number = this.#match(NUMBER);
    if (number) return { operand: Number(number[0]) };
    const name = this.#match(NAME);
    if (name) return { operand: decodedName(name[0]) };
    if (this.#text.startsWith('<<', this.#at)) return { operand: this.#dictionary() };
    const hexadecimal = this.#match(HEXADECIMAL);
    if (hexadecimal) {
      const digits = (hexadecimal[1] ?? '').replace(/\s/g, '');
      return { operand: Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex') };
    }
    if (this.#text[this.#at] === '(') return { operand: this.#literal() };
    if (this.#text[this.#at] === '[') return { operand: this.#array() };
    const word = this.#match(WORD)?.[0];
    if (word === undefined) throw new Error(`a content stream has "${this.#text[this.#at]}" at ${this.#at}`);
    if (word === 'true' || word === 'false') return { operand: word === 'true' };
    return word === 'null' ? { operand: null } : { operator: word };
  }

  /** From behind `BI` to behind `EI`. */
  inlineImage(): OperandDictionary {
    const entries: Operand[] = [];
    for (let token = this.next(); token !== undefined; token = this.next()) {
      if ('operand' in token) {
        entries.push(token.operand);
        continue;
      }
      if (token.operator !== 'ID') break;
      INLINE_DATA_END.lastIndex = this.#at;
      if (!INLINE_DATA_END.exec(this.#text)) break;
      this.#at = INLINE_DATA_END.lastIndex;
      return pairs(entries);
    }
    throw new Error('an inline image has no end');
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #array(): Operand[] {
    this.#at += 1;
    return this.#until(']');
  }

  #dictionary(): OperandDictionary {
    this.#at += 2;
    return pairs(this.#until('>>'));
  }

  #until(end: string): Operand[] {
    const items: Operand[] = [];
    for (;;) {
      while (this.#match(SPACE) || this.#match(COMMENT));
      if (this.#text.startsWith(end, this.#at)) {
        this.#at += end.length;
        return items;
      }
      const token = this.next();
      if (token === undefined || 'operator' in token) throw new Error(`a content stream lacks ${end}`);
      items.push(token.operand);
    }
  }

  #literal(): Buffer {
    let text = '';
    let depth = 1;
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at] ?? '';
      if (character === '\\') {
        text += this.#escape();
        continue;
      }
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (depth === 0) break;
      text += character;
    }
    this.#at += 1;
    return Buffer.from(text, 'latin1');
  }

  /** Ends on the last character of the escape. */
  #escape(): string {
    this.#at += 1;
    const octal = /[0-7]{1,3}/y;
    octal.lastIndex = this.#at;
    const [digits] = octal.exec(this.#text) ?? [];
    if (digits !== undefined) {
      this.#at += digits.length - 1;
      return String.fromCharCode(Number.parseInt(digits, 8) & 0xff);
    }
    const character = this.#text[this.#at] ?? '';
    if (character === '\r' && this.#text[this.#at + 1] === '\n') this.#at += 1;
    if (character === '\r' || character === '\n') return '';
    return ESCAPES[character] ?? character;
  }
}

function pairs(items: readonly Operand[]): OperandDictionary {
  const dictionary: Record<string, Operand> = {};
  for (let index = 0; index + 1 < items.length; index += 2) {
    dictionary[String(items[index])] = items[index + 1] as Operand;
  }
  return dictionary;
}

function decodedName(name: string): string {
  return name.replace(/#([0-9A-Fa-f]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}
