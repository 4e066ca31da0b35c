/**
 * The style of links, `Hyperlink`. In Word, a link looks as its runs say, and an entry of a table of contents as the
 * style of its paragraph says, though Word stores the style of links in its runs. LibreOffice gives all links the style of that
 * name. So an empty style takes that name, and the runs keep theirs under another one.
 */
import { withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';

const NAME = 'Hyperlink';

interface LinkStyle {
  readonly id: string;
  /** Where it begins. */
  readonly start: number;
  /** The tag of its name. */
  readonly name: { readonly start: number; readonly end: number };
}

/** The id of the style in a part of styles; undefined where it is not there. */
export function linkStyleOf(xml: string): string | undefined {
  return find(xml, wordPrefixOf(xml))?.id;
}

/** The id of the empty style: as long as that of the original, whose name it takes. */
function plainLinkStyle(id: string): string {
  return `_${id.slice(1)}`;
}

/** A part of styles whose style `Hyperlink` is empty; unchanged if it has no such style. */
export function withPlainLinks(xml: string): string {
  const w = wordPrefixOf(xml);
  const style = find(xml, w);
  if (!style) return xml;
  const { start, name } = style;
  const plain = `<${w}style ${w}type="character" ${w}styleId="${plainLinkStyle(style.id)}"><${w}name ${w}val="${NAME}"/></${w}style>`;
  return withEdits(xml, [
    { start, end: start, text: plain },
    { ...name, text: `<${w}name ${w}val="Platen ${NAME}"/>` },
  ]);
}

function find(xml: string, prefix: string): LinkStyle | undefined {
  const names = qualified(prefix, ['style', 'name']);
  let style: { readonly id: string; readonly start: number } | undefined;
  let found: LinkStyle | undefined;
  visitMarkup(xml, {
    names,
    open(tag, attributes, isEmpty, start, end) {
      const local = names.get(tag);
      if (local === 'style') {
        const isOfText = attributeOf(attributes, `${prefix}type`) === 'character';
        const id = isOfText ? attributeOf(attributes, `${prefix}styleId`) : undefined;
        style = id === undefined ? undefined : { id, start };
      } else if (local === 'name' && style && isEmpty && attributeOf(attributes, `${prefix}val`) === NAME) {
        found ??= { ...style, name: { start, end } };
      }
    },
  });
  // An id is changed by its first letter, which has to be one byte.
  return found && /^[\w-]+$/.test(found.id) ? found : undefined;
}
