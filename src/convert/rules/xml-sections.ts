/** Writing an XML part without comments, instructions and CDATA sections: what looks like a tag is one then. */

const LESS_THAN = 0x3c;
const CDATA = '<![CDATA[';
/** What begins so, up to where it ends; the declaration of the part is left where it is. */
const sections: readonly (readonly [begin: string, end: string])[] = [
  [CDATA, ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
];

/**
 * The part with the text of its CDATA sections as plain text, and without comments and instructions. Most parts have
 * none, and are given back as they are.
 *
 * @param part in an encoding in which ASCII is ASCII.
 */
export function withoutSections(part: Buffer): Buffer {
  if (!part.includes('<!') && !part.includes('<?', 1)) return part;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let at = part.indexOf(LESS_THAN, 1); at >= 0; at = part.indexOf(LESS_THAN, at + 1)) {
    const head = part.toString('latin1', at, at + CDATA.length);
    const [begin, close] = sections.find(([each]) => head.startsWith(each)) ?? [];
    if (begin === undefined || close === undefined) continue;
    const end = part.indexOf(close, at + begin.length);
    // It is not well-formed: the engine's parser ends here.
    if (end < 0) break;
    pieces.push(part.subarray(copied, at));
    if (begin === CDATA) pieces.push(escaped(part.subarray(at + CDATA.length, end)));
    copied = end + close.length;
    at = copied - 1;
  }
  if (copied === 0) return part;
  pieces.push(part.subarray(copied));
  return Buffer.concat(pieces);
}

function escaped(text: Buffer): Buffer {
  const escapedText = text
    .toString('latin1')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return Buffer.from(escapedText, 'latin1');
}
