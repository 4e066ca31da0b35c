/** The fonts of a PDF, as `pdffonts` (poppler-utils) lists them. */
import { runTool } from '../../src/cli/compare/tools.ts';

export interface PdfFont {
  /** PostScript name, without the subset prefix. */
  readonly name: string;
  readonly embedded: boolean;
}

/**
 * Each font once, by name.
 *
 * @throws Error if it is not a PDF, or a broken one
 */
export async function readFonts(pdf: string): Promise<PdfFont[]> {
  return parseFonts(await runTool('pdffonts', [pdf]));
}

// A name may hold spaces, so the row is read from its end: encoding, emb, sub, uni, object, generation.
const ROW =
  /^(.*?) +(?:Type 1C?|Type 1C \(OT\)|Type 3|TrueType|TrueType \(OT\)|CID (?:Type 0C?|Type 0C \(OT\)|TrueType|TrueType \(OT\))|unknown) +\S+ +(yes|no) +(?:yes|no) +(?:yes|no) +\d+ +\d+$/;

/** A font without a name is left out. */
export function parseFonts(output: string): PdfFont[] {
  const fonts = new Map<string, boolean>();
  for (const line of output.split('\n').slice(2)) {
    const match = ROW.exec(line);
    const name = fontName(match?.[1] ?? '');
    if (name === '' || name === '[none]') continue;
    fonts.set(name, (fonts.get(name) ?? true) && match?.[2] === 'yes');
  }
  return [...fonts].map(([name, embedded]) => ({ name, embedded })).sort(byName);
}

/** A PDF calls a subset `ABCDEF+Name` (ISO 32000-1, 9.6.4). */
export function fontName(name: string): string {
  return name.replace(/^[A-Z]{6}\+/, '');
}

function byName(one: PdfFont, other: PdfFont): number {
  return one.name < other.name ? -1 : 1;
}
