/**
 * Characters that East Asian and Latin fonts both have. Word shows quotes, dashes and dots in the font `hAnsi`, or in that for East
 * Asian text where the run has that hint (ISO/IEC 29500-1, 17.3.2.26). LibreOffice decides by the letters around them. A blank between
 * another letter and an East Asian one is half as wide as that where the settings say so, in LibreOffice that of the Latin font. So
 * such characters become runs that name the font for either.
 */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import { EAST_ASIAN, kindsOf, LATIN } from '../document/characters.ts';
import type { Edit } from '../document/edits.ts';
import { fontAttributes, readRunFonts, type Slot, writtenFont } from '../document/run-fonts.ts';
import { type Bytes, characterLength, fromBytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';
import { halfBlankFont } from './korean-blanks.ts';

/** Of Windows-1252, as every Latin font has them. */
const MARK = /[\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020\u2021\u2026\u2030\u2039\u203a]/;
/** LibreOffice takes them for East Asian beside any such letter of the paragraph. */
const QUOTE = /[\u2018\u2019\u201c\u201d]/;
/** LibreOffice takes them for Latin. */
const LATIN_MARK = /[\u00a1\u00a4\u00a7\u00a8\u00aa\u00af-\u00b4\u00b6-\u00ba\u00bc-\u00bf\u00d7\u00f7]/;
/** The first byte of an East Asian letter. */
const EAST = /[\xe3-\xed]/;
/** Longer properties are not repeated, and no more runs are made. */
const MAX_PROPERTIES = 512;
const MAX_RUNS = 20_000;
const WORDS_FONT = 'Times New Roman';

const elements = ['p', 'pStyle', 'r', 'rPr', 'rStyle', 'rFonts', 'rtl', 'cs', 't'];

/**
 * The part with such runs, in linear time.
 *
 * @param halvesBlanks whether the settings ask for blanks half as wide as East Asian letters.
 */
export function withWordsFonts(xml: Bytes, styles: DocumentStyles, halvesBlanks: boolean): Bytes {
  if (!EAST.test(xml)) return xml;
  return new WeakReader(xml, styles, halvesBlanks).walk().edited();
}

interface Run {
  style: string;
  /** Where its properties are, what is in them, and its fonts. */
  properties: { readonly start: number; readonly content: number; end: number } | undefined;
  fonts: { readonly start: number; end: number; readonly attributes: string } | undefined;
  isHinted: boolean;
  /** Its font does not depend on the character, or its properties cannot be repeated. */
  isOther: boolean;
}

/** Characters to put into a run of their own. */
interface Found {
  readonly kind: 'mark' | 'quote' | 'blank';
  readonly start: number;
  end: number;
  readonly run: Run;
  /** The tag of their text, as it has to be then. */
  readonly tag: Edit;
}

interface Paragraph {
  style: string;
  /** Whether the last letter is East Asian: LibreOffice takes the characters behind it for the same. */
  isEast: boolean | undefined;
  hasEast: boolean;
  /** The last character, if it is a blank behind another letter. */
  blank: Found | undefined;
  readonly found: Found[];
}

class WeakReader extends BodyWalk {
  readonly #styles: DocumentStyles;
  readonly #halvesBlanks: boolean;
  #left = MAX_RUNS;
  /** Those that are open: a text box is inside one. */
  readonly #paragraphs: Paragraph[] = [];
  #run: Run | undefined;
  #isProperties = false;
  #tag: Edit | undefined;

  constructor(xml: Bytes, styles: DocumentStyles, halvesBlanks: boolean) {
    super(xml, { elements, texts: ['t'], readsAll: true, readsDeletions: true });
    this.#styles = styles;
    this.#halvesBlanks = halvesBlanks;
  }

  override open(element: Element): void {
    const { name, local, isEmpty, start, end } = element;
    if (local === 'p') {
      this.#run = undefined;
      const none = { isEast: undefined, hasEast: false, blank: undefined };
      if (!isEmpty) this.#paragraphs.push({ style: '', ...none, found: [] });
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    const run = this.#run;
    if (!paragraph) return;
    if (local === 'pStyle') paragraph.style = element.value() ?? '';
    else if (local === 'r') {
      const none = { properties: undefined, fonts: undefined, isHinted: false, isOther: false };
      this.#run = isEmpty ? undefined : { style: '', ...none };
    } else if (!run) return;
    else if (local === 'rPr') {
      this.#isProperties = !isEmpty;
      if (!isEmpty) run.properties = { start, content: end, end };
    } else if (this.#isProperties) this.#read(element, run);
    else if (local === 't') this.#tag = { start, end, text: `<${name} xml:space="preserve">` };
    // A tab, a break or a picture.
    else paragraph.blank = undefined;
  }

  #read(element: Element, run: Run): void {
    const { local, attributes, start, end } = element;
    if (local === 'rStyle') run.style = element.value() ?? '';
    else if (local === 'rtl' || local === 'cs') run.isOther ||= element.isOn;
    else if (local === 'rFonts') {
      run.fonts = { start, end, attributes: fontAttributes(attributes, this.w) };
      run.isHinted = element.value('hint') === 'eastAsia';
    }
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (local === 'p') {
      const paragraph = this.#paragraphs.pop();
      if (paragraph) this.#finish(paragraph);
      this.#run = undefined;
    } else if (local === 'r') this.#run = undefined;
    else if (local === 'rFonts' && this.#run?.fonts) this.#run.fonts.end = end;
    else if (local === 'rPr') {
      this.#isProperties = false;
      const { properties } = this.#run ?? {};
      if (!this.#run || !properties) return;
      properties.end = end;
      this.#run.isOther ||= this.xml.slice(properties.start, end).includes(`${this.w}rPrChange`);
    }
  }

  override text(start: number, end: number): void {
    const paragraph = this.#paragraphs.at(-1);
    const [run, tag] = [this.#run, this.#tag];
    if (!paragraph || !run || !tag) return;
    const { isHinted } = run;
    let next = start;
    for (const character of fromBytes(this.xml.slice(start, end))) {
      const at = next;
      next += characterLength(this.xml.charCodeAt(at));
      const kinds = kindsOf(character, 0, character.length);
      const { blank, isEast } = paragraph;
      paragraph.blank = undefined;
      if (kinds & EAST_ASIAN) {
        if (blank) this.#add(paragraph, blank);
        paragraph.hasEast = true;
        paragraph.isEast = true;
      } else if (kinds !== LATIN && LATIN_MARK.test(character)) {
        if (isHinted) this.#add(paragraph, { kind: 'mark', start: at, end: next, run, tag });
        paragraph.isEast = false;
      } else if (kinds !== 0) {
        paragraph.isEast = false;
      } else if (QUOTE.test(character))
        this.#add(paragraph, { kind: 'quote', start: at, end: next, run, tag });
      else if (MARK.test(character)) {
        if (isHinted !== (isEast === true))
          this.#add(paragraph, { kind: 'mark', start: at, end: next, run, tag });
      } else if (character === ' ' && this.#halvesBlanks && isEast === false)
        paragraph.blank = { kind: 'blank', start: at, end: next, run, tag };
    }
  }

  /** Adjacent ones of one text are one. */
  #add({ found }: Paragraph, one: Found): void {
    const last = found.at(-1);
    if (last?.kind === one.kind && last.tag === one.tag && last.end === one.start) last.end = one.end;
    else if (this.#left-- > 0) found.push(one);
  }

  #finish({ style, hasEast, found }: Paragraph): void {
    const tags = new Set<Edit>();
    for (const { run, kind, start, end, tag } of found) {
      const { isHinted } = run;
      // LibreOffice takes all quotes for East Asian beside such a letter, and nothing without one.
      if (run.isOther || (hasEast ? kind === 'quote' && isHinted : !isHinted)) continue;
      const { start: first = 0, end: last = 0 } = run.properties ?? {};
      const font = last - first > MAX_PROPERTIES ? undefined : this.#fontFor(kind, run, style);
      if (font === undefined) continue;
      const before = this.#between(this.#propertiesWith(run, font));
      const behind = this.#between(this.xml.slice(first, last));
      this.edits.push({ start, end: start, text: before });
      this.edits.push({ start: end, end, text: behind });
      tags.add(tag);
    }
    for (const tag of tags) this.edits.push(tag);
  }

  /** The font that they have in Word; undefined where LibreOffice takes it anyway. */
  #fontFor(kind: Found['kind'], run: Run, style: string): string | undefined {
    const { fonts, theme } = this.#styles;
    const own = run.fonts ? readRunFonts(fromBytes(run.fonts.attributes), this.w, theme) : {};
    const [ofRun, ofParagraph] = [fromBytes(run.style), this.#styles.paragraphStyle(style)];
    const fontOf = (slot: Slot) =>
      own[slot] ?? fonts.font(ofRun, slot) ?? fonts.font(ofParagraph, slot) ?? fonts.defaultFont(slot);
    const eastAsia = fontOf('eastAsia');
    if (eastAsia === undefined) return undefined;
    if (kind === 'blank') return halfBlankFont(eastAsia);
    const latin = fontOf('hAnsi') ?? WORDS_FONT;
    return latin.toLowerCase() === eastAsia.toLowerCase() ? undefined : run.isHinted ? eastAsia : latin;
  }

  #propertiesWith({ properties, fonts }: Run, font: string): string {
    const { w } = this;
    const name = writtenFont(font);
    const tag = `<${w}rFonts ${['ascii', 'hAnsi', 'eastAsia'].map((slot) => `${w}${slot}="${name}"`).join(' ')}/>`;
    if (!properties) return `<${w}rPr>${tag}</${w}rPr>`;
    const { start, content, end } = properties;
    const [from, to] = fonts ? [fonts.start, fonts.end] : [content, content];
    return this.xml.slice(start, from) + tag + this.xml.slice(to, end);
  }

  /** Ends a run and begins one with these properties. */
  #between(properties: string): string {
    const { w } = this;
    return `</${w}t></${w}r><${w}r>${properties}<${w}t xml:space="preserve">`;
  }
}
