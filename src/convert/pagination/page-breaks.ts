/** Writes page breaks into a document. */
import { withValues } from '../document/attributes.ts';
import { withEdits } from '../document/edits.ts';
import { visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';
import type { Styles } from '../document/styles.ts';
import { editAttributes, tagsIn } from '../document/tags.ts';
import { assertXmlSize } from '../package/limits.ts';
import type { Bytes } from '../text/bytes.ts';
import type { ListItems } from './list-items.ts';
import { FLAT, type LineEnd, lineEndAt, type PageEdit, withoutRoom } from './page-ends.ts';
import type { PagePlan } from './page-plan.ts';
import type {
  BreakSite,
  CellPlace,
  LocatedStarts,
  ParagraphSite,
  PropertiesPlace,
  RowPlace,
  TableStart,
} from './page-starts.ts';

/** The bit of a table's look that sets its first row apart. */
const FIRST_ROW = 0x20;
/** Alignments that do not stretch the last line. */
const justified: ReadonlySet<string> = new Set(['both', 'lowKashida', 'mediumKashida', 'highKashida']);

/**
 * The main part with page breaks.
 *
 * @param starts those of this part.
 * @param lists what is known of its list items.
 * @param styles those of the document.
 */
export function withPageBreaks(
  xml: Bytes,
  { starts }: LocatedStarts,
  plan: Pick<PagePlan, 'breaks' | 'flat'>,
  lists: ListItems,
  styles: Styles,
): Bytes {
  const prefix = wordPrefixOf(xml);
  const writer = new BreakWriter(xml, prefix, lists);
  for (const index of plan.breaks) {
    const site = starts[index]?.site;
    if (site) writer.add(site);
  }
  writer.addEdits(withoutRoom(xml, prefix, starts, plan, styles));
  return writer.write();
}

type TableSite = Extract<BreakSite, { kind: 'table' }>;

class BreakWriter {
  readonly #xml: string;
  readonly #prefix: string;
  readonly #lists: ListItems;
  readonly #between: PageEdit[] = [];
  /** By the paragraphs that they are in. */
  readonly #paragraphs = new Map<PropertiesPlace, ParagraphSite[]>();
  /** Rows that are parted, at which of their page ends; rows by whose first paragraph their table begins a page. */
  readonly #rows = new Map<RowPlace, Set<number>>();
  readonly #tables = new Map<RowPlace, TableSite>();
  /** How much is written more than once, in bytes. */
  #repeated = 0;

  constructor(xml: string, prefix: string, lists: ListItems) {
    this.#xml = xml;
    this.#prefix = prefix;
    this.#lists = lists;
  }

  /** @throws PlatenError `CORRUPTED_FILE` where the part would become larger than any may be. */
  add(site: BreakSite): void {
    this.#repeated += repeatedBytes(site);
    assertXmlSize(this.#repeated);
    if (site.kind === 'row') {
      this.#between.push({ start: site.start, end: site.start, text: this.#tableBreak(site.table) });
    } else if (site.kind === 'within-row') {
      this.#rows.set(site.row, (this.#rows.get(site.row) ?? new Set()).add(site.index));
    } else if (site.kind === 'table') this.#tables.set(site.row, site);
    else {
      const sites = this.#paragraphs.get(site.properties) ?? [];
      sites.push(site);
      this.#paragraphs.set(site.properties, sites);
    }
  }

  /** Edits of places without a break. */
  addEdits(edits: readonly PageEdit[]): void {
    for (const edit of edits) this.#between.push(edit);
  }

  write(): string {
    const edits = [...this.#between];
    for (const [properties, sites] of this.#paragraphs) {
      edits.push(...this.#divide(properties, sites, beginPage));
    }
    for (const [row, indices] of this.#rows) {
      const halves = this.#partRow(
        row,
        [...indices].sort((one, other) => one - other),
      );
      edits.push({ start: row.start, end: row.end, text: halves.join(this.#tableBreak(row.table)) });
    }
    for (const [row, site] of this.#tables) {
      if (!this.#rows.has(row)) edits.push(...this.#divide(site.properties, [site], beginCell));
    }
    return this.#pieces(0, this.#xml.length, edits).join('');
  }

  /** The text between two positions of the part with these edits applied, page by page. */
  #pieces(from: number, to: number, edits: readonly PageEdit[]): string[] {
    const pages = [''];
    let at = from;
    const add = (text: string) => {
      pages[pages.length - 1] += text;
    };
    for (const { start, end, text, next } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
      add(this.#xml.slice(at, start) + text);
      if (next !== undefined) pages.push(next);
      at = end;
    }
    add(this.#xml.slice(at, to));
    return pages;
  }

  /** @param begin marks the properties of a continuation as beginning a page. */
  #divide(
    properties: PropertiesPlace,
    sites: readonly (ParagraphSite | TableSite)[],
    begin: (next: ParagraphProperties) => void,
  ): PageEdit[] {
    const own = () => new ParagraphProperties(properties.content, this.#prefix);
    const inner = sites.filter((site) => site.kind === 'within-paragraph');
    const first = own();
    if (sites.some(({ kind }) => kind === 'paragraph')) begin(first);
    if (sites.some(({ kind }) => kind === 'table')) first.set('pageBreakBefore');
    const ends = inner.map(({ start }, i) =>
      lineEndAt(this.#xml, this.#prefix, inner[i - 1]?.start ?? properties.end, start),
    );
    if (ends[0]) endPage(first, ends[0]);
    const edits: PageEdit[] = [{ start: properties.start, end: properties.end, text: first.toString() }];
    for (const [i, { start, open, runProperties }] of inner.entries()) {
      const [above, below] = ends.slice(i);
      const next = own();
      begin(next);
      this.#continueParagraph(next);
      if (below) endPage(next, below);
      const p = `${this.#prefix}p`;
      const endTags = open.map(({ name }) => `</${name}>`).reverse();
      const startTags = open.map(({ tag }) => tag);
      edits.push({
        start: above?.start ?? start,
        end: start,
        text: `${above?.behind ?? ''}${endTags.join('')}</${p}>`,
        next: `<${p}>${next.toString()}${startTags.join('')}${runProperties}`,
      });
    }
    return edits;
  }

  /** A continuation has no first-line indent, and is no list item of its own. */
  #continueParagraph(properties: ParagraphProperties): void {
    const item = this.#lists.find(properties, this.#prefix);
    if (item) properties.leaveList();
    const left = item?.left === undefined ? {} : { left: item.left };
    properties.merge('ind', { ...left, firstLine: '0' }, ['hanging', 'firstLineChars', 'hangingChars']);
    properties.set('widowControl', { val: '0' });
  }

  /** One row for each page that the row is on. Each cell holds its part of that page, which may be empty. */
  #partRow(row: RowPlace, indices: readonly number[]): string[] {
    const w = this.#prefix;
    const head = withoutHeight(this.#xml.slice(row.start, row.content), w);
    const halves = [head, ...indices.map(() => head)];
    let at = row.content;
    for (const cell of row.cells) {
      const pages = this.#partCell(cell, row, indices);
      const cellHead = this.#xml.slice(cell.start, cell.content);
      // Markup between cells belongs to none of them.
      halves[0] += this.#xml.slice(at, cell.start);
      for (const i of halves.keys()) halves[i] += `${cellHead}${this.#endedCell(pages[i] ?? '')}</${w}tc>`;
      at = cell.end;
    }
    return halves.map((half, i) => half + (i === 0 ? this.#xml.slice(at, row.end) : `</${w}tr>`));
  }

  #partCell(cell: CellPlace, row: RowPlace, indices: readonly number[]): string[] {
    const edits: PageEdit[] = [];
    const inParagraphs = new Map<PropertiesPlace, (ParagraphSite | TableSite)[]>();
    const inParagraph = (site: ParagraphSite | TableSite) => {
      const sites = inParagraphs.get(site.properties) ?? [];
      sites.push(site);
      inParagraphs.set(site.properties, sites);
    };
    const begun = this.#tables.get(row);
    if (begun && cell === row.cells[0]) inParagraph(begun);
    for (const { block, site } of indices.flatMap((index) => cell.cuts[index] ?? [])) {
      const [start, end] = [block, block];
      if (site?.kind === 'paragraph') edits.push({ start, end, text: '', next: '' });
      else if (site?.kind === 'row') {
        const { text, next } = this.#partTable(site.table, uncounted(this.#prefix));
        edits.push({ start, end, text, next });
      } else if (site) inParagraph(site);
    }
    for (const [properties, sites] of inParagraphs) edits.push(...this.#divide(properties, sites, beginCell));
    return this.#pieces(cell.content, cell.contentEnd, edits);
  }

  /** A cell ends with a paragraph. */
  #endedCell(content: string): string {
    const w = this.#prefix;
    return endsWithParagraph(content, w) ? content : `${content}<${w}p>${uncounted(w).toString()}</${w}p>`;
  }

  /** Ends the table and begins it again on the next page. Without a paragraph between them LibreOffice joins them. */
  #tableBreak(table: TableStart): string {
    const between = uncounted(this.#prefix);
    between.set('pageBreakBefore');
    const { text, next } = this.#partTable(table, between);
    return text + next;
  }

  /** The end of a table with a flat paragraph below it, and its beginning on the next page. */
  #partTable({ properties, headerRows }: TableStart, below: ParagraphProperties) {
    const w = this.#prefix;
    below.set('spacing', FLAT);
    const begun = headerRows.length > 0 ? properties : withoutFirstRow(properties, w);
    return {
      text: `</${w}tbl><${w}p>${below.toString()}</${w}p>`,
      next: `<${w}tbl>${begun}${headerRows.join('')}`,
    };
  }
}

/** The properties of an added paragraph: it has no number, whatever its style or section says. */
function uncounted(prefix: string): ParagraphProperties {
  const properties = new ParagraphProperties('', prefix);
  properties.leaveList();
  properties.set('suppressLineNumbers');
  return properties;
}

/** The properties of a table whose style shows its first row like any other (`w:tblLook`, ISO/IEC 29500-1, 17.4.56). */
function withoutFirstRow(properties: string, prefix: string): string {
  const looks = tagsIn(properties, (name) => name === `${prefix}tblLook`);
  const edits = looks.map((look) => {
    const attributes = withValues(look.attributes, (name, value) => {
      if (name === `${prefix}firstRow`) return '0';
      if (name !== `${prefix}val` || !/^[\dA-Fa-f]{4}$/.test(value)) return value;
      const bits = Number.parseInt(value, 16) & ~FIRST_ROW;
      return bits.toString(16).toUpperCase().padStart(4, '0');
    });
    return editAttributes(look, attributes);
  });
  return withEdits(properties, edits);
}

/** What a row begins with, without its height. */
function withoutHeight(head: string, prefix: string): string {
  const heights = tagsIn(head, (name) => name === `${prefix}trHeight`);
  return withEdits(
    head,
    heights.flatMap(({ isEmpty, start, end }) => (isEmpty ? [{ start, end, text: '' }] : [])),
  );
}

/** Whether a paragraph is the last of the content of a cell. */
function endsWithParagraph(content: string, prefix: string): boolean {
  let last = 0;
  visitMarkup(content, {
    open(name, _attributes, isEmpty, _start, end) {
      if (isEmpty && name === `${prefix}p`) last = end;
    },
    close(name, _start, end) {
      if (name === `${prefix}p`) last = end;
    },
  });
  return last > 0 && last === content.length;
}

/** How many bytes of the part a break repeats. */
function repeatedBytes(site: BreakSite): number {
  if (site.kind === 'paragraph' || site.kind === 'table') return site.properties.content.length;
  if (site.kind === 'within-paragraph') {
    const { properties, open, runProperties } = site;
    return open.reduce((sum, { tag }) => sum + tag.length, properties.content.length + runProperties.length);
  }
  const { properties, headerRows } = site.kind === 'row' ? site.table : site.row.table;
  const table = headerRows.reduce((sum, row) => sum + row.length, properties.length);
  if (site.kind === 'row') return table;
  const { start, content, cells } = site.row;
  return cells.reduce(
    (sum, cell) => {
      const inner = cell.cuts[site.index]?.site;
      return sum + cell.content - cell.start + (inner?.kind === 'row' ? repeatedBytes(inner) : 0);
    },
    table + content - start,
  );
}

/** Word leaves out the space above the first paragraph of a page. */
function beginPage(properties: ParagraphProperties): void {
  properties.set('pageBreakBefore');
  beginCell(properties);
}

/** In a cell, it is the row that begins the page. */
function beginCell(properties: ParagraphProperties): void {
  properties.merge('spacing', { before: '0' }, ['beforeAutospacing', 'beforeLines']);
}

/** The line above the break reaches the right margin where others do. */
function endPage(properties: ParagraphProperties, { isBroken }: LineEnd): void {
  if (!isBroken && justified.has(properties.value('jc') ?? '')) {
    properties.set('jc', { val: 'distribute' });
  }
  properties.remove('sectPr');
  properties.merge('spacing', { after: '0' }, ['afterAutospacing', 'afterLines']);
  properties.set('widowControl', { val: '0' });
}
