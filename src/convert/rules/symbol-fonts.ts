/**
 * Signs of symbol fonts, which documents write as U+F000 to U+F0FF: Word shows them in the font `hAnsi` of their run or
 * of their list level, LibreOffice in the font `ascii`. Most programs write both alike. Where they differ, a bullet is an
 * empty box.
 */

/** One of these characters, in UTF-8 seen as Latin-1 or as a reference. */
const SIGN = /\xef[\x80-\x83][\x80-\xbf]|&#x0*[Ff]0[\dA-Fa-f]{2};|&#0*61(?:4[4-9]|[56]\d)\d;/g;
/** Each of them has one of these. */
const SIGN_BYTES = ['\xef\x80', '\xef\x81', '\xef\x82', '\xef\x83', '&#'].map((bytes) =>
  Buffer.from(bytes, 'latin1'),
);
const FONTS = /<(?:[\w.-]+:)?rFonts(\s[^<>]*)>/g;
/** Runs and list levels, what they show and in which fonts, and the text that follows a tag. No match looks beyond a `<`. */
const TAG = /<(\/?)(?:[\w.-]+:)?(r|lvl|rFonts|lvlText|t)(\s[^<>]*)?>([^<]*)/g;
const H_ANSI = /\s((?:[\w.-]+:)?)hAnsi\s*=\s*("[^"]*"|'[^']*')/;
const ASCII = /\s(?:[\w.-]+:)?ascii(?:Theme)?\s*=\s*(?:"[^"]*"|'[^']*')/g;
/** With it, or with the theme's font, Word takes another one. */
const OTHER_FONT = /\shAnsiTheme\s*=|:hAnsiTheme\s*=|hint\s*=\s*["'](?:eastAsia|cs)["']/;
const VALUE = /val\s*=\s*(?:"([^"]*)"|'([^']*)')/;

/** Whether a piece of an XML part may have a run or a level that {@link withSymbolFonts} changes. */
export function mayHaveSymbols(piece: Buffer): boolean {
  if (!SIGN_BYTES.some((bytes) => piece.includes(bytes))) return false;
  return [...piece.toString('latin1').matchAll(FONTS)].some(([, attributes = '']) => {
    const other = alike(attributes);
    return other !== undefined && other !== attributes;
  });
}

/**
 * The part, with the same font in `ascii` as in `hAnsi` where a run or a level shows nothing but such signs.
 *
 * @param part in an encoding in which ASCII is ASCII, without comments and sections.
 * @returns undefined where nothing changes.
 */
export function withSymbolFonts(part: Buffer): Buffer | undefined {
  const text = part.toString('latin1');
  const pieces: string[] = [];
  let copied = 0;
  let fonts: { readonly attributes: string; readonly at: number } | undefined;
  /** Whether all of it are signs; undefined until it shows something. */
  let isSymbols: boolean | undefined;
  const finish = () => {
    const changed = fonts && isSymbols ? alike(fonts.attributes) : undefined;
    if (fonts && changed !== undefined && changed !== fonts.attributes) {
      pieces.push(text.slice(copied, fonts.at), changed);
      copied = fonts.at + fonts.attributes.length;
    }
    fonts = undefined;
    isSymbols = undefined;
  };
  for (const { 0: whole, 1: slash, 2: name, 3: attributes = '', 4: content = '', index } of text.matchAll(
    TAG,
  )) {
    if (name === 'r' || name === 'lvl') finish();
    else if (slash === '/') continue;
    else if (name === 'rFonts') {
      const at = index + whole.length - content.length - 1 - attributes.length;
      // Of a run that has changed its formatting the first is in force.
      fonts ??= { attributes, at };
    } else {
      const [, double, single] = VALUE.exec(attributes) ?? [];
      const shown = name === 't' ? content : (double ?? single ?? '');
      if (shown !== '') isSymbols = (isSymbols ?? true) && shown.replace(SIGN, '') === '';
    }
  }
  finish();
  return copied === 0 ? undefined : Buffer.from(pieces.join('') + text.slice(copied), 'latin1');
}

/** The attributes of `rFonts` with one font for both; undefined where they name none. */
function alike(attributes: string): string | undefined {
  const [, prefix = '', font] = H_ANSI.exec(attributes) ?? [];
  if (font === undefined || OTHER_FONT.test(attributes)) return undefined;
  const isAlike = [...attributes.matchAll(ASCII)].some(
    ([ascii]) => ascii.endsWith(font) && !/Theme\s*=/.test(ascii),
  );
  return isAlike ? attributes : ` ${prefix}ascii=${font}${attributes.replace(ASCII, '')}`;
}
