/** What the rules of the print view ask of a document as a whole. It may have many parts to change, and is read once for all. */
import { BoundData } from '../document/bound-data.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText, linksOf } from '../document/links.ts';
import { headerSections, type SectionWidth } from '../document/section-widths.ts';
import { hasChapters, hasPageFormats, hasUnwrittenPages, lacksPageFormat } from '../document/sections.ts';
import { Settings } from '../document/settings.ts';
import { stylesWith } from '../document/styles-with.ts';
import { CellMarks } from './diagonal-borders.ts';
import { type DocumentStyles, documentStyles } from './document-styles.ts';
import { type EastAsianSettings, eastAsianSettings } from './east-asian-settings.ts';
import { FieldNames } from './field-names.ts';
import type { Surrounded } from './first-page-borders.ts';
import { asksForLigatures } from './ligatures.ts';
import { linkStyleOf } from './link-styles.ts';
import { type IsSpaced, spacedLists } from './list-lines.ts';
import { type ListNumbers, listNumbers } from './list-numbers.ts';
import { type NoteMarks, noteMarks } from './note-marks.ts';
import { type NoteKind, type NoteOrder, noteKinds, noteOrder } from './note-order.ts';
import { countUnwrittenNotes } from './note-references.ts';
import { directionsOfLists, type ListDirections } from './rtl-lists.ts';
import type { Facing } from './section-sides.ts';
import type { FieldSurroundings } from './stored-fields.ts';

/** Word's size of text where no style has one, in half points. */
const DEFAULT_SIZE = 20;

/** Each member is found out when a rule asks for it first. */
export class RuledDocument implements FieldSurroundings {
  /** Which of its lists have spaced lines. */
  readonly hasSpacedLines: IsSpaced;
  readonly #parts: KeptParts;
  #boundData: BoundData | undefined;
  #eastAsian: EastAsianSettings | undefined;
  #listDirections: ListDirections | undefined;
  #headerSections: ReadonlyMap<string, SectionWidth> | undefined;
  #styles: DocumentStyles | undefined;
  readonly #noteMarks = new Map<NoteKind, NoteMarks | undefined>();
  readonly #notes = new Map<NoteKind, NoteOrder | undefined>();
  #fieldNames: FieldNames | undefined;
  #listNumbers: { readonly found: ListNumbers | undefined } | undefined;
  #asksForLigatures: boolean | undefined;
  #hasChapters: boolean | undefined;
  #hasPageFormats: boolean | undefined;
  #lacksPageFormat: boolean | undefined;
  #hasUnwrittenPages: boolean | undefined;
  #numbering: ReadonlySet<string> | undefined;
  #cellMarks: CellMarks | undefined;
  #shadingStyles: ReadonlySet<string> | undefined;
  #colouredStyles: ReadonlySet<string> | undefined;
  #linkStyle: { readonly id: string | undefined } | undefined;

  /** Pages of all documents, where it is one of several whose pages are counted together. */
  readonly totalPages: number | undefined;

  constructor(parts: KeptParts, totalPages?: number) {
    this.#parts = parts;
    this.totalPages = totalPages;
    this.hasSpacedLines = spacedLists(parts, () => this.styles);
  }

  /** What its content controls are bound to. */
  get boundData(): BoundData {
    this.#boundData ??= new BoundData(this.#parts);
    return this.#boundData;
  }

  get eastAsian(): EastAsianSettings {
    this.#eastAsian ??= eastAsianSettings(this.#parts);
    return this.#eastAsian;
  }

  get styles(): DocumentStyles {
    this.#styles ??= documentStyles(this.#parts, this.eastAsian.theme);
    return this.#styles;
  }

  /** See {@link Settings.mode}. */
  get mode(): number {
    return new Settings(linkedText(this.#parts, 'settings')).mode;
  }

  get asksForLigatures(): boolean {
    this.#asksForLigatures ??= [
      linkedText(this.#parts, 'styles'),
      this.#parts.text(this.#parts.mainPart),
    ].some(asksForLigatures);
    return this.#asksForLigatures;
  }

  /** The distance of tab stops where a paragraph has none, in twips. */
  get defaultTabStop(): number {
    return new Settings(linkedText(this.#parts, 'settings')).tabStop;
  }

  /** What borders of pages are around. */
  get surrounded(): Surrounded {
    const settings = new Settings(linkedText(this.#parts, 'settings'));
    return {
      header: !settings.isOn('bordersDoNotSurroundHeader'),
      footer: !settings.isOn('bordersDoNotSurroundFooter'),
    };
  }

  get facing(): Facing {
    const settings = new Settings(linkedText(this.#parts, 'settings'));
    return { headers: settings.isOn('evenAndOddHeaders'), margins: settings.isOn('mirrorMargins') };
  }

  /** The marks of cells with diagonal lines. */
  get cellMarks(): CellMarks {
    this.#cellMarks ??= new CellMarks(this.#parts.text(this.#parts.mainPart));
    return this.#cellMarks;
  }

  /** Whether a style shades its text, or cells. */
  readonly shades = (style: string): boolean => {
    this.#shadingStyles ??= stylesWith(linkedText(this.#parts, 'styles'), 'shd');
    return this.#shadingStyles.has(style);
  };

  /** Whether a style, or the defaults where it is empty, say what colour text has. */
  readonly colours = (style: string): boolean => {
    const isColour = (value: string | undefined) => value !== 'auto';
    this.#colouredStyles ??= stylesWith(linkedText(this.#parts, 'styles'), 'color', isColour);
    return this.#colouredStyles.has(style);
  };

  /** The id of the style of links; undefined where there is none. */
  get linkStyle(): string | undefined {
    this.#linkStyle ??= { id: linkStyleOf(linkedText(this.#parts, 'styles')) };
    return this.#linkStyle.id;
  }

  /** The size of text in a paragraph style, in half points. */
  readonly sizeOf = (style: string): number => {
    const { styles, paragraphStyle } = this.styles;
    return styles.get(paragraphStyle(style), 'size') ?? DEFAULT_SIZE;
  };

  /** @param style that a paragraph names; empty where it names none. */
  styleHasLeader(style: string): boolean {
    return this.styles.fonts.hasLeader(this.styles.paragraphStyle(style));
  }

  /** The marks that its notes are to have; undefined where they have their numbers. */
  noteMarks(kind: NoteKind): NoteMarks | undefined {
    if (!this.#noteMarks.has(kind)) {
      const main = this.#parts.text(this.#parts.mainPart);
      this.#noteMarks.set(kind, noteMarks(main, linkedText(this.#parts, 'settings'), kind));
    }
    return this.#noteMarks.get(kind);
  }

  /** How its notes are to be; undefined where they are so. */
  notes(kind: NoteKind): NoteOrder | undefined {
    if (!this.#notes.has(kind)) {
      const part = linkedText(this.#parts, `${kind}s`);
      this.#notes.set(kind, noteOrder(this.#parts.text(this.#parts.mainPart), part, kind));
    }
    return this.#notes.get(kind);
  }

  /** The section of a header or footer; undefined for other parts. */
  headerSection(part: string): SectionWidth | undefined {
    this.#headerSections ??= headerSections(this.#parts);
    return this.#headerSections.get(part);
  }

  /** The tab stops of a paragraph that names this style, or none. */
  stopsOf(style: string): readonly string[] {
    return this.styles.fonts.stops(this.styles.fonts.paragraphStyle(style));
  }

  get bookmarks(): ReadonlySet<string> {
    return this.#names.bookmarks;
  }

  hasPage(bookmark: string): boolean {
    return this.#names.hasPage(bookmark);
  }

  shownStyle(name: string): string | undefined {
    return this.#names.shownStyle(name);
  }

  get hasChapters(): boolean {
    this.#hasChapters ??= hasChapters(this.#parts.text(this.#parts.mainPart));
    return this.#hasChapters;
  }

  get hasPageFormats(): boolean {
    this.#hasPageFormats ??= hasPageFormats(this.#parts.text(this.#parts.mainPart));
    return this.#hasPageFormats;
  }

  get lacksPageFormat(): boolean {
    this.#lacksPageFormat ??= lacksPageFormat(this.#parts.text(this.#parts.mainPart));
    return this.#lacksPageFormat;
  }

  get hasUnwrittenPages(): boolean {
    this.#hasUnwrittenPages ??= hasUnwrittenPages(this.#parts.text(this.#parts.mainPart));
    return this.#hasUnwrittenPages;
  }

  /** Number of list items and notes that have digits in place of their format. */
  get unwrittenNumbers(): number {
    const main = this.#parts.text(this.#parts.mainPart);
    const settings = linkedText(this.#parts, 'settings');
    const notes = noteKinds.map((kind) => countUnwrittenNotes(main, settings, kind));
    return notes.reduce((sum, count) => sum + count, this.#listNumbers?.found?.unwritten ?? 0);
  }

  headingLevel(style: string): number | undefined {
    const level = this.styles.fonts.outlineLevel(this.styles.paragraphStyle(style));
    return level === undefined || level > 8 ? undefined : level + 1;
  }

  get #names(): FieldNames {
    const { mainPart } = this.#parts;
    this.#fieldNames ??= new FieldNames(this.#parts.text(mainPart), linkedText(this.#parts, 'styles'));
    return this.#fieldNames;
  }

  /** Whether a part defines the lists of the document. @param part its name in lower case. */
  isNumbering(part: string): boolean {
    this.#numbering ??= new Set(
      linksOf(this.#parts, this.#parts.mainPart)
        .filter(({ type }) => type === 'numbering')
        .map(({ target }) => target),
    );
    return this.#numbering.has(part);
  }

  /** The items of lists that LibreOffice numbers unlike Word; undefined where there are none. */
  get listNumbers(): ListNumbers | undefined {
    this.#listNumbers ??= { found: listNumbers(this.#parts, this.styles.fonts) };
    return this.#listNumbers.found;
  }

  get listDirections(): ListDirections {
    this.#listDirections ??= directionsOfLists(this.#parts);
    return this.#listDirections;
  }
}
