/** What the settings and the theme of a document say of its East Asian text (ISO/IEC 29500-1, 17.15). */
import type { KeptParts } from '../document/kept-parts.ts';
import { linksOf } from '../document/links.ts';
import { readSavedBy } from '../document/saved-by.ts';
import { Settings } from '../document/settings.ts';
import { Styles } from '../document/styles.ts';
import { noTheme, Theme } from '../document/theme.ts';
import { isMostlyJustified } from './justified-text.ts';
import { LayoutStyles } from './layout-styles.ts';

export interface EastAsianSettings {
  /** Its language; undefined where they name none. */
  readonly language: string | undefined;
  /** Lines in tables are on the grid of lines as well. */
  readonly hasGridInTables: boolean;
  /** A blank beside an East Asian letter is half as wide as the letter. */
  readonly halvesBlanks: boolean;
  /**
   * Full-width punctuation may be narrower where a line holds more then. From the mode of Word 2013 on, Word does so in
   * justified paragraphs alone; LibreOffice does it in all or in none.
   */
  readonly compressesPunctuation: boolean;
  /**
   * Its usual paragraphs have no gap between East Asian letters and Latin ones or digits, as Word's Korean template has it. Where
   * nothing says so, both leave a gap; LibreOffice never reads it.
   */
  readonly joinsScripts: boolean;
  /** LibreOffice is to put punctuation beyond the end of a line: as Word 2010 does, or where it may be narrower. */
  readonly hangsPunctuation: boolean;
  /** Its fonts. */
  readonly theme: Theme;
}

/** The first mode, and the first version of Word, with Word 2013's way to end lines. */
const WORD_2013 = 15;

export function eastAsianSettings(parts: KeptParts): EastAsianSettings {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => parts.text(links.find((link) => link.type === type)?.target);
  const settings = new Settings(part('settings'));
  const language = settings.themeLanguages.eastAsia;
  const theme = new Theme(part('theme'), settings.themeLanguages);
  const compressesPunctuation =
    settings.value('characterSpacingControl')?.startsWith('compressPunctuation') === true &&
    (settings.mode < WORD_2013 || isMostlyJustified(parts));
  const { version = WORD_2013 } = readSavedBy(parts);
  return {
    language,
    hasGridInTables: settings.isOn('adjustLineHeightInTable'),
    joinsScripts: hasNoGaps(part('styles')),
    halvesBlanks: settings.isOn('balanceSingleByteDoubleByteWidth'),
    compressesPunctuation,
    hangsPunctuation: compressesPunctuation || version < WORD_2013,
    theme,
  };
}

/** @param styles the part. */
function hasNoGaps(styles: string): boolean {
  if (!styles.includes('autoSpaceDE')) return false;
  const layout = new LayoutStyles(styles);
  const usual = new Styles(styles, noTheme).paragraphStyle('');
  return layout.get(usual, 'partsLetters') === false && layout.get(usual, 'partsDigits') === false;
}
