/** Which fonts a document wants, and which its PDF has in their place. */

import type { LastResorts } from '../document/last-resorts.ts';
import { PdfFontNames } from '../fonts/names.ts';
import type { StandIns } from '../fonts/stand-ins.ts';

export interface FontUse {
  /** As the document names it. */
  readonly name: string;
  /** Its own name where the PDF has it, or that of its stand-in; null where it is another that is not known. */
  readonly used: string | null;
  /** Whether that one is known to have the same metrics. */
  readonly metricsCompatible: boolean;
}

/**
 * @param wanted names of the fonts that the document wants.
 * @param lastResorts what was taken for fonts that are nowhere to be had.
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
