/** The end of a page, above a page break that is written. It must not take a page of its own. */
import type { Edit } from '../document/edits.ts';
import { visitFragment } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';
import type { Styles } from '../document/styles.ts';
import { fromBytes } from '../text/bytes.ts';
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
/** Properties that make a paragraph without text visible, or another kind of thing. */
const visible = ['numPr', 'pBdr', 'shd', 'framePr', 'sectPr'];
/**
 * The end of the line above a break within a paragraph, without the line break that ended it: at the end of a paragraph, that would
 * add an empty line. Word may write end tags between the two.
 *
 * @param from where the content of the paragraph on this page begins.
 */
export function lineEndAt(xml: string, prefix: string, from: number, at: number): LineEnd {
  const text = xml.slice(from, at);
  let lineBreak: { readonly start: number; readonly end: number } | undefined;
  visitFragment(text, {
    open(name, attributes, isEmpty, start, end) {
      if (name === `${prefix}br` && isEmpty && attributes.trim() === '') lineBreak = { start, end };
      else if (name !== `${prefix}proofErr`) lineBreak = undefined;
    },
    text() {
      lineBreak = undefined;
    },
  });
  if (!lineBreak) return { start: at, behind: '', isBroken: false };
  return { start: from + lineBreak.start, behind: text.slice(lineBreak.end), isBroken: true };
}

/** Whether a paragraph without text is visible. */
export function showsEmpty(content: string, prefix: string, styles: Styles): boolean {
  const properties = new ParagraphProperties(content, prefix);
  const style = fromBytes(properties.value('pStyle') ?? '');
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

/** Paragraphs that are empty elements, behind the last table. */
function flattenElements(xml: string, prefix: string, from: number, to: number): PageEdit[] {
  const edits: PageEdit[] = [];
  const content = flat('', prefix).toString();
  visitFragment(xml.slice(from, to), {
    open(name, attributes, isEmpty, start, end) {
      if (name !== `${prefix}p` || !isEmpty) return;
      const text = `<${name}${attributes}>${content}</${name}>`;
      edits.push({ start: from + start, end: from + end, text });
    },
    close(name) {
      if (name === `${prefix}tbl`) edits.length = 0;
    },
  });
  return edits;
}

function flat(content: string, prefix: string): ParagraphProperties {
  const properties = new ParagraphProperties(content, prefix);
  properties.set('snapToGrid', { val: '0' });
  properties.set('spacing', FLAT);
  return properties;
}
