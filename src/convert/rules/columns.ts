/**
 * Space above the first paragraph of a section in columns (`w:cols`, ISO/IEC 29500-1, 17.6.4). In Word it moves that paragraph
 * down; LibreOffice begins all of the columns so much lower. A paragraph without height above it keeps the space in its column.
 */
import { BodyWalk, drawings, type Element, type Place } from '../document/body-walk.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';
import type { Bytes } from '../text/bytes.ts';
import { type LineProperties, type ParagraphStyles, readLineProperty } from './layout-styles.ts';

/** Of the paragraph that is put above, in twips: the least that a line may have. */
const LINE = 20;
const told = {
  elements: ['p', 'pPr', 'pStyle', 'spacing', 'pageBreakBefore', 'framePr', 'tbl', 'sectPr', 'cols'],
  passesOver: ['rPr', ...drawings],
};

interface Paragraph {
  readonly start: number;
  /** Its `w:pPr`, or the place for one. */
  properties: Place;
  style: string;
  spacing: LineProperties;
  /** It begins a page, or stands in a frame: then there is nothing above it to be moved. */
  isApart: boolean;
}

/** A number of columns. */
const SEVERAL = /num\s*=\s*["'](?!1["'])/;

/** The main part with its columns where Word begins them, in linear time. */
export function withWordsColumns(xml: Bytes, styles: ParagraphStyles): Bytes {
  if (!SEVERAL.test(xml)) return xml;
  return new ColumnReader(xml, styles).walk().edited();
}

class ColumnReader extends BodyWalk {
  readonly #styles: ParagraphStyles;
  /** What the section begins with; `null` where that is a table. */
  #first: Paragraph | null | undefined;
  /** The first paragraph, while its properties are read. */
  #open: Paragraph | undefined;
  #columns = 1;
  #inProperties = false;
  /** The section ends with the paragraph. */
  #isEnding = false;

  constructor(xml: Bytes, styles: ParagraphStyles) {
    super(xml, told);
    this.#styles = styles;
  }

  override open(element: Element): void {
    const { local, isEmpty, start, end } = element;
    if (local === 'tbl') {
      // Only what a section begins with is looked at.
      if (this.#first === undefined) this.#first = null;
    } else if (local === 'p') this.#openParagraph(isEmpty, start, end);
    else if (local === 'sectPr') this.#columns = 1;
    else if (local === 'cols') this.#columns = Number(element.value('num') ?? 1);
    else {
      if (local === 'pPr') this.#inProperties = !isEmpty;
      if (this.#open) this.#readProperty(this.#open, element);
    }
  }

  override close(local: string | undefined, _start: number, end: number): void {
    if (local === 'pPr') {
      this.#inProperties = false;
      if (this.#open) this.#open.properties = { ...this.#open.properties, end };
      this.#open = undefined;
    } else if (local === 'p') {
      this.#open = undefined;
      if (this.#isEnding) this.#endSection();
    } else if (local === 'sectPr') {
      if (this.#inProperties) this.#isEnding = true;
      else this.#endSection();
    }
  }

  #openParagraph(isEmpty: boolean, start: number, end: number): void {
    if (this.#first !== undefined) return;
    const style = this.#styles.paragraphStyle('');
    this.#first = { start, properties: { start: end, end }, style, spacing: {}, isApart: isEmpty };
    if (!isEmpty) this.#open = this.#first;
  }

  #readProperty(paragraph: Paragraph, element: Element): void {
    const { local, attributes, start, end } = element;
    if (local === 'pPr') paragraph.properties = { start, end };
    else if (local === 'pStyle') {
      paragraph.style = this.#styles.paragraphStyle(element.value() ?? '');
    } else if (local === 'spacing') paragraph.spacing = readLineProperty(local, attributes, this.w);
    else paragraph.isApart = true;
  }

  #endSection(): void {
    const first = this.#first;
    this.#first = undefined;
    this.#isEnding = false;
    if (!first || first.isApart || !(this.#columns > 1)) return;
    const { styles } = this.#styles;
    const before = first.spacing.before ?? styles.get(first.style, 'before') ?? 0;
    if (before <= LINE || !styles.isWritten(first.spacing, first.style, 'before')) return;
    const w = this.w;
    const above = new ParagraphProperties('', w);
    above.set('keepNext');
    above.set('spacing', { before: '0', after: '0', line: String(LINE), lineRule: 'exact' });
    const own = this.propertiesAt(first.properties);
    if (!own) return;
    own.merge('spacing', { before: String(before - LINE) });
    this.edits.push({ start: first.start, end: first.start, text: `<${w}p>${above}</${w}p>` });
    this.edits.push({ ...first.properties, text: own.toString() });
  }
}
