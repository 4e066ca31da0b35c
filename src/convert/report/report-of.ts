/** Puts together what is said of a conversion: from the document, from its PDF, and from what was asked for. */
import type { ConversionOptions } from '../../shared/options/conversion-options.ts';
import { PageRange } from '../../shared/options/page-range.ts';
import type { DocumentMetadata } from '../document/metadata.ts';
import { omittedBy } from '../document/omitted-content.ts';
import type { FontCharacters } from '../fonts/installed-fonts.ts';
import type { StandIns } from '../fonts/stand-ins.ts';
import type { VerifiedPdf } from '../pdf/verify.ts';
import { fontUse } from './font-use.ts';
import { missingGlyphs } from './missing-glyphs.ts';
import type { ConversionReport } from './warnings.ts';

/** What the conversion made. */
export interface MadePdf extends Pick<ConversionReport, 'pagination' | 'missingPercent' | 'conformance'> {
  readonly pdf: VerifiedPdf;
  readonly isTagged: boolean;
  /** Number of diagonal lines in cells that were not drawn into it. */
  readonly missingLines: number;
}

/** What is known of the engine. */
interface EngineKnowledge {
  readonly standIns: StandIns;
  /** Names of the installed fonts, in lower case; undefined if unknown. */
  readonly fonts: ReadonlySet<string> | undefined;
  /** The characters of its fonts; undefined if unknown. */
  readonly characters: FontCharacters | undefined;
  /** The version of LibreOffice; undefined if unknown. */
  readonly libreOffice: string | undefined;
}

/** The report of a conversion with these options. */
export function reportOf(
  metadata: DocumentMetadata,
  { pdf, isTagged, missingLines, pagination, missingPercent, conformance }: MadePdf,
  { pages: selected, tagged, title, changes, comments }: ConversionOptions,
  { standIns, fonts: installed, characters: available, libreOffice }: EngineKnowledge,
): ConversionReport {
  const {
    title: ____,
    fonts,
    lastResorts,
    characters,
    embedsFonts,
    text: _,
    omitted,
    pdfPictures: __,
    rewrites: ___,
    ...others
  } = metadata;
  return {
    ...others,
    ...(changes === 'original' && { trackedChanges: 0, rejectedChanges: others.trackedChanges }),
    ...(comments !== undefined && { comments: 0 }),
    omitted: omittedBy(libreOffice, [
      ...omitted,
      { kind: 'diagonal-border', count: missingLines, shownSince: undefined },
    ]),
    pages: pdf.pages,
    accessibility: others.accessibility.filter(
      ({ problem }) => problem !== 'no-title' || title === undefined,
    ),
    // Word counted all of them, before another program changed the document.
    ...((selected !== undefined || pagination?.reason === 'not-saved-by-word') && { wordPages: undefined }),
    clamped: selected !== undefined && PageRange.read(selected)?.exceeds(pdf.pages) === true,
    pagination,
    untagged: !isTagged && tagged !== false,
    fonts: pdf.fonts
      ? fontUse(
          fonts,
          pdf.fonts.map(({ name }) => name),
          standIns,
          lastResorts,
          selected === undefined ? undefined : { installed, embedsFonts },
        )
      : [],
    missingPercent,
    conformance,
    // The characters of embedded fonts are unknown.
    missingGlyphs: (available && !embedsFonts && missingGlyphs(characters, available)) || null,
  };
}
