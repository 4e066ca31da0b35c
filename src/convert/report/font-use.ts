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

/**
 * @param wanted names of the document's fonts.
 * @param lastResorts replacements for fonts that are not installed.
 * @param pdfFonts PostScript names of the fonts in the PDF.
 */
export function fontUse(
  wanted: readonly string[],
  pdfFonts: readonly string[],
  standIns: StandIns,
  lastResorts: LastResorts = new Map(),
): FontUse[] {
  const present = new PdfFontNames(pdfFonts);
  return wanted.map((name) => {
    if (present.has(name)) return { name, used: name, metricsCompatible: true };
    const find = (font: string) =>
      standIns.get(font.toLowerCase())?.find((standIn) => present.has(standIn.name));
    const used = find(name);
    if (used) return { name, used: used.name, metricsCompatible: used.metricsCompatible };
    const resort = lastResorts.get(name.toLowerCase());
    const other = resort === undefined || present.has(resort) ? resort : find(resort)?.name;
    return { name, used: other ?? null, metricsCompatible: false };
  });
}
