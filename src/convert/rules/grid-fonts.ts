/** What the grid of lines depends on beside the text: styles, fonts of the theme, and how high the lines of fonts are. */
import { Remembered } from '../document/remembered.ts';
import { readRunFonts } from '../document/run-fonts.ts';
import { fontRows } from '../fonts/font-table.ts';
import { fromBytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';
import type { GridFonts } from './line-grid.ts';

/** Of most East Asian fonts of Windows, such as SimSun. */
const USUAL_HEIGHT = 1.3;

let lineHeights: ReadonlyMap<string, number> | undefined;

/** @param ofDocument its styles. */
export function gridFonts(ofDocument: DocumentStyles): GridFonts {
  const { fonts, theme } = ofDocument;
  const heights = new Remembered<number>();
  const heightOf = (rFonts: string, prefix: string, styles: readonly string[]) => {
    const own = readRunFonts(fromBytes(rFonts), prefix, theme).eastAsia;
    const named = own ?? styles.map((id) => fonts.font(id, 'eastAsia')).find((font) => font !== undefined);
    const font = named ?? fonts.defaultFont('eastAsia') ?? '';
    lineHeights ??= readLineHeights();
    return lineHeights.get(font.toLowerCase()) ?? USUAL_HEIGHT;
  };
  return {
    ...ofDocument,
    lineHeight: (rFonts = '', prefix, styles) =>
      heights.of([rFonts, prefix, ...styles].join('\n'), () => heightOf(rFonts, prefix, styles)),
  };
}

/** By the names of fonts in lower case. */
function readLineHeights(): Map<string, number> {
  const { standIns, made } = fontRows();
  const lines = new Map(made.map(({ family, line }) => [family, line[0] + line[1] + line[2]]));
  const heights = new Map<string, number>();
  for (const { word, use } of standIns) {
    const height = lines.get(use);
    if (height !== undefined) for (const name of word) heights.set(name.toLowerCase(), height);
  }
  return heights;
}
