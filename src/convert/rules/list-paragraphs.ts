/** Paragraphs as items of lists, in document order. */
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { NO_LIST, type Styles } from '../document/styles.ts';

const FALLBACK = 'mc:Fallback';

/** A paragraph; not one in alternatives that LibreOffice does not choose. */
interface ListParagraph {
  readonly index: number;
  /** Where its content begins. */
  readonly start: number;
  /** Inside another one, as those of text boxes are. */
  readonly isInside: boolean;
  style: string;
  /** The list and level that it names itself. */
  own: string | undefined;
  level: string | undefined;
  /** The tag that names the list. */
  list: { readonly start: number; readonly end: number; readonly isEmpty: boolean } | undefined;
  /** Where a list may be named. */
  properties: number | undefined;
}

/** All of a part that have content. */
export function listParagraphs(xml: string): ListParagraph[] {
  const w = wordPrefixOf(xml);
  const names = qualified<string>(w, ['p', 'pPr', 'pStyle', 'numId', 'ilvl', 'pPrChange']);
  names.set(FALLBACK, FALLBACK);
  const found: ListParagraph[] = [];
  const open: ListParagraph[] = [];
  let fallbacks = 0;
  let isOld = false;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === undefined || isOld || (isEmpty && local === 'p')) return;
      if (local === FALLBACK) fallbacks += isEmpty ? 0 : 1;
      if (fallbacks > 0) return;
      if (local === 'p') {
        const paragraph = {
          index: found.length,
          start: end,
          isInside: open.length > 0,
          style: '',
          own: undefined,
          level: undefined,
          list: undefined,
          properties: undefined,
        };
        found.push(paragraph);
        open.push(paragraph);
      }
      const paragraph = open.at(-1);
      if (!paragraph) return;
      const value = attributeOf(attributes, `${w}val`);
      if (local === 'pPrChange') isOld = !isEmpty;
      else if (local === 'pPr' && !isEmpty) paragraph.properties ??= end;
      else if (local === 'pStyle') {
        paragraph.style = value ?? '';
        if (isEmpty) paragraph.properties = end;
      } else if (local === 'ilvl') paragraph.level ??= value;
      else if (local === 'numId' && paragraph.own === undefined) {
        paragraph.own = value;
        paragraph.list = { start, end, isEmpty };
      }
    },
    close(name, _, end) {
      const local = names.get(name);
      const paragraph = isOld ? undefined : open.at(-1);
      if (local === 'pPrChange') isOld = false;
      else if (local === FALLBACK) fallbacks -= 1;
      else if (fallbacks > 0) return;
      else if (local === 'p') open.pop();
      else if (local === 'pStyle' && paragraph) paragraph.properties = end;
    },
  });
  return found;
}

/** The list and level of an item; undefined for other paragraphs. */
export function itemOf(
  { style, own, level }: Pick<ListParagraph, 'style' | 'own' | 'level'>,
  styles: Styles,
): { readonly list: string; readonly level: number } | undefined {
  const ofStyle = styles.list(styles.paragraphStyle(style));
  const list = own ?? ofStyle?.list;
  if (list === undefined || list === NO_LIST) return undefined;
  const written = level ?? (own === undefined ? ofStyle?.level : undefined) ?? '0';
  return /^[0-8]$/.test(written) ? { list, level: Number(written) } : undefined;
}
