/**
 * Space above the first paragraph of a section in columns (`w:cols`, ISO/IEC 29500-1, 17.6.4). In Word it moves that paragraph
 * down; LibreOffice begins all of the columns so much lower. A paragraph without height above it keeps the space in its column.
 */
import { withEdits } from '../document/edits.ts';
import { type ElementVisitor, type StartTag, visitNamed } from '../document/elements.ts';
import { attributeOf, qualified, wordPrefixOf } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';
import { type LineProperties, type ParagraphStyles, readLineProperty } from './layout-styles.ts';

/** Of the paragraph that is put above, in twips: the least that a line may have. */
const LINE = 20;
const skipped = ['pPrChange', 'sectPrChange', 'rPr', 'del', 'moveFrom', 'pict', 'drawing', 'object'];
const elements = [
  'p',
  'pPr',
  'pStyle',
  'spacing',
  'pageBreakBefore',
  'framePr',
  'tbl',
  'sectPr',
  'cols',
  ...skipped,
];
const skippedNames: ReadonlySet<string> = new Set(skipped);

interface Paragraph {
  readonly start: number;
  /** Its `w:pPr`, or the place for one. */
  properties: { start: number; end: number };
  style: string;
  spacing: LineProperties;
  /** It begins a page, or stands in a frame: then there is nothing above it to be moved. */
  isApart: boolean;
}

/** A number of columns. */
const SEVERAL = /num\s*=\s*["'](?!1["'])/;

/**
 * The main part with its columns where Word begins them, in linear time.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withWordsColumns(xml: string, styles: ParagraphStyles): string {
  if (!SEVERAL.test(xml)) return xml;
  const reader = new ColumnReader(xml, styles);
  visitNamed(xml, reader);
  return withEdits(xml, reader.edits);
}

class ColumnReader implements ElementVisitor {
  readonly names: ReadonlyMap<string, string>;
  readonly edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  readonly #xml: string;
  readonly #styles: ParagraphStyles;
  readonly #prefix: string;
  /** What the section begins with; `null` where that is a table. */
  #first: Paragraph | null | undefined;
  /** The first paragraph, while its properties are read. */
  #open: Paragraph | undefined;
  #columns = 1;
  #inProperties = false;
  /** The section ends with the paragraph. */
  #isEnding = false;

  constructor(xml: string, styles: ParagraphStyles) {
    this.#xml = xml;
    this.#styles = styles;
    this.#prefix = wordPrefixOf(xml);
    this.names = new Map([['mc:AlternateContent', 'drawing'], ...qualified(this.#prefix, elements)]);
  }

  open({ local, attributes, isEmpty, start, end }: StartTag): boolean {
    if (local === undefined) return false;
    if (skippedNames.has(local)) return true;
    if (local === 'tbl') {
      // Only what a section begins with is looked at.
      if (this.#first === undefined) this.#first = null;
    } else if (local === 'p') this.#openParagraph(isEmpty, start, end);
    else if (local === 'sectPr') this.#columns = 1;
    else if (local === 'cols') this.#columns = Number(attributeOf(attributes, `${this.#prefix}num`) ?? 1);
    else {
      if (local === 'pPr') this.#inProperties = !isEmpty;
      if (this.#open) this.#readProperty(this.#open, { local, attributes, start, end });
    }
    return false;
  }

  close(_name: string, local: string | undefined, _start: number, end: number): void {
    if (local === 'pPr') {
      this.#inProperties = false;
      if (this.#open) this.#open.properties.end = end;
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

  #readProperty(
    paragraph: Paragraph,
    { local, attributes, start, end }: { local: string; attributes: string; start: number; end: number },
  ): void {
    if (local === 'pPr') paragraph.properties = { start, end };
    else if (local === 'pStyle') {
      paragraph.style = this.#styles.paragraphStyle(attributeOf(attributes, `${this.#prefix}val`) ?? '');
    } else if (local === 'spacing') paragraph.spacing = readLineProperty(local, attributes, this.#prefix);
    else paragraph.isApart = true;
  }

  #endSection(): void {
    const first = this.#first;
    this.#first = undefined;
    this.#isEnding = false;
    if (!first || first.isApart || !(this.#columns > 1)) return;
    const { styles } = this.#styles;
    const before = first.spacing.before ?? styles.get(first.style, 'before') ?? 0;
    const isAutomatic = first.spacing.isAutomatic ?? styles.get(first.style, 'isAutomatic') ?? false;
    if (before <= LINE || isAutomatic) return;
    const w = this.#prefix;
    const above = new ParagraphProperties('', w);
    above.set('keepNext');
    above.set('spacing', { before: '0', after: '0', line: String(LINE), lineRule: 'exact' });
    const { start, end } = first.properties;
    const text = this.#xml.slice(start, end);
    if (text !== '' && !text.startsWith(`<${w}pPr>`)) return;
    const own = new ParagraphProperties(text.slice(text.indexOf('>') + 1, text.lastIndexOf('<')), w);
    own.merge('spacing', { before: String(before - LINE) });
    this.edits.push({ start: first.start, end: first.start, text: `<${w}p>${above}</${w}p>` });
    this.edits.push({ start, end, text: own.toString() });
  }
}
