/**
 * Equations in fields (`EQ`, ISO/IEC 29500-1, 17.16.5.14), of which Word stores no result. LibreOffice draws phonetic guides and
 * combined characters of them. Of the others, what the text of a document needs becomes a formula or runs: fractions, roots, boxes,
 * brackets, lists, raised and lowered text, and circled numbers.
 */
const MATH = 'http://schemas.openxmlformats.org/officeDocument/2006/math';
/** Parts inside parts. */
const MAX_DEPTH = 8;
const CIRCLED = 0x2460;
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text, or a part with its options and arguments. */
type Part = string | { readonly name: string; readonly options: string; readonly args: readonly Part[][] };

/**
 * What is shown in the place of an equation: runs and formulas.
 *
 * @param prefix of WordprocessingML.
 * @param properties of its runs, as written.
 * @param math the prefix of formulas: formulas.ts looks for that of the part.
 * @returns `native` if LibreOffice draws it; undefined if nobody does.
 */
export function equationMarkup(
  code: string,
  prefix: string,
  properties: string,
  math: string,
): 'native' | string | undefined {
  const text = code.trim().replace(/^EQ\s*/i, '');
  if (/^\\\*\s*jc/i.test(text) || /^\\o\s*\\ad\s*\(/i.test(text)) return 'native';
  const parts = new EquationReader(text).read();
  return parts && new EquationWriter(prefix, properties, math).runs(parts, '');
}

class EquationReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.trim();
  }

  /** @returns undefined if it is not understood. */
  read(): Part[] | undefined {
    const parts = this.#parts(0);
    return parts && this.#at >= this.#text.length ? parts : undefined;
  }

  /** To the end, or to a separator or bracket. */
  #parts(depth: number): Part[] | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const parts: Part[] = [];
    let [text, open] = ['', 0];
    const end = () => {
      if (text !== '') parts.push(text);
      text = '';
    };
    for (; this.#at < this.#text.length; ) {
      const letter = this.#text[this.#at] ?? '';
      if (letter === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        if (/[,;()\\]/.test(next)) {
          text += next;
          this.#at += 2;
          continue;
        }
        end();
        const part = this.#part(depth);
        if (part === undefined) return undefined;
        parts.push(part);
        continue;
      }
      if (depth > 0 && open === 0 && /[,;)]/.test(letter)) break;
      if (letter === '(') open += 1;
      else if (letter === ')') open -= 1;
      text += letter;
      this.#at += 1;
    }
    end();
    return parts;
  }

  #part(depth: number): Part | undefined {
    const head = /\\([a-z])((?:\s*\\(?:[a-z]{2})(?:\s*\\[^a-z]|[^\S(]*-?\d+)?)*)\s*\(/iy;
    head.lastIndex = this.#at;
    const found = head.exec(this.#text);
    if (!found) return undefined;
    this.#at += found[0].length;
    const args: Part[][] = [];
    for (;;) {
      const arg = this.#parts(depth + 1);
      if (!arg) return undefined;
      args.push(arg);
      const separator = this.#text[this.#at];
      this.#at += 1;
      if (separator === ')') break;
      if (separator === undefined) return undefined;
    }
    return { name: (found[1] ?? '').toLowerCase(), options: found[2] ?? '', args };
  }
}

class EquationWriter {
  readonly #prefix: string;
  readonly #properties: string;
  readonly #math: string;

  constructor(prefix: string, properties: string, math: string) {
    this.#prefix = prefix;
    this.#properties = properties;
    this.#math = math;
  }

  /** @param more properties of these runs. */
  runs(parts: readonly Part[], more: string): string | undefined {
    return joined(parts.map((part) => this.#shown(part, more)));
  }

  #shown(part: Part, more: string): string | undefined {
    const w = this.#prefix;
    if (typeof part === 'string') return this.#run(part, more);
    const { name, options, args } = part;
    const [first = [], second] = args;
    switch (name) {
      case 'f':
      case 'r': {
        const m = this.#math;
        const formula = mathOf(part, m);
        return formula && `<${m}oMath xmlns:${m.slice(0, -1)}="${MATH}">${formula}</${m}oMath>`;
      }
      case 'x': {
        const sides = /\\(to|bo|le|ri)\b/i.test(options);
        const border = `<${w}bdr ${w}val="single" ${w}sz="4" ${w}space="0" ${w}color="auto"/>`;
        return sides || second ? undefined : this.runs(first, more + border);
      }
      case 's': {
        const raised = /^\s*\\(up|do)\s*(\d+)?\s*$/i.exec(options);
        if (!raised || second) return undefined;
        const points = Number(raised[2] ?? 2) * (raised[1]?.toLowerCase() === 'do' ? -1 : 1);
        return this.runs(first, `${more}<${w}position ${w}val="${points * 2}"/>`);
      }
      case 'b': {
        const [left, right] = brackets(options);
        if (left === undefined || right === undefined || second) return undefined;
        return joined([this.#run(left, more), this.runs(first, more), this.#run(right, more)]);
      }
      case 'l':
        return joined(
          args.map((arg, i) => joined([i > 0 ? this.#run(',', more) : '', this.runs(arg, more)])),
        );
      case 'o': {
        const circled = circledText(args);
        return circled === undefined ? undefined : this.#run(circled, more);
      }
      default:
        return undefined;
    }
  }

  #run(text: string, more: string): string {
    const w = this.#prefix;
    if (text === '') return '';
    const own = this.#properties;
    const properties =
      more === ''
        ? own
        : own === ''
          ? `<${w}rPr>${more}</${w}rPr>`
          : own.replace(`</${w}rPr>`, `${more}</${w}rPr>`);
    return `<${w}r>${properties}<${w}t xml:space="preserve">${escaped(text)}</${w}t></${w}r>`;
  }
}

/** A part in a formula; undefined if it cannot be in one. */
function mathOf(part: Part, m: string): string | undefined {
  if (typeof part === 'string') return `<${m}r><${m}t xml:space="preserve">${escaped(part)}</${m}t></${m}r>`;
  const { name, args } = part;
  const [first = [], second] = args.map((arg) => joined(arg.map((each) => mathOf(each, m))));
  if (typeof first !== 'string') return undefined;
  if (name === 'f' && second !== undefined)
    return `<${m}f><${m}num>${first}</${m}num><${m}den>${second}</${m}den></${m}f>`;
  if (name !== 'r') return undefined;
  return args.length > 1
    ? second && `<${m}rad><${m}deg>${first}</${m}deg><${m}e>${second}</${m}e></${m}rad>`
    : `<${m}rad><${m}radPr><${m}degHide ${m}val="1"/></${m}radPr><${m}deg/><${m}e>${first}</${m}e></${m}rad>`;
}

/** A number in a circle, which Unicode has as one character. */
function circledText([frame, inner]: readonly Part[][]): string | undefined {
  const [shape, text] = [frame?.join(''), inner?.join('').trim()];
  if (shape?.trim() !== '○' && shape?.trim() !== '◯') return undefined;
  const number = /^\d{1,2}$/.test(text ?? '') ? Number(text) : 0;
  return number >= 1 && number <= 20 ? String.fromCodePoint(CIRCLED + number - 1) : undefined;
}

/** The brackets around a part: round ones by default. */
function brackets(options: string): readonly [string | undefined, string | undefined] {
  if (options.trim() === '') return ['(', ')'];
  const found = /^\s*\\(bc|lc|rc)\s*\\([^a-z\s])\s*$/i.exec(options);
  if (!found) return [undefined, undefined];
  const sign = found[2] ?? '';
  const other = { '{': '}', '[': ']', '(': ')', '<': '>' }[sign] ?? sign;
  const kind = found[1]?.toLowerCase();
  return kind === 'bc' ? [sign, other] : kind === 'lc' ? [sign, ''] : ['', sign];
}

function joined(pieces: readonly (string | undefined)[]): string | undefined {
  return pieces.includes(undefined) ? undefined : pieces.join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (each) => ESCAPED[each] ?? each);
}
