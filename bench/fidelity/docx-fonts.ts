/** The fonts of a DOCX, by the amount of text in them. */
import { type RunFonts, readRunFonts, type Slot } from '../../src/convert/document/run-fonts.ts';
import { Styles } from '../../src/convert/document/styles.ts';
import { Theme, type ThemeLanguages } from '../../src/convert/document/theme.ts';
import { readParts, visit } from './docx-parts.ts';

export interface WantedFont {
  readonly name: string;
  /** Characters in this font, without blanks. */
  readonly characters: number;
}

interface Run {
  style?: string;
  fonts: RunFonts;
  /** Right to left, or complex: all its characters use the complex font. */
  complex: boolean;
}

const PARTS_WITH_TEXT = /(?:^|\/)(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;
const COMPLEX =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}]/u;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;
/** Word's default. */
const LAST = 'Times New Roman';

/**
 * Resolves each run's own fonts, its style, its paragraph's style, the defaults and the theme. Ignores numbers and
 * bullets of lists, table styles and charts, and decisions by neighbouring characters or hints.
 *
 * @returns the most used first
 * @throws Error if the DOCX cannot be read
 */
export async function wantedFonts(docx: Buffer): Promise<WantedFont[]> {
  const parts = await readParts(docx);
  const named = (pattern: RegExp) => [...parts].find(([name]) => pattern.test(name))?.[1] ?? '';
  const theme = new Theme(named(/theme\d*\.xml$/i), languages(named(/settings\.xml$/i)));
  const styles = new Styles(named(/styles\.xml$/i), theme);
  const counts = new Map<string, number>();
  const count = (font: string, characters: number) => counts.set(font, (counts.get(font) ?? 0) + characters);
  for (const [name, xml] of parts) {
    if (PARTS_WITH_TEXT.test(name)) countFonts(xml, styles, theme, count);
  }
  return [...counts]
    .map(([name, characters]) => ({ name, characters }))
    .sort((one, other) => other.characters - one.characters || (one.name < other.name ? -1 : 1));
}

function countFonts(
  xml: string,
  styles: Styles,
  theme: Theme,
  count: (font: string, characters: number) => void,
): void {
  // A text box is a paragraph within a run.
  const paragraphs: { style?: string }[] = [];
  const runs: Run[] = [];
  visit(xml, {
    start: (name, attributes, open) => {
      if (name === 'p') paragraphs.push({});
      if (name === 'r') runs.push({ fonts: {}, complex: false });
      const paragraph = paragraphs.at(-1);
      const value = attributes.get('val');
      if (name === 'pStyle' && value && paragraph && !open.includes('pPrChange')) paragraph.style = value;
      const run = runs.at(-1);
      const symbols = attributes.get('font');
      if (name === 'sym' && symbols) count(symbols, 1);
      if (!run || open.at(-1) !== 'rPr' || open.at(-2) !== 'r') return;
      if (name === 'rFonts') run.fonts = readRunFonts(written(attributes), '', theme);
      if (name === 'rStyle' && value) run.style = value;
      if (name === 'rtl' || name === 'cs') run.complex = !['0', 'false', 'off'].includes(value ?? '');
    },
    end: (name) => {
      if (name === 'p') paragraphs.pop();
      if (name === 'r') runs.pop();
    },
    text: (text, open) => {
      const run = runs.at(-1);
      if (!run || open.at(-1) !== 't') return;
      const paragraphStyle = styles.paragraphStyle(paragraphs.at(-1)?.style ?? '');
      for (const [slot, characters] of bySlot(text, run.complex)) {
        const font =
          run.fonts[slot] ?? styles.font(run.style ?? '', slot) ?? styles.font(paragraphStyle, slot);
        count(font ?? styles.defaultFont(slot) ?? LAST, characters);
      }
    },
  });
}

function bySlot(text: string, complex: boolean): Map<Slot, number> {
  const counts = new Map<Slot, number>();
  for (const character of text) {
    if (/\s/.test(character)) continue;
    const slot = complex ? 'cs' : slotOf(character);
    counts.set(slot, (counts.get(slot) ?? 0) + 1);
  }
  return counts;
}

function slotOf(character: string): Slot {
  if (character <= '\u007f') return 'ascii';
  if (EAST_ASIAN.test(character)) return 'eastAsia';
  return COMPLEX.test(character) ? 'cs' : 'hAnsi';
}

/** Attributes in the form that the service reads: as in the XML. */
function written(attributes: ReadonlyMap<string, string>): string {
  const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
}

function languages(settings: string): ThemeLanguages {
  let found: ThemeLanguages = { eastAsia: undefined, bidi: undefined };
  if (settings === '') return found;
  visit(settings, {
    start: (name, attributes) => {
      if (name === 'themeFontLang') {
        found = { eastAsia: attributes.get('eastAsia'), bidi: attributes.get('bidi') };
      }
    },
  });
  return found;
}
