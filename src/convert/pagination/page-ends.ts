/** What stands at the end of a page, above a page break that is written: it must not take a page of its own. */
import type { Edit } from '../document/edits.ts';
import { attributeOf, fromBytes } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';
import type { Styles } from '../document/styles.ts';
import type { PagePlan } from './page-plan.ts';
import type { LocatedStart } from './page-starts.ts';

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

/** Whether something is seen of a paragraph without text. */
export function showsEmpty(content: string, prefix: string, styles: Styles): boolean {
  const properties = new ParagraphProperties(content, prefix);
  const style = fromBytes(attributeOf(properties.get('pStyle') ?? '', `${prefix}val`) ?? '');
  return visible.some((name) => properties.has(name)) || styles.isSeen(styles.paragraphStyle(style));
}

/**
 * Makes empty paragraphs flat: those of the plan, and those between the last content of a page and a mark at which a paragraph
 * begins the next one.
 */
export function withoutRoom(
  xml: string,
  prefix: string,
  starts: readonly LocatedStart[],
  { breaks, flat: flattened }: Pick<PagePlan, 'breaks' | 'flat'>,
  styles: Styles,
): PageEdit[] {
  const planned = new Set(breaks);
  const flat = new Set(flattened);
  const elements = breaks.flatMap((index) => {
    const { kind, site, begin, previousEnd = begin } = starts[index] ?? {};
    if (kind !== 'mark' || site?.kind !== 'paragraph' || begin === undefined) return [];
    let i = index - 1;
    for (; starts[i]?.kind === 'empty' && starts[i]?.previousEnd === previousEnd; i -= 1) {
      if (planned.has(i)) return [];
      if (starts[i]?.isBlank) flat.add(i);
    }
    if (styles.isSeen(styles.paragraphStyle(''))) return [];
    // A mark before this one may have no content behind it.
    const from = Math.max(previousEnd ?? begin, starts[i]?.begin ?? 0);
    return flattenElements(xml, prefix, from, begin);
  });
  return [...elements, ...[...flat].flatMap((index) => flatten(starts[index], prefix))];
}

function flatten(start: LocatedStart | undefined, prefix: string): PageEdit[] {
  if (start?.site?.kind !== 'paragraph') return [];
  const { properties } = start.site;
  const text = flat(properties.content, prefix).toString();
  return [{ start: properties.start, end: properties.end, text }];
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
