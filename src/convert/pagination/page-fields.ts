/**
 * Fields that depend on their page (`{= PAGE - 1}`, `IF PAGE = NUMPAGES`, `SECTIONPAGES`, see page-expressions.ts). Word works them
 * out on every page; LibreOffice does not know them. But it has variables: `SET` in the body gives one a value, `REF` in a header
 * shows the one that it has at the first paragraph of the page, and in a footer at the last.
 *
 * So the print view has an anchor at the beginning and the end of each paragraph of the body, the engine says on which pages they
 * are, and a last layout sets the variables there. Stored results stand in their place until then.
 */
import { closeSync, constants, openSync } from 'node:fs';
import type { Entry } from 'yauzl';
import type { DocumentType } from '../../shared/document-types.ts';
import { TailReader } from '../../system/tail-reader.ts';
import { withEdits } from '../document/edits.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import { evaluate, isPageNumber, PAGE_FIELD, type PageFacts } from '../document/page-expressions.ts';
import { pageFormat, readSections, readSectionTags } from '../document/sections.ts';
import { type Allowance, assertXmlSize, MAX_XML_BYTES } from '../package/limits.ts';
import { requireDocument } from '../package/main-part.ts';
import { Package } from '../package/package.ts';
import { Changes } from '../package/package-changes.ts';
import { writeFileWhole } from '../package/whole-file.ts';
import type { Destination } from '../pdf/destinations.ts';
import type { PageLine } from '../pdf/page-bottoms.ts';
import { ANCHOR, MAX_ANCHORED } from './paragraph-anchors.ts';
import { withAlignedSections } from './section-alignment.ts';

/** In front of the number of a variable; with underscores where the document says the same. */
const VARIABLE = 'platen';
/** Different fields that are filled in. */
const MAX_FIELDS = 100;
/** Values of all fields on all pages. */
const MAX_VALUES = 200_000;
const MARKED = new RegExp(`${PAGE_FIELD.replace('.', '\\.')}([\\w-]{1,3000})\\.`, 'g');

/** An anchor at which a variable may be set. */
interface Stop {
  readonly paragraph: number;
  readonly isBegin: boolean;
  readonly at: number;
  /** From 0; undefined where the engine did not say. */
  readonly page: number | undefined;
}

/** A paragraph of the body that is not inside another one. */
interface Paragraph {
  /** Section that it is in, from 0. */
  readonly section: number;
  /** Where its tag begins. */
  readonly start: number;
  readonly stops: Stop[];
  /** The pages that it is on, from 0; undefined where the engine did not say. */
  first: number | undefined;
  last: number | undefined;
}

/** The anchors in a part, by paragraph. */
function readParagraphs(xml: string, w: string, destinations: ReadonlyMap<string, Destination>): Paragraph[] {
  const names = qualified(w, ['p', 'pPr', 'sectPr', 'bookmarkStart']);
  const anchor = new RegExp(`^${ANCHOR}(\\d{1,7})(?:-(end|\\d{1,7}))?$`);
  const found: Paragraph[] = [];
  let [depth, properties, section] = [0, 0, 0];
  let endsSection = false;
  let outermost = 0;
  visitMarkup(xml, {
    names,
    open(name, attributes, isEmpty, start) {
      const local = names.get(name);
      if (local === 'p' && !isEmpty) {
        if (depth === 0) outermost = start;
        depth += 1;
      } else if (local === 'pPr' && !isEmpty) properties += 1;
      else if (local === 'sectPr' && properties > 0) endsSection = true;
      if (local !== 'bookmarkStart') return;
      const bookmark = attributeOf(attributes, `${w}name`) ?? '';
      const parts = bookmark.startsWith(ANCHOR) ? anchor.exec(bookmark) : null;
      if (!parts) return;
      const paragraph = Number(parts[1]);
      if (paragraph === found.length && found.length < MAX_ANCHORED)
        found.push({ section, start: outermost, stops: [], first: undefined, last: undefined });
      const own = found[paragraph];
      if (!own) return;
      const page = destinations.get(bookmark)?.page;
      own.first ??= page;
      own.last = page ?? own.last;
      if (parts[2] !== 'end') own.stops.push({ paragraph, isBegin: parts[2] === undefined, at: start, page });
    },
    close(name) {
      const local = names.get(name);
      if (local === 'pPr') properties = Math.max(0, properties - 1);
      if (local !== 'p') return;
      depth -= 1;
      if (depth > 0 || !endsSection) return;
      section += 1;
      endsSection = false;
    },
  });
  return found;
}

/**
 * The paragraphs without the pages of those that LibreOffice has joined with the next one: empty ones that end a section. It says
 * that they are on the first page of the next section.
 *
 * @param begins which sections begin a page.
 */
function withoutMoved(paragraphs: readonly Paragraph[], begins: readonly boolean[]): Paragraph[] {
  return paragraphs.map((paragraph, at) => {
    const next = paragraphs[at + 1];
    const isMoved =
      next?.first !== undefined &&
      next.section !== paragraph.section &&
      begins[next.section] === true &&
      next.first === paragraph.first;
    return isMoved ? { ...paragraph, first: undefined, last: undefined } : paragraph;
  });
}

/** A document whose fields are filled in. */
interface PageFilling {
  /** Path of a print view with anchors. */
  readonly path: string;
  readonly target: string;
  /** Where the engine has put them. */
  readonly destinations: ReadonlyMap<string, Destination>;
  /** Number of pages. */
  readonly pages: number;
  /** With those of the documents with which its pages are counted; as many as it has by default. */
  readonly total?: number | undefined;
  /** What is on a page, counted from 0. */
  readonly linesOf: (page: number) => Iterable<PageLine>;
}

/**
 * Writes a document with what depends on its pages: fields, and the room above sections that are aligned (section-alignment.ts).
 *
 * @throws PlatenError `CORRUPTED_FILE` if it is beyond a limit; `SERVICE_UNAVAILABLE` if there is no room.
 */
export async function fillPages(
  { path, target, destinations, pages, total = pages, linesOf }: PageFilling,
  accepted: readonly DocumentType[],
  allowance: Allowance,
): Promise<void> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const opened = await Package.open(TailReader.over(fd), allowance);
    const main = await requireDocument(opened, accepted);
    const entry = opened.entry(main);
    if (!entry) throw new Error('the main part is gone');
    const changes = new Changes();
    const xml = (await opened.read(entry, MAX_XML_BYTES)).toString('latin1');
    const variables = new Variables(unusedName(xml));
    const stories: { readonly part: Entry; readonly xml: string; readonly place: Place }[] = [];
    for (const [name, part] of opened.entries) {
      if (!name.endsWith('.xml') || part === entry || part.uncompressedSize > MAX_XML_BYTES) continue;
      const story = (await opened.read(part, MAX_XML_BYTES)).toString('latin1');
      const root = /<(?:[\w.-]+:)?(hdr|ftr)[\s>]/.exec(story.slice(0, 4_096))?.[1];
      const place = root === 'hdr' ? 'header' : 'footer';
      if (root && variables.find(story, place)) stories.push({ part, xml: story, place });
    }
    variables.find(xml, 'body');
    const filled = new FilledLayout(xml, destinations, { pages, total }).withValues(variables);
    for (const { part, xml: story, place } of stories)
      changes.replace(part, Buffer.from(variables.in(story, place), 'latin1'));
    const aligned = withAlignedSections(variables.in(filled, 'body'), destinations, linesOf);
    const part = Buffer.from(aligned, 'latin1');
    assertXmlSize(part.length);
    changes.replace(entry, part);
    await writeFileWhole(target, (file) => opened.write(file, changes));
  } finally {
    closeSync(fd);
  }
}

/** What no name of a variable in the main part begins with: that of a document's own must keep its value. */
function unusedName(xml: string): string {
  const used = xml.toLowerCase();
  let name = VARIABLE;
  for (const [found] of used.matchAll(/platen(_*)(?=\d)/g))
    if (found.length >= name.length) name = `${found}_`;
  return name;
}

type Place = 'header' | 'footer' | 'body';

interface Variable {
  readonly name: string;
  readonly code: string;
  readonly place: Place;
  /** Whether it has a value from the first page on; LibreOffice prints an error for one without. */
  isSet: boolean;
}

/** The fields that are filled in, one for each code and kind of place. */
class Variables {
  readonly #prefix: string;
  readonly #known = new Map<string, Variable>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get all(): Iterable<Variable> {
    return this.#known.values();
  }

  /** Makes variables for the fields of a part. @returns whether it has some. */
  find(xml: string, place: Place): boolean {
    let hasSome = false;
    for (const [, code = ''] of xml.matchAll(MARKED)) {
      const key = `${place} ${code}`;
      hasSome = true;
      if (this.#known.has(key) || this.#known.size === MAX_FIELDS) continue;
      const name = `${this.#prefix}${this.#known.size + 1}`;
      this.#known.set(key, { name, code: Buffer.from(code, 'base64url').toString(), place, isSet: false });
    }
    return hasSome;
  }

  /** A part whose fields show variables, where these are set, or else plain page numbers or their stored results. */
  in(xml: string, place: Place): string {
    return xml.replace(MARKED, (mark, code: string) => {
      const variable = this.#known.get(`${place} ${code}`);
      if (variable?.isSet) return `REF ${variable.name}`;
      return isPageNumber(Buffer.from(code, 'base64url').toString()) ? 'PAGE' : mark;
    });
  }
}

class FilledLayout {
  readonly #xml: string;
  readonly #w: string;
  readonly #paragraphs: readonly Paragraph[];
  readonly #facts: readonly PageFacts[];
  /** The paragraph at the top of each page. */
  readonly #tops: (number | undefined)[];
  /** The first anchor on each page. */
  readonly #firstStops: (Stop | undefined)[];

  constructor(
    xml: string,
    destinations: ReadonlyMap<string, Destination>,
    { pages, total }: Required<Pick<PageFilling, 'pages' | 'total'>> & { readonly total: number },
  ) {
    this.#xml = xml;
    this.#w = wordPrefixOf(xml);
    this.#paragraphs = withoutMoved(
      readParagraphs(xml, this.#w, destinations),
      readSections(xml, this.#w).map(({ beginsPage }) => beginsPage),
    );
    this.#tops = new Array<number | undefined>(pages).fill(undefined);
    this.#firstStops = new Array<Stop | undefined>(pages).fill(undefined);
    let filled = -1;
    for (const [i, { first, last, stops }] of this.#paragraphs.entries()) {
      for (const stop of stops) {
        const page = stop.page ?? pages;
        if (page < pages) this.#firstStops[page] ??= stop;
      }
      if (first === undefined || last === undefined) continue;
      for (let page = Math.max(filled + 1, first); page <= Math.min(last, pages - 1); page += 1) {
        this.#tops[page] = i;
        filled = page;
      }
    }
    this.#facts = this.#readFacts(pages, total);
  }

  withValues(variables: Variables): string {
    const settings = new Map<number, string>();
    let values = 0;
    for (const variable of variables.all) {
      const { name, code, place } = variable;
      let current: string | undefined;
      for (const [page, facts] of this.#facts.entries()) {
        values += 1;
        if (values > MAX_VALUES) break;
        const value = writable(evaluate(code, facts));
        const stop = this.#stopFor(page, place);
        if (page === 0) variable.isSet = value !== undefined && stop !== undefined;
        if (!variable.isSet) break;
        if (value === undefined || value === current || !stop) continue;
        current = value;
        const at = page === 0 ? (this.#hiddenAt ?? stop.at) : stop.at;
        settings.set(at, (settings.get(at) ?? '') + this.#setting(name, value, at === this.#hiddenAt));
      }
    }
    const edits = [...settings].map(([at, text]) => ({
      start: at,
      end: at,
      text: at === this.#hiddenAt ? this.#hidden(text) : text,
    }));
    return withEdits(this.#xml, edits);
  }

  /**
   * Where to set what a page shows. A header shows the last value in the part of its first paragraph that is on the page, or before
   * it; a footer that of its last paragraph.
   */
  #stopFor(page: number, place: Place): Stop | undefined {
    const top = this.#tops[page];
    // The first page's value is also that of what cannot be placed.
    if (page === 0) return this.#paragraphs[0]?.stops[0];
    if (place !== 'header' || top === undefined) return this.#firstStops[page];
    const { first, stops } = this.#paragraphs[top] as Paragraph;
    if (first === page || top !== this.#tops[page - 1]) return stops[0];
    return stops.find((stop) => stop.page === page);
  }

  /**
   * Where a paragraph is to be added, as the first one ends its section: LibreOffice reads the headers and footers of that section
   * before the content of the paragraph.
   */
  get #hiddenAt(): number | undefined {
    const [first, second] = this.#paragraphs;
    return second && first?.section !== second.section ? first?.start : undefined;
  }

  #hidden(runs: string): string {
    const w = this.#w;
    const flat = `<${w}spacing ${w}before="0" ${w}after="0" ${w}line="20" ${w}lineRule="exact"/>`;
    return `<${w}p><${w}pPr>${flat}<${w}rPr><${w}vanish/><${w}sz ${w}val="2"/></${w}rPr></${w}pPr>${runs}</${w}p>`;
  }

  #setting(name: string, value: string, isHidden: boolean): string {
    const w = this.#w;
    const looks = isHidden ? `<${w}rPr><${w}vanish/></${w}rPr>` : '';
    const character = (type: string) => `<${w}r>${looks}<${w}fldChar ${w}fldCharType="${type}"/></${w}r>`;
    const instruction = `SET ${name} &quot;${value}&quot;`;
    return (
      character('begin') +
      `<${w}r>${looks}<${w}instrText xml:space="preserve"> ${instruction} </${w}instrText></${w}r>` +
      character('separate') +
      character('end')
    );
  }

  #readFacts(pages: number, total: number): PageFacts[] {
    const sections = readSectionTags(this.#xml, this.#w);
    const formats = sections.map((tags) => pageFormat(tags, this.#w));
    const starts = sections.map((tags) => {
      const start = attributeOf(tags.get('pgNumType')?.attributes ?? '', `${this.#w}start`);
      return start !== undefined && /^\d{1,6}$/.test(start) ? Number(start) : undefined;
    });
    const spans = new Map<number, { first: number; last: number }>();
    for (const { section, first, last } of this.#paragraphs) {
      if (first === undefined || last === undefined) continue;
      const span = spans.get(section) ?? { first, last };
      spans.set(section, { first: span.first, last: Math.max(span.last, last) });
    }
    const facts: PageFacts[] = [];
    let [section, number] = [0, (starts[0] ?? 1) - 1];
    for (let page = 0; page < pages; page += 1) {
      number += 1;
      const own = this.#paragraphs[this.#tops[page] ?? -1]?.section ?? section;
      if (own !== section) number = starts[own] ?? number;
      section = own;
      const span = spans.get(section);
      const sectionPages = span ? Math.max(1, span.last - Math.min(span.first, page) + 1) : 1;
      const format = formats[section] ?? 'decimal';
      facts.push({ page: number, pages: total, section: section + 1, sectionPages, format });
    }
    return facts;
  }
}
/** A value as the instruction of a variable may have it; undefined if there is none. */
function writable(value: string | undefined): string | undefined {
  if (value === undefined || value.includes('\\')) return undefined;
  const escaped = value
    .replace(/"/g, '”')
    .replace(/[&<>]/g, (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each] ?? each);
  return Buffer.from(escaped).toString('latin1');
}
