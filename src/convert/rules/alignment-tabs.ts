/**
 * Tabs to the left, the middle or the right of the margins or of a paragraph's indents (`w:ptab`, ISO/IEC 29500-1, 17.3.3.23), as
 * the headers and footers of Word's gallery have them. LibreOffice takes them for tabs to the next tab stop. So such a paragraph
 * gets stops where they lead, and loses those of its style. A tab to the left begins a line in both.
 */
import { BodyWalk, type Element, type Place } from '../document/body-walk.ts';
import { readPoints } from '../document/lengths.ts';
import { attributeOf } from '../document/markup.ts';
import { contentOf, type ParagraphProperties } from '../document/paragraph-properties.ts';
import { Remembered } from '../document/remembered.ts';
import { DEFAULT_TEXT_WIDTH, SectionWidth, widthElements } from '../document/section-widths.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

const elements = ['p', 'pPr', 'r', 'ptab', 'tab', 'tabs', 'tbl', 'txbxContent', 'sectPr', ...widthElements];
const alignments: ReadonlySet<string> = new Set(['center', 'right']);
const TWIPS_PER_POINT = 20;
const NONE: number[] = [];

/** What is asked of the styles: the tab stops of a paragraph that names this one, or none, in twips as written. */
type StopsOf = (style: string) => readonly string[];

interface Paragraph {
  /** Where its properties are, or the place for them. */
  start: number;
  end: number;
  /** The attributes of such tabs to the middle or the right, and where their tags begin and end; undefined without any. */
  tabs: string[] | undefined;
  tags: number[];
  /** It also has tabs to the next stop. */
  hasOthers: boolean;
  /** In a table or a box, whose width is not known. */
  readonly isApart: boolean;
}

/**
 * The part with tab stops for such tabs, in linear time.
 *
 * @param width of the text in twips; undefined in the main part, whose sections say it.
 */
export function withAlignmentTabs(xml: Bytes, stopsOf: StopsOf, width: number | undefined): Bytes {
  const reader = new TabReader(xml, stopsOf, width);
  reader.walk();
  reader.endSection(width ?? DEFAULT_TEXT_WIDTH);
  return reader.edited();
}

class TabReader extends BodyWalk {
  readonly #stopsOf: StopsOf;
  readonly #width: number | undefined;
  /** The open paragraphs, the innermost last. */
  readonly #paragraphs: Paragraph[] = [];
  /** Those of the current section that have such tabs. */
  #finished: Paragraph[] = [];
  #section: SectionWidth | undefined;
  #apart = 0;
  #inStops = false;
  /** Whether the last such tab is to the middle or the right. */
  #isAligned = false;
  /** Properties with stops; empty for those that stay as they are. */
  readonly #written = new Remembered<string>();

  constructor(xml: Bytes, stopsOf: StopsOf, width: number | undefined) {
    super(xml, { elements });
    this.#stopsOf = stopsOf;
    this.#width = width;
  }

  override open({ name, local, attributes, isEmpty, start, end }: Element): void {
    const paragraph = this.#paragraphs.at(-1);
    this.#section?.read(name, attributes);
    if (local === 'p' && !isEmpty) {
      const isApart = this.#apart > 0;
      this.#paragraphs.push({ start: end, end, tabs: undefined, tags: NONE, hasOthers: false, isApart });
    } else if ((local === 'tbl' || local === 'txbxContent') && !isEmpty) this.#apart += 1;
    else if (local === 'sectPr' && !isEmpty) this.#section = new SectionWidth(this.w);
    else if (local === 'tabs') this.#inStops = !isEmpty;
    else if (local === 'pPr' && paragraph) [paragraph.start, paragraph.end] = [start, end];
    else if (local === 'tab' && paragraph && !this.#inStops) paragraph.hasOthers = true;
    else if (local === 'ptab' && paragraph) {
      this.#isAligned = alignments.has(attributeOf(attributes, `${this.w}alignment`) ?? '');
      if (!this.#isAligned) return;
      if (paragraph.tabs) {
        paragraph.tabs.push(attributes);
        paragraph.tags.push(start, end);
      } else [paragraph.tabs, paragraph.tags] = [[attributes], [start, end]];
    }
  }

  override close(local: string | undefined, start: number, end: number): void {
    const paragraph = this.#paragraphs.at(-1);
    if (local === 'tbl' || local === 'txbxContent') this.#apart -= 1;
    else if (local === 'tabs') this.#inStops = false;
    else if (local === 'ptab' && this.#isAligned && paragraph?.tabs) paragraph.tags.push(start, end);
    else if (local === 'pPr' && paragraph) paragraph.end = end;
    else if (local === 'p' && paragraph) {
      this.#paragraphs.pop();
      if (paragraph.tabs && !paragraph.isApart) this.#finished.push(paragraph);
      if (this.#section && this.#apart === 0) this.#closeSection();
    } else if (local === 'sectPr' && !paragraph) this.#closeSection();
  }

  #closeSection(): void {
    if (this.#section) this.endSection(this.#section.twips);
    this.#section = undefined;
  }

  endSection(width: number): void {
    for (const paragraph of this.#finished) this.#write(paragraph, this.#width ?? width);
    this.#finished = [];
  }

  #write({ start, end, tabs = [], tags, hasOthers }: Paragraph, width: number): void {
    const written = this.xml.slice(start, end);
    const key = [width, hasOthers, ...tabs, written].join('\n');
    const text = this.#written.of(key, () => this.#withStops({ start, end }, tabs, hasOthers, width));
    if (text === '') return;
    this.edits.push({ start, end, text });
    for (let i = 0; i < tags.length; i += 2) this.#rename(tags[i] ?? 0, tags[i + 1] ?? 0);
  }

  /** Makes a tag that of a tab to the next stop. */
  #rename(start: number, end: number): void {
    const [isEnd, isEmpty] = [this.xml[start + 1] === '/', this.xml[end - 2] === '/'];
    this.edits.push({ start, end, text: `<${isEnd ? '/' : ''}${this.w}tab${isEmpty ? '/' : ''}>` });
  }

  #withStops(properties: Place, tabs: readonly string[], hasOthers: boolean, width: number): string {
    const w = this.w;
    const own = this.propertiesAt(properties);
    if (!own) return '';
    const indent = (...names: string[]) =>
      Math.max(0, ...names.map((each) => (readPoints(own.value('ind', each)) ?? 0) * TWIPS_PER_POINT));
    const [left, right] = [indent('left', 'start'), indent('right', 'end')];
    const stops = new Map<number, string>();
    for (const attributes of tabs) {
      const value = (key: string) => attributeOf(attributes, w + key) ?? '';
      const alignment = value('alignment');
      const [from, to] = value('relativeTo') === 'indent' ? [left, width - right] : [0, width];
      const position = Math.round(alignment === 'right' ? to : (from + to) / 2);
      const leader = /^(dot|hyphen|underscore|middleDot)$/.test(value('leader')) ? value('leader') : 'none';
      stops.set(position, `<${w}tab ${w}val="${alignment}" ${w}leader="${leader}" ${w}pos="${position}"/>`);
    }
    const others = hasOthers ? contentOf(own.get('tabs') ?? '') : this.#cleared(own, stops);
    own.put('tabs', `<${w}tabs>${others}${[...stops.values()].join('')}</${w}tabs>`);
    return own.toString();
  }

  /** Clears the tab stops of the style. */
  #cleared(own: ParagraphProperties, stops: ReadonlyMap<number, string>): string {
    const w = this.w;
    return this.#stopsOf(fromBytes(own.value('pStyle') ?? ''))
      .filter((position) => !stops.has(Number(position)))
      .map((position) => `<${w}tab ${w}val="clear" ${w}pos="${position}"/>`)
      .join('');
  }
}
