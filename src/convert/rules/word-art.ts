/**
 * [WordArt](../document/word-art.ts) that nothing gives a colour. Word shows it in black, LibreOffice not at all. So its shape gets a
 * style with black text (`a:fontRef`, ISO/IEC 29500-1, 20.1.4.1.17), which every other colour precedes. That is not enough for text
 * with a fill (`w14:textFill`, [MS-DOCX]), of which LibreOffice reads no colour: such text gets the fill's, or black.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, wordPrefixOf } from '../document/markup.ts';
import { localName, tagsIn } from '../document/tags.ts';
import { type WordArt, wordArtIn } from '../document/word-art.ts';
import type { Bytes } from '../text/bytes.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const BLACK = '000000';
const COLOUR = /^[\da-f]{6}$/i;

const elements: ReadonlySet<string> = new Set([
  ...['rPr', 'color', 'textFill', 'solidFill', 'srgbClr', 'schemeClr'],
]);

/** The part with WordArt that has a colour, in linear time. */
export function withColouredWordArt(xml: Bytes): Bytes {
  const w = wordPrefixOf(xml);
  const edits = wordArtIn(xml).flatMap((art) => [
    ...(art.hasStyle ? [] : [blackStyle(art)]),
    ...colouredFills(xml, art, w),
  ]);
  return withEdits(xml, edits);
}

function blackStyle({ prefix, start }: WordArt): Edit {
  const black = `<a:srgbClr val="${BLACK}"/>`;
  const references = ['ln', 'fill', 'effect'].map((name) => `<a:${name}Ref idx="0">${black}</a:${name}Ref>`);
  const font = `<a:fontRef idx="none">${black}</a:fontRef>`;
  const text = `<${prefix}style xmlns:a="${DRAWING}">${references.join('')}${font}</${prefix}style>`;
  return { start, end: start, text };
}

/** Colours in front of fills of one colour, in runs that have none. */
function colouredFills(xml: string, { start, end }: WordArt, prefix: string): Edit[] {
  const edits: Edit[] = [];
  let hasColour = false;
  let fill: number | undefined;
  let isSolid = false;
  for (const tag of tagsIn(xml.slice(start, end), (name) => elements.has(localName(name)))) {
    const local = localName(tag.name);
    if (local === 'color') hasColour = true;
    else if (local === 'solidFill') isSolid = true;
    else if (local === 'rPr' || local === 'textFill') {
      hasColour &&= local === 'textFill';
      fill = local === 'textFill' && !hasColour ? start + tag.start : undefined;
      isSolid = false;
    } else if (fill !== undefined && isSolid) {
      const value = attributeOf(tag.attributes, `${tag.name.slice(0, -local.length)}val`) ?? '';
      const colour = COLOUR.test(value) ? value : BLACK;
      edits.push({ start: fill, end: fill, text: `<${prefix}color ${prefix}val="${colour}"/>` });
      fill = undefined;
    }
  }
  return edits;
}
