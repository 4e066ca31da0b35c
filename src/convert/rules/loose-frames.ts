/**
 * Frames without a place or a size (`w:framePr w:wrap="auto"` alone, ISO/IEC 29500-1, 17.3.1.11), as Word for Mac writes them
 * into paragraphs whose style has a frame. Word lets such paragraphs flow with the text. LibreOffice makes one frame of all
 * that follow one another, and cuts it off at the end of the page; so the first letter of the element becomes an underscore.
 */

const NAME = 'framePr';
const UNDERSCORE = 0x5f;
const FRAME = /<(?:[\w.-]{1,32}:)?(?=framePr\s+(?:[\w.-]{1,32}:)?wrap\s*=\s*["']auto["']\s*\/>)/g;

/** Whether a piece of an XML part may have such a frame. */
export function mayHaveLooseFrame(piece: Buffer): boolean {
  return piece.includes(NAME);
}

/**
 * Changes an XML part in place, which keeps its length.
 *
 * @param part in an encoding in which ASCII is ASCII.
 * @returns whether anything changed.
 */
export function loosenFrames(part: Buffer): boolean {
  const at = [...part.toString('latin1').matchAll(FRAME)].map(
    ({ index, 0: before }) => index + before.length,
  );
  for (const name of at) part[name] = UNDERSCORE;
  return at.length > 0;
}
