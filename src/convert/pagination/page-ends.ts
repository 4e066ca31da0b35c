/** What stands at the end of a page, above a page break that is written: it must not take a page of its own. */
import type { Edit } from '../facts/edits.ts';
import { attributeOf, fromBytes } from '../facts/markup.ts';
import type { Styles } from '../facts/styles.ts';
import type { LocatedStart, PropertiesPlace } from './page-starts.ts';
import { ParagraphProperties } from './paragraph-properties.ts';

/** An edit of the main part at which a page may end. */
export interface PageEdit extends Edit {
  /** What the next page begins with, where one ends there. */
  readonly next?: string;
}

/** Where the last line above a break ends. */
export interface LineEnd {
  readonly start: number;
  /** What is kept behind it. */
  readonly behind: string;
  /** A line break of the document's own ended it. */
  readonly isBroken: boolean;
}

/** Spacing of a paragraph that takes up as little as there is: one point. */
export const FLAT = { before: '0', after: '0', line: '20', lineRule: 'exact' } as const;
/** Properties by which something is seen of a paragraph without text, or which make it another kind of thing. */
const visible = ['numPr', 'pBdr', 'shd', 'framePr', 'sectPr'];
/** Where a line break is looked for above a page break, in characters: Word writes some ends of elements between them. */
const MAX_BEHIND_BREAK = 200;

/**
 * The end of the line above a break within a paragraph. The line break that ended it is left out: at the end of a paragraph
 * it makes an empty line.
 */
export function lineEndAt(xml: string, prefix: string, at: number): LineEnd {
  const lineBreak = new RegExp(`<${prefix}br\\s*/>((?:</[^<>]*>|<${prefix}proofErr\\s[^<>]*>)*)$`);
  const found = lineBreak.exec(xml.slice(Math.max(0, at - MAX_BEHIND_BREAK), at));
  return { start: at - (found?.[0].length ?? 0), behind: found?.[1] ?? '', isBroken: found !== null };
}

/** Makes the empty paragraphs between the last content of a page and a mark at which a paragraph begins the next one flat. */
export function withoutRoom(
  xml: string,
  prefix: string,
  starts: readonly LocatedStart[],
  breaks: readonly number[],
  styles: Styles,
): PageEdit[] {
  const planned = new Set(breaks);
  return breaks.flatMap((index) => {
    const { kind, site, begin, previousEnd = begin } = starts[index] ?? {};
    if (kind !== 'mark' || site?.kind !== 'paragraph' || begin === undefined) return [];
    const above: PropertiesPlace[] = [];
    let i = index - 1;
    for (; starts[i]?.kind === 'empty' && starts[i]?.previousEnd === previousEnd; i -= 1) {
      if (planned.has(i)) return flatten(above, prefix, styles);
      const empty = starts[i]?.site;
      if (empty?.kind === 'paragraph') above.push(empty.properties);
    }
    const edits = flatten(above, prefix, styles);
    if (styles.isSeen(styles.paragraphStyle(''))) return edits;
    // A mark before this one may have no content behind it.
    const from = Math.max(previousEnd ?? begin, starts[i]?.begin ?? 0);
    return [...edits, ...flattenElements(xml, prefix, from, begin)];
  });
}

function flatten(places: readonly PropertiesPlace[], prefix: string, styles: Styles): PageEdit[] {
  return places.flatMap(({ start, end, content }) => {
    const properties = flat(content, prefix);
    const style = fromBytes(attributeOf(properties.get('pStyle') ?? '', `${prefix}val`) ?? '');
    const isSeen =
      visible.some((name) => properties.has(name)) || styles.isSeen(styles.paragraphStyle(style));
    return isSeen ? [] : [{ start, end, text: properties.toString() }];
  });
}

/** Paragraphs that are empty elements, outside of tables. */
function flattenElements(xml: string, prefix: string, from: number, to: number): PageEdit[] {
  const between = xml.slice(from, to);
  const behindTable = Math.max(0, between.lastIndexOf(`</${prefix}tbl>`));
  const paragraphs = between.slice(behindTable).matchAll(new RegExp(`<${prefix}p(?:\\s[^<>]*)?/>`, 'g'));
  return [...paragraphs].map(({ 0: tag, index }) => {
    const start = from + behindTable + index;
    const text = `${tag.slice(0, -'/>'.length)}>${flat('', prefix).toString()}</${prefix}p>`;
    return { start, end: start + tag.length, text };
  });
}

function flat(content: string, prefix: string): ParagraphProperties {
  const properties = new ParagraphProperties(content, prefix);
  properties.set('snapToGrid', { val: '0' });
  properties.set('spacing', FLAT);
  return properties;
}
