/** The widths of the letters of Word's fonts, of those whose stand-ins have the same (scripts/fonts/advances.mjs). */
import { readFileSync } from 'node:fs';
import { fontFiles } from '../../paths.ts';

/** By font in lower case and by style: per range of characters its first code point, then a width each, 0 for none. */
type Table = Readonly<Record<string, Readonly<Record<string, readonly (readonly number[])[]>>>>;

/** The width of a character in thousandths of the font's size; undefined where it is not known. */
export type LetterWidths = (codePoint: number) => number | undefined;

let table: Table | undefined;

/** @returns undefined where the widths of the font are not known. */
export function letterWidths(font: string, isBold: boolean, isItalic: boolean): LetterWidths | undefined {
  // Not checked against a schema: setup made it, and a check takes many times as long.
  table ??= JSON.parse(readFileSync(fontFiles.widths, 'utf8')) as Table;
  const style = isItalic ? (isBold ? 'Bold Italic' : 'Italic') : isBold ? 'Bold' : 'Regular';
  const ranges = table[font.toLowerCase()]?.[style];
  if (!ranges) return undefined;
  return (codePoint) => {
    for (const range of ranges) {
      const at = codePoint - (range[0] ?? 0);
      if (at >= 0 && at < range.length - 1) return range[at + 1] || undefined;
    }
    return undefined;
  };
}
