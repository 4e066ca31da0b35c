/** The rules of the print view: each changes an XML part in one respect. */
import type { LastResorts } from '../document/last-resorts.ts';
import { sectionsOf } from '../document/section-widths.ts';
import { mayHaveAlignmentTabs, withAlignmentTabs } from './alignment-tabs.ts';
import { mayHaveAnchoredBreak, withAnchoredBreaks } from './anchored-breaks.ts';
import type { DrawBarcode } from './barcodes.ts';
import { mayHaveBoundControls, withBoundControls } from './bound-controls.ts';
import { mayHaveBullets, withWordsBullets } from './bullets.ts';
import { mayHaveCaches, withCountedCaches } from './chart-caches.ts';
import { mayClearTabs, withClearedTabs } from './cleared-tabs.ts';
import { mayHaveColumnWidths, withWordsColumnWidths } from './column-widths.ts';
import { mayHaveColumns, withWordsColumns } from './columns.ts';
import { mayHaveComplexRuns, withComplexRuns } from './complex-runs.ts';
import { mayHaveDiagonals, withMarkedCells } from './diagonal-borders.ts';
import { mayHaveLineEnds, withWordsLineEnds } from './east-asian-lines.ts';
import type { EastAsianSettings } from './east-asian-settings.ts';
import { mayHaveFirstPageBorders, withFirstPageBorders } from './first-page-borders.ts';
import { mayHaveFloating } from './floating-objects.ts';
import { mayHaveFormulas, withShownFormulas } from './formulas.ts';
import { gridFonts } from './grid-fonts.ts';
import { mayHaveDefaults, withoutHanging } from './hanging-punctuation.ts';
import { withHeaderObjects } from './header-objects.ts';
import { mayHaveBlanks, withWordsBlanks } from './korean-blanks.ts';
import { mayHaveLeaders, withPartedLeaders } from './leaders.ts';
import { mayHaveLatinFonts, withoutLigatures } from './ligatures.ts';
import { mayHaveText, withWordsLineBreaks } from './line-breaks.ts';
import { mayHaveLineGrid, withWordsGrid } from './line-grid.ts';
import { mayHaveLineNumbers, withOwnLineNumbers } from './line-numbers.ts';
import { mayDefineLinks, withPlainLinks } from './link-styles.ts';
import { mayHaveListNumbers, withListInstances, withListItems } from './list-numbers.ts';
import { mayHaveLooseFrame, withLooseFrames } from './loose-frames.ts';
import { mayHaveMisread, withoutMisread } from './misread-elements.ts';
import { mayHaveGaps, withoutNarrowGaps } from './narrow-gaps.ts';
import { withNoteMarks } from './note-marks.ts';
import { mayHaveNotes, withNotesInOrder } from './note-order.ts';
import { mayHaveObjects, withObjectPictures } from './object-pictures.ts';
import { mayHavePageObjects, withPageObjects } from './page-objects.ts';
import { mayHavePalePictures, withPalePictures } from './pale-pictures.ts';
import { mayHaveLinkedPictures, withoutPictureLinks } from './picture-links.ts';
import { mayHaveOutlines, withOutlines } from './picture-outlines.ts';
import { mayNameFonts, withHebrewFonts, withLastResorts } from './replaced-fonts.ts';
import { mayDefineLists, withRightToLeftLists } from './rtl-lists.ts';
import type { RuledDocument } from './ruled-document.ts';
import { mayHaveDirections, withWordsDirections } from './run-directions.ts';
import { mayBeginOnSide, withoutSides } from './section-sides.ts';
import { type FieldNotes, mayKeepResults, updatable, withStoredResults } from './stored-fields.ts';
import { mayHaveSvgLinks, withoutSvgLinks } from './svg-links.ts';
import { mayHaveSymbols, withSymbolFonts } from './symbol-fonts.ts';
import { withoutGridInTables } from './table-grid.ts';
import { mayHaveTables, withWordsTables } from './tables.ts';
import { textWidths } from './text-widths.ts';
import { mayHaveUndatedControl, withUndatedControls } from './undated-controls.ts';
import { mayHaveItems, withoutUndefinedStyles } from './undefined-styles.ts';
import { mayDefineStyles, withNamedStyles } from './unnamed-styles.ts';
import { mayHaveWeakCharacters, withWordsFonts } from './weak-characters.ts';
import { mayHaveWrittenSpacing, withWrittenSpacing } from './written-spacing.ts';

/** What a rule may ask for beside the part that it changes. */
export interface RuleContext {
  /** The name of the part to change, in lower case. */
  readonly name: string;
  /** Replacements for fonts that exist nowhere. */
  readonly resorts: LastResorts;
  /** Whether any part has Hebrew letters. */
  readonly hasHebrew: boolean;
  /** The document that the part to change belongs to; undefined for one inside another document. */
  readonly document: RuledDocument | undefined;
  /** The same, where the part to change is its main part. */
  readonly mainOf: RuledDocument | undefined;
  /** The version of LibreOffice that the document is for; undefined where it is not known. */
  readonly libreOffice: string | undefined;
  /** Whether LibreOffice updates tables of contents and dates. */
  readonly updatesFields: boolean;
  /** Where to note what becomes of fields. */
  readonly fields: FieldNotes;
  /** Undefined where the part has no barcodes. */
  readonly drawBarcode: DrawBarcode | undefined;
}

export interface PrintRule {
  /** As the log calls it. */
  readonly name: string;
  /** Whether a part may need it, by a piece of it. */
  readonly mayApply: (piece: Buffer) => boolean;
  /** The part as the rule has it, in an encoding in which ASCII is ASCII and without comments, instructions and sections. */
  readonly apply: (xml: string, context: RuleContext) => string;
}

/** In the order in which they are applied. */
export const printRules: readonly PrintRule[] = [
  // First, as it counts paragraphs of the document as it is kept.
  {
    name: 'list-numbers',
    mayApply: mayHaveListNumbers,
    apply: (xml, { document, name }) => {
      const numbers = document?.listNumbers;
      if (!document || !numbers) return xml;
      if (document.isNumbering(name)) return withListInstances(xml, numbers);
      const items = numbers.items.get(name);
      return items ? withListItems(xml, items) : xml;
    },
  },
  // Before stored-fields, which gives the fields another name.
  {
    name: 'leaders',
    mayApply: mayHaveLeaders,
    apply: (xml, { document, updatesFields }) =>
      updatesFields ? xml : withPartedLeaders(xml, (style) => document?.styleHasLeader(style) ?? false),
  },
  {
    name: 'stored-fields',
    mayApply: mayKeepResults,
    apply: (xml, { document, updatesFields, fields, drawBarcode }) =>
      withStoredResults(xml, {
        linkStyle: document?.linkStyle,
        updated: updatesFields ? updatable : undefined,
        document,
        notes: fields,
        drawBarcode,
      }),
  },
  {
    name: 'links',
    mayApply: mayDefineLinks,
    apply: (xml, { document }) => (document ? withPlainLinks(xml) : xml),
  },
  // Before note-order, which gives notes other ids.
  {
    name: 'note-marks',
    mayApply: mayHaveNotes,
    apply: (xml, { document, mainOf }) =>
      document ? withNoteMarks(xml, mainOf !== undefined, (kind) => document.noteMarks(kind)) : xml,
  },
  {
    name: 'note-order',
    mayApply: mayHaveNotes,
    apply: (xml, { document, mainOf }) =>
      document ? withNotesInOrder(xml, mainOf !== undefined, (kind) => document.notes(kind)) : xml,
  },
  { name: 'unnamed-styles', mayApply: mayDefineStyles, apply: withNamedStyles },
  {
    name: 'undefined-styles',
    mayApply: mayHaveItems,
    apply: (xml, { document }) =>
      document ? withoutUndefinedStyles(xml, (id) => document.styles.fonts.has(id)) : xml,
  },
  { name: 'misread-elements', mayApply: mayHaveMisread, apply: withoutMisread },
  { name: 'loose-frames', mayApply: mayHaveLooseFrame, apply: withLooseFrames },
  { name: 'undated-controls', mayApply: mayHaveUndatedControl, apply: withUndatedControls },
  {
    name: 'bound-controls',
    mayApply: mayHaveBoundControls,
    apply: (xml, { document }) => withBoundControls(xml, (binding) => document?.boundData.value(binding)),
  },
  {
    name: 'formulas',
    // Of equations in fields, stored-fields makes formulas.
    mayApply: (piece) => mayHaveFormulas(piece) || mayKeepResults(piece),
    apply: (xml, { document, libreOffice }) => withShownFormulas(xml, document?.sizeOf, libreOffice),
  },
  {
    name: 'alignment-tabs',
    mayApply: mayHaveAlignmentTabs,
    apply: (xml, { document, mainOf, name }) => {
      const width = document?.headerSection(name)?.twips;
      if (!document || (!mainOf && width === undefined)) return xml;
      return withAlignmentTabs(xml, (style) => document.stopsOf(style), width);
    },
  },
  { name: 'chart-caches', mayApply: mayHaveCaches, apply: withCountedCaches },
  { name: 'object-pictures', mayApply: mayHaveObjects, apply: withObjectPictures },
  { name: 'picture-links', mayApply: mayHaveLinkedPictures, apply: withoutPictureLinks },
  { name: 'svg-links', mayApply: mayHaveSvgLinks, apply: withoutSvgLinks },
  { name: 'picture-outlines', mayApply: mayHaveOutlines, apply: withOutlines },
  { name: 'pale-pictures', mayApply: mayHavePalePictures, apply: withPalePictures },
  { name: 'symbol-fonts', mayApply: mayHaveSymbols, apply: withSymbolFonts },
  {
    name: 'bullets',
    mayApply: mayHaveBullets,
    apply: (xml, { document }) => withWordsBullets(xml, document?.raiseOf ?? (() => undefined)),
  },
  {
    name: 'complex-runs',
    mayApply: mayHaveComplexRuns,
    apply: (xml, { document }) => withComplexRuns(xml, document?.styles),
  },
  {
    name: 'last-resorts',
    mayApply: mayNameFonts,
    apply: (xml, { resorts }) => (resorts.size > 0 ? withLastResorts(xml, resorts) : xml),
  },
  {
    name: 'line-ends',
    mayApply: mayHaveLineEnds,
    apply: (xml, { document }) => withWordsLineEnds(xml, document?.eastAsian.language),
  },
  {
    name: 'hanging-punctuation',
    mayApply: mayHaveDefaults,
    apply: (xml, { document }) => (document && mayHang(document.eastAsian) ? withoutHanging(xml) : xml),
  },
  {
    name: 'hebrew-fonts',
    mayApply: mayNameFonts,
    apply: (xml, { hasHebrew }) => (hasHebrew ? withHebrewFonts(xml) : xml),
  },
  {
    name: 'rtl-lists',
    mayApply: mayDefineLists,
    apply: (xml, { document, libreOffice }) =>
      document ? withRightToLeftLists(xml, () => document.listDirections, libreOffice) : xml,
  },
  {
    name: 'run-directions',
    mayApply: mayHaveDirections,
    apply: (xml, { document }) => (document ? withWordsDirections(xml, document.styles.fonts) : xml),
  },
  {
    name: 'anchored-breaks',
    mayApply: mayHaveAnchoredBreak,
    apply: (xml, { mainOf }) => (mainOf ? withAnchoredBreaks(xml) : xml),
  },
  // Before those that ask how large objects are, and where.
  {
    name: 'page-objects',
    mayApply: mayHavePageObjects,
    apply: (xml, { document, mainOf, name }) => {
      const section = document?.headerSection(name);
      return withPageObjects(xml, mainOf ? sectionsOf(xml) : () => section);
    },
  },
  {
    name: 'header-objects',
    mayApply: mayHaveFloating,
    apply: (xml, { document, name }) => {
      const section = document?.headerSection(name);
      return document && section ? withHeaderObjects(xml, section, document.styles) : xml;
    },
  },
  {
    name: 'narrow-gaps',
    mayApply: mayHaveGaps,
    apply: (xml, { mainOf }) => (mainOf ? withoutNarrowGaps(xml) : xml),
  },
  {
    name: 'cleared-tabs',
    mayApply: mayClearTabs,
    apply: (xml, { document }) =>
      document ? withClearedTabs(xml, document.styles, document.defaultTabStop) : xml,
  },
  {
    name: 'written-spacing',
    mayApply: mayHaveWrittenSpacing,
    apply: (xml, { mainOf }) => (mainOf ? withWrittenSpacing(xml, mainOf.styles) : xml),
  },
  {
    name: 'section-sides',
    mayApply: mayBeginOnSide,
    apply: (xml, { mainOf }) => (mainOf ? withoutSides(xml) : xml),
  },
  {
    name: 'first-page-borders',
    mayApply: mayHaveFirstPageBorders,
    apply: (xml, { mainOf }) => (mainOf ? withFirstPageBorders(xml, mainOf.surrounded) : xml),
  },
  {
    name: 'line-numbers',
    mayApply: mayHaveLineNumbers,
    apply: (xml, { mainOf }) => (mainOf ? withOwnLineNumbers(xml) : xml),
  },
  {
    name: 'line-grid',
    mayApply: mayHaveLineGrid,
    apply: (xml, { mainOf, libreOffice }) =>
      mainOf ? withWordsGrid(xml, gridFonts(mainOf.styles), libreOffice) : xml,
  },
  {
    name: 'table-grid',
    mayApply: mayHaveLineGrid,
    apply: (xml, { mainOf }) =>
      mainOf?.eastAsian.hasGridInTables === false ? withoutGridInTables(xml) : xml,
  },
  {
    name: 'columns',
    mayApply: mayHaveColumns,
    apply: (xml, { mainOf }) => (mainOf ? withWordsColumns(xml, mainOf.styles) : xml),
  },
  {
    name: 'tables',
    mayApply: mayHaveTables,
    apply: (xml, { mainOf }) => (mainOf ? withWordsTables(xml, mainOf.styles) : xml),
  },
  {
    name: 'diagonal-borders',
    mayApply: mayHaveDiagonals,
    apply: (xml, { document }) =>
      document ? withMarkedCells(xml, document.cellMarks, (style) => document.shadesCells(style)) : xml,
  },
  // Behind `tables`, which may change margins of cells.
  {
    name: 'column-widths',
    mayApply: mayHaveColumnWidths,
    apply: (xml, { mainOf }) =>
      mainOf ? withWordsColumnWidths(xml, textWidths(mainOf.styles), mainOf.mode) : xml,
  },
  // Behind those that ask what a font is like, and before the one that gives it another name.
  {
    name: 'weak-characters',
    mayApply: mayHaveWeakCharacters,
    apply: (xml, { document }) =>
      document ? withWordsFonts(xml, document.styles, document.eastAsian.halvesBlanks) : xml,
  },
  {
    name: 'korean-blanks',
    mayApply: mayHaveBlanks,
    apply: (xml, { document }) => (document ? withWordsBlanks(xml, document.eastAsian) : xml),
  },
  {
    name: 'ligatures',
    mayApply: mayHaveLatinFonts,
    apply: (xml, { document }) => (document?.asksForLigatures === false ? withoutLigatures(xml) : xml),
  },
  // Last, as others look at text.
  {
    name: 'line-breaks',
    mayApply: mayHaveText,
    apply: (xml, { document }) => (document ? withWordsLineBreaks(xml) : xml),
  },
];

/** Chinese and Japanese, which LibreOffice would put beyond the end of a line where Word does not. */
function mayHang({ language, hangsPunctuation }: EastAsianSettings): boolean {
  return !hangsPunctuation && /^(?:zh|ja)/.test(language ?? '');
}
