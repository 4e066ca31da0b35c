/** The fonts of a document, and the fonts of its PDF that replace them. */
import type { LastResorts } from '../document/last-resorts.ts';
import { PdfFontNames } from '../fonts/names.ts';
import type { StandIns } from '../fonts/stand-ins.ts';

export interface FontUse {
  /** As the document names it. */
  readonly name: string;
  /** Its own name if the PDF has it, or its stand-in's; null if the replacement is unknown. */
  readonly used: string | null;
  /** Whether the used font is known to have the same metrics. */
  readonly metricsCompatible: boolean;
}

/** What else is known of a PDF that has only some pages of its document. */
interface PartialPdf {
  /** Names of the installed fonts, in lower case; undefined if unknown. */
  readonly installed: ReadonlySet<string> | undefined;
  /** Whether the document has fonts of its own, whose names are unknown. */
  readonly embedsFonts: boolean;
}

/**
 * @param wanted names of the document's fonts.
 * @param lastResorts replacements for fonts that are not installed.
 * @param pdfFonts PostScript names of the fonts in the PDF.
 * @param partial of a PDF of some pages: a font is left out that would have left a trace on them.
 */
export function fontUse(
  wanted: readonly string[],
  pdfFonts: readonly string[],
  standIns: StandIns,
  lastResorts: LastResorts = new Map(),
  partial?: PartialPdf,
): FontUse[] {
  const present = new PdfFontNames(pdfFonts);
  const all = wanted.map((name) => useOf(name, present, standIns, lastResorts));
  if (!partial) return all;
  return all.filter((use) => isOnPages(use, partial, standIns, lastResorts));
}

function useOf(name: string, present: PdfFontNames, standIns: StandIns, lastResorts: LastResorts): FontUse {
  if (present.has(name)) return { name, used: name, metricsCompatible: true };
  const find = (font: string) =>
    standIns.get(font.toLowerCase())?.find((standIn) => present.has(standIn.name));
  const used = find(name);
  if (used) return { name, used: used.name, metricsCompatible: used.metricsCompatible };
  const resort = lastResorts.get(name.toLowerCase());
  const other = resort === undefined || present.has(resort) ? resort : find(resort)?.name;
  return { name, used: other ?? null, metricsCompatible: false };
}

/**
 * Whether a PDF of some pages says that a font of the document is on them, or nobody knows.
 *
 * A stand-in for single letters is no sign of a font whose best stand-in is missing: other fonts have the same one.
 */
function isOnPages(
  { name, used, metricsCompatible }: FontUse,
  { installed, embedsFonts }: PartialPdf,
  standIns: StandIns,
  lastResorts: LastResorts,
): boolean {
  const font = name.toLowerCase();
  const [best] = standIns.get(font) ?? [];
  if (used !== null) return metricsCompatible || best?.metricsCompatible !== true;
  return !(best || embedsFonts || lastResorts.has(font) || installed?.has(font));
}
