/**
 * The grid of lines of East Asian documents (`w:docGrid`, ISO/IEC 29500-1, 17.6.5), as Word lays it out.
 *
 * The grid begins at the top of the body; LibreOffice before 26.8 centres it in the body's height. And a line whose spacing
 * is a multiple takes that many steps of the grid, or as many whole ones as its font takes where those are more; the text
 * stands in their middle. LibreOffice multiplies the whole steps that the font takes.
 *
 * LibreOffice ends the body with the last whole step. Word does not, so lines of another height than the grid's may stand lower.
 */
import { isSince } from '../../engine/libreoffice-version.ts';
import { withValues } from '../document/attributes.ts';
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { readDrawing } from '../document/drawings.ts';
import { withEdits } from '../document/edits.ts';
import { contentOf, ParagraphProperties } from '../document/paragraph-properties.ts';
import { Remembered } from '../document/remembered.ts';
import { fontAttributes } from '../document/run-fonts.ts';
import { gridTypes } from '../document/sections.ts';
import { editAttributes } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';
import { type LineProperties, type ParagraphStyles, readLineProperty, sides } from './layout-styles.ts';

/** How the types of sections with a grid of lines begin, as they are written. */
const TYPES = ['"lines', "'lines", '"snapToChars', "'snapToChars"];
const TWIPS_PER_HALF_POINT = 10;
/** Word's, in half points, where no style names one. */
const DEFAULT_SIZE = 20;

/** A line of Calibri or Arial, in sizes of the font. */
const LATIN_HEIGHT = 1.22;
/** The least share of a section's text that has lines of another height than the grid's, for its body to end lower. */
const FREE = 0.9;
/** First bytes of characters from U+3000 on in UTF-8. */
const EAST_ASIAN = /[\xe3-\xef]/;

/** From this version on LibreOffice begins the grid where Word does. */
export const BEGINS_AT_THE_TOP = 26.8;

/** What a header or footer of one line takes, in twips. */
export const HEADER_ROOM = 420;

const elements = [
  ...['p', 'pPr', 'pStyle', 'r', 'rPr', 'rStyle', 'rFonts', 'sz', 'spacing', 'snapToGrid'],
  ...['sectPr', 'docGrid', 'pgSz', 'pgMar', 'headerReference', 'footerReference', ...drawings],
];
/** Their text is on no grid, or on none that is known: Word asks the settings in cells. */
const passesOver = ['tbl', 'txbxContent'];
const EMU_PER_TWIP = 635;
const objectNames: ReadonlySet<string | undefined> = new Set(drawings);

/** Asks for what is not in the main part. */
export interface GridFonts extends ParagraphStyles {
  /** How high a line is in the East Asian font that `rFonts`, or else the first style that has one, names: in its sizes. */
  lineHeight(rFonts: string | undefined, prefix: string, styles: readonly string[]): number;
}

interface Run {
  style?: string | undefined;
  /** Attributes of its `rFonts`. */
  fonts?: string | undefined;
  properties: LineProperties;
  isEastAsian: boolean;
}

interface Paragraph {
  /** Its `w:pPr`, or the place for one. */
  start: number;
  end: number;
  content: string;
  /** Its properties declare no namespace of their own. */
  isPlain: boolean;
  style: string;
  properties: LineProperties;
  readonly runs: Run[];
  hasText: boolean;
  /** Pictures and the like. */
  objects: number;
  /** Of a picture in its line, in twips. */
  pictureHeight: number | undefined;
}

interface Section {
  pitch: number | undefined;
  height: number | undefined;
  margins: Element | undefined;
}

interface Grid {
  /** Where the properties of its section end. */
  end: number;
  pitch: number | undefined;
}

/** Whether a part may have a grid of lines. */
export function mayHaveGrid(xml: string): boolean {
  return TYPES.some((type) => xml.includes(type));
}

/**
 * The main part with its lines where Word's grid puts them, in linear time.
 *
 * @param libreOffice the version that it is for; undefined where that is not known.
 */
export function withWordsGrid(xml: Bytes, fonts: GridFonts, libreOffice: string | undefined): Bytes {
  if (!mayHaveGrid(xml)) return xml;
  return new GridReader(xml, fonts, !isSince(libreOffice, BEGINS_AT_THE_TOP)).walk().edited();
}

/** The grids of the sections, which come behind their paragraphs. */
class SectionReader extends BodyWalk {
  readonly grids: Grid[] = [];

  constructor(xml: Bytes) {
    super(xml, { elements: ['sectPr', 'docGrid'], passesOver: [...passesOver, ...drawings] });
  }

  override open(tag: Element): void {
    const last = this.grids.at(-1);
    if (tag.local === 'sectPr') this.grids.push({ end: tag.end, pitch: undefined });
    else if (last) last.pitch = pitchOf(tag) ?? last.pitch;
  }

  override close(local: string | undefined, _start: number, end: number): void {
    const last = this.grids.at(-1);
    if (local === 'sectPr' && last) last.end = end;
  }
}

class GridReader extends BodyWalk {
  readonly #fonts: GridFonts;
  readonly #beginsLower: boolean;
  /** The grids of this section and of those behind it: the last one is the next. */
  readonly #grids: Grid[];
  /** How many paragraphs of the section have text, and how many of these have lines that are not on the grid. */
  #texts = 0;
  #free = 0;
  #paragraph: Paragraph | undefined;
  #run: Run | undefined;
  #section: Section | undefined;
  /** What this section or one before it has, which is this one's as well. */
  #hasHeader = false;
  #hasFooter = false;
  /** The section that ends with the paragraph. */
  #ended: Section | undefined;
  #inProperties = false;
  /** Where the object that is skipped begins. */
  #object: number | undefined;
  /** Properties as they are to be. */
  readonly #written = new Remembered<string>();

  /** @param beginsLower whether LibreOffice begins the grid below the top of the body. */
  constructor(xml: Bytes, fonts: GridFonts, beginsLower: boolean) {
    super(xml, { elements, passesOver });
    this.#grids = new SectionReader(xml).walk().grids.reverse();
    this.#fonts = fonts;
    this.#beginsLower = beginsLower;
  }

  override open(tag: Element): boolean {
    const { local, isEmpty, start, end } = tag;
    if (objectNames.has(local)) {
      if (this.#paragraph) {
        this.#paragraph.objects += 1;
        this.#object = isEmpty ? undefined : start;
      }
      return true;
    }
    if (local === 'sectPr') {
      this.#section = { pitch: undefined, height: undefined, margins: undefined };
      if (isEmpty) this.#closeSection();
    } else if (this.#section) this.#readSection(this.#section, tag);
    else if (local === 'p') {
      const style = this.#fonts.paragraphStyle('');
      // Without an end tag there is nothing in it that could be changed.
      if (!isEmpty) {
        const height = { hasText: false, objects: 0, pictureHeight: undefined };
        this.#paragraph = {
          start: end,
          end,
          content: '',
          isPlain: true,
          style,
          properties: {},
          runs: [],
          ...height,
        };
      }
    } else if (this.#paragraph) this.#readParagraph(this.#paragraph, tag);
    return false;
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (this.#object !== undefined) this.#closeObject(end);
    else if (local === 'sectPr') this.#closeSection();
    else if (local === 'r') this.#run = undefined;
    else if (local === 'pPr' && this.#paragraph) {
      this.#inProperties = false;
      this.#paragraph.end = end;
      const text = this.xml.slice(this.#paragraph.start, end);
      this.#paragraph.content = contentOf(text);
      this.#paragraph.isPlain = text.startsWith(`<${this.w}pPr>`);
    } else if (local === 'p' && this.#paragraph) {
      this.#endParagraph(this.#paragraph, end);
      this.#paragraph = undefined;
      // Its section ends with it.
      if (this.#ended) this.#flush(this.#ended);
    }
  }

  override text(start: number, end: number): void {
    if (!this.#run || !this.#paragraph) return;
    this.#paragraph.hasText = true;
    this.#run.isEastAsian ||= EAST_ASIAN.test(this.xml.slice(start, end));
  }

  #closeObject(end: number): void {
    const text = this.xml.slice(this.#object, end);
    this.#object = undefined;
    const { inlineHeight } = readDrawing(text);
    if (this.#paragraph && inlineHeight !== undefined)
      this.#paragraph.pictureHeight = inlineHeight / EMU_PER_TWIP;
  }

  #readParagraph(paragraph: Paragraph, element: Element): void {
    const { local, attributes, isEmpty, start, end } = element;
    if (local === 'pPr') {
      paragraph.start = start;
      paragraph.end = end;
      this.#inProperties = !isEmpty;
    } else if (local === 'r') {
      if (isEmpty) return;
      this.#run = { properties: {}, isEastAsian: false };
      paragraph.runs.push(this.#run);
    } else if (local === 'pStyle') {
      paragraph.style = this.#fonts.paragraphStyle(element.value() ?? '');
    } else if (this.#run) this.#readRun(this.#run, element);
    else if (this.#inProperties && (local === 'spacing' || local === 'snapToGrid')) {
      // The mark of a paragraph may have a distance of characters, which says nothing of lines.
      const own = readLineProperty(local, attributes, this.w);
      paragraph.properties = { ...paragraph.properties, ...own };
    }
  }

  #readRun(run: Run, element: Element): void {
    const { local, attributes } = element;
    if (local === 'rStyle') run.style = element.text();
    else if (local === 'rFonts') run.fonts = fontAttributes(attributes, this.w);
    else if (local === 'sz') run.properties = readLineProperty(local, attributes, this.w);
  }

  #readSection(section: Section, tag: Element): void {
    const { local } = tag;
    if (local === 'docGrid') section.pitch = pitchOf(tag) ?? section.pitch;
    else if (local === 'headerReference') this.#hasHeader = true;
    else if (local === 'footerReference') this.#hasFooter = true;
    else if (local === 'pgSz') section.height = numberOf(tag, 'h');
    else if (local === 'pgMar') section.margins = tag;
  }

  #closeSection(): void {
    const section = this.#section;
    this.#section = undefined;
    if (!section) return;
    if (this.#paragraph) this.#ended = section;
    else this.#flush(section);
  }

  #endParagraph(paragraph: Paragraph, end: number): void {
    while ((this.#grids.at(-1)?.end ?? end) < end) this.#grids.pop();
    const pitch = this.#ended ? this.#ended.pitch : this.#grids.at(-1)?.pitch;
    if (!pitch) return;
    this.#setLines(paragraph, pitch);
    if (!paragraph.hasText) return;
    this.#texts += 1;
    if (this.#lineRule(paragraph) !== 'auto') this.#free += 1;
  }

  #flush({ pitch, height, margins }: Section): void {
    this.#ended = undefined;
    const isFree = this.#texts > 0 && this.#free >= this.#texts * FREE;
    [this.#texts, this.#free] = [0, 0];
    if (pitch && height !== undefined && margins) this.#moveGrid(pitch, height, margins, isFree);
  }

  /**
   * LibreOffice before 26.8 puts half of the body's height beyond whole steps above the first line. So the body begins that much
   * higher and, where possible, ends where it did: at most half a step is above the first line.
   *
   * @param isFree whether lines are not on the grid. Then the body has the nearest number of whole steps.
   */
  #moveGrid(pitch: number, height: number, tag: Element, isFree: boolean): void {
    const { attributes, start, end } = tag;
    const margin = (side: string) => Number(tag.value(side) ?? Number.NaN);
    const [top, bottom] = [margin('top'), margin('bottom')];
    const rest = (height - top - bottom) % pitch;
    const isLower = isFree && rest > pitch / 2;
    if (!isLower && !this.#beginsLower) return;
    const up = isLower ? 0 : Math.min(rest, Math.ceil(pitch / 2) - 1);
    const down = isLower ? rest - pitch : rest - up;
    // A margin below zero is one that nothing moves; a header or footer of more lines may reach into the body.
    const hasRoom = (edge: number, part: 'header' | 'footer', isThere: boolean) =>
      edge >= (isThere ? margin(part) + HEADER_ROOM : HEADER_ROOM);
    if (!hasRoom(top, 'header', this.#hasHeader) || !hasRoom(bottom, 'footer', this.#hasFooter)) return;
    if (up === 0 && down === 0) return;
    const own: Readonly<Record<string, number>> = {
      [`${this.w}top`]: top - up,
      [`${this.w}bottom`]: bottom + down,
    };
    const moved = withValues(attributes, (name, value) => String(own[name] ?? value));
    // The section stands in the properties of its last paragraph, which may have been changed.
    const last = this.edits.length - 1;
    const around = { start: this.edits.start(last), end: this.edits.end(last) };
    if (last >= 0 && around.start <= start && end <= around.end) {
      const text = this.edits
        .text(last)
        .replace(this.xml.slice(start, end), (written) =>
          withEdits(written, [editAttributes({ ...tag, start: 0 }, moved)]),
        );
      this.edits.cut(last);
      this.edits.push({ ...around, text });
    } else this.edits.push(editAttributes(tag, moved));
  }

  #lineRule({ properties, style }: Paragraph): string {
    return properties.lineRule ?? this.#fonts.styles.get(style, 'lineRule') ?? 'auto';
  }

  #setLines(paragraph: Paragraph, pitch: number): void {
    const { styles } = this.#fonts;
    const own = paragraph.properties;
    const line = own.line ?? styles.get(paragraph.style, 'line') ?? 240;
    const rule = this.#lineRule(paragraph);
    if (rule !== 'auto' || !(own.snapToGrid ?? styles.get(paragraph.style, 'snapToGrid') ?? true)) return;
    if (!paragraph.isPlain) return;
    const lines = line / 240;
    const isPicture = paragraph.objects === 1 && !paragraph.hasText;
    if (isPicture && paragraph.pictureHeight !== undefined) {
      const height = paragraph.pictureHeight;
      const distances = this.#aroundPicture(paragraph, { height, lines, pitch });
      if (distances)
        this.#write(paragraph, { line: '240', lineRule: 'auto', ...distances }, { snapToGrid: '0' });
    } else if (lines <= 1) return;
    else if (Math.ceil(this.#fontHeight(paragraph) / pitch) >= lines) {
      this.#write(paragraph, { line: '240', lineRule: 'auto' });
    } else {
      // A picture would be cut.
      const lineRule = paragraph.objects > 0 ? 'atLeast' : 'exact';
      const spacing = { line: String(Math.round(lines * pitch)), lineRule };
      this.#write(paragraph, spacing, { snapToGrid: '0', textAlignment: 'center' });
    }
  }

  /** Writes properties of a paragraph with this spacing, and with other elements by their values. */
  #write(
    { start, end, content }: Paragraph,
    spacing: Readonly<Record<string, string>>,
    others: Readonly<Record<string, string>> = {},
  ): void {
    const change = [...Object.entries(spacing), ...Object.entries(others)].join(' ');
    const text = this.#written.of(`${change}\n${content}`, () => {
      const properties = new ParagraphProperties(content, this.w);
      properties.merge('spacing', spacing);
      for (const [name, val] of Object.entries(others)) properties.set(name, { val });
      return properties.toString();
    });
    this.edits.push({ start, end, text });
  }

  /**
   * In Word, a picture fits on a page if it fits by itself. The rest of its grid steps, half of it above and half below the
   * picture, does not count.
   *
   * @returns the space above and below it; undefined where nothing changes.
   */
  #aroundPicture(
    { style, properties: own }: Paragraph,
    { height, lines, pitch }: { height: number; lines: number; pitch: number },
  ): { before: string; after: string } | undefined {
    const { styles } = this.#fonts;
    const half = Math.round((Math.max(lines, Math.ceil(height / pitch)) * pitch - height) / 2);
    const get = (name: 'before' | 'after') => own[name] ?? styles.get(style, name) ?? 0;
    if (half <= 0 || !sides.every((side) => styles.isWritten(own, style, side))) return undefined;
    return { before: String(get('before') + half), after: String(get('after') + half) };
  }

  /** Of the highest run, in twips. */
  #fontHeight({ style, runs }: Paragraph): number {
    const { styles } = this.#fonts;
    // What stands in an empty paragraph is its mark.
    const mark: Run = { properties: {}, isEastAsian: true };
    const heights = (runs.length > 0 ? runs : [mark]).map((run) => {
      const size =
        run.properties.size ?? styles.ofStyle(run.style, 'size') ?? styles.get(style, 'size') ?? DEFAULT_SIZE;
      const names = run.style === undefined ? [style] : [run.style, style];
      const ems = run.isEastAsian ? this.#fonts.lineHeight(run.fonts, this.w, names) : LATIN_HEIGHT;
      return size * TWIPS_PER_HALF_POINT * ems;
    });
    return heights.reduce((highest, each) => Math.max(highest, each), 0);
  }
}

/** The distance of lines, in twips; undefined where they are on no grid. */
function pitchOf(tag: Element): number | undefined {
  return gridTypes.has(tag.value('type')) ? numberOf(tag, 'linePitch') : undefined;
}

function numberOf(tag: Element, name: string): number | undefined {
  const value = tag.value(name);
  return value !== undefined && /^\d{1,5}$/.test(value) ? Number(value) : undefined;
}
