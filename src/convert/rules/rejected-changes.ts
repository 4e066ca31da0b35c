/**
 * The document as it was before its tracked changes (ISO/IEC 29500-1, 17.13.5): insertions and the targets of moves are gone,
 * deletions and the sources of moves are back, and so is the former formatting.
 *
 * The XML is rewritten because LibreOffice cannot do this: on import it hides deletions or shows all (w:revisionView), and its
 * command to reject changes misses those of cells, sections and tables, which it does not import. Also, every other reader, such as
 * the check for missing text, then sees the same document.
 */
import { type Edit, withEdits } from '../document/edits.ts';
import {
  attributeOf,
  type MarkupVisitor,
  prefixOf,
  qualified,
  visitMarkup,
  WORD_NAMESPACE,
} from '../document/markup.ts';
import { tagsIn } from '../document/tags.ts';

/** Properties, and the children that a change of them leaves as they are. */
const properties: ReadonlyMap<string, readonly string[]> = new Map([
  ['rPr', []],
  ['pPr', ['rPr', 'sectPr']],
  ['sectPr', ['headerReference', 'footerReference']],
  ['tblPr', []],
  ['tblPrEx', []],
  ['tblGrid', []],
  ['trPr', []],
  ['tcPr', []],
]);
/** Ends the name of the element that holds the former properties, such as `rPrChange`. */
const CHANGE = 'Change';

const insertions = ['ins', 'moveTo'];
const deletions = ['del', 'moveFrom', 'cellDel'];
const ranges = ['moveFrom', 'moveTo', 'customXmlIns', 'customXmlDel', 'customXmlMoveFrom', 'customXmlMoveTo'];
/** Elements that lose their tags and keep their content. */
const unwrapped: ReadonlySet<string> = new Set([
  ...deletions,
  ...ranges.flatMap((name) => [`${name}RangeStart`, `${name}RangeEnd`]),
]);
/** Names of deleted text, with its normal names. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['delText', 't'],
  ['delInstrText', 'instrText'],
]);
/** Elements that show nothing in a paragraph. */
const invisible: ReadonlySet<string> = new Set([
  ...['pPr', 'bookmarkStart', 'bookmarkEnd', 'commentRangeStart', 'commentRangeEnd', 'proofErr'],
  ...['permStart', 'permEnd', ...insertions, ...unwrapped],
]);
/** No paragraph continues in these. */
const blocks: ReadonlySet<string> = new Set(['tbl', 'sdt', 'customXml', 'altChunk', 'sectPr']);

const elements = [
  ...['p', 'tr', 'tc', 'numPr', 'numberingChange', 'cellIns', 'cellMerge'],
  ...[...blocks, ...invisible, ...renamed.keys()],
  ...[...properties].flatMap(([name, children]) => [name, name + CHANGE, ...children]),
];

/** An edit whose text may change until the end. */
interface Draft extends Edit {
  text: string;
}

/** A paragraph that continues in the next one, as its mark was inserted. */
interface Beginning {
  /** Its start tag and properties, which those of the next one replace (properties belong to the mark). */
  readonly head: Draft;
  /** Its end tag. */
  readonly tail: Draft;
  readonly isEmpty: boolean;
}

/** An open element. */
class Element {
  readonly local: string | undefined;
  /** The innermost element that keeps its tags: this one, or one around it. */
  readonly shown: Element | undefined;
  readonly start: number;
  /** Behind its start tag. */
  readonly inner: number;
  /** How many edits there were before it. */
  readonly edits: number;
  /** It is removed with its content. */
  isGone = false;
  /** Of properties: the former ones, and the children that stay. */
  former: string | undefined;
  kept = '';
  /** Of a table, its rows, and of a row, its cells: how many there are, and how many stay. */
  parts = 0;
  stay = 0;
  /** Of a paragraph: its mark was inserted, it shows nothing, where its properties end, and its rewritten head. */
  isOpen = false;
  isEmpty = true;
  headEnd: number;
  head: Draft | undefined;
  isHeadRead = false;
  /** In a container of paragraphs: the one that continues in the next. */
  beginning: Beginning | undefined;

  constructor(
    local: string | undefined,
    parent: Element | undefined,
    start: number,
    inner: number,
    edits: number,
  ) {
    this.local = local;
    this.shown = local === undefined || !unwrapped.has(local) ? this : parent?.shown;
    this.start = start;
    this.inner = inner;
    this.edits = edits;
    this.headEnd = inner;
  }
}

/**
 * The part as it was before its tracked changes; the same if it has none. Takes linear time.
 *
 * Joined paragraphs may be longer than the limit of a paragraph: check the result.
 *
 * @param xml in an encoding in which ASCII is ASCII.
 */
export function withRejectedChanges(xml: string): string {
  const rejecter = new Rejecter(xml);
  visitMarkup(xml, rejecter);
  return withEdits(xml, rejecter.edits);
}

/** Number of insertions, deletions and moves in a part. */
export function countChanges(xml: string): number {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(prefix, [...insertions, 'del', 'moveFrom']);
  return tagsIn(xml, (name) => names.has(name)).length;
}

class Rejecter implements MarkupVisitor {
  readonly edits: Draft[] = [];
  readonly #xml: string;
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #open: Element[] = [];
  /** The open ones among them with these names. */
  readonly #wholes: Readonly<Record<'tbl' | 'tr' | 'tc', Element[]>> = { tbl: [], tr: [], tc: [] };
  /** How many open elements hold former properties, in which nothing is a change. */
  #former = 0;

  constructor(xml: string) {
    this.#xml = xml;
    this.#prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
    this.#names = qualified(this.#prefix, elements);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.#names.get(name);
    const parent = this.#open.at(-1);
    const isChangeable = this.#former === 0;
    if (isChangeable && parent?.local === 'p' && local !== 'pPr') this.#readHead(parent, false);
    const element = new Element(local, parent, start, end, this.edits.length);
    // A paragraph with visible content, even if it was deleted, is not empty.
    if (isChangeable && parent?.shown && (local === undefined || !invisible.has(local)))
      parent.shown.isEmpty = false;
    if (isChangeable && local !== undefined) this.#meet(local, element, parent, attributes);
    if (local?.endsWith(CHANGE)) this.#former += 1;
    this.#open.push(element);
    if (isWhole(local)) this.#wholes[local].push(element);
    if (isEmpty) this.#end(end, end);
  }

  close(_name: string, start: number, end: number): void {
    this.#end(start, end);
  }

  #meet(local: string, element: Element, parent: Element | undefined, attributes: string): void {
    const { start, inner } = element;
    if (blocks.has(local)) this.#meetBlock(local, parent);
    else if (insertions.includes(local)) this.#meetInsertion(element, parent);
    else if (local === 'cellIns') this.#lose('tc');
    else if (local === 'cellMerge') this.#replace(start, inner, this.#formerMerge(attributes));
    else if (unwrapped.has(local)) this.#replace(start, inner);
    else if (renamed.has(local)) this.#rename(local, start + '<'.length);
  }

  /** A paragraph before a block cannot continue. If it is empty, it is removed, as the block ends it. */
  #meetBlock(local: string, parent: Element | undefined): void {
    if (!parent?.beginning || local === 'sectPr') return;
    const { head, tail, isEmpty } = parent.beginning;
    if (isEmpty) head.text = tail.text = '';
    parent.beginning = undefined;
  }

  /** Inserted content, or a marker that its container was inserted: the mark of a paragraph, a row, a list item. */
  #meetInsertion(element: Element, parent: Element | undefined): void {
    const [paragraph, around] = [this.#open.at(-3), this.#open.at(-2)];
    element.isGone = true;
    if (parent?.local === 'trPr') this.#lose('tr');
    else if (parent?.local === 'numPr') parent.isGone = true;
    else if (parent?.local === 'rPr' && around?.local === 'pPr' && paragraph?.local === 'p')
      paragraph.isOpen = true;
  }

  /** The innermost element of this name was inserted. */
  #lose(local: 'tr' | 'tc'): void {
    const element = this.#wholes[local].at(-1);
    if (element) element.isGone = true;
  }

  #formerMerge(attributes: string): string {
    const former = attributeOf(attributes, `${this.#prefix}vMergeOrig`);
    if (former === undefined) return '';
    return `<${this.#prefix}vMerge ${this.#prefix}val="${former === 'rest' ? 'restart' : 'continue'}"/>`;
  }

  #end(start: number, end: number): void {
    const element = this.#open.pop();
    if (!element) return;
    const { local } = element;
    if (isWhole(local)) this.#wholes[local].pop();
    const parent = this.#open.at(-1);
    const isChange = local?.endsWith(CHANGE) === true;
    if (isChange) this.#former -= 1;
    if (this.#former > 0) {
      if (parent && local !== undefined && parent.local === local + CHANGE)
        parent.former = this.#xml.slice(element.inner, start);
    } else if (isChange) this.#endChange(element, parent, end);
    else if (local === 'p') this.#endParagraph(element, parent, start, end);
    else if (local !== undefined) this.#endOther(local, element, parent, start, end);
  }

  #endChange({ local, former, start, edits }: Element, parent: Element | undefined, end: number): void {
    if (parent && `${parent.local}${CHANGE}` === local) parent.former = former && this.#unmarked(former);
    this.#replaceFrom(edits, start, end);
  }

  /** Former properties of a paragraph's mark may say that it was a change then. */
  #unmarked(former: string): string {
    const isMark = (name: string) => /^(?:ins|del|moveFrom|moveTo)$/.test(this.#names.get(name) ?? '');
    return withEdits(
      former,
      tagsIn(former, isMark).map(({ start, end }) => ({ start, end, text: '' })),
    );
  }

  #endOther(local: string, element: Element, parent: Element | undefined, start: number, end: number): void {
    const { inner, edits, former, kept, parts, stay } = element;
    const isGone = element.isGone || (parts > 0 && stay === 0);
    if (isGone) this.#replaceFrom(edits, element.start, end);
    else if (former !== undefined && properties.has(local))
      this.#replaceFrom(edits, inner, start, local === 'sectPr' ? kept + former : former + kept);
    else if (start < end && unwrapped.has(local)) this.#replace(start, end);
    else if (start < end && renamed.has(local)) this.#rename(local, start + '</'.length);
    if (!parent) return;
    if (local === 'pPr' && parent.local === 'p') {
      parent.headEnd = end;
      this.#readHead(parent, false);
    } else if (properties.get(parent.local ?? '')?.includes(local))
      parent.kept += this.#rewritten(element, end);
    const whole = local === 'tr' ? 'tbl' : local === 'tc' ? 'tr' : undefined;
    const counting = whole && this.#wholes[whole].at(-1);
    if (!counting) return;
    counting.parts += 1;
    if (!isGone) counting.stay += 1;
  }

  #endParagraph(element: Element, parent: Element | undefined, start: number, end: number): void {
    this.#readHead(element, start === end);
    const { head, isOpen, isEmpty } = element;
    if (!parent || !isOpen || !head) return;
    const tail = { start, end, text: this.#xml.slice(start, end) };
    this.edits.push(tail);
    parent.beginning = { head, tail, isEmpty };
  }

  /**
   * The head of a paragraph has ended. If the paragraph before continues in it, this head replaces the head of that one.
   *
   * @param isWhole whether the paragraph has ended as well, as an empty element.
   */
  #readHead(paragraph: Element, isWhole: boolean): void {
    if (paragraph.isHeadRead) return;
    paragraph.isHeadRead = true;
    const container = this.#open.at(this.#open.at(-1) === paragraph ? -2 : -1);
    const before = container?.beginning;
    if (container) container.beginning = undefined;
    if (!before && !paragraph.isOpen) return;
    const { start, headEnd, edits } = paragraph;
    const text = this.#rewritten(paragraph, headEnd);
    this.#replaceFrom(edits, start, headEnd, before ? '' : text);
    if (before) {
      before.head.text = isWhole ? text.replace(/\s*\/>$/, '>') : text;
      if (!isWhole) before.tail.text = '';
      paragraph.isEmpty = before.isEmpty;
    }
    paragraph.head = before?.head ?? this.edits.at(-1);
  }

  /** An element up to `end` with its edits. */
  #rewritten({ start, edits }: Element, end: number): string {
    const own = this.edits.slice(edits).map((edit) => ({
      start: edit.start - start,
      end: edit.end - start,
      text: edit.text,
    }));
    return withEdits(this.#xml.slice(start, end), own);
  }

  #rename(local: string, nameStart: number): void {
    const at = nameStart + this.#prefix.length;
    this.#replace(at, at + local.length, renamed.get(local));
  }

  #replace(start: number, end: number, text = ''): void {
    this.edits.push({ start, end, text });
  }

  /** Replaces a range, and drops all edits but the first `edits`. */
  #replaceFrom(edits: number, start: number, end: number, text = ''): void {
    this.edits.length = edits;
    this.#replace(start, end, text);
  }
}

function isWhole(local: string | undefined): local is 'tbl' | 'tr' | 'tc' {
  return local === 'tbl' || local === 'tr' || local === 'tc';
}
