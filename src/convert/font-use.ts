/** Which fonts a document wants, and which its PDF has in their place. */
import { PdfFontNames } from './font-names.ts';
import type { StandIns } from './stand-ins.ts';

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
 * @param pdfFonts PostScript names of the fonts in the PDF.
 */
export function fontUse(
  wanted: readonly string[],
  pdfFonts: readonly string[],
  standIns: StandIns,
): FontUse[] {
  const present = new PdfFontNames(pdfFonts);
  return wanted.map((name) => {
    if (present.has(name)) return { name, used: name, metricsCompatible: true };
    const used = standIns.get(name.toLowerCase())?.find((standIn) => present.has(standIn.name));
    return { name, used: used?.name ?? null, metricsCompatible: used?.metricsCompatible ?? false };
  });
}
