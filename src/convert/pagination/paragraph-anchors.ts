/** Anchors in a document by which the engine says where its paragraphs are. */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import type { Bytes } from '../text/bytes.ts';

/** What the names of anchors begin with; the number of the paragraph follows, and `-end` at its end. */
export const ANCHOR = 'platen-par-';
/** Word numbers bookmarks from 0; no document has as many. */
const FIRST_ID = 1_800_000_000;
/** Paragraphs with anchors; the rest of a longer document has none, and keeps the values of the last one. */
export const MAX_ANCHORED = 20_000;
/** Characters between anchors in the text of a paragraph, so that each page of a long one has some. */
const STRIDE = 400;
/** UTF-8 of the ideographic full stop, behind which a line may break as before a blank. */
const FULL_STOP = '\xe3\x80\x82';

/** The main part with anchors at the beginning and the end of its paragraphs, and within long ones. */
export function withParagraphAnchors(xml: Bytes): Bytes {
  return new Anchors(xml).walk().edited();
}

class Anchors extends BodyWalk {
  #paragraph = 0;
  #id = FIRST_ID;
  /** Open paragraphs, elements in the outermost one, and fields. */
  #paragraphs = 0;
  #depth = 0;
  #fields = 0;
  /** Where the content of the paragraph begins, once its properties are read. */
  #begin = -1;
  /** The run that is a child of the paragraph, and its properties. */
  #isInRun = false;
  #propertiesAt = -1;
  #properties = '';
  /** Characters since the last anchor, and anchors within the paragraph. */
  #length = 0;
  #inner = 0;

  constructor(xml: Bytes) {
    const elements = ['p', 'pPr', 'r', 'rPr', 't', 'fldChar'];
    super(xml, { elements, texts: ['t'], readsAll: true, readsDeletions: true });
  }

  override open(element: Element): void {
    const { local, isEmpty, start, end } = element;
    if (local === 'p' && !isEmpty) {
      this.#paragraphs += 1;
      if (this.#paragraphs === 1) [this.#begin, this.#depth, this.#length, this.#inner] = [end, 0, 0, 0];
    }
    if (this.#paragraphs === 0) {
      if (local === 'p') this.#fillParagraph(element);
      return;
    }
    if (!isEmpty) this.#depth += 1;
    if (local === 'fldChar') {
      const type = element.value('fldCharType');
      if (type === 'begin') this.#fields += 1;
      else if (type === 'end') this.#fields = Math.max(0, this.#fields - 1);
    }
    if (this.#paragraphs > 1) return;
    if (local === 'pPr' && this.#depth <= 2 && isEmpty) this.#begin = end;
    else if (local === 'r' && this.#depth === 2) [this.#isInRun, this.#properties] = [true, ''];
    else if (local === 'rPr' && this.#isInRun && !isEmpty && this.#depth === 3) this.#propertiesAt = start;
  }

  override close(local: string | undefined, start: number, end: number): void {
    if (this.#paragraphs === 0) return;
    this.#depth -= 1;
    if (local === 'p') {
      this.#paragraphs -= 1;
      if (this.#paragraphs === 0) this.#endParagraph(start);
      return;
    }
    if (this.#paragraphs > 1) return;
    if (local === 'pPr' && this.#depth === 1) this.#begin = end;
    else if (local === 'rPr' && this.#propertiesAt >= 0 && this.#depth === 2) {
      this.#properties = this.xml.slice(this.#propertiesAt, end);
      this.#propertiesAt = -1;
    } else if (local === 'r' && this.#isInRun && this.#depth === 1) {
      this.#isInRun = false;
      if (this.#length >= STRIDE && this.#fields === 0) this.#addInner(end);
    }
  }

  override text(start: number, end: number): void {
    if (this.#paragraphs !== 1) return;
    const { w, xml } = this;
    let from = start;
    while (this.#isInRun && this.#fields === 0 && this.#length + end - from >= 2 * STRIDE) {
      const at = breakIn(xml, from + Math.max(1, STRIDE - this.#length), end - 1);
      if (at < 0) break;
      const again = `<${w}r>${this.#properties}<${w}t xml:space="preserve">`;
      this.#addInner(at, `</${w}t></${w}r>`, again);
      from = at;
    }
    this.#length += end - from;
  }

  #addInner(at: number, before = '', behind = ''): void {
    if (this.#paragraph >= MAX_ANCHORED) return;
    this.#inner += 1;
    this.#length = 0;
    this.#add(at, `${this.#paragraph}-${this.#inner}`, before, behind);
  }

  #endParagraph(at: number): void {
    if (this.#paragraph < MAX_ANCHORED) {
      this.#add(this.#begin, `${this.#paragraph}`);
      this.#add(at, `${this.#paragraph}-end`);
    }
    this.#paragraph += 1;
  }

  /** One that is only a tag. */
  #fillParagraph({ name, end }: Element): void {
    if (this.#paragraph < MAX_ANCHORED) {
      const anchors = this.#anchor(`${this.#paragraph}`) + this.#anchor(`${this.#paragraph}-end`);
      this.edits.push({ start: end - '/>'.length, end, text: `>${anchors}</${name}>` });
    }
    this.#paragraph += 1;
  }

  #add(at: number, name: string, before = '', behind = ''): void {
    this.edits.push({ start: at, end: at, text: before + this.#anchor(name) + behind });
  }

  #anchor(name: string): string {
    const { w } = this;
    this.#id += 1;
    const id = `${w}id="${this.#id}"`;
    return `<${w}bookmarkStart ${id} ${w}name="${ANCHOR}${name}"/><${w}bookmarkEnd ${id}/>`;
  }
}

/** Where a text may be divided, from one place to another: before a blank, or behind a full stop; -1 if nowhere. */
function breakIn(xml: string, from: number, to: number): number {
  const piece = xml.slice(from, Math.min(to, from + STRIDE));
  const blank = piece.indexOf(' ');
  if (blank >= 0) return from + blank;
  const stop = piece.indexOf(FULL_STOP);
  return stop < 0 ? -1 : from + stop + FULL_STOP.length;
}
