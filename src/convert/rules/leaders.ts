/**
 * Dots that lead from an entry of a table of contents to its page number. Word leaves a gap on either side of them, LibreOffice
 * none, so whoever copies or searches the PDF gets "Introduction.....4" as one word. A blank on either side parts them. The
 * page number stays where it is, as its tab stop aligns it at the right.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from '../document/markup.ts';

const FIELD = /^\s*PAGEREF\s/;

/** Whether a piece of an XML part may have such an entry. */
export function mayHaveLeaders(piece: Buffer): boolean {
  return piece.includes('PAGEREF');
}

/**
 * The part with a blank before and after each tab that is followed by the page number of a bookmark (`PAGEREF`), in linear
 * time. A blank is one point high, so that a full line stays one line.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withPartedLeaders(xml: string): string {
  const w = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(w, ['p', 'r', 'rPr', 'tab', 't', 'instrText']);
  const size = `<${w}rPr><${w}sz ${w}val="2"/><${w}szCs ${w}val="2"/></${w}rPr>`;
  const blank = `<${w}r>${size}<${w}t xml:space="preserve"> </${w}t></${w}r>`;
  const edits: Edit[] = [];
  /** The run that is open, outside of its properties: those, as they are written. */
  let properties: string | undefined;
  let propertiesFrom = 0;
  let tab: Edit | undefined;
  let isInstruction = false;
  visitMarkup(xml, {
    open(name, _attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === 'r') properties = isEmpty ? undefined : '';
      else if (local === 'rPr') propertiesFrom = start;
      else if (local === 'tab' && isEmpty && properties !== undefined) {
        const run = `<${w}r>${properties}`;
        const text = `</${w}r>${blank}${run}${xml.slice(start, end)}</${w}r>${blank}${run}`;
        tab = { start, end, text };
      } else if (local === 'p' || local === 't') tab = undefined;
      isInstruction = local === 'instrText';
    },
    close(name, _start, end) {
      const local = names.get(name);
      if (local === 'r' || local === 'p') properties = undefined;
      else if (local === 'rPr' && properties === '') properties = xml.slice(propertiesFrom, end);
      isInstruction = false;
    },
    text(part, start, end) {
      if (!isInstruction || !tab || !FIELD.test(part.slice(start, Math.min(end, start + 64)))) return;
      edits.push(tab);
      tab = undefined;
    },
  });
  return edits.length === 0 ? xml : withEdits(xml, edits);
}
