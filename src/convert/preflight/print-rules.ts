/** The rules of the print view: each changes an XML part in one respect. */
import type { KeptParts } from '../facts/kept-parts.ts';
import type { LastResorts } from '../facts/last-resorts.ts';
import { mayHaveColumns, withWordsColumns } from './columns.ts';
import { mayHaveComplexRuns, withComplexRuns } from './complex-runs.ts';
import { gridFonts } from './grid-fonts.ts';
import { mayHaveLineGrid, withWordsGrid } from './line-grid.ts';
import { mayNameFonts, withLastResorts } from './replaced-fonts.ts';
import { keepStoredResults, mayKeepResults } from './stored-fields.ts';
import { mayHaveSymbols, withSymbolFonts } from './symbol-fonts.ts';
import { mayHaveTables, withWordsTables } from './tables.ts';
import { mayHaveUndatedControl, undateControls } from './undated-controls.ts';
import { mayHideOnWeb, showWebHidden } from './web-hidden.ts';

/** What a rule may ask for beside the part that it changes. */
export interface RuleContext {
  /** Fonts for those that are nowhere to be had. */
  readonly resorts: LastResorts;
  /** The parts of the document, where the one to change is its main part. */
  readonly mainOf: KeptParts | undefined;
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
  { name: 'stored-fields', mayApply: mayKeepResults, apply: inPlace(keepStoredResults) },
  { name: 'web-hidden', mayApply: mayHideOnWeb, apply: inPlace(showWebHidden) },
  { name: 'undated-controls', mayApply: mayHaveUndatedControl, apply: inPlace(undateControls) },
  { name: 'symbol-fonts', mayApply: mayHaveSymbols, apply: withSymbolFonts },
  { name: 'complex-runs', mayApply: mayHaveComplexRuns, apply: withComplexRuns },
  {
    name: 'last-resorts',
    mayApply: mayNameFonts,
    apply: (part, { resorts }) => (resorts.size > 0 ? withLastResorts(part, resorts) : undefined),
  },
  {
    name: 'line-grid',
    mayApply: mayHaveLineGrid,
    apply: (part, { mainOf, libreOffice }) =>
      mainOf && asText(part, (xml) => withWordsGrid(xml, gridFonts(mainOf), libreOffice)),
  },
  {
    name: 'columns',
    mayApply: mayHaveColumns,
    apply: (part, { mainOf }) => mainOf && asText(part, (xml) => withWordsColumns(xml, gridFonts(mainOf))),
  },
  {
    name: 'tables',
    mayApply: mayHaveTables,
    apply: (part, { mainOf }) => mainOf && asText(part, (xml) => withWordsTables(xml, gridFonts(mainOf))),
  },
];

function inPlace(change: (part: Buffer) => boolean): PrintRule['apply'] {
  return (part) => (change(part) ? part : undefined);
}

function asText(part: Buffer, change: (xml: string) => string): Buffer | undefined {
  const xml = part.toString('latin1');
  const changed = change(xml);
  return changed === xml ? undefined : Buffer.from(changed, 'latin1');
}
