/**
 * Runs of right-to-left or complex script (`rtl`, `cs`): Word shows all of their text, including digits and Latin letters, in the
 * font, size and weight for complex scripts (ISO/IEC 29500-1, 17.3.2.7 and 17.3.2.30). LibreOffice decides by character: Latin
 * letters, and digits after them, would get the other properties. So would the mark of a paragraph without text, which alone sets
 * that paragraph's height.
 */
import { attributesIn, withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import {
  isOn,
  MATH_NAMESPACE,
  type MarkupVisitor,
  prefixOf,
  qualified,
  visitMarkup,
  WORD_NAMESPACE,
} from '../document/markup.ts';
import { editAttributes, mayHaveElement, type Tag } from '../document/tags.ts';

const marks = ['rtl', 'cs'];
/** Properties with one for complex scripts. */
const pairs = ['b', 'i', 'sz'];
const elements = ['r', 'rPrChange', 'rFonts', 't', 'p', 'pPr', ...marks, ...pairs, 'bCs', 'iCs', 'szCs'];
const LATIN = /[\dA-Za-z]/;

/** Whether a piece of an XML part may have a run that {@link withComplexRuns} changes. */
export function mayHaveComplexRuns(piece: Buffer): boolean {
  // Themes have such marks as well.
  return mayHaveElement(piece, 'rPr') && marks.some((mark) => mayHaveElement(piece, mark));
}

/**
 * The part, in which such runs with Latin letters or digits, and the marks of paragraphs without runs, have the properties for
 * complex scripts as the others, as far as they name these themselves.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withComplexRuns(xml: string): string {
  const reader = new RunReader(xml);
  visitMarkup(xml, reader);
  return withEdits(xml, reader.edits);
}

class RunReader implements MarkupVisitor {
  readonly edits: Edit[] = [];
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  /** The properties of a run, or of the mark of its paragraph. */
  #tags = new Map<string, Tag>();
  #isMark = false;
  #hasLatin = false;
  #isText = false;
  #isOld = false;

  constructor(xml: string) {
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    const math = prefixOf(xml, MATH_NAMESPACE) ?? 'm:';
    this.#names = new Map([...qualified(math, ['r', 't']), ...qualified(this.#prefix, elements)]);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.#names.get(name);
    if (local === undefined) return;
    if (local === 'r' || local === 'p') this.#finish();
    else if (local === 'pPr') this.#isMark = false;
    else if (local === 't') this.#isText = !isEmpty;
    else if (local === 'rPrChange') this.#isOld = !isEmpty;
    // Word ends each of them in its tag.
    else if (isEmpty && !this.#isOld) this.#tags.set(local, { name, attributes, isEmpty, start, end });
  }

  close(name: string): void {
    switch (this.#names.get(name)) {
      case 't':
        this.#isText = false;
        return;
      case 'pPr':
        this.#isMark = true;
        return;
      case 'rPrChange':
        this.#isOld = false;
        return;
      case 'p':
        this.#finish(this.#hasLatin || this.#isMark);
        return;
      case 'r':
        this.#finish();
    }
  }

  text(xml: string, start: number, end: number): void {
    if (this.#isText) this.#hasLatin ||= LATIN.test(xml.slice(start, end));
  }

  #finish(isMeant = this.#hasLatin): void {
    if (isMeant) this.#change(this.#tags);
    this.#tags = new Map();
    this.#isMark = false;
    this.#hasLatin = false;
    this.#isOld = false;
  }

  #change(tags: ReadonlyMap<string, Tag>): void {
    const w = this.#prefix;
    const isComplex = marks.some((mark) => {
      const tag = tags.get(mark);
      return tag !== undefined && isOn(tag.attributes, `${w}val`);
    });
    if (!isComplex) return;
    const fonts = tags.get('rFonts');
    const changed = fonts && withComplexFont(fonts.attributes, w);
    if (fonts && changed !== undefined) this.edits.push(editAttributes(fonts, changed));
    for (const name of pairs) {
      const complex = tags.get(`${name}Cs`);
      if (!complex) continue;
      const { start, end } = tags.get(name) ?? { start: complex.start, end: complex.start };
      this.edits.push({ start, end, text: `<${w}${name}${complex.attributes}/>` });
    }
  }
}

/** The attributes of `rFonts` with its font for complex scripts as the one for ASCII and others; undefined where it names none. */
function withComplexFont(attributes: string, prefix: string): string | undefined {
  const written = attributesIn(attributes);
  const themed = written.find(({ name }) => name === `${prefix}cstheme`);
  const font = themed ?? written.find(({ name }) => name === `${prefix}cs`);
  if (!font) return undefined;
  const slots = ['ascii', 'hAnsi'].map((slot) => prefix + slot);
  const others = new Set(slots.flatMap((slot) => [slot, `${slot}Theme`]));
  const rest = withValues(attributes, (name, value) => (others.has(name) ? undefined : value));
  return `${slots.map((slot) => ` ${slot}${themed ? 'Theme' : ''}=${font.quoted}`).join('')}${rest}`;
}
