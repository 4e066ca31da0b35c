/**
 * The document after its tracked changes, or before them (ISO/IEC 29500-1, 17.13.5).
 *
 * After them, deletions and the sources of moves are gone; before them, insertions and the targets of moves are, deletions are back,
 * and so is the former formatting. Both are the same walk, as each kind of change has its opposite.
 *
 * The XML is rewritten because LibreOffice can do neither. It hides deletions on import, but not those inside insertions and content
 * controls, nor those of cells and breaks, and it loses insertions in formulas; its command to reject changes misses those of cells,
 * sections and tables, which it does not import. Also, every other reader, such as the check for missing text, then sees the same
 * document.
 */
import { cellChanges, changeElements, contentChanges } from '../document/change-elements.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import {
  attributeOf,
  MATH_NAMESPACE,
  type MarkupVisitor,
  prefixOf,
  qualified,
  visitMarkup,
  wordPrefixOf,
} from '../document/markup.ts';
import { visitShown } from '../document/shown-markup.ts';
import { tagsIn } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

/** Which document is wanted: after its tracked changes, or before them. */
export type Version = 'final' | 'original';

/** What is gone in a version, and what stays: content, and marks of cells. */
interface Outcome {
  readonly gone: readonly string[];
  readonly goneCell: string;
  readonly stays: readonly string[];
  readonly cellStays: string;
  /** Says how a cell is merged with those above it. */
  readonly merge: string;
  readonly hasFormerProperties: boolean;
}

const outcomes: Readonly<Record<Version, Outcome>> = {
  final: {
    gone: ['del', 'moveFrom'],
    goneCell: 'cellDel',
    stays: ['ins', 'moveTo'],
    cellStays: 'cellIns',
    merge: 'vMerge',
    hasFormerProperties: false,
  },
  original: {
    gone: ['ins', 'moveTo'],
    goneCell: 'cellIns',
    stays: ['del', 'moveFrom'],
    cellStays: 'cellDel',
    merge: 'vMergeOrig',
    hasFormerProperties: true,
  },
};

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

/** Of a paragraph, a row, an item of a list and a cell. */
const marks: ReadonlySet<string> = new Set([...contentChanges, ...cellChanges]);
const ranges = ['moveFrom', 'moveTo', 'customXmlIns', 'customXmlDel', 'customXmlMoveFrom', 'customXmlMoveTo'];
const rangeMarks = ranges.flatMap((name) => [`${name}RangeStart`, `${name}RangeEnd`]);
/** Names of deleted text, with its normal names. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['delText', 't'],
  ['delInstrText', 'instrText'],
]);
const bookmarks = ['bookmarkStart', 'bookmarkEnd'];
/** Elements that show nothing. */
const invisible: ReadonlySet<string> = new Set([
  ...['pPr', 'rPr', 'sectPr', 'tblPr', 'tblGrid', 'trPr', 'tcPr', 'sdtPr', 'sdtEndPr', 'customXmlPr'],
  ...['smartTagPr', ...bookmarks, 'commentRangeStart', 'commentRangeEnd', 'proofErr'],
  ...['permStart', 'permEnd', ...changeElements, ...rangeMarks, 'ctrlPr', 'mathProperties'],
]);
/** They show what is in them, and are gone where all of that is. */
const hollow: ReadonlySet<string> = new Set([
  ...['sdt', 'sdtContent', 'customXml', 'smartTag', 'hyperlink', 'fldSimple'],
  ...['mathRun', 'oMath', 'oMathPara'],
]);
/** No paragraph continues in these. */
const blocks: ReadonlySet<string> = new Set(['tbl', 'sdt', 'customXml', 'altChunk']);
/** A paragraph at their end may be gone. */
const transparent: ReadonlySet<string> = new Set(['sdtContent', 'customXml']);
/** At least one paragraph is in these. */
const stories: ReadonlySet<string> = new Set([
  ...['body', 'tc', 'txbxContent', 'hdr', 'ftr', 'footnote', 'endnote', 'comment'],
]);

const elements = [
  ...['p', 'tr', 'numPr', 'fldChar', 'instrText'],
  ...[...blocks, ...stories, ...invisible, ...hollow, ...renamed.keys()],
  ...[...properties].flatMap(([name, children]) => [name, name + CHANGE, ...children]),
];
/** Of formulas: they may have changes in them, too. */
const mathElements: ReadonlyMap<string, string> = new Map([
  ['r', 'mathRun'],
  ['rPr', 'mathProperties'],
  ['ctrlPr', 'ctrlPr'],
  ['oMath', 'oMath'],
  ['oMathPara', 'oMathPara'],
]);

/** Whether a part has a tracked change. */
export function hasTrackedChange(xml: string): boolean {
  const names = qualified(wordPrefixOf(xml), changeElements);
  return tagsIn(xml, (name) => names.has(name)).length > 0;
}

/** Number of insertions, deletions and moves in a part, without those inside deletions. */
export function countChanges(xml: string): number {
  const prefix = wordPrefixOf(xml);
  const names = qualified(prefix, contentChanges);
  let count = 0;
  const counter = {
    names,
    open() {
      count += 1;
    },
  };
  visitShown(xml, prefix, [counter]);
  return count;
}

/**
 * A version of a part; the same if it has no tracked changes. Takes linear time.
 *
 * Joined paragraphs may be longer than the limit of a paragraph: check the result.
 */
export function withoutChanges(xml: Bytes, version: Version): Bytes {
  const settler = new Settler(xml, outcomes[version]);
  visitMarkup(xml, settler);
  return withEdits(xml, settler.edits);
}

/** An edit whose text may change until the end. */
interface Draft extends Edit {
  text: string;
}

/** A paragraph that continues in the next one, as its mark is gone. */
interface Beginning {
  /** Its start tag and properties, which those of the next one replace (properties belong to the mark). */
  readonly head: Draft;
  /** Its end tag. */
  readonly tail: Draft;
  readonly isEmpty: boolean;
}

/** Where a bookmark begins or ends, or a character of a field whose beginning stays. */
interface Anchor {
  readonly text: string;
  /** Of the bookmark. */
  readonly id?: string;
}

/** An open element. */
class Element {
  readonly local: string | undefined;
  readonly name: string;
  /** The innermost element that keeps its tags: this one, or one around it. */
  readonly shown: Element | undefined;
  readonly start: number;
  /** Behind its start tag. */
  readonly inner: number;
  /** How many edits and anchors there were before it. */
  readonly edits: number;
  readonly anchors: number;
  /** It is removed with its content. */
  isGone = false;
  /** Something in it stays, or has been removed. */
  isFull = false;
  hasLost = false;
  /** Of properties: the former ones, and the children that stay. */
  former: string | undefined;
  kept = '';
  /** Of a table, its rows, and of a row, its cells: how many there are, and how many stay. */
  parts = 0;
  stay = 0;
  /** Of a paragraph: its mark is gone, where its properties end, and its rewritten head. */
  isOpen = false;
  headEnd: number;
  head: Draft | undefined;
  isHeadRead = false;
  /** In a container of paragraphs: the one that continues in the next. */
  beginning: Beginning | undefined;
  /** Of the body: where the properties of the last section begin. */
  section: number | undefined;

  constructor(
    names: { readonly name: string; readonly local: string | undefined },
    shown: Element | undefined,
    range: { readonly start: number; readonly inner: number },
    before: { readonly edits: number; readonly anchors: number },
  ) {
    this.name = names.name;
    this.local = names.local;
    this.shown = shown ?? this;
    this.start = range.start;
    this.inner = range.inner;
    this.edits = before.edits;
    this.anchors = before.anchors;
    this.headEnd = range.inner;
  }
}

class Settler implements MarkupVisitor {
  readonly edits: Draft[] = [];
  readonly #xml: string;
  readonly #prefix: string;
  readonly #names: ReadonlyMap<string, string>;
  readonly #outcome: Outcome;
  readonly #gone: ReadonlySet<string>;
  /** Elements that lose their tags and keep their content. */
  readonly #unwrapped: ReadonlySet<string>;
  readonly #open: Element[] = [];
  /** The open ones among them with these names. */
  readonly #wholes: Readonly<Record<'tbl' | 'tr' | 'tc', Element[]>> = { tbl: [], tr: [], tc: [] };
  /** Those so far, without pairs that are gone. */
  readonly #anchors: Anchor[] = [];
  /** Of each open complex field, whether its beginning is gone. */
  readonly #fields: boolean[] = [];
  /** How many open elements are changes whose content is gone. */
  #lost = 0;
  /** How many open elements hold former properties, in which nothing is a change. */
  #former = 0;

  constructor(xml: string, outcome: Outcome) {
    this.#xml = xml;
    this.#outcome = outcome;
    this.#gone = new Set(outcome.gone);
    this.#unwrapped = new Set([...outcome.stays, outcome.cellStays, ...rangeMarks]);
    this.#prefix = wordPrefixOf(xml);
    const math = prefixOf(xml, MATH_NAMESPACE) ?? 'm:';
    this.#names = new Map([
      ...[...mathElements].map(([name, local]) => [math + name, local] as const),
      ...qualified(this.#prefix, elements),
    ]);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = this.#names.get(name);
    const parent = this.#open.at(-1);
    const isChangeable = this.#former === 0;
    if (isChangeable && parent?.local === 'p' && local !== 'pPr') this.#readHead(parent, false);
    const element = new Element(
      { name, local },
      local !== undefined && this.#unwrapped.has(local) ? parent?.shown : undefined,
      { start, inner: end },
      { edits: this.edits.length, anchors: this.#anchors.length },
    );
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
    if (blocks.has(local)) {
      if (parent) this.#endBeginning(parent);
    } else if (local === 'sectPr') this.#meetSection(element, parent);
    else if (bookmarks.includes(local)) this.#meetBookmark(element, attributes);
    else if (local === 'fldChar') this.#meetField(element, attributes);
    else if (local === 'instrText') element.isGone = this.#fields.at(-1) === true;
    else if (this.#gone.has(local)) this.#meetGone(element, parent);
    else if (local === this.#outcome.goneCell) this.#lose('tc', element);
    else if (local === 'cellMerge') element.former = this.#mergeOf(attributes);
    else if (this.#unwrapped.has(local)) this.#replace(start, inner);
    else if (this.#outcome.hasFormerProperties && renamed.has(local)) this.#rename(local, start + '<'.length);
  }

  /** A paragraph before a block, or at the end of a control, cannot continue. If it is empty, it is removed. */
  #endBeginning(container: Element): void {
    const { beginning, shown } = container;
    if (!beginning) return;
    const { head, tail, isEmpty } = beginning;
    container.beginning = undefined;
    if (shown) shown[isEmpty ? 'hasLost' : 'isFull'] = true;
    if (isEmpty) head.text = tail.text = '';
  }

  /** A section ends with the mark of its last paragraph. */
  #meetSection(element: Element, parent: Element | undefined): void {
    if (parent?.local === 'pPr' && this.#open.at(-2)?.isOpen) element.isGone = true;
    else if (parent?.local === 'body') parent.section = element.start;
  }

  #meetBookmark({ start, inner }: Element, attributes: string): void {
    const id = attributeOf(attributes, `${this.#prefix}id`) ?? '';
    this.#anchors.push({ text: this.#xml.slice(start, inner), id });
  }

  /** A field is gone with its beginning. Word may leave a part of its instruction. */
  #meetField(element: Element, attributes: string): void {
    const type = attributeOf(attributes, `${this.#prefix}fldCharType`);
    if (type === 'begin') this.#fields.push(this.#lost > 0);
    else {
      const isGone = this.#fields.at(-1);
      element.isGone = isGone === true;
      const name = `${this.#prefix}fldChar`;
      if (isGone === false && this.#lost > 0)
        this.#anchors.push({
          text: `<${this.#prefix}r><${name} ${name}Type="${type}"/></${this.#prefix}r>`,
        });
    }
    if (type === 'end') this.#fields.pop();
  }

  /** Content that is gone, or a marker that its container is: the mark of a paragraph, a row, a list item, a piece of a formula. */
  #meetGone(element: Element, parent: Element | undefined): void {
    const [paragraph, around] = [this.#open.at(-3), this.#open.at(-2)];
    element.isGone = true;
    this.#lost += 1;
    const shown = parent?.shown;
    if (shown?.local === 'trPr') this.#lose('tr', element);
    else if (shown?.local === 'numPr' || shown?.local === 'mathRun') shown.isGone = true;
    else if (shown?.local === 'ctrlPr') this.#loseObject(shown);
    else if (parent?.local === 'rPr' && around?.local === 'pPr' && paragraph?.local === 'p')
      paragraph.isOpen = true;
  }

  /** The innermost element of this name is gone, with the marker that says so. */
  #lose(local: 'tr' | 'tc', marker: Element): void {
    marker.isGone = true;
    const element = this.#wholes[local].at(-1);
    if (element) element.isGone = true;
  }

  /** The object of a formula whose properties these are, such as a fraction, is gone. */
  #loseObject(control: Element): void {
    const at = this.#open.lastIndexOf(control);
    const object = this.#open[at - 1]?.name.endsWith('Pr') ? this.#open[at - 2] : undefined;
    if (object) object.isGone = true;
  }

  #mergeOf(attributes: string): string {
    const merge = attributeOf(attributes, this.#prefix + this.#outcome.merge);
    if (merge === undefined) return '';
    return `<${this.#prefix}vMerge ${this.#prefix}val="${merge === 'rest' ? 'restart' : 'continue'}"/>`;
  }

  #end(start: number, end: number): void {
    const element = this.#open.pop();
    if (!element) return;
    const { local } = element;
    if (isWhole(local)) this.#wholes[local].pop();
    const parent = this.#open.at(-1);
    const isChange = local?.endsWith(CHANGE) === true;
    if (isChange) this.#former -= 1;
    if (this.#former === 0 && local !== undefined && this.#gone.has(local)) this.#lost -= 1;
    if (this.#former > 0) {
      if (parent && local !== undefined && parent.local === local + CHANGE)
        parent.former = this.#xml.slice(element.inner, start);
    } else if (isChange) this.#endChange(element, parent, end);
    else if (local === 'p') this.#endParagraph(element, parent, start, end);
    else this.#endOther(element, parent, start, end);
  }

  #endChange({ local, former, start, edits }: Element, parent: Element | undefined, end: number): void {
    if (this.#outcome.hasFormerProperties && parent && `${parent.local}${CHANGE}` === local)
      parent.former = former && this.#unmarked(former);
    this.#replaceFrom(edits, start, end);
  }

  /** Former properties of the mark of a paragraph, or of a cell, may say that it was a change then. */
  #unmarked(former: string): string {
    const isMark = (name: string) => marks.has(this.#names.get(name) ?? '');
    return withEdits(
      former,
      tagsIn(former, isMark).map(({ start, end }) => ({ start, end, text: '' })),
    );
  }

  #endOther(element: Element, parent: Element | undefined, start: number, end: number): void {
    const { local, parts, stay } = element;
    if (local !== undefined && transparent.has(local)) this.#endBeginning(element);
    else if (element.beginning) element.isFull = true;
    const isEmptied = element.hasLost && !element.isFull;
    const isGone =
      element.isGone || (parts > 0 && stay === 0) || (isEmptied && local !== undefined && hollow.has(local));
    if (isGone) this.#replaceFrom(element.edits, element.start, end, this.#keptAnchors(element));
    else if (local !== undefined) this.#endKept(local, element, start, end, isEmptied);
    if (!parent) return;
    const isShown = local === undefined || !(invisible.has(local) || this.#unwrapped.has(local));
    if (parent.shown && isGone) parent.shown.hasLost = true;
    else if (parent.shown && isShown) parent.shown.isFull = true;
    if (local !== undefined) this.#tellParent(local, element, parent, end, isGone);
  }

  #endKept(local: string, element: Element, start: number, end: number, isEmptied: boolean): void {
    const { inner, edits, former, kept, section } = element;
    if (local === 'cellMerge') this.#replaceFrom(edits, element.start, end, former);
    else if (former !== undefined && properties.has(local))
      this.#replaceFrom(edits, inner, start, local === 'sectPr' ? kept + former : former + kept);
    else if (start === end) return;
    else if (this.#unwrapped.has(local)) this.#replace(start, end);
    else if (this.#outcome.hasFormerProperties && renamed.has(local))
      this.#rename(local, start + '</'.length);
    else if (isEmptied && stories.has(local))
      this.#replace(section ?? start, section ?? start, `<${this.#prefix}p/>`);
  }

  #tellParent(local: string, element: Element, parent: Element, end: number, isGone: boolean): void {
    if (local === 'pPr' && parent.local === 'p') {
      parent.headEnd = end;
      this.#readHead(parent, false);
    } else if (
      this.#outcome.hasFormerProperties &&
      !isGone &&
      properties.get(parent.local ?? '')?.includes(local)
    )
      parent.kept += this.#rewritten(element, end);
    const whole = local === 'tr' ? 'tbl' : local === 'tc' ? 'tr' : undefined;
    const counting = whole && this.#wholes[whole].at(-1);
    if (!counting) return;
    counting.parts += 1;
    if (!isGone) counting.stay += 1;
  }

  #endParagraph(element: Element, parent: Element | undefined, start: number, end: number): void {
    this.#readHead(element, start === end);
    const { head, isOpen, isFull } = element;
    if (!parent) return;
    if (isOpen && head) {
      const tail = { start, end, text: this.#xml.slice(start, end) };
      this.edits.push(tail);
      parent.beginning = { head, tail, isEmpty: !isFull };
    } else if (parent.shown) parent.shown.isFull = true;
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
      paragraph.isFull = !before.isEmpty;
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

  /** Of the anchors in what is gone, those whose other half is not in it: links may lead to bookmarks, and fields need an end. */
  #keptAnchors({ local, anchors }: Element): string {
    const own = this.#anchors.splice(anchors);
    const times = new Map<string, number>();
    for (const { id } of own) if (id !== undefined) times.set(id, (times.get(id) ?? 0) + 1);
    const kept = own.filter(({ id }) => (id === undefined ? !isWhole(local) : times.get(id) === 1));
    for (const anchor of kept) this.#anchors.push(anchor);
    return kept.map(({ text }) => text).join('');
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
