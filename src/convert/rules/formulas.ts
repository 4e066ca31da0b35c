/**
 * Formulas (ISO/IEC 29500-1, 22.1). LibreOffice before 26.2 takes their text for commands of its own language, so operators without
 * operands, empty arguments, and words and signs that are commands become red question marks. So text is written in that
 * language (star-math.ts), and what is missing is nothing. LibreOffice also gives all formulas 12 points, knows few signs of
 * sums and brackets, puts all limits below and above their sums, and drops phantoms that are shown.
 */
import { isSince } from '../../engine/libreoffice-version.ts';
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import {
  attributeOf,
  isOn,
  type MarkupVisitor,
  mathPrefixOf,
  qualified,
  visitMarkup,
  withoutReferences,
  wordPrefixOf,
} from '../document/markup.ts';
import { editAttributes, renaming, type Tag } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { alone, NOTHING, signOf, type Term, type TextLook, termsOf } from './star-math.ts';

/** From this version on, LibreOffice takes the text of a formula for text. */
const TAKES_TEXT = 26.2;
/** In an argument: LibreOffice nests what they apply to, and gives the document up at about a thousand. More are signs. */
const MOST_OPERATORS = 200;
/** Bytes of text in all formulas of a part: what is beyond stays as it is. Of some 360 real documents, none has more than 2 kB. */
const MOST_TEXT = 1_048_576;
/** LibreOffice's size of formulas, in half points. */
const USUAL_SIZE = 24;
/** Word's sizes of text. */
const [SMALLEST, LARGEST] = [2, 3_276];

const argumentNames = new Set(['oMath', 'e', 'num', 'den', 'sub', 'sup', 'deg', 'lim', 'fName']);
const constructs = new Set([
  ...['acc', 'bar', 'borderBox', 'box', 'd', 'eqArr', 'f', 'func', 'groupChr', 'limLow', 'limUpp', 'm'],
  ...['nary', 'phant', 'rad', 'sPre', 'sSub', 'sSubSup', 'sSup'],
]);
/** LibreOffice's names of the signs of sums and of other operators on many things. */
const sums: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ '∫': 'int', '∬': 'iint', '∭': 'iiint', '∮': 'lint', '∯': 'llint', '∰': 'lllint' },
    ...{ '∏': 'prod', '∐': 'coprod', '∑': 'sum' },
  }),
);
/** Of the default, and of those whose limits stand beside them unless the formula says otherwise. */
const INTEGRAL = '∫';
const INTEGRALS = /^[∫∬∭∮∯∰]$/;
/** The signs of brackets that LibreOffice knows, and its names of others. */
const brackets: ReadonlyMap<string, { readonly known: RegExp; readonly names: ReadonlyMap<string, string> }> =
  new Map(
    Object.entries({
      begChr: {
        known: /^[([{|‖∥⟦⟨\u2329]?$/,
        names: new Map([
          ['⌈', 'left lceil '],
          ['⌊', 'left lfloor '],
          ['\u3008', 'left langle '],
        ]),
      },
      endChr: {
        known: /^[)\]}|‖∥⟧⟩\u232a]?$/,
        names: new Map([
          ['⌉', ' right rceil'],
          ['⌋', ' right rfloor'],
          ['\u3009', ' right rangle'],
        ]),
      },
      sepChr: { known: /^[|,;:]?$/, names: new Map() },
    }),
  );
/** The elements around the name of a function: with what it is applied to behind it, and where it has an index or a limit. */
const FUNCTION_NAME = /(?:^| )fName$|^fName limLow e$/;
const SCRIPTED_NAME = /^fName (?:limUpp|sSub|sSup|sSubSup) e$/;
/** From a sign of ASCII to the same in full width. */
const FULL_WIDTH = 0xfee0;
/** A sign without a look: where none is given. */
const INVISIBLE = '\u2062';

const plain: TextLook = {
  isText: false,
  isUpright: false,
  isBold: false,
  isDoubleStruck: false,
  isFunction: false,
};

/** A text in an argument, or a construct, such as a fraction, which has no place. */
interface Piece {
  readonly terms: readonly Term[];
  readonly place?: Pick<Edit, 'start' | 'end'>;
  /** It has something above or below it. */
  hasLimit?: boolean;
}

/** A formula, or an argument of a construct. */
interface Argument {
  readonly pieces: Piece[];
  /** Of what it is an argument. */
  readonly of: string | undefined;
  readonly name: string;
  /** Stands before its content. */
  readonly before: Insertion;
}

/** A sum, or another operator on many things (`m:nary`), that is open. */
interface Sum {
  readonly start: number;
  readonly name: Pick<Edit, 'start' | 'end'>;
  sign: string;
  /** Where its limits stand (`m:limLoc`), if it says so. */
  place: string | undefined;
  /** The limits that it does not show. */
  readonly hidden: Set<string>;
  /** Limits that have content, but are not shown. */
  hasHidden: boolean;
  /** Stand before its first limit, and before what it is applied to. */
  readonly before: [limits?: Insertion, operand?: Insertion];
  /** Where its last element ends. */
  end: number;
  /** It has other elements around its own, or behind what it is applied to. */
  isStrange: boolean;
}

interface Insertion {
  readonly start: number;
  readonly end: number;
  text: string;
}

/**
 * The part with formulas as LibreOffice shows them.
 *
 * @param sizeOf the size of text in a paragraph style in half points; of the default one for an empty id. Undefined where styles are not known.
 * @param libreOffice the version that shows them; undefined where it is not known.
 */
export function withShownFormulas(
  xml: Bytes,
  sizeOf: ((style: string) => number) | undefined,
  libreOffice: string | undefined,
): Bytes {
  if (isSince(libreOffice, TAKES_TEXT)) return xml;
  const reader = new FormulaReader(xml, sizeOf);
  visitMarkup(xml, reader);
  return withEdits(xml, reader.edits);
}

/** Collects what is to change. */
class FormulaReader implements MarkupVisitor {
  readonly names: { has(name: string): boolean };
  readonly edits: Edit[] = [];
  readonly #xml: string;
  readonly #m: string;
  readonly #w: string;
  readonly #sizeOf: ((style: string) => number) | undefined;
  /** The style of the open paragraph. */
  #style = '';
  /** Names of the open elements of mathematics, from the formula in. */
  readonly #open: string[] = [];
  readonly #arguments: Argument[] = [];
  /** The lines of the open arrays of equations, apart from empty ones. */
  readonly #arrays: { readonly lines: Argument[]; isAligned: boolean }[] = [];
  readonly #phantoms: { readonly name: Pick<Edit, 'start' | 'end'>; isShown: boolean }[] = [];
  readonly #sums: Sum[] = [];
  #look = plain;
  #textStart = 0;
  /** Bytes of text that may still become StarMath. */
  #left = MOST_TEXT;
  #size: number | undefined;

  constructor(xml: string, sizeOf: ((style: string) => number) | undefined) {
    this.#xml = xml;
    this.#m = mathPrefixOf(xml);
    this.#w = wordPrefixOf(xml);
    this.#sizeOf = sizeOf;
    const others = qualified(this.#w, ['p', 'pStyle', 'sz']);
    this.names = { has: (name) => name.startsWith(this.#m) || others.has(name) };
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.#mathematical(name);
    if (local === undefined) {
      this.#readOther(name, attributes);
      return;
    }
    if (this.#open.length === 0 && local !== 'oMath') return;
    this.#readProperty(local, { name, attributes, start });
    if (constructs.has(local)) this.#addConstruct(local);
    if (this.#open.at(-1) === 'nary') this.#readInSum(local, isEmpty, start, end);
    if (isEmpty) {
      if (argumentNames.has(local) && this.#open.length > 0)
        this.edits.push({ start, end, text: `<${name}${attributes}>${this.#run(NOTHING)}</${name}>` });
      return;
    }
    if (local === 'oMath') this.#size = undefined;
    else if (local === 'r') this.#look = this.#lookOfRun();
    else if (local === 't') this.#textStart = end;
    else if (local === 'nary') {
      const name = this.#localRange(local, start + 1);
      this.#sums.push({
        start,
        name,
        sign: INTEGRAL,
        place: undefined,
        hidden: new Set(),
        hasHidden: false,
        before: [],
        end,
        isStrange: false,
      });
    } else if (local === 'eqArr') this.#arrays.push({ lines: [], isAligned: false });
    else if (local === 'phant')
      this.#phantoms.push({ name: this.#localRange(local, start + 1), isShown: true });
    if (argumentNames.has(local)) this.#openArgument(local, end);
    this.#open.push(local);
  }

  close(name: string, start: number, end: number): void {
    if (this.#open.length === 0 || this.#mathematical(name) === undefined) return;
    const local = this.#open.pop() ?? '';
    if (argumentNames.has(local)) this.#closeArgument(start);
    else if (local === 't') this.#closeText(start);
    else if (local === 'nary') this.#closeSum(this.#localRange(local, start + 2));
    else if (local === 'eqArr') this.#closeArray();
    else if (local === 'phant') this.#closePhantom(this.#localRange(local, start + 2));
    const sum = this.#open.at(-1) === 'nary' ? this.#sums.at(-1) : undefined;
    if (sum) sum.end = end;
  }

  /** The name of an element of mathematics; undefined for others. */
  #mathematical(name: string): string | undefined {
    return name.startsWith(this.#m) ? name.slice(this.#m.length) : undefined;
  }

  #localRange(local: string, nameStart: number): Pick<Edit, 'start' | 'end'> {
    const start = nameStart + this.#m.length;
    return { start, end: start + local.length };
  }

  #readOther(name: string, attributes: string): void {
    const value = () => attributeOf(attributes, `${this.#w}val`) ?? '';
    if (this.#open.length === 0) {
      if (name === `${this.#w}p`) this.#style = '';
      else if (name === `${this.#w}pStyle`) this.#style = value();
    } else if (name === `${this.#w}sz` && this.#open.at(-1) === 'r') this.#size ??= Number(value());
  }

  #readProperty(local: string, tag: Pick<Tag, 'name' | 'attributes' | 'start'>): void {
    const value = attributeOf(tag.attributes, `${this.#m}val`);
    const is = isOn(tag.attributes, `${this.#m}val`);
    const of = this.#open.at(-1);
    if (of === 'rPr') this.#readLook(local, value, is, tag);
    else if (of === 'dPr' && value !== undefined) this.#readBracket(local, fromBytes(value), tag);
    else if (of === 'groupChrPr' && local === 'chr' && value !== undefined) this.#readGroup(value, tag);
    else if (of === 'naryPr') this.#readSum(local, value === undefined ? undefined : fromBytes(value), is);
    else if (of === 'phantPr' && local === 'show') {
      const phantom = this.#phantoms.at(-1);
      if (phantom) phantom.isShown = is;
    }
  }

  #readLook(
    local: string,
    value: string | undefined,
    is: boolean,
    { name, start }: Pick<Tag, 'name' | 'start'>,
  ): void {
    if (local === 'sty') {
      const isUpright = this.#look.isUpright || value === 'p' || value === 'b';
      this.#look = { ...this.#look, isUpright, isBold: value === 'b' || value === 'bi' };
    } else if (local === 'scr') this.#look = { ...this.#look, isDoubleStruck: value === 'double-struck' };
    else if ((local === 'nor' || local === 'lit') && is) {
      this.#look = { ...this.#look, isText: true };
      // LibreOffice would put it into quotation marks, as it should where the text stays as it is.
      if (this.#left >= 0) this.edits.push(renaming(name, start + 1));
    }
  }

  /** LibreOffice writes a bracket that it does not know as it is, without its counterpart. */
  #readBracket(local: string, sign: string, tag: Pick<Tag, 'name' | 'attributes' | 'start'>): void {
    const bracket = brackets.get(local);
    if (!bracket || bracket.known.test(sign)) return;
    const shown = signOf(firstOf(sign));
    const other =
      local === 'begChr' ? `left none ${shown} ` : local === 'endChr' ? ` ${shown} right none` : ` ${shown} `;
    this.#changeValue(tag, bracket.names.get(sign) ?? other);
  }

  #readSum(local: string, value: string | undefined, is: boolean): void {
    const sum = this.#sums.at(-1);
    if (!sum) return;
    if (local === 'chr' && value !== undefined) sum.sign = value;
    else if (local === 'limLoc') sum.place = value;
    else if (local === 'subHide' && is) sum.hidden.add('sub');
    else if (local === 'supHide' && is) sum.hidden.add('sup');
  }

  /** Reads the start of an element of a sum: of a limit, of what the sum is applied to, or of its properties. */
  #readInSum(local: string, isEmpty: boolean, start: number, end: number): void {
    const sum = this.#sums.at(-1);
    if (!sum) return;
    // Two elements take the place of one, so no other may begin or end between its own.
    sum.isStrange ||= this.#xml.slice(sum.end, start).includes('<');
    if (isEmpty) sum.end = end;
    if (!argumentNames.has(local)) return;
    sum.isStrange ||= sum.before[1] !== undefined;
    const before = { start, end: start, text: '' };
    this.edits.push(before);
    if (local === 'e') sum.before[1] = before;
    else sum.before[0] ??= before;
    sum.hasHidden ||= sum.hidden.has(local) && !isEmpty;
  }

  /** LibreOffice writes limits below and above their sign, and of a sum that it does not know the limits alone. */
  #closeSum(endName: Pick<Edit, 'start' | 'end'>): void {
    const sum = this.#sums.pop();
    if (!sum) return;
    const { start, name, sign, place, hidden, hasHidden, isStrange } = sum;
    const [limits, operand] = sum.before;
    const shown = sums.get(sign) ?? `oper ${operatorOf(sign)}`;
    const isBeside = (place ?? (INTEGRALS.test(sign) ? 'subSup' : 'undOvr')) === 'subSup';
    if (!isBeside || hasHidden || hidden.size === 2 || !limits || !operand || isStrange) {
      if (!sums.has(sign)) this.edits.push({ start, end: start, text: this.#run(shown) });
      return;
    }
    const m = this.#m;
    limits.text = `<${m}e>${this.#run(`${shown} ${NOTHING}`)}</${m}e>`;
    operand.text = `</${m}sSubSup><${m}box>`;
    this.edits.push({ ...name, text: 'sSubSup' }, { ...endName, text: 'box' });
  }

  /** Below or above a group, operators lack operands. Those of full width are no operators. */
  #readGroup(value: string, tag: Pick<Tag, 'name' | 'attributes' | 'start'>): void {
    const group = this.#arguments.at(-1)?.pieces.at(-1);
    if (group) group.hasLimit = !/^[⏞⏟]$/.test(fromBytes(value));
    if (!/^[!-~]$/.test(value)) return;
    this.#changeValue(tag, inFullWidth(value));
  }

  #changeValue(tag: Pick<Tag, 'name' | 'attributes' | 'start'>, value: string): void {
    const changed = withValues(tag.attributes, (name, written) =>
      name === `${this.#m}val` ? escaped(value) : written,
    );
    this.edits.push(editAttributes(tag, changed));
  }

  #lookOfRun(): TextLook {
    const around = this.#open.slice(-3).join(' ');
    const isFunction = FUNCTION_NAME.test(around);
    return { ...plain, isFunction, isUpright: isFunction || SCRIPTED_NAME.test(around) };
  }

  #addConstruct(local: string): void {
    const hasLimit = local === 'limLow' || local === 'limUpp';
    this.#arguments.at(-1)?.pieces.push({ terms: [{ kind: 'operand', source: '' }], hasLimit });
  }

  #openArgument(name: string, start: number): void {
    const before = { start, end: start, text: '' };
    this.edits.push(before);
    this.#arguments.push({ pieces: [], of: this.#open.at(-1), name, before });
  }

  #closeArgument(end: number): void {
    const argument = this.#arguments.pop();
    if (!argument) return;
    const { pieces, of, name } = argument;
    if (pieces.length === 0) {
      if (name !== 'oMath') this.edits.push({ start: end, end, text: this.#run(NOTHING) });
      return;
    }
    if (of === 'eqArr') this.#arrays.at(-1)?.lines.push(argument);
    for (const edit of complete(pieces)) this.edits.push(edit);
    if (name === 'oMath') this.#setSize(argument, end);
    // LibreOffice allows one limit above and one below.
    else if (of?.startsWith('lim') && pieces.at(-1)?.hasLimit) this.#enclose(argument, end);
  }

  #setSize(formula: Argument, end: number): void {
    const size = this.#size;
    if (size === undefined || size === USUAL_SIZE || !(size >= SMALLEST && size <= LARGEST)) return;
    this.#enclose(formula, end);
    formula.before.text = this.#run(`size ${size / 2}`) + formula.before.text;
  }

  /** Puts an argument into brackets that are not shown. */
  #enclose({ before }: Argument, end: number): void {
    const m = this.#m;
    const none = ['begChr', 'endChr'].map((each) => `<${m}${each} ${m}val=""/>`).join('');
    before.text = `<${m}d><${m}dPr>${none}</${m}dPr><${m}e>`;
    this.edits.push({ start: end, end, text: `</${m}e></${m}d>` });
  }

  #closeText(end: number): void {
    const argument = this.#arguments.at(-1);
    if (!argument) return;
    this.#size ??= this.#sizeOf?.(this.#style);
    const place = { start: this.#textStart, end };
    this.#left -= end - place.start;
    if (this.#left < 0) {
      argument.pieces.push({ terms: [{ kind: 'operand', source: '' }] });
      return;
    }
    let text = withoutReferences(fromBytes(this.#xml.slice(place.start, place.end)));
    const array = argument.of === 'eqArr' && !this.#look.isText ? this.#arrays.at(-1) : undefined;
    if (array && text.includes('&')) {
      array.isAligned = true;
      text = text.replaceAll('&', ' ');
      if (text.trim() === '') this.edits.push({ ...place, text: '' });
    }
    const terms = termsOf(text, this.#look);
    if (terms.length > 0) argument.pieces.push({ terms, place });
  }

  /** LibreOffice aligns lines at their beginning only; Word, where they say. */
  #closeArray(): void {
    const { lines, isAligned } = this.#arrays.pop() ?? { lines: [], isAligned: false };
    if (!isAligned) return;
    for (const { before } of lines) before.text = this.#run('alignl');
  }

  /** LibreOffice shows the content of a box, and nothing of a phantom. */
  #closePhantom(name: Pick<Edit, 'start' | 'end'>): void {
    const phantom = this.#phantoms.pop();
    if (!phantom?.isShown) return;
    this.edits.push({ ...phantom.name, text: 'box' }, { ...name, text: 'box' });
  }

  #run(source: string): string {
    const m = this.#m;
    return `<${m}r><${m}t>${escaped(source)}</${m}t></${m}r>`;
  }
}

/** Writes the texts of an argument, with operands where operators lack one. */
function complete(pieces: readonly Piece[]): Edit[] {
  const isOperand = ({ kind }: Term) => kind === 'operand';
  const count = (terms: readonly Term[]) => terms.filter((term) => !isOperand(term)).length;
  const operators = pieces.reduce((sum, { terms }) => sum + count(terms), 0);
  const hasOperands = operators <= MOST_OPERATORS && pieces.some(({ terms }) => terms.some(isOperand));
  let isBehindOperand = false;
  return pieces.flatMap(({ terms, place }, at) => {
    const sources: string[] = [];
    for (const term of terms) {
      if (hasOperands && term.kind === 'operator' && !isBehindOperand) sources.push(NOTHING);
      sources.push(hasOperands ? term.source : alone(term));
      isBehindOperand = isOperand(term);
    }
    if (hasOperands && !isBehindOperand && at === pieces.length - 1) sources.push(NOTHING);
    return place ? [{ ...place, text: escaped(sources.join(' ')) }] : [];
  });
}

/** The first character, where LibreOffice takes any for an operator but brackets and quotation marks. */
function operatorOf(text: string): string {
  const sign = firstOf(text);
  return /^["(){}]$/.test(sign) ? inFullWidth(sign) : sign || INVISIBLE;
}

function inFullWidth(sign: string): string {
  return String.fromCodePoint(sign.charCodeAt(0) + FULL_WIDTH);
}

/** The first character; empty where there is none. */
function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}

/** In ASCII, for text and values in any encoding. */
function escaped(text: string): string {
  const others = text.replace(/[&<>]|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0)};`);
  return others.replace(/"/g, '&#34;');
}
