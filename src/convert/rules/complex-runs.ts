/**
 * Runs of right-to-left or complex script (`rtl`, `cs`): Word shows all of their text, digits and Latin letters as well, in
 * the font, size and weight for complex scripts (ISO/IEC 29500-1, 17.3.2.7 and 17.3.2.30). LibreOffice goes by the
 * characters, so Latin letters, and digits behind them, would have the others. So would the mark of a paragraph without
 * text, which alone says how high that is.
 */

/** Elements of runs, and the text that follows a tag. No match looks beyond a `<`. */
const TAG =
  /<(\/?)((?:[\w.-]+:)?)(r|rPrChange|rFonts|rtl|cs|b|bCs|i|iCs|sz|szCs|t|p|pPr)(\/|\s[^<>]*)?>([^<]*)/g;
/** With the prefix that Word gives them, as themes have such names as well. */
const MARKS = ['w:rtl/', 'w:rtl ', 'w:cs/', 'w:cs '];
const OFF = /val\s*=\s*["'](?:0|false|off)["']/;
const LATIN = /[\dA-Za-z]/;
/** Properties with one for complex scripts. */
const pairs = ['b', 'i', 'sz'];
const OTHER_FONTS = /\s(?:[\w.-]+:)?(?:ascii|hAnsi)(?:Theme)?\s*=\s*(?:"[^"]*"|'[^']*')/g;
const THEME_FONT = /\s((?:[\w.-]+:)?)cstheme\s*=\s*("[^"]*"|'[^']*')/;
const FONT = /\s((?:[\w.-]+:)?)cs\s*=\s*("[^"]*"|'[^']*')/;

/** A tag of a run, and where it stands. */
interface Tag {
  readonly prefix: string;
  readonly attributes: string;
  readonly at: number;
  readonly end: number;
}

/** What is to stand in the place of a piece of the part. */
interface Change {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** Whether a piece of an XML part may have a run that {@link withComplexRuns} changes. */
export function mayHaveComplexRuns(piece: Buffer): boolean {
  return MARKS.some((mark) => piece.includes(mark));
}

/**
 * The part, in which such runs with Latin letters or digits, and the marks of paragraphs without runs, have the properties for
 * complex scripts as the others, as far as they name these themselves.
 *
 * @param part in an encoding in which ASCII is ASCII, without comments and sections.
 * @returns undefined where nothing changes.
 */
export function withComplexRuns(part: Buffer): Buffer | undefined {
  const text = part.toString('latin1');
  const changes: Change[] = [];
  let tags = new Map<string, Tag>();
  let mark: typeof tags | undefined;
  let hasLatin = false;
  let isOld = false;
  const finish = () => {
    if (hasLatin && isComplex(tags)) changes.push(...changesOf(tags));
    tags = new Map();
    mark = undefined;
    hasLatin = false;
    isOld = false;
  };
  for (const match of text.matchAll(TAG)) {
    const {
      0: whole,
      1: slash,
      2: prefix = '',
      3: name = '',
      4: attributes = '',
      5: content = '',
      index,
    } = match;
    if (name === 'r') finish();
    else if (name === 'p') {
      if (slash !== '' && mark && isComplex(mark)) changes.push(...changesOf(mark));
      finish();
    } else if (name === 'pPr') {
      mark = slash === '' ? undefined : tags;
    } else if (name === 'rPrChange') isOld = slash === '' && !attributes.endsWith('/');
    else if (name === 't') hasLatin ||= LATIN.test(content);
    // Word ends each of them in its tag.
    else if (attributes.endsWith('/') && !isOld) {
      tags.set(name, { prefix, attributes, at: index, end: index + whole.length - content.length });
    }
  }
  finish();
  return changes.length === 0 ? undefined : Buffer.from(changed(text, changes), 'latin1');
}

function isComplex(tags: ReadonlyMap<string, Tag>): boolean {
  return ['rtl', 'cs'].some((name) => {
    const tag = tags.get(name);
    return tag !== undefined && !OFF.test(tag.attributes);
  });
}

/** In the order of the part. */
function changesOf(tags: ReadonlyMap<string, Tag>): Change[] {
  const changes: Change[] = [];
  const fonts = tags.get('rFonts');
  const themed = fonts && THEME_FONT.exec(fonts.attributes);
  const [, prefix = '', font] = themed ?? (fonts && FONT.exec(fonts.attributes)) ?? [];
  if (fonts && font !== undefined) {
    const kind = themed ? 'Theme' : '';
    const named = ` ${prefix}ascii${kind}=${font} ${prefix}hAnsi${kind}=${font}`;
    const rest = fonts.attributes.replace(OTHER_FONTS, '');
    changes.push({ at: fonts.at, end: fonts.end, text: `<${fonts.prefix}rFonts${named}${rest}>` });
  }
  for (const name of pairs) {
    const complex = tags.get(`${name}Cs`);
    if (!complex) continue;
    const { at, end } = tags.get(name) ?? { at: complex.at, end: complex.at };
    changes.push({ at, end, text: `<${complex.prefix}${name}${complex.attributes}>` });
  }
  return changes.sort((a, b) => a.at - b.at);
}

function changed(text: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { at, end, text: other } of changes) {
    pieces.push(text.slice(copied, at), other);
    copied = end;
  }
  return pieces.join('') + text.slice(copied);
}
