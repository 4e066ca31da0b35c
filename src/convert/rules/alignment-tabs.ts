/**
 * Tabs to the left, the middle or the right of the margins or of a paragraph's indents (`w:ptab`, ISO/IEC 29500-1, 17.3.3.23), as
 * the headers and footers of Word's gallery have them. LibreOffice takes them for tabs to the next tab stop. So such a paragraph
 * gets stops where they lead, and loses those of its style. A tab to the left begins a line in both.
 */
import { BodyWalk, type Element, type Place } from '../document/body-walk.ts';
import type { Edit } from '../document/edits.ts';
import { readPoints } from '../document/lengths.ts';
import { attributeOf } from '../document/markup.ts';
import { contentOf, type ParagraphProperties } from '../document/paragraph-properties.ts';
import { Remembered } from '../document/remembered.ts';
import { DEFAULT_TEXT_WIDTH, SectionWidth, widthElements } from '../document/section-widths.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';

const elements = ['p', 'pPr', 'r', 'ptab', 'tab', 'tabs', 'tbl', 'txbxContent', 'sectPr', ...widthElements];
const alignments: ReadonlySet<string> = new Set(['center', 'right']);
const TWIPS_PER_POINT = 20;

/** What is asked of the styles: the tab stops of a paragraph that names this one, or none, in twips as written. */
type StopsOf = (style: string) => readonly string[];

interface Paragraph {
  /** Its properties, or the place for them. */
  properties: Place;
  readonly tabs: { readonly attributes: string; readonly tags: Edit[] }[];
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
      const properties = { start: end, end };
      this.#paragraphs.push({ properties, tabs: [], hasOthers: false, isApart: this.#apart > 0 });
    } else if ((local === 'tbl' || local === 'txbxContent') && !isEmpty) this.#apart += 1;
    else if (local === 'sectPr' && !isEmpty) this.#section = new SectionWidth(this.w);
    else if (local === 'tabs') this.#inStops = !isEmpty;
    else if (local === 'pPr' && paragraph) paragraph.properties = { start, end };
    else if (local === 'tab' && paragraph && !this.#inStops) paragraph.hasOthers = true;
    else if (local === 'ptab' && paragraph) {
      const text = `<${this.w}tab${isEmpty ? '/' : ''}>`;
      paragraph.tabs.push({ attributes, tags: [{ start, end, text }] });
    }
  }

  override close(local: string | undefined, start: number, end: number): void {
    const paragraph = this.#paragraphs.at(-1);
    if (local === 'tbl' || local === 'txbxContent') this.#apart -= 1;
    else if (local === 'tabs') this.#inStops = false;
    else if (local === 'ptab') paragraph?.tabs.at(-1)?.tags.push({ start, end, text: `</${this.w}tab>` });
    else if (local === 'pPr' && paragraph) paragraph.properties = { ...paragraph.properties, end };
    else if (local === 'p' && paragraph) {
      this.#paragraphs.pop();
      if (paragraph.tabs.length > 0 && !paragraph.isApart) this.#finished.push(paragraph);
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

  #write({ properties, tabs, hasOthers }: Paragraph, width: number): void {
    const aligned = tabs.filter(({ attributes }) =>
      alignments.has(attributeOf(attributes, `${this.w}alignment`) ?? ''),
    );
    if (aligned.length === 0) return;
    const written = this.xml.slice(properties.start, properties.end);
    const key = [width, hasOthers, ...aligned.map(({ attributes }) => attributes), written].join('\n');
    const text = this.#written.of(key, () => this.#withStops(properties, aligned, hasOthers, width));
    if (text === '') return;
    for (const { tags } of aligned) this.edits.push(...tags);
    this.edits.push({ ...properties, text });
  }

  #withStops(properties: Place, tabs: Paragraph['tabs'], hasOthers: boolean, width: number): string {
    const w = this.w;
    const own = this.propertiesAt(properties);
    if (!own) return '';
    const indent = (...names: string[]) =>
      Math.max(0, ...names.map((each) => (readPoints(own.value('ind', each)) ?? 0) * TWIPS_PER_POINT));
    const [left, right] = [indent('left', 'start'), indent('right', 'end')];
    const stops = new Map<number, string>();
    for (const { attributes } of tabs) {
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
