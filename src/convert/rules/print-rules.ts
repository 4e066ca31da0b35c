/** The rules of the print view: each changes an XML part in one respect. */
import type { LastResorts } from '../document/last-resorts.ts';
import { mayHaveAnchoredBreak, withAnchoredBreaks } from './anchored-breaks.ts';
import { mayHaveBullets, withWordsBullets } from './bullets.ts';
import { mayHaveColumns, withWordsColumns } from './columns.ts';
import { mayHaveComplexRuns, withComplexRuns } from './complex-runs.ts';
import { mayHaveLineEnds, withWordsLineEnds } from './east-asian-lines.ts';
import type { EastAsianSettings } from './east-asian-settings.ts';
import { mayBeginOnSide, withFirstSection } from './first-section.ts';
import { mayHaveDefaults, withoutHanging } from './hanging-punctuation.ts';
import { mayHaveBlanks, withWordsBlanks } from './korean-blanks.ts';
import { mayHaveLeaders, withPartedLeaders } from './leaders.ts';
import { mayHaveLineGrid, withWordsGrid } from './line-grid.ts';
import { mayDefineLinks, withPlainLinks } from './link-styles.ts';
import { loosenFrames, mayHaveLooseFrame } from './loose-frames.ts';
import { mayNameFonts, withHebrewFonts, withLastResorts } from './replaced-fonts.ts';
import { mayDefineLists, withRightToLeftLists } from './rtl-lists.ts';
import type { RuledDocument } from './ruled-document.ts';
import { keepStoredResults, mayKeepResults } from './stored-fields.ts';
import { mayHaveSymbols, withSymbolFonts } from './symbol-fonts.ts';
import { mayHaveTables, withWordsTables } from './tables.ts';
import { mayHaveUndatedControl, undateControls } from './undated-controls.ts';
import { mayDefineStyles, withNamedStyles } from './unnamed-styles.ts';
import { mayHideOnWeb, showWebHidden } from './web-hidden.ts';
import { mayHaveWrittenSpacing, withWrittenSpacing } from './written-spacing.ts';

/** What a rule may ask for beside the part that it changes. */
export interface RuleContext {
  /** Fonts for those that are nowhere to be had. */
  readonly resorts: LastResorts;
  /** Whether any part has Hebrew letters. */
  readonly hasHebrew: boolean;
  /** The document that the part to change belongs to; undefined for one inside another document. */
  readonly document: RuledDocument | undefined;
  /** The same, where the part to change is its main part. */
  readonly mainOf: RuledDocument | undefined;
  /** The version of LibreOffice that the document is for; undefined where it is not known. */
  readonly libreOffice: string | undefined;
}

export interface PrintRule {
  /** As the log calls it. */
  readonly name: string;
  /** Whether a part may need it, by a piece of it. */
  readonly mayApply: (piece: Buffer) => boolean;
  /**
   * The part as the rule has it, in an encoding in which ASCII is ASCII; undefined where it stays as it is. The part may be
   * changed in place.
   */
  readonly apply: (part: Buffer, context: RuleContext) => Buffer | undefined;
}

/** In the order in which they are applied. */
export const printRules: readonly PrintRule[] = [
  // Before stored-fields, which gives the fields another name.
  {
    name: 'leaders',
    mayApply: mayHaveLeaders,
    apply: (part, { document }) =>
      asText(part, (xml) => withPartedLeaders(xml, (style) => document?.styleHasLeader(style) ?? false)),
  },
  {
    name: 'stored-fields',
    mayApply: mayKeepResults,
    apply: (part, { document }) => (keepStoredResults(part, document?.linkStyle) ? part : undefined),
  },
  {
    name: 'links',
    mayApply: mayDefineLinks,
    apply: (part, { document }) => document && asText(part, withPlainLinks),
  },
  { name: 'unnamed-styles', mayApply: mayDefineStyles, apply: (part) => asText(part, withNamedStyles) },
  { name: 'web-hidden', mayApply: mayHideOnWeb, apply: inPlace(showWebHidden) },
  { name: 'loose-frames', mayApply: mayHaveLooseFrame, apply: inPlace(loosenFrames) },
  { name: 'undated-controls', mayApply: mayHaveUndatedControl, apply: inPlace(undateControls) },
  { name: 'symbol-fonts', mayApply: mayHaveSymbols, apply: withSymbolFonts },
  {
    name: 'bullets',
    mayApply: mayHaveBullets,
    apply: (part, { document }) =>
      asText(part, (xml) => withWordsBullets(xml, document?.raiseOf ?? (() => undefined))),
  },
  { name: 'complex-runs', mayApply: mayHaveComplexRuns, apply: withComplexRuns },
  {
    name: 'last-resorts',
    mayApply: mayNameFonts,
    apply: (part, { resorts }) => (resorts.size > 0 ? withLastResorts(part, resorts) : undefined),
  },
  {
    name: 'line-ends',
    mayApply: mayHaveLineEnds,
    apply: (part, { document }) =>
      asText(part, (xml) => withWordsLineEnds(xml, document?.eastAsian.language)),
  },
  {
    name: 'hanging-punctuation',
    mayApply: mayHaveDefaults,
    apply: (part, { document }) =>
      document && mayHang(document.eastAsian) ? asText(part, withoutHanging) : undefined,
  },
  {
    name: 'hebrew-fonts',
    mayApply: mayNameFonts,
    apply: (part, { hasHebrew }) => (hasHebrew ? withHebrewFonts(part) : undefined),
  },
  {
    name: 'rtl-lists',
    mayApply: mayDefineLists,
    apply: (part, { document, libreOffice }) =>
      document && withRightToLeftLists(part, () => document.listDirections, libreOffice),
  },
  {
    name: 'anchored-breaks',
    mayApply: mayHaveAnchoredBreak,
    apply: (part, { mainOf }) => mainOf && asText(part, withAnchoredBreaks),
  },
  {
    name: 'written-spacing',
    mayApply: mayHaveWrittenSpacing,
    apply: (part, { mainOf }) => mainOf && asText(part, (xml) => withWrittenSpacing(xml, mainOf.gridFonts)),
  },
  {
    name: 'first-section',
    mayApply: mayBeginOnSide,
    apply: (part, { mainOf }) => mainOf && asText(part, withFirstSection),
  },
  {
    name: 'line-grid',
    mayApply: mayHaveLineGrid,
    apply: (part, { mainOf, libreOffice }) =>
      mainOf && asText(part, (xml) => withWordsGrid(xml, mainOf.gridFonts, libreOffice)),
  },
  {
    name: 'columns',
    mayApply: mayHaveColumns,
    apply: (part, { mainOf }) => mainOf && asText(part, (xml) => withWordsColumns(xml, mainOf.gridFonts)),
  },
  {
    name: 'tables',
    mayApply: mayHaveTables,
    apply: (part, { mainOf }) => mainOf && asText(part, (xml) => withWordsTables(xml, mainOf.gridFonts)),
  },
  // Behind those that ask what a font is like.
  {
    name: 'korean-blanks',
    mayApply: mayHaveBlanks,
    apply: (part, { document }) => document && withWordsBlanks(part, document.eastAsian),
  },
];

function inPlace(change: (part: Buffer) => boolean): PrintRule['apply'] {
  return (part) => (change(part) ? part : undefined);
}

/** Chinese and Japanese, which LibreOffice would put beyond the end of a line where Word does not. */
function mayHang({ language, hangsPunctuation }: EastAsianSettings): boolean {
  return !hangsPunctuation && /^(?:zh|ja)/.test(language ?? '');
}

function asText(part: Buffer, change: (xml: string) => string): Buffer | undefined {
  const xml = part.toString('latin1');
  const changed = change(xml);
  return changed === xml ? undefined : Buffer.from(changed, 'latin1');
}
