/** Writing an XML part without comments, instructions and CDATA sections: what looks like a tag is one then. */
import { MarkupLexer } from '../document/markup-lexer.ts';

/**
 * The part with the text of its CDATA sections as plain text, and without comments and instructions. Most parts have
 * none, and are given back as they are.
 *
 * @param part in an encoding in which ASCII is ASCII.
 */
export function withoutSections(part: Buffer): Buffer {
  if (!part.includes('<!') && !part.includes('<?', 1)) return part;
  const xml = part.toString('latin1');
  const pieces: string[] = [];
  let copied = 0;
  /** Where what is left out begins. It ends where something else begins. */
  let begun: number | undefined;
  const goOn = (start: number) => {
    if (begun !== undefined) [copied, begun] = [start, undefined];
  };
  const lexer = new MarkupLexer({
    open: (_, start) => goOn(start),
    close: (_, start) => goOn(start),
    text: (_, start) => goOn(start),
    section(_, start, end) {
      if (xml.startsWith(']]>', end)) pieces.push(escaped(xml.slice(start, end)));
    },
    other(kind, _, start) {
      goOn(start);
      if (start === 0 || kind === 'doctype' || kind === 'subset') return;
      pieces.push(xml.slice(copied, start));
      begun = start;
    },
  });
  lexer.write(xml);
  if (pieces.length === 0) return part;
  // What does not end is not well-formed: the engine's parser ends there.
  goOn(lexer.isComplete ? xml.length : (begun ?? copied));
  pieces.push(xml.slice(copied));
  return Buffer.from(pieces.join(''), 'latin1');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
