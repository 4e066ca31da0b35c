/** Writes page breaks into a document, and gives its pages more room for text. */
import { prefixOf, WORD_NAMESPACE } from '../facts/markup.ts';
import { type Edit, FLAT, type LineEnd, lineEndAt, withoutRoom } from './page-ends.ts';
import type { PagePlan } from './page-plan.ts';
import type { BreakSite, LocatedStarts, PropertiesPlace, TableStart } from './page-starts.ts';
import { ParagraphProperties } from './paragraph-properties.ts';

const TWIPS = 20;

/**
 * The main part with the page breaks of the plan, and pages whose body is as high as it says.
 *
 * @param xml the main part, in any encoding in which ASCII is ASCII.
 * @param starts those of this part.
 */
export function withPageBreaks(
  xml: string,
  { starts }: LocatedStarts,
  { breaks, growth }: Pick<PagePlan, 'breaks' | 'growth'>,
): string {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const writer = new BreakWriter(xml, prefix);
  for (const index of breaks) {
    const site = starts[index]?.site;
    if (site) writer.add(site);
  }
  const pieces: string[] = [];
  let at = 0;
  const edits = [...writer.edits(), ...withoutRoom(xml, prefix, starts, breaks)];
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
    pieces.push(xml.slice(at, start), text);
    at = end;
  }
  return withHigherBodies(pieces.join('') + xml.slice(at), prefix, growth);
}

class BreakWriter {
  readonly #xml: string;
  readonly #prefix: string;
  /** By the paragraphs that they are in. */
  readonly #paragraphs = new Map<PropertiesPlace, BreakSite[]>();
  readonly #rows: Edit[] = [];

  constructor(xml: string, prefix: string) {
    this.#xml = xml;
    this.#prefix = prefix;
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

  edits(): Edit[] {
    const inParagraphs = [...this.#paragraphs].flatMap(([properties, sites]) =>
      this.#divide(properties, sites),
    );
    return [...this.#rows, ...inParagraphs];
  }

  #divide(properties: PropertiesPlace, sites: readonly BreakSite[]): Edit[] {
    const own = () => new ParagraphProperties(properties.content, this.#prefix);
    const inner = sites.filter((site) => site.kind === 'within-paragraph');
    const first = own();
    if (sites.some(({ kind }) => kind === 'paragraph')) beginPage(first);
    const ends = inner.map(({ start }) => lineEndAt(this.#xml, this.#prefix, start));
    if (ends[0]) endPage(first, ends[0]);
    const edits = [{ start: properties.start, end: properties.end, text: first.toString() }];
    for (const [i, { end, open, runProperties }] of inner.entries()) {
      const [above, below] = ends.slice(i);
      const next = own();
      beginPage(next);
      continueParagraph(next);
      if (below) endPage(next, below);
      const p = `${this.#prefix}p`;
      const endTags = open.map(({ name }) => `</${name}>`).reverse();
      const startTags = open.map(({ tag }) => tag);
      const parted = `${endTags.join('')}</${p}><${p}>${next.toString()}${startTags.join('')}${runProperties}`;
      edits.push({ start: above?.start ?? end, end, text: (above?.behind ?? '') + parted });
    }
    return edits;
  }

  /** Ends the table and begins it again on the next page. Without a paragraph between them LibreOffice joins them. */
  #tableBreak({ properties, headerRows }: TableStart): string {
    const w = this.#prefix;
    const between = new ParagraphProperties('', w);
    between.set('pageBreakBefore');
    between.set('spacing', FLAT);
    const paragraph = `<${w}p>${between.toString()}</${w}p>`;
    return `</${w}tbl>${paragraph}<${w}tbl>${properties}${headerRows.join('')}`;
  }
}

/** Word leaves out the space above the first paragraph of a page. */
function beginPage(properties: ParagraphProperties): void {
  properties.set('pageBreakBefore');
  properties.merge('spacing', { before: '0' }, ['beforeAutospacing', 'beforeLines']);
}

/** What goes on is not indented as a first line is. */
function continueParagraph(properties: ParagraphProperties): void {
  properties.merge('ind', { firstLine: '0' }, ['hanging', 'firstLineChars', 'hangingChars']);
  properties.set('widowControl', { val: '0' });
}

/** The line above the break reaches the right margin where others do. */
function endPage(properties: ParagraphProperties, { isBroken }: LineEnd): void {
  if (!isBroken && /["'](?:both|lowKashida|mediumKashida|highKashida)["']/.test(properties.get('jc') ?? '')) {
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
