/**
 * Fields that count themselves: `SEQ`, `LISTNUM` and `AUTONUM` (ISO/IEC 29500-1, 17.16.5.53, .31 and .4). Word stores no result of
 * the latter two, and programs often write sequences without one.
 */
import { numberText } from '../document/number-texts.ts';
import { formatsIn } from '../document/page-expressions.ts';

/** Different sequences, and headings that reset them; more are not counted. */
const MAX_SEQUENCES = 1_000;

/** The levels of Word's list `NumberDefault`. */
const LEVELS: readonly ((number: number) => string)[] = [
  (number) => `${number})`,
  (number) => `${inFormat(number, 'alphabetic')})`,
  (number) => `${inFormat(number, 'roman')})`,
  (number) => `(${number})`,
  (number) => `(${inFormat(number, 'alphabetic')})`,
  (number) => `(${inFormat(number, 'roman')})`,
  (number) => `${number}.`,
  (number) => `${inFormat(number, 'alphabetic')}.`,
  (number) => `${inFormat(number, 'roman')}.`,
];

interface Sequence {
  number: number;
  /** Number of headings, by level, when it was counted last. */
  headings: readonly number[];
}

/** What is known of a field that is counted. */
interface Counted {
  readonly result: 'none' | 'empty' | 'some';
  readonly resultText: string;
  readonly dirty: boolean;
}

/** Gets paragraphs and fields in the order of the part. */
export class FieldCounts {
  readonly #levelOf: (style: string) => number | undefined;
  readonly #sequences = new Map<string, Sequence>();
  readonly #headings: number[] = Array.from({ length: 10 }, () => 0);
  readonly #list: number[] = [];
  #automatic = 0;
  #level: number | undefined;
  #isNumbered = false;
  #listNumbers = 0;

  /** @param levelOf the level of a heading style, from 1; undefined for other styles. */
  constructor(levelOf: (style: string) => number | undefined) {
    this.#levelOf = levelOf;
  }

  beginParagraph(): void {
    [this.#level, this.#isNumbered, this.#listNumbers] = [undefined, false, 0];
  }

  /** The paragraph has this style. */
  style(style: string): void {
    this.#level = this.#levelOf(style);
    for (let level = this.#level ?? 10; level < 10; level += 1)
      this.#headings[level] = (this.#headings[level] ?? 0) + 1;
  }

  /** The paragraph has a number of its own. */
  numbered(): void {
    this.#isNumbered = true;
  }

  /** The number of a sequence, and its text if its stored one is not right; undefined for what is no sequence. */
  sequence(
    code: string,
    { result, resultText, dirty }: Counted,
  ): { readonly number: number; readonly text: string | undefined } | undefined {
    const name = /^\s*SEQ\s+"?([^\s"\\]+)/i.exec(code)?.[1]?.toLowerCase();
    if (name === undefined) return undefined;
    const known = this.#sequences.get(name);
    const level = Number(/\\s\s*"?(\d)/i.exec(code)?.[1] ?? 0);
    const isReset = known !== undefined && known.headings[level] !== this.#headings[level] && level > 0;
    const before = isReset ? 0 : (known?.number ?? 0);
    const restart = /\\r\s*"?(\d{1,9})/i.exec(code)?.[1];
    const next = restart !== undefined ? Number(restart) : /\\c\b/i.test(code) ? before : before + 1;
    const isStored = result === 'some' && !dirty;
    const number = isStored && /^\s*\d{1,9}\s*$/.test(resultText) ? Number(resultText) : next;
    if (known || this.#sequences.size < MAX_SEQUENCES)
      this.#sequences.set(name, { number, headings: [...this.#headings] });
    const formats = formatsIn(code).filter((each) => !/^(?:MERGE|CHAR)FORMAT$/i.test(each));
    const isHidden = /\\h\b/i.test(code) && formats.length === 0;
    if (isHidden) return undefined;
    const text = isStored ? undefined : (numberText(number, formats[0] ?? '') ?? String(number));
    return { number, text };
  }

  /** The text of a list number without a result; undefined if it depends on a list that only Word knows. */
  listNumber(kind: string, code: string): string | undefined {
    if (kind === 'AUTONUMOUT' || this.#level !== undefined) return undefined;
    if (kind !== 'LISTNUM') {
      this.#automatic += 1;
      const separator = /\\s\s*"?([^\s"\\])/i.exec(code)?.[1] ?? '.';
      const format = formatsIn(code)[0] ?? '';
      return `${numberText(this.#automatic, format) ?? this.#automatic}${/\\e\b/i.test(code) ? '' : separator}`;
    }
    this.#listNumbers += 1;
    const rest = code.replace(/^\s*LISTNUM\s*/i, '');
    const hasList = !/^(?:\\|$|"?NumberDefault)/i.test(rest);
    const level = /\\l\s*"?([1-9])/i.exec(code)?.[1];
    if (hasList || this.#isNumbered || (level === undefined && this.#listNumbers > 1)) return undefined;
    const index = Number(level ?? 1) - 1;
    const start = /\\s\s*"?(\d{1,9})/i.exec(code)?.[1];
    const number = start === undefined ? (this.#list[index] ?? 0) + 1 : Number(start);
    this.#list.length = index;
    for (let above = 0; above < index; above += 1) this.#list[above] ??= 1;
    this.#list[index] = number;
    return LEVELS[index]?.(number);
  }
}

function inFormat(number: number, format: string): string {
  return numberText(number, format) ?? String(number);
}
