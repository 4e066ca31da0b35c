/**
 * Text that is hidden on web pages only (`w:webHidden`, ISO/IEC 29500-1, 17.3.2.44), as Word marks the page numbers of a
 * table of contents. LibreOffice hides it everywhere but in tables of contents that it knows; so the first letter of the
 * element becomes an underscore.
 */

const NAME = 'webHidden';
const UNDERSCORE = 0x5f;
/** A longer prefix is none that a program writes. */
const MAX_PREFIX = 32;
/** The end of what comes before the name in a tag. */
const BEFORE = /<\/?(?:[\w.-]+:)?$/;

/** Whether a piece of an XML part may have such text. */
export function mayHideOnWeb(piece: Buffer): boolean {
  return piece.includes(NAME);
}

/**
 * Changes an XML part in place, which keeps its length.
 *
 * @param part in an encoding in which ASCII is ASCII.
 * @returns whether anything changed.
 */
export function showWebHidden(part: Buffer): boolean {
  let changed = false;
  for (let at = part.indexOf(NAME); at >= 0; at = part.indexOf(NAME, at + NAME.length)) {
    if (!BEFORE.test(part.toString('latin1', Math.max(0, at - MAX_PREFIX), at))) continue;
    part[at] = UNDERSCORE;
    changed = true;
  }
  return changed;
}
