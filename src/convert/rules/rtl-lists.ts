/**
 * Lists of right-to-left paragraphs: Word mirrors the side on which a bullet or number stands (`lvlJc`), as all else in such
 * a paragraph. LibreOffice before 26.8 does not, and puts numbers into the margin. So the sides of lists that have
 * right-to-left paragraphs alone are exchanged for it.
 */
import { isSince } from '../../engine/libreoffice-version.ts';
import { withValues } from '../document/attributes.ts';
import { withEdits } from '../document/edits.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { linkedText } from '../document/links.ts';
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { NO_LIST, Styles } from '../document/styles.ts';
import { editAttributes, mayHaveElement, type Tag, tagsIn } from '../document/tags.ts';
import { noTheme } from '../document/theme.ts';
import type { Bytes } from '../text/bytes.ts';

const elements = ['p', 'pPr', 'pPrChange', 'pStyle', 'numId', 'bidi'];
/** Definitions of lists, lists, what these are instances of, and the sides of levels. */
const definitionElements = ['abstractNum', 'num', 'abstractNumId', 'lvlJc'];
const others: Readonly<Record<string, string>> = { left: 'right', right: 'left', start: 'end', end: 'start' };
const MIRRORS_THEM = 26.8;

/** Of each list (`w:numId`) that has paragraphs in the main part, whether all of them are right-to-left. */
export type ListDirections = ReadonlyMap<string, boolean>;

/**
 * The numbering part with the sides exchanged.
 *
 * @param directionsOf is asked for the directions of lists, see {@link directionsOfLists}.
 * @param libreOffice the version that it is for; undefined where that is not known.
 */
export function withRightToLeftLists(
  xml: Bytes,
  directionsOf: () => ListDirections,
  libreOffice: string | undefined,
): Bytes {
  if (isSince(libreOffice, MIRRORS_THEM)) return xml;
  const lists = directionsOf();
  if (![...lists.values()].includes(true)) return xml;
  const w = wordPrefixOf(xml);
  const names = qualified(w, definitionElements);
  const tags = tagsIn(xml, (name) => names.has(name));
  const value = ({ attributes }: Tag, name: string) => attributeOf(attributes, w + name) ?? '';
  const definitions = new Map<string, boolean>();
  let list = '';
  for (const tag of tags) {
    const local = names.get(tag.name);
    if (local === 'num') list = value(tag, 'numId');
    const isRightToLeft = local === 'abstractNumId' ? lists.get(list) : undefined;
    if (isRightToLeft === undefined) continue;
    const definition = value(tag, 'val');
    definitions.set(definition, (definitions.get(definition) ?? true) && isRightToLeft);
  }
  let isMirrored = false;
  const edits = tags.flatMap((tag) => {
    const local = names.get(tag.name);
    if (local === 'abstractNum') isMirrored = definitions.get(value(tag, 'abstractNumId')) ?? false;
    else if (local === 'num') [list, isMirrored] = [value(tag, 'numId'), false];
    else if (local === 'abstractNumId')
      isMirrored = lists.get(list) ?? definitions.get(value(tag, 'val')) ?? false;
    if (local !== 'lvlJc' || !isMirrored) return [];
    const mirrored = (name: string, side: string) => (name === `${w}val` ? (others[side] ?? side) : side);
    return [editAttributes(tag, withValues(tag.attributes, mirrored))];
  });
  return withEdits(xml, edits);
}

/** Reads the paragraphs of the main part, and the styles. */
export function directionsOfLists(parts: KeptParts): ListDirections {
  const directions = new Map<string, boolean>();
  const main = parts.text(parts.mainPart);
  const stylesText = linkedText(parts, 'styles');
  if (![main, stylesText].some((part) => mayHaveElement(part, 'bidi'))) return directions;
  const styles = new Styles(stylesText, noTheme);
  const prefix = wordPrefixOf(main);
  const names = qualified(prefix, elements);
  let style = '';
  let list: string | undefined;
  let isRightToLeft: boolean | undefined;
  let isOld = false;
  visitMarkup(main, {
    names,
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
