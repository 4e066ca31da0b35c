/**
 * Runs of right-to-left or complex script (`rtl`, `cs`): Word shows all of their text, including digits and Latin letters, in the
 * font, size and weight for complex scripts (ISO/IEC 29500-1, 17.3.2.7 and 17.3.2.30). LibreOffice decides by character: Latin
 * letters, and digits after them, would get the other properties. So would the mark of a paragraph without text, which alone sets
 * that paragraph's height.
 */

import { attributesIn, withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import {
  attributeOf,
  isOn,
  MATH_NAMESPACE,
  type MarkupVisitor,
  prefixOf,
  qualified,
  visitMarkup,
  wordPrefixOf,
} from '../document/markup.ts';
import { writtenFont } from '../document/run-fonts.ts';
import { editAttributes, type Tag } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';

const marks = ['rtl', 'cs'];
/** Properties with one for complex scripts. */
const pairs = ['b', 'i', 'sz'];
const elements = [
  ...['r', 'rPrChange', 'rFonts', 't', 'p', 'pPr', 'pStyle', ...marks, ...pairs],
  ...['bCs', 'iCs', 'szCs'],
];
const LATIN = /[\dA-Za-z]/;

/** What is asked of styles. */
type MarkStyles = Pick<DocumentStyles, 'fonts' | 'styles' | 'paragraphStyle'>;

/**
 * The part, in which such runs with Latin letters or digits have the properties for complex scripts as the others, as far as they
 * name these themselves. Marks of paragraphs without runs have also the font and the size of their style.
 *
 * @param styles undefined where they are not known.
 */
export function withComplexRuns(xml: Bytes, styles: MarkStyles | undefined): Bytes {
  const reader = new RunReader(xml, styles);
  visitMarkup(xml, reader);
  return withEdits(xml, reader.edits);
}

class RunReader implements MarkupVisitor {
  readonly edits: Edit[] = [];
  readonly #prefix: string;
  readonly names: ReadonlyMap<string, string>;
  /** The properties of a run, or of the mark of its paragraph. */
  #tags = new Map<string, Tag>();
  readonly #styles: MarkStyles | undefined;
  /** That of the paragraph, as written. */
  #style = '';
  #isMark = false;
  #hasLatin = false;
  #isText = false;
  #isOld = false;

  constructor(xml: string, styles: MarkStyles | undefined) {
    this.#styles = styles;
    this.#prefix = wordPrefixOf(xml);
    const math = prefixOf(xml, MATH_NAMESPACE) ?? 'm:';
    this.names = new Map([...qualified(math, ['r', 't']), ...qualified(this.#prefix, elements)]);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.names.get(name);
    if (local === undefined) return;
    if (local === 'r' || local === 'p') {
      this.#finish();
      if (local === 'p') this.#style = '';
    } else if (local === 'pStyle') this.#style = attributeOf(attributes, `${this.#prefix}val`) ?? '';
    else if (local === 'pPr') this.#isMark = false;
    else if (local === 't') this.#isText = !isEmpty;
    else if (local === 'rPrChange') this.#isOld = !isEmpty;
    // Word ends each of them in its tag.
    else if (isEmpty && !this.#isOld) this.#tags.set(local, { name, attributes, isEmpty, start, end });
  }

  close(name: string): void {
    switch (this.names.get(name)) {
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
    if (isMeant) this.#change(this.#tags, this.#isMark);
    this.#tags = new Map();
    this.#isMark = false;
    this.#hasLatin = false;
    this.#isOld = false;
  }

  #change(tags: ReadonlyMap<string, Tag>, isMark: boolean): void {
    const w = this.#prefix;
    const isComplex = (tag: Tag | undefined) => tag !== undefined && isOn(tag.attributes, `${w}val`);
    const mark = marks.map((each) => tags.get(each)).find(isComplex);
    if (!mark) return;
    const fonts = tags.get('rFonts');
    const changed = fonts && withComplexFont(fonts.attributes, w);
    if (fonts && changed !== undefined) this.edits.push(editAttributes(fonts, changed));
    if (isMark) this.#addStyle(tags, mark, changed !== undefined);
    for (const name of pairs) {
      const complex = tags.get(`${name}Cs`);
      if (!complex) continue;
      const { start, end } = tags.get(name) ?? { start: complex.start, end: complex.start };
      this.edits.push({ start, end, text: `<${w}${name}${complex.attributes}/>` });
    }
  }

  /** Adds what a mark has from its style: LibreOffice would take the font and the size of Latin text. */
  #addStyle(tags: ReadonlyMap<string, Tag>, { start }: Tag, hasFont: boolean): void {
    const { fonts, styles, paragraphStyle } = this.#styles ?? {};
    if (!fonts || !styles || !paragraphStyle) return;
    const w = this.#prefix;
    const style = paragraphStyle(this.#style);
    const font = fonts.font(style, 'cs') ?? fonts.defaultFont('cs');
    const added: string[] = [];
    if (font !== undefined && !hasFont && !tags.has('rFonts')) {
      const name = writtenFont(font);
      added.push(`<${w}rFonts ${w}ascii="${name}" ${w}hAnsi="${name}"/>`);
    }
    const size = tags.has('szCs') ? undefined : styles.get(style, 'complexSize');
    if (size !== undefined && !tags.has('sz')) added.push(`<${w}sz ${w}val="${size}"/>`);
    if (added.length > 0) this.edits.push({ start, end: start, text: added.join('') });
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
