/** Metrics of the fonts in PDFs: advance widths and line heights. */
import { fileURLToPath } from 'node:url';
import { runTool } from '../../src/cli/compare/tools.ts';

const SCRIPT = fileURLToPath(new URL('advances.mujs', import.meta.url));

export interface ShownFont {
  /** PostScript name, without the subset prefix. */
  readonly name: string;
  /** Advance widths by character, in em. */
  readonly advances: ReadonlyMap<string, number>;
  /**
   * The most frequent distance of consecutive baselines, in em; undefined without two. It is the font's own line only
   * in paragraphs with single spacing.
   */
  readonly line: number | undefined;
}

/** The output of advances.mujs. */
interface Printed {
  readonly name: string;
  readonly advances: Readonly<Record<string, number>>;
  readonly lines: Readonly<Record<string, number>>;
}

/**
 * The fonts of all PDFs, each once.
 *
 * @throws Error if mutool cannot read one
 */
export async function shownFonts(pdfs: readonly string[]): Promise<ShownFont[]> {
  const fonts = new Map<string, { advances: Map<string, number>; lines: Map<number, number> }>();
  for (const pdf of pdfs) {
    for (const { name, advances, lines } of JSON.parse(
      await runTool('mutool', ['run', SCRIPT, pdf]),
    ) as Printed[]) {
      const font = fonts.get(name) ?? { advances: new Map(), lines: new Map() };
      fonts.set(name, font);
      for (const [code, advance] of Object.entries(advances)) {
        font.advances.set(String.fromCodePoint(Number(code)), advance);
      }
      for (const [line, count] of Object.entries(lines)) {
        font.lines.set(Number(line), (font.lines.get(Number(line)) ?? 0) + count);
      }
    }
  }
  return [...fonts]
    .map(([name, { advances, lines }]) => ({ name, advances, line: mostFrequent(lines) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function mostFrequent(counts: ReadonlyMap<number, number>): number | undefined {
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0];
}
