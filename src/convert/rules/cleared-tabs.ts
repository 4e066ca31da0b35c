/**
 * The tab stop behind the number of a list, where a paragraph or a style clears it (`w:tab w:val="clear"`, ISO/IEC 29500-1, 17.3.1.37).
 * In Word, the text then begins at a default stop. LibreOffice goes on to the stop of the list's level. So the default stops
 * before that one are written, unless there are others: behind these Word has none before the last.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { NO_LIST } from '../document/styles.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import type { DocumentStyles } from './document-styles.ts';

const elements = ['style', 'p', 'pStyle', 'pPr', 'pPrChange', 'numId', 'tabs', 'tab'];
/** With more, no list's stop is meant. */
const MAX_STOPS = 10;

/**
 * The part with such stops, in linear time.
 *
 * @param distance of default tab stops, in twips.
 */
export function withClearedTabs(
  xml: Bytes,
  { fonts, paragraphStyle }: DocumentStyles,
  distance: number,
): Bytes {
  if (!xml.includes('clear')) return xml;
  const w = wordPrefixOf(xml);
  const names = qualified(w, elements);
  const edits: Edit[] = [];
  let style = '';
  let list: string | undefined;
  /** Where the stops begin, the cleared ones, and whether there are others. */
  let stops: { readonly at: number; readonly cleared: string[]; hasOthers: boolean } | undefined;
  let isOld = false;
  const finish = () => {
    const isItem = list === undefined ? fonts.isInList(style) : list !== NO_LIST;
    if (!stops || stops.hasOthers || stops.cleared.length === 0 || !isItem) return;
    const { at, cleared } = stops;
    if (fonts.stops(style).some((stop) => !cleared.includes(stop))) return;
    const count = Math.ceil(Math.max(...cleared.map(Number)) / distance) - 1;
    if (!(count <= MAX_STOPS)) return;
    let text = '';
    for (let stop = 1; stop <= count; stop += 1)
      text += `<${w}tab ${w}val="left" ${w}pos="${stop * distance}"/>`;
    if (text !== '') edits.push({ start: at, end: at, text });
  };
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, _start, end) {
      const local = names.get(name);
      if (local === undefined || isOld) return;
      const value = (attribute = 'val') => attributeOf(attributes, w + attribute) ?? '';
      if (local === 'style') style = fromBytes(value('styleId'));
      else if (local === 'p') style = paragraphStyle('');
      else if (local === 'pStyle') style = paragraphStyle(value());
      else if (local === 'pPr') [list, stops] = [undefined, undefined];
      else if (local === 'pPrChange') isOld = !isEmpty;
      else if (local === 'numId') list = value();
      else if (local === 'tabs') stops = isEmpty ? undefined : { at: end, cleared: [], hasOthers: false };
      else if (stops && value() === 'clear' && stops.cleared.length < MAX_STOPS)
        stops.cleared.push(value('pos'));
      else if (stops) stops.hasOthers = true;
    },
    close(name) {
      const local = names.get(name);
      if (local === 'pPrChange') isOld = false;
      else if (local === 'pPr' && !isOld) {
        finish();
        stops = undefined;
      }
    },
  });
  return withEdits(xml, edits);
}
