/**
 * Dot leaders between an entry of a table of contents and its page number. Word leaves a gap on either side, LibreOffice none,
 * so copied text reads "Introduction.....4" as one word. A blank on either side separates them. The page number does not move,
 * as its tab stop aligns it at the right.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { hasLeader } from '../document/styles.ts';
import type { Bytes } from '../text/bytes.ts';

const FIELD = /^\s*PAGEREF\s/;

/**
 * The part with a blank before and after each tab that is followed by the page number of a bookmark (`PAGEREF`), in
 * paragraphs that have a tab stop with a leader, of their own or of their style; in linear time.
 *
 * @param styleHasLeader of the style of a paragraph that names this one, or none.
 */
export function withPartedLeaders(xml: Bytes, styleHasLeader: (style: string) => boolean): Bytes {
  if (!xml.includes('PAGEREF')) return xml;
  const w = wordPrefixOf(xml);
  const names = qualified(w, ['p', 'pStyle', 'tabs', 'tab', 't', 'instrText']);
  const blank = `<${w}t xml:space="preserve"> </${w}t>`;
  const edits: Edit[] = [];
  let isInStops = false;
  let isLed = false;
  let tab: Edit | undefined;
  let isInstruction = false;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === 'p') isLed = styleHasLeader('');
      else if (local === 'pStyle') isLed = styleHasLeader(attributeOf(attributes, `${w}val`) ?? '');
      else if (local === 'tabs') isInStops = !isEmpty;
      else if (local === 'tab' && isInStops) {
        isLed ||= hasLeader(attributes, w);
      } else if (local === 'tab' && isEmpty && isLed) {
        tab = { start, end, text: blank + xml.slice(start, end) + blank };
      }
      if (local === 'p' || local === 't') tab = undefined;
      isInstruction = local === 'instrText';
    },
    close(name) {
      if (names.get(name) === 'tabs') isInStops = false;
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
