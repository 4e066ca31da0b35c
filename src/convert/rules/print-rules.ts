/** The rules of the print view: each changes an XML part in one respect. */
import type { LastResorts } from '../document/last-resorts.ts';
import { sectionsOf } from '../document/section-widths.ts';
import { withSizedStyles } from '../document/sized-styles.ts';
import type { Bytes } from '../text/bytes.ts';
import { withAlignmentTabs } from './alignment-tabs.ts';
import { withAnchoredBreaks } from './anchored-breaks.ts';
import type { DrawBarcode } from './barcodes.ts';
import { withBoundControls } from './bound-controls.ts';
import { withWordsBullets } from './bullets.ts';
import { cacheElements, withCountedCaches } from './chart-caches.ts';
import { withClearedTabs } from './cleared-tabs.ts';
import { withWordsColumnWidths } from './column-widths.ts';
import { withWordsColumns } from './columns.ts';
import { withComplexRuns } from './complex-runs.ts';
import { withMarkedCells } from './diagonal-borders.ts';
import { withLoneDropCaps } from './drop-caps.ts';
import { withWordsLineEnds } from './east-asian-lines.ts';
import type { EastAsianSettings } from './east-asian-settings.ts';
import { withFirstPageBorders } from './first-page-borders.ts';
import { wraps } from './floating-objects.ts';
import { withShownFormulas } from './formulas.ts';
import { gridFonts } from './grid-fonts.ts';
import { withoutHanging } from './hanging-punctuation.ts';
import { withHeaderObjects } from './header-objects.ts';
import { withInheritedLines } from './inherited-lines.ts';
import { withWordsBlanks } from './korean-blanks.ts';
import { withPartedLeaders } from './leaders.ts';
import { withoutLigatures } from './ligatures.ts';
import { withWordsLineBreaks } from './line-breaks.ts';
import { mayHaveGrid, withWordsGrid } from './line-grid.ts';
import { withOwnLineNumbers } from './line-numbers.ts';
import { withPlainLinks } from './link-styles.ts';
import { withListInstances, withListItems } from './list-numbers.ts';
import { withLooseFrames } from './loose-frames.ts';
import { withLowLines } from './low-lines.ts';
import { misread, withoutMisread } from './misread-elements.ts';
import { withoutNarrowGaps } from './narrow-gaps.ts';
import { withNoteMarks } from './note-marks.ts';
import { noteElements, withNotesInOrder } from './note-order.ts';
import { withObjectPictures } from './object-pictures.ts';
import { withPageObjects } from './page-objects.ts';
import { withPalePictures } from './pale-pictures.ts';
import { withoutPictureLinks } from './picture-links.ts';
import { withOutlines } from './picture-outlines.ts';
import { fontElements, withHebrewFonts, withLastResorts } from './replaced-fonts.ts';
import { withRightToLeftLists } from './rtl-lists.ts';
import type { RuledDocument } from './ruled-document.ts';
import { withWordsDirections } from './run-directions.ts';
import { withWordsSides } from './section-sides.ts';
import { withShadedText } from './shaded-text.ts';
import { type FieldNotes, fieldElements, updatable, withStoredResults } from './stored-fields.ts';
import { withoutSvgLinks } from './svg-links.ts';
import { withSymbolFonts } from './symbol-fonts.ts';
import { withoutGridInTables } from './table-grid.ts';
import { withWordsTables } from './tables.ts';
import { textWidths } from './text-widths.ts';
import { withUndatedControls } from './undated-controls.ts';
import { withoutUndefinedStyles } from './undefined-styles.ts';
import { withNamedStyles } from './unnamed-styles.ts';
import { withWordsFonts } from './weak-characters.ts';
import { withColouredWordArt } from './word-art.ts';
import { withWrittenSpacing } from './written-spacing.ts';

/** What a rule may ask for beside the part that it changes. */
interface RuleContext {
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
  /** Local names of elements, one of which is in every part that needs it. */
  readonly elements: readonly string[];
  /** The part as the rule has it. It has no comments, instructions and sections. */
  readonly apply: (xml: Bytes, context: RuleContext) => Bytes;
}

/** In the order in which they are applied. */
export const printRules: readonly PrintRule[] = [
  // First, as it counts paragraphs of the document as it is kept.
  {
    name: 'list-numbers',
    elements: ['abstractNum', 'numPr', 'pStyle'],
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
    elements: ['instrText'],
    apply: (xml, { document, updatesFields }) =>
      updatesFields ? xml : withPartedLeaders(xml, (style) => document?.styleHasLeader(style) ?? false),
  },
  {
    name: 'stored-fields',
    elements: fieldElements,
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
    elements: ['style'],
    apply: (xml, { document }) => (document ? withPlainLinks(xml) : xml),
  },
  // Before note-order, which gives notes other ids.
  {
    name: 'note-marks',
    elements: noteElements,
    apply: (xml, { document, mainOf }) =>
      document ? withNoteMarks(xml, mainOf !== undefined, (kind) => document.noteMarks(kind)) : xml,
  },
  {
    name: 'note-order',
    elements: noteElements,
    apply: (xml, { document, mainOf }) =>
      document ? withNotesInOrder(xml, mainOf !== undefined, (kind) => document.notes(kind)) : xml,
  },
  { name: 'unnamed-styles', elements: ['style'], apply: withNamedStyles },
  {
    name: 'undefined-styles',
    elements: ['numPr'],
    apply: (xml, { document }) =>
      document ? withoutUndefinedStyles(xml, (id) => document.styles.fonts.has(id)) : xml,
  },
  { name: 'misread-elements', elements: misread, apply: withoutMisread },
  { name: 'loose-frames', elements: ['framePr'], apply: withLooseFrames },
  { name: 'drop-caps', elements: ['framePr'], apply: withLoneDropCaps },
  { name: 'undated-controls', elements: ['date'], apply: withUndatedControls },
  {
    name: 'bound-controls',
    elements: ['dataBinding'],
    apply: (xml, { document }) => withBoundControls(xml, (binding) => document?.boundData.value(binding)),
  },
  {
    name: 'formulas',
    // Of equations in fields, stored-fields makes formulas.
    elements: ['oMath', 'oMathPara', ...fieldElements],
    apply: (xml, { document, libreOffice }) => withShownFormulas(xml, document?.sizeOf, libreOffice),
  },
  {
    name: 'alignment-tabs',
    elements: ['ptab'],
    apply: (xml, { document, mainOf, name }) => {
      const width = document?.headerSection(name)?.twips;
      if (!document || (!mainOf && width === undefined)) return xml;
      return withAlignmentTabs(xml, (style) => document.stopsOf(style), width);
    },
  },
  { name: 'chart-caches', elements: cacheElements, apply: withCountedCaches },
  { name: 'object-pictures', elements: ['OLEObject'], apply: withObjectPictures },
  { name: 'picture-links', elements: ['blip'], apply: withoutPictureLinks },
  { name: 'svg-links', elements: ['svg'], apply: withoutSvgLinks },
  { name: 'picture-outlines', elements: ['pic'], apply: withOutlines },
  { name: 'pale-pictures', elements: ['alphaModFix'], apply: withPalePictures },
  { name: 'word-art', elements: ['prstTxWarp'], apply: withColouredWordArt },
  {
    name: 'shaded-text',
    elements: ['shd'],
    apply: (xml, { document }) => {
      if (!document) return xml;
      const { colours, shades, styles } = document;
      return withShadedText(xml, { colours, shades, paragraphStyle: styles.paragraphStyle });
    },
  },
  { name: 'symbol-fonts', elements: ['rFonts'], apply: withSymbolFonts },
  {
    name: 'bullets',
    elements: ['lvlText'],
    apply: (xml, { document }) => withWordsBullets(xml, document?.hasSpacedLines ?? (() => false)),
  },
  {
    name: 'complex-runs',
    elements: ['rtl', 'cs'],
    apply: (xml, { document }) => withComplexRuns(xml, document?.styles),
  },
  {
    name: 'last-resorts',
    elements: fontElements,
    apply: (xml, { resorts }) => (resorts.size > 0 ? withLastResorts(xml, resorts) : xml),
  },
  {
    name: 'line-ends',
    elements: ['wordWrap'],
    apply: (xml, { document }) => withWordsLineEnds(xml, document?.eastAsian.language),
  },
  {
    name: 'hanging-punctuation',
    elements: ['docDefaults'],
    apply: (xml, { document }) => (document && mayHang(document.eastAsian) ? withoutHanging(xml) : xml),
  },
  {
    name: 'hebrew-fonts',
    elements: fontElements,
    apply: (xml, { hasHebrew }) => (hasHebrew ? withHebrewFonts(xml) : xml),
  },
  {
    name: 'rtl-lists',
    elements: ['lvlJc'],
    apply: (xml, { document, libreOffice }) =>
      document ? withRightToLeftLists(xml, () => document.listDirections, libreOffice) : xml,
  },
  {
    name: 'run-directions',
    elements: ['rtl'],
    apply: (xml, { document }) => (document ? withWordsDirections(xml, document.styles.fonts) : xml),
  },
  {
    name: 'anchored-breaks',
    elements: ['br'],
    apply: (xml, { mainOf }) => (mainOf ? withAnchoredBreaks(xml) : xml),
  },
  // Before those that ask how large objects are, and where.
  {
    name: 'page-objects',
    elements: ['sizeRelH', 'sizeRelV', 'wgp', 'pict'],
    apply: (xml, { document, mainOf, name }) => {
      const section = document?.headerSection(name);
      return withPageObjects(xml, mainOf ? sectionsOf(xml) : () => section);
    },
  },
  {
    name: 'header-objects',
    elements: wraps,
    apply: (xml, { document, name }) => {
      const section = document?.headerSection(name);
      return document && section ? withHeaderObjects(xml, section, document.styles) : xml;
    },
  },
  {
    name: 'narrow-gaps',
    elements: [...wraps, 'tblpPr'],
    apply: (xml, { mainOf }) => (mainOf ? withoutNarrowGaps(xml) : xml),
  },
  {
    name: 'cleared-tabs',
    elements: ['tabs'],
    apply: (xml, { document }) =>
      document ? withClearedTabs(xml, document.styles, document.defaultTabStop) : xml,
  },
  {
    name: 'written-spacing',
    elements: ['numPr', 'pStyle'],
    apply: (xml, { document }) => (document ? withWrittenSpacing(xml, document.styles) : xml),
  },
  // Before low-lines and line-grid, which write a spacing of their own.
  { name: 'inherited-lines', elements: ['spacing'], apply: withInheritedLines },
  {
    name: 'low-lines',
    elements: ['p'],
    apply: (xml, { document }) => (document ? withLowLines(xml, document.styles) : xml),
  },
  {
    name: 'section-sides',
    elements: ['sectPr'],
    apply: (xml, { mainOf }) => (mainOf ? withWordsSides(xml, mainOf.facing) : xml),
  },
  {
    name: 'first-page-borders',
    elements: ['pgBorders'],
    apply: (xml, { mainOf }) => (mainOf ? withFirstPageBorders(xml, mainOf.surrounded) : xml),
  },
  {
    name: 'line-numbers',
    elements: ['lnNumType'],
    apply: (xml, { mainOf }) => (mainOf ? withOwnLineNumbers(xml) : xml),
  },
  {
    name: 'line-grid',
    elements: ['docGrid'],
    apply: (xml, { mainOf, libreOffice }) =>
      mainOf ? withWordsGrid(xml, gridFonts(mainOf.styles), libreOffice) : xml,
  },
  {
    name: 'table-grid',
    elements: ['docGrid'],
    apply: (xml, { mainOf }) =>
      mainOf?.eastAsian.hasGridInTables === false && mayHaveGrid(xml) ? withoutGridInTables(xml) : xml,
  },
  {
    name: 'columns',
    elements: ['cols'],
    apply: (xml, { mainOf }) => (mainOf ? withWordsColumns(xml, mainOf.styles) : xml),
  },
  {
    name: 'tables',
    elements: ['tblPr', 'tblPrEx', 'tblPrChange', 'tblPrExChange'],
    apply: (xml, { mainOf }) => (mainOf ? withWordsTables(xml, mainOf.styles, mainOf.mode) : xml),
  },
  {
    name: 'diagonal-borders',
    elements: ['tl2br', 'tr2bl'],
    apply: (xml, { document }) =>
      document ? withMarkedCells(xml, document.cellMarks, document.shades) : xml,
  },
  // The part with the styles comes behind the main part, whose rules ask for these.
  {
    name: 'sized-styles',
    elements: ['styles'],
    apply: (xml, { document }) => (document ? withSizedStyles(xml, document.styles.added) : xml),
  },
  // Behind `tables`, which may change margins of cells.
  {
    name: 'column-widths',
    elements: ['tbl'],
    apply: (xml, { mainOf }) =>
      mainOf ? withWordsColumnWidths(xml, textWidths(mainOf.styles), mainOf.mode) : xml,
  },
  // Behind those that ask what a font is like, and before the one that gives it another name.
  {
    name: 'weak-characters',
    elements: ['t'],
    apply: (xml, { document }) =>
      document ? withWordsFonts(xml, document.styles, document.eastAsian.halvesBlanks) : xml,
  },
  {
    name: 'korean-blanks',
    elements: ['rFonts'],
    apply: (xml, { document }) => (document ? withWordsBlanks(xml, document.eastAsian) : xml),
  },
  {
    name: 'ligatures',
    elements: ['rFonts', 'fontScheme'],
    apply: (xml, { document }) => (document?.asksForLigatures === false ? withoutLigatures(xml) : xml),
  },
  // Last, as others look at text.
  {
    name: 'line-breaks',
    elements: ['t'],
    apply: (xml, { document }) => (document ? withWordsLineBreaks(xml) : xml),
  },
];

/** Chinese and Japanese, which LibreOffice would put beyond the end of a line where Word does not. */
function mayHang({ language, hangsPunctuation }: EastAsianSettings): boolean {
  return !hangsPunctuation && /^(?:zh|ja)/.test(language ?? '');
}
