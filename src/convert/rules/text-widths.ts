/** How wide text is in Word, by the properties of its run and by its styles (ISO/IEC 29500-1, 17.3.2 and 17.7). */
import { readRunFonts, type Slot } from '../document/run-fonts.ts';
import { type LetterWidths, letterWidths } from '../fonts/letter-widths.ts';
import { fromBytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';
import type { CellCondition, LineProperties } from './layout-styles.ts';

/** Word's, where no style names one; the size in half points. */
const DEFAULT_FONT = 'Times New Roman';
const DEFAULT_SIZE = 20;
/** LibreOffice's, in a document without styles. */
const SIZE_WITHOUT_STYLES = 24;
const TWIPS_PER_HALF_POINT = 10;
const ASCII_END = 0x80;

/** What a run is like. */
interface RunLook {
  /** Attributes of its `w:rFonts`, as the part has them, a character a byte. */
  readonly fonts: string;
  readonly properties: LineProperties;
  /** Ids, as text: of the run, the paragraph and the table; empty where there is none. */
  readonly styles: readonly [run: string, paragraph: string, table: string];
  /** What the table's style says more of its cell, the strongest first. */
  readonly conditions: readonly CellCondition[];
}

export interface TextWidth {
  /** Of a character in twips; undefined where it is not known. */
  of(codePoint: number): number | undefined;
  /** The size of the font, in twips. */
  readonly em: number;
  /** Pairs of letters stand closer. */
  readonly isKerned: boolean;
}

/** Asks the styles of a document. */
export interface TextWidths {
  /** @param prefix of the attributes, with its colon. */
  of(look: RunLook, prefix: string): TextWidth;
  /** The style of a paragraph that names this one, or none. */
  paragraphStyle(id: string): string;
}

/** @param ofDocument its styles. */
export function textWidths(ofDocument: DocumentStyles): TextWidths {
  const { styles: layout, fonts, theme, isMissing, paragraphStyle } = ofDocument;
  const usualSize = isMissing ? SIZE_WITHOUT_STYLES : DEFAULT_SIZE;
  /** What each of its styles says. */
  const said = <Name extends keyof LineProperties>({ styles, conditions }: RunLook, name: Name) => {
    const [run, paragraph, table] = styles;
    const ofText = [run, paragraph].map((id) => layout.ofStyle(id, name));
    return [...ofText, layout.ofCells(table, conditions, name)];
  };
  const has = (look: RunLook, name: 'isBold' | 'isItalic' | 'isCapital') =>
    // Each style that says so toggles it.
    look.properties[name] ??
    (layout.get(undefined, name) === true ||
      said(look, name).filter((each) => each === true).length % 2 === 1);
  const number = (look: RunLook, name: 'size' | 'kern') =>
    look.properties[name] ??
    said(look, name).find((each) => each !== undefined) ??
    layout.get(undefined, name);
  return {
    paragraphStyle,
    of(look, prefix) {
      const own = look.fonts === '' ? {} : readRunFonts(fromBytes(look.fonts), prefix, theme);
      const [run, paragraph, table] = look.styles;
      const [isBold, isItalic] = [has(look, 'isBold'), has(look, 'isItalic')];
      const lettersOf = (slot: Slot): LetterWidths => {
        const ofStyle = fonts.font(run, slot) ?? fonts.font(paragraph, slot) ?? fonts.font(table, slot);
        const font = own[slot] ?? ofStyle ?? fonts.defaultFont(slot) ?? DEFAULT_FONT;
        return letterWidths(font, isBold, isItalic) ?? (() => undefined);
      };
      const size = number(look, 'size') ?? usualSize;
      const kern = number(look, 'kern') ?? 0;
      const em = (size * TWIPS_PER_HALF_POINT) / 1000;
      const [ascii, other] = [lettersOf('ascii'), lettersOf('hAnsi')];
      const isCapital = has(look, 'isCapital');
      return {
        em: size * TWIPS_PER_HALF_POINT,
        isKerned: kern > 0 && kern <= size,
        of(codePoint) {
          const shown = isCapital ? capitalOf(codePoint) : codePoint;
          const width = (shown < ASCII_END ? ascii : other)(shown);
          return width === undefined ? undefined : width * em;
        },
      };
    },
  };
}

function capitalOf(codePoint: number): number {
  return String.fromCodePoint(codePoint).toUpperCase().codePointAt(0) ?? codePoint;
}
