/**
 * Frames without a place or a size (`w:framePr w:wrap="auto"` alone, ISO/IEC 29500-1, 17.3.1.11), as Word for Mac writes them
 * into paragraphs whose style has a frame. Word lets such paragraphs flow with the text. LibreOffice makes one frame of all
 * that follow one another, and cuts it off at the end of the page; so the first letter of the element becomes an underscore.
 */
import { attributesIn } from '../document/attributes.ts';
import { withEdits } from '../document/edits.ts';
import { wordPrefixOf } from '../document/markup.ts';
import { renaming, tagsIn } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const NAME = 'framePr';

/** The part without such frames, as long as it was. */
export function withLooseFrames(xml: Bytes): Bytes {
  const prefix = wordPrefixOf(xml);
  const frames = tagsIn(xml, (name) => name === prefix + NAME).filter(({ attributes, isEmpty }) => {
    const [first, ...others] = attributesIn(attributes);
    const isAuto = first?.name === `${prefix}wrap` && first.value === 'auto';
    return isEmpty && isAuto && others.length === 0;
  });
  return withEdits(
    xml,
    frames.map(({ name, start }) => renaming(name, start + '<'.length)),
  );
}
