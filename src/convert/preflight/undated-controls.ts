/**
 * Content controls for a date in which nobody has chosen one (`w:date` without `w:fullDate`, ISO/IEC 29500-1, 17.5.2.7).
 * Word shows what is written in them. LibreOffice shows 30/12/1899, the zero of its calendar, where the control is bound to
 * data that is no date (`2016-2017`). So the first letter of the element becomes an underscore: then the control is one for text.
 */

const START = /<(?:[\w.-]{1,32}:)?date(?=[\s/>])([^<>]*)>/g;
const END = /<\/(?:[\w.-]{1,32}:)?date\s*>/;
const CHOSEN = /fullDate\s*=\s*["'][^"']/;
/** In the properties of a control there is nothing but empty elements between the two tags of one. */
const MAX_CONTENT = 4_096;
const UNDERSCORE = 0x5f;

/** Whether a piece of an XML part may have such a control. */
export function mayHaveUndatedControl(piece: Buffer): boolean {
  return piece.includes('date') && undated(piece.toString('latin1')).next().done === false;
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
  for (const match of xml.matchAll(START)) {
    const [tag, attributes = ''] = match;
    if (CHOSEN.test(attributes)) continue;
    yield nameAt(match.index, tag);
    if (tag.endsWith('/>')) continue;
    const after = match.index + tag.length;
    const end = END.exec(xml.slice(after, after + MAX_CONTENT));
    if (end) yield nameAt(after + end.index, end[0]);
  }
}

function nameAt(start: number, tag: string): number {
  return start + tag.search(/date(?=[\s/>])/);
}
