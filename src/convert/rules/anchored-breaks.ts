/**
 * Page breaks in paragraphs with drawings that are anchored in them, as covers have them.
 *
 * - Text behind the break: where nothing but drawings stands before it, LibreOffice may print these on the page
 *   behind the break, over the text. So the paragraph is parted at the break.
 * - Nothing but drawings behind the break: in Word, they and the end of the paragraph are on the page before it. LibreOffice
 *   takes them to the next page, with an empty line. So the break becomes the last of the paragraph.
 * - Nothing but drawings in the first paragraph, and nothing but a break in the second: where text boxes are to be evaded,
 *   LibreOffice may put the second one on a page of its own. There is no text that could evade them, so none has to.
 */
import { BodyWalk, drawings, type Element } from '../document/body-walk.ts';
import { readDrawing } from '../document/drawings.ts';
import type { Edit } from '../document/edits.ts';
import { MATH_NAMESPACE, prefixOf, qualified, visitMarkup } from '../document/markup.ts';
import { ParagraphProperties } from '../document/paragraph-properties.ts';
import { localName } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const drawingNames: ReadonlySet<string> = new Set(drawings);
/** What is seen in a line, and what a paragraph may not have to be parted or changed. */
const seen: ReadonlySet<string> = new Set([
  't',
  'tab',
  'sym',
  'noBreakHyphen',
  'fldChar',
  'instrText',
  'oMath',
]);
const wraps: ReadonlySet<string> = new Set(['wrapSquare', 'wrapTight', 'wrapThrough']);
/** The type of a page break, as it is written. */
const PAGES = ['"page"', "'page'"];
const elements = ['p', 'pPr', 'br', ...drawings, ...seen];

/** A child of a paragraph. */
interface Child {
  readonly start: number;
  end: number;
  hasAnchor: boolean;
  /** It has text, or something else that a line shows. */
  isSeen: boolean;
  hasBreak: boolean;
  /** It has that above its break. */
  isSeenAbove: boolean;
}

interface Paragraph {
  readonly depth: number;
  properties: string;
  readonly children: Child[];
}

/** The main part with such breaks as Word takes them, in linear time. */
export function withAnchoredBreaks(xml: Bytes): Bytes {
  if (!PAGES.some((value) => xml.includes(value))) return xml;
  return new BreakReader(xml).walk().edited();
}

class BreakReader extends BodyWalk {
  #depth = 0;
  #paragraph: Paragraph | undefined;
  #propertiesStart = 0;
  #drawingStart = 0;
  /** How many paragraphs there were, up to the second. */
  #paragraphs = 0;
  /** What makes text evade the drawings of the first paragraph; empty where it has something else. */
  #wraps: Edit[] = [];

  constructor(xml: Bytes) {
    const math = prefixOf(xml, MATH_NAMESPACE) ?? 'm:';
    const others = qualified(math, ['oMath']);
    super(xml, { elements, passesOver: ['rPr'], others, readsAll: true, readsDeletions: true });
  }

  override open(element: Element): boolean {
    const { local, isEmpty, start, end } = element;
    if (local === 'p' && !isEmpty) this.#paragraph = { depth: this.#depth, properties: '', children: [] };
    const paragraph = this.#paragraph;
    if (paragraph && local === 'pPr') this.#propertiesStart = end;
    else if (paragraph && local !== 'p') {
      const isChild = this.#depth === paragraph.depth + 1;
      if (isChild) {
        const unknown = { hasAnchor: false, isSeen: false, hasBreak: false, isSeenAbove: false };
        paragraph.children.push({ start, end, ...unknown });
      }
      const child = paragraph.children.at(-1);
      if (child && local !== undefined) this.#read(child, local, element);
    }
    const isDrawing = local !== undefined && drawingNames.has(local);
    if (isDrawing) this.#drawingStart = start;
    if (!isEmpty) this.#depth += 1;
    return isDrawing;
  }

  override close(local: string | undefined, start: number, end: number): void {
    this.#depth -= 1;
    const paragraph = this.#paragraph;
    if (!paragraph) return;
    const child = paragraph.children.at(-1);
    if (local === 'pPr') paragraph.properties = this.xml.slice(this.#propertiesStart, start);
    else if (local !== undefined && drawingNames.has(local) && child) {
      const drawing = this.xml.slice(this.#drawingStart, end);
      if (readDrawing(drawing).isAnchored) child.hasAnchor = true;
      else child.isSeen = true;
      if (this.#paragraphs === 0)
        for (const wrap of withoutWraps(drawing, this.#drawingStart)) this.#wraps.push(wrap);
    }
    if (local === 'p') {
      this.#change(paragraph, start);
      this.#endCover(paragraph.children);
      this.#paragraph = undefined;
    } else if (child && this.#depth === paragraph.depth + 1) child.end = end;
  }

  #read(child: Child, local: string, element: Element): void {
    if (seen.has(local)) child.isSeen = true;
    else if (local === 'br') {
      if (element.value('type') === 'page') {
        child.hasBreak = true;
        child.isSeenAbove = child.isSeen;
      } else child.isSeen = true;
    }
  }

  #endCover(children: readonly Child[]): void {
    if (this.#paragraphs > 1) return;
    this.#paragraphs += 1;
    const isSeen = children.some((child) => child.isSeen);
    const hasAnchor = children.some((child) => child.hasAnchor);
    const hasBreak = children.some((child) => child.hasBreak);
    if (this.#paragraphs === 1) {
      if (isSeen || hasBreak) this.#wraps = [];
    } else if (hasBreak && !isSeen && !hasAnchor) for (const wrap of this.#wraps) this.edits.push(wrap);
  }

  /** @param end where the end tag of the paragraph begins. */
  #change({ properties, children }: Paragraph, end: number): void {
    const at = children.findIndex(({ hasBreak }) => hasBreak);
    const own = children[at];
    if (!own || own.hasAnchor || children.filter(({ hasBreak }) => hasBreak).length > 1) return;
    const [before, behind] = [children.slice(0, at), children.slice(at + 1)];
    const isSeen = (some: readonly Child[]) => some.some((child) => child.isSeen);
    const hasAnchor = (some: readonly Child[]) => some.some((child) => child.hasAnchor);
    if (hasAnchor(behind) && !own.isSeen && !isSeen(behind)) {
      const text = this.xml.slice(own.start, own.end);
      this.edits.push({ start: own.start, end: own.end, text: '' });
      this.edits.push({ start: end, end, text });
    } else if (hasAnchor(before) && !isSeen(before) && !own.isSeenAbove && (own.isSeen || isSeen(behind))) {
      const part = new ParagraphProperties(properties, this.w);
      if (part.has('numPr') || part.has('sectPr') || part.has('framePr')) return;
      part.merge('spacing', { before: '0' });
      const w = this.w;
      this.edits.push({ start: own.start, end: own.start, text: `</${w}p><${w}p>${part}` });
    }
  }
}

/** @param at where the drawing begins. */
function withoutWraps(drawing: string, at: number): Edit[] {
  const edits: Edit[] = [];
  let begin = 0;
  const add = (name: string, from: number, to: number) => {
    const text = `<${name.slice(0, name.length - localName(name).length)}wrapNone/>`;
    edits.push({ start: at + from, end: at + to, text });
  };
  visitMarkup(drawing, {
    open(name, _, isEmpty, start, end) {
      if (!wraps.has(localName(name))) return;
      if (isEmpty) add(name, start, end);
      else begin = start;
    },
    close(name, _, end) {
      if (wraps.has(localName(name))) add(name, begin, end);
    },
  });
  return edits;
}
