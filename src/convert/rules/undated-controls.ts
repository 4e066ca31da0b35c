/**
 * Content controls for a date in which nobody has chosen one (`w:date` without `w:fullDate`, ISO/IEC 29500-1, 17.5.2.7).
 * Word shows what is written in them. LibreOffice shows 30/12/1899, the zero of its calendar, where the control is bound to
 * data that is no date (`2016-2017`). So the first letter of the element becomes an underscore: then the control is one for text.
 */

const TAG = /<(\/?)((?:[\w.-]{1,32}:)?)(sdtPr|date)(?=[\s/>])([^<>]*)>/g;
const CHOSEN = /fullDate\s*=\s*["'][^"']/;
const UNDERSCORE = 0x5f;

/** Whether a piece of an XML part may have such a control. */
export function mayHaveUndatedControl(piece: Buffer): boolean {
  return piece.includes('date') && /<(?:[\w.-]{1,32}:)?date[\s/>]/.test(piece.toString('latin1'));
}

/**
 * Changes an XML part in place, which keeps its length.
 *
 * @param part in an encoding in which ASCII is ASCII.
 * @returns whether anything changed.
 */
export function undateControls(part: Buffer): boolean {
  let changed = false;
  for (const at of undated(part.toString('latin1'))) {
    part[at] = UNDERSCORE;
    changed = true;
  }
  return changed;
}

/** Where the names of their elements stand in the part, in start tags and in end tags. */
function* undated(xml: string): Generator<number, void> {
  /** The prefix of the properties of a control that are open, and whether a date in them is. */
  let open: string | undefined;
  let isDateOpen = false;
  for (const { index, 0: tag, 1: slash = '', 2: prefix = '', 3: name, 4: attributes = '' } of xml.matchAll(
    TAG,
  )) {
    const isEnd = slash !== '';
    const hasContent = !tag.endsWith('/>');
    if (name === 'sdtPr') {
      open = isEnd || !hasContent ? undefined : prefix;
      isDateOpen = false;
    } else if (prefix === open && (isEnd ? isDateOpen : !CHOSEN.test(attributes))) {
      isDateOpen = !isEnd && hasContent;
      yield index + 1 + slash.length + prefix.length;
    }
  }
}
