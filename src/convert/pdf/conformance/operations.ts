/** Operators and operands of a content stream (ISO 32000-1, 7.8.2). */
import { Parser, ShownText, Word } from '../objects/parser.ts';
import type { Dictionary, Value } from '../objects/values.ts';

export interface Operation {
  readonly operator: string;
  /** Of an inline image (`BI`), only its dictionary. */
  readonly operands: readonly Value[];
  /** Of `TJ`, in place of its operands, until the next operation: what it shows, if that is no other array. */
  readonly shown?: ShownText;
}

/** Most operands that are kept of an operator: more than any takes. */
const MAX_OPERANDS = 64;
const INLINE_DATA_END = /[\n\r ]EI(?=[\0\t\n\f\r ]|$)/g;

/** Reads them in linear time. */
export class OperationReader {
  readonly #content: Buffer;
  readonly #parser: Parser;
  readonly #shown = new ShownText();
  /** For the ends of inline images. */
  #text: string | undefined;

  constructor(content: Buffer) {
    this.#content = content;
    this.#parser = new Parser(content, { hasReferences: false });
  }

  /** The next one; undefined at the end. @throws Error if the content is no such stream. */
  next(): Operation | undefined {
    const start = this.#parser.at;
    if (this.#parser.shown(this.#shown)) {
      const operator = this.#parser.next();
      if (operator instanceof Word && operator.text === 'TJ')
        return { operator: 'TJ', operands: [], shown: this.#shown };
      this.#parser.at = start;
    }
    const operands: Value[] = [];
    for (;;) {
      const token = this.#parser.next();
      if (token === undefined) return undefined;
      if (token instanceof Word) {
        if (token.text !== 'BI') return { operator: token.text, operands };
        this.#text ??= this.#content.toString('latin1');
        return { operator: token.text, operands: [inlineImage(this.#parser, this.#text)] };
      }
      if (operands.length === MAX_OPERANDS) throw new Error('an operator has too many operands');
      operands.push(token);
    }
  }
}

/** From behind `BI` to behind `EI`. */
function inlineImage(parser: Parser, text: string): Dictionary {
  const dictionary: Record<string, Value> = {};
  for (;;) {
    const key = parser.next();
    if (key instanceof Word && key.text === 'ID') break;
    if (typeof key !== 'string') throw new Error('an inline image has no data');
    dictionary[key] = parser.value();
  }
  INLINE_DATA_END.lastIndex = parser.at;
  if (!INLINE_DATA_END.test(text)) throw new Error('an inline image has no end');
  parser.at = INLINE_DATA_END.lastIndex;
  return dictionary;
}
