/**
 * Runs of right-to-left or complex script (`rtl`, `cs`): Word shows all of their text, including digits and Latin letters, in the
 * font, size and weight for complex scripts (ISO/IEC 29500-1, 17.3.2.7 and 17.3.2.30). LibreOffice decides by character: Latin
 * letters, and digits after them, would get the other properties. So would the mark of a paragraph without text, which alone sets
 * that paragraph's height.
 */
import { attributesIn, withValues } from '../document/attributes.ts';
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { MATH_NAMESPACE, prefixOf, qualified } from '../document/markup.ts';
import { Remembered } from '../document/remembered.ts';
import { writtenFont } from '../document/run-fonts.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';

const marks = ['rtl', 'cs'];
/** Properties with one for complex scripts. */
const pairs = ['b', 'i', 'sz'];
const elements = ['r', 'rFonts', 't', 'p', 'pPr', 'pStyle', ...marks, ...pairs, 'bCs', 'iCs', 'szCs'];
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
  return new RunReader(xml, styles).walk().edited();
}

class RunReader extends BodyWalk {
  /** The properties of a run, or of the mark of its paragraph. */
  #tags = new Map<string, Element>();
  /** Attributes of fonts, with that for complex scripts. */
  readonly #fonts = new Remembered<string | undefined>();
  /** What a mark has from its style, by that and by which properties it has itself. */
  readonly #added = new Remembered<string>();
  readonly #styles: MarkStyles | undefined;
  /** That of the paragraph, as written. */
  #style = '';
  #isMark = false;
  #hasLatin = false;

  constructor(xml: Bytes, styles: MarkStyles | undefined) {
    const others = qualified(prefixOf(xml, MATH_NAMESPACE) ?? 'm:', ['r', 't']);
    super(xml, { elements, others, texts: ['t'], readsDeletions: true });
    this.#styles = styles;
  }

  override open(element: Element): void {
    const { local, isEmpty } = element;
    if (local === undefined || local === 't') return;
    if (local === 'r' || local === 'p') {
      this.#finish();
      if (local === 'p') this.#style = '';
    } else if (local === 'pStyle') this.#style = element.value() ?? '';
    else if (local === 'pPr') this.#isMark = false;
    // Word ends each of them in its tag.
    else if (isEmpty) this.#tags.set(local, element);
  }

  override close(local: string | undefined): void {
    if (local === 'pPr') this.#isMark = true;
    else if (local === 'p') this.#finish(this.#hasLatin || this.#isMark);
    else if (local === 'r') this.#finish();
  }

  override text(start: number, end: number): void {
    this.#hasLatin ||= LATIN.test(this.xml.slice(start, end));
  }

  #finish(isMeant = this.#hasLatin): void {
    if (isMeant) this.#change(this.#tags, this.#isMark);
    if (this.#tags.size > 0) this.#tags = new Map();
    this.#isMark = false;
    this.#hasLatin = false;
  }

  #change(tags: ReadonlyMap<string, Element>, isMark: boolean): void {
    const { w } = this;
    const mark = marks.map((each) => tags.get(each)).find((tag) => tag?.isOn);
    if (!mark) return;
    const fonts = tags.get('rFonts');
    const changed = fonts && this.#fonts.of(fonts.attributes, () => withComplexFont(fonts.attributes, w));
    if (fonts && changed !== undefined) this.edits.push(editAttributes(fonts, changed));
    if (isMark) this.#addStyle(tags, mark, !fonts);
    for (const name of pairs) {
      const complex = tags.get(`${name}Cs`);
      if (!complex) continue;
      const { start, end } = tags.get(name) ?? { start: complex.start, end: complex.start };
      this.edits.push({ start, end, text: `<${w}${name}${complex.attributes}/>` });
    }
  }

  /** Adds what a mark has from its style: LibreOffice would take the font and the size of Latin text. */
  #addStyle(tags: ReadonlyMap<string, Element>, { start }: Element, wantsFont: boolean): void {
    const wantsSize = !tags.has('szCs') && !tags.has('sz');
    const key = `${this.#style}\n${wantsFont} ${wantsSize}`;
    const text = this.#added.of(key, () => this.#ofStyle(this.#style, wantsFont, wantsSize));
    if (text !== '') this.edits.push({ start, end: start, text });
  }

  #ofStyle(named: string, wantsFont: boolean, wantsSize: boolean): string {
    const { fonts, styles, paragraphStyle } = this.#styles ?? {};
    if (!fonts || !styles || !paragraphStyle) return '';
    const { w } = this;
    const style = paragraphStyle(named);
    const font = wantsFont ? (fonts.font(style, 'cs') ?? fonts.defaultFont('cs')) : undefined;
    const name = font === undefined ? '' : writtenFont(font);
    const size = wantsSize ? styles.get(style, 'complexSize') : undefined;
    return (
      (font === undefined ? '' : `<${w}rFonts ${w}ascii="${name}" ${w}hAnsi="${name}"/>`) +
      (size === undefined ? '' : `<${w}sz ${w}val="${size}"/>`)
    );
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
