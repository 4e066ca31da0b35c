/**
 * Lists of right-to-left paragraphs: Word mirrors the side on which a bullet or number stands (`lvlJc`), as all else in such
 * a paragraph. LibreOffice before 26.8 (seen in 7.4 and 25.2) does not, and puts numbers into the margin. So the sides of lists
 * that have right-to-left paragraphs alone are exchanged for it.
 */

import { isSince } from '../../engine/libreoffice-version.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linksOf } from '../document/links.ts';
import { attributeOf, isOn, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from '../document/markup.ts';
import { Styles } from '../document/styles.ts';
import { Theme } from '../document/theme.ts';

const BIDI = /<(?:[\w.-]+:)?bidi[\s/>]/;
const elements = ['p', 'pPr', 'pPrChange', 'pStyle', 'numId', 'bidi'];
/** In definitions of lists and in lists, which say what they are instances of. No match looks beyond a `<`. */
const TAG = /<(?:[\w.-]+:)?(abstractNum|num|abstractNumId|lvlJc)\s[^<>]*>/g;
const VALUE = /(:|\s)(?:val|abstractNumId|numId)\s*=\s*["']([^"']*)["']/;
const SIDE = /\b(left|right|start|end)(?=["'])/;
const others: Readonly<Record<string, string>> = { left: 'right', right: 'left', start: 'end', end: 'start' };
const MIRRORS_THEM = 26.8;
/** Nothing is in this list. */
const NO_LIST = '0';

/** Of each list (`w:numId`) that has paragraphs in the main part, whether all of them are right-to-left. */
export type ListDirections = ReadonlyMap<string, boolean>;

/** Whether a piece of an XML part may have the definition of a list. */
export function mayDefineLists(piece: Buffer): boolean {
  return piece.includes('lvlJc');
}

/**
 * The numbering part with the sides exchanged.
 *
 * @param part in an encoding in which ASCII is ASCII, without comments and sections.
 * @param directionsOf is asked for the directions of lists, see {@link directionsOfLists}.
 * @param libreOffice the version that it is for; undefined where that is not known.
 * @returns undefined where nothing changes.
 */
export function withRightToLeftLists(
  part: Buffer,
  directionsOf: () => ListDirections,
  libreOffice: string | undefined,
): Buffer | undefined {
  if (isSince(libreOffice, MIRRORS_THEM)) return undefined;
  const lists = directionsOf();
  if (![...lists.values()].includes(true)) return undefined;
  const text = part.toString('latin1');
  const definitions = new Map<string, boolean>();
  let list = '';
  for (const [tag, name] of text.matchAll(TAG)) {
    const value = VALUE.exec(tag)?.[2] ?? '';
    if (name === 'num') list = value;
    const isRightToLeft = name === 'abstractNumId' ? lists.get(list) : undefined;
    if (isRightToLeft !== undefined) {
      definitions.set(value, (definitions.get(value) ?? true) && isRightToLeft);
    }
  }
  let isMirrored = false;
  const changed = text.replace(TAG, (tag, name: string) => {
    const value = VALUE.exec(tag)?.[2] ?? '';
    if (name === 'abstractNum') isMirrored = definitions.get(value) ?? false;
    else if (name === 'num') isMirrored = lists.get(value) ?? false;
    return name === 'lvlJc' && isMirrored ? tag.replace(SIDE, (side) => others[side] ?? side) : tag;
  });
  return changed === text ? undefined : Buffer.from(changed, 'latin1');
}

/** Reads the paragraphs of the main part, and the styles. */
export function directionsOfLists(parts: KeptParts): ListDirections {
  const directions = new Map<string, boolean>();
  const main = parts.text(parts.mainPart);
  const stylesPart = linksOf(parts, parts.mainPart).find(({ type }) => type === 'styles')?.target;
  const stylesText = parts.text(stylesPart);
  if (!BIDI.test(main) && !BIDI.test(stylesText)) return directions;
  const styles = new Styles(stylesText, new Theme('', { eastAsia: undefined, bidi: undefined }));
  const prefix = prefixOf(main, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(prefix, elements);
  let style = '';
  let list: string | undefined;
  let isRightToLeft: boolean | undefined;
  let isOld = false;
  visitMarkup(main, {
    open(tag, attributes, isEmpty) {
      const name = names.get(tag);
      if (name === undefined || isOld) return;
      const value = attributeOf(attributes, `${prefix}val`) ?? '';
      if (name === 'p') [style, list, isRightToLeft] = ['', undefined, undefined];
      else if (name === 'pStyle') style = value;
      else if (name === 'numId') list = value;
      else if (name === 'bidi') isRightToLeft = isOn(attributes, `${prefix}val`);
      else if (name === 'pPrChange') isOld = !isEmpty;
    },
    close(tag) {
      const name = names.get(tag);
      if (name === 'pPrChange') isOld = false;
      if (name !== 'pPr' || isOld) return;
      const id = styles.paragraphStyle(style);
      const found = list ?? styles.list(id)?.list ?? NO_LIST;
      if (found === NO_LIST) return;
      const here = isRightToLeft ?? styles.isRightToLeft(id);
      directions.set(found, (directions.get(found) ?? true) && here);
    },
  });
  return directions;
}
