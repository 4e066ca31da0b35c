/** Writes page breaks into a document, and gives its pages more room for text. */
import { prefixOf, WORD_NAMESPACE } from '../facts/markup.ts';
import type { ListItems } from './list-items.ts';
import type { PagePlan } from './page-plan.ts';
import type { BreakSite, LocatedStarts, PropertiesPlace, TableStart } from './page-starts.ts';
import { ParagraphProperties } from './paragraph-properties.ts';

const TWIPS = 20;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The main part with the page breaks of the plan, and pages whose body is as high as it says.
 *
 * @param xml the main part, in any encoding in which ASCII is ASCII.
 * @param starts those of this part.
 * @param lists what is known of its list items.
 */
export function withPageBreaks(
  xml: string,
  { starts }: LocatedStarts,
  { breaks, growth }: Pick<PagePlan, 'breaks' | 'growth'>,
  lists: ListItems,
): string {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const writer = new BreakWriter(prefix, lists);
  for (const index of breaks) {
    const site = starts[index]?.site;
    if (site) writer.add(site);
  }
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text } of writer.edits()) {
    pieces.push(xml.slice(at, start), text);
    at = end;
  }
  return withHigherBodies(pieces.join('') + xml.slice(at), prefix, growth);
}

class BreakWriter {
  readonly #prefix: string;
  /** By the paragraphs that they are in. */
  readonly #paragraphs = new Map<PropertiesPlace, BreakSite[]>();
  readonly #rows: Edit[] = [];
  readonly #lists: ListItems;

  constructor(prefix: string, lists: ListItems) {
    this.#prefix = prefix;
    this.#lists = lists;
  }

  add(site: BreakSite): void {
    if (site.kind === 'row') {
      this.#rows.push({ start: site.start, end: site.start, text: this.#tableBreak(site.table) });
      return;
    }
    const sites = this.#paragraphs.get(site.properties) ?? [];
    sites.push(site);
    this.#paragraphs.set(site.properties, sites);
  }

  /** In the order of the part. */
  edits(): Edit[] {
    const inParagraphs = [...this.#paragraphs].flatMap(([properties, sites]) =>
      this.#divide(properties, sites),
    );
    return [...this.#rows, ...inParagraphs].sort((a, b) => a.start - b.start);
  }

  #divide(properties: PropertiesPlace, sites: readonly BreakSite[]): Edit[] {
    const own = () => new ParagraphProperties(properties.content, this.#prefix);
    const inner = sites.filter((site) => site.kind === 'within-paragraph');
    const first = own();
    if (sites.some(({ kind }) => kind === 'paragraph')) beginPage(first);
    if (sites.some(({ kind }) => kind === 'table')) first.set('pageBreakBefore');
    if (inner.length > 0) endPage(first);
    const edits = [{ start: properties.start, end: properties.end, text: first.toString() }];
    for (const [i, { start, end, open, runProperties }] of inner.entries()) {
      const next = own();
      beginPage(next);
      this.#continueParagraph(next);
      if (i < inner.length - 1) endPage(next);
      const p = `${this.#prefix}p`;
      const endTags = open.map(({ name }) => `</${name}>`).reverse();
      const startTags = open.map(({ tag }) => tag);
      const parted = `${endTags.join('')}</${p}><${p}>${next.toString()}${startTags.join('')}${runProperties}`;
      edits.push({ start, end, text: parted });
    }
    return edits;
  }

  /** What goes on is not indented as a first line is, and no list item of its own. */
  #continueParagraph(properties: ParagraphProperties): void {
    const item = this.#lists.find(properties, this.#prefix);
    if (item) properties.leaveList();
    const left = item?.left === undefined ? {} : { left: item.left };
    properties.merge('ind', { ...left, firstLine: '0' }, ['hanging', 'firstLineChars', 'hangingChars']);
    properties.set('widowControl', { val: '0' });
  }

  /** Ends the table and begins it again on the next page. Without a paragraph between them LibreOffice joins them. */
  #tableBreak({ properties, headerRows }: TableStart): string {
    const w = this.#prefix;
    const between = new ParagraphProperties('', w);
    between.set('pageBreakBefore');
    between.set('spacing', { before: '0', after: '0', line: '20', lineRule: 'exact' });
    const paragraph = `<${w}p>${between.toString()}</${w}p>`;
    return `</${w}tbl>${paragraph}<${w}tbl>${properties}${headerRows.join('')}`;
  }
}

/** Word leaves out the space above the first paragraph of a page. */
function beginPage(properties: ParagraphProperties): void {
  properties.set('pageBreakBefore');
  properties.merge('spacing', { before: '0' }, ['beforeAutospacing', 'beforeLines']);
}

/** The line above the break reaches the right margin where others do. */
function endPage(properties: ParagraphProperties): void {
  if (/["'](?:both|lowKashida|mediumKashida|highKashida)["']/.test(properties.get('jc') ?? '')) {
    properties.set('jc', { val: 'distribute' });
  }
  properties.remove('sectPr');
  properties.merge('spacing', { after: '0' }, ['afterAutospacing', 'afterLines']);
  properties.set('widowControl', { val: '0' });
}

/** The sections in their order, whose bodies end so much lower. */
function withHigherBodies(xml: string, prefix: string, growth: readonly number[]): string {
  const sections = new RegExp(`<${prefix}sectPr(?:\\s[^<>]*)?(?:/>|>[\\s\\S]*?</${prefix}sectPr>)`, 'g');
  const margins = new RegExp(`(<${prefix}pgMar\\s[^<>]*?${prefix}bottom=["'])(\\d{1,5})(["'][^<>]*>)`);
  let index = -1;
  return xml.replace(sections, (section) => {
    index += 1;
    const twips = Math.ceil((growth[index] ?? 0) * TWIPS);
    if (twips === 0) return section;
    return section.replace(
      margins,
      (_whole, before: string, bottom: string, after: string) => `${before}${Number(bottom) - twips}${after}`,
    );
  });
}
