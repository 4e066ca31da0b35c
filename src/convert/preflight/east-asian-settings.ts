/** What the settings and the theme of a document say of its East Asian text (ISO/IEC 29500-1, 17.15). */
import type { KeptParts } from '../facts/kept-parts.ts';
import { linksOf } from '../facts/links.ts';
import { Theme } from '../facts/theme.ts';

export interface EastAsianSettings {
  /** Its language; undefined where they name none. */
  readonly language: string | undefined;
  /** A blank beside an East Asian letter is half as wide as the letter. */
  readonly halvesBlanks: boolean;
  /** Full-width punctuation may be narrower where a line holds more then. */
  readonly compressesPunctuation: boolean;
  /** Its fonts. */
  readonly theme: Theme;
}

const LANGUAGE = /themeFontLang\s[^<>]{0,500}eastAsia\s*=\s*["']([\w-]{1,40})/;
const HALVES_BLANKS =
  /<(?:[\w.-]{1,32}:)?balanceSingleByteDoubleByteWidth(?:\s[^<>]{0,100}val\s*=\s*["'](?!0|false|off)\w{1,8}["'])?\s*\/?>/;

const COMPRESSES = /characterSpacingControl\s[^<>]{0,100}val\s*=\s*["']compressPunctuation/;

export function eastAsianSettings(parts: KeptParts): EastAsianSettings {
  const links = linksOf(parts, parts.mainPart).filter(({ isExternal }) => !isExternal);
  const part = (type: string) => parts.text(links.find((link) => link.type === type)?.target);
  const settings = part('settings');
  const language = LANGUAGE.exec(settings)?.[1];
  const theme = new Theme(part('theme'), { eastAsia: language, bidi: undefined });
  return {
    language,
    halvesBlanks: HALVES_BLANKS.test(settings),
    compressesPunctuation: COMPRESSES.test(settings),
    theme,
  };
}
