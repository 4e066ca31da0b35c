/**
 * The markup of a story as LibreOffice shows it: without what was deleted, what properties were before a change, and the
 * alternatives that it does not take (ISO/IEC 29500-3, 9.3).
 */
import { attributeOf, type MarkupVisitor, qualified, visitMarkup } from './markup.ts';

/** Elements whose content is not shown. */
const passedOver = [
  ...['del', 'moveFrom', 'rPrChange', 'pPrChange', 'sectPrChange'],
  ...['tblPrChange', 'tblPrExChange', 'trPrChange', 'tcPrChange'],
];
/** LibreOffice 25.2 takes it; 7.4 takes its fallback, which shows the same. */
const CANVAS = 'wpc';
/** The choices that LibreOffice takes, each alone. */
const understood: ReadonlySet<string> = new Set(['wps', 'wpg', CANVAS, 'w14']);
/** What an alternative would show. */
const contents = ['drawing', 'pict', 'object', 't', 'tbl'];

/** What an `mc:AlternateContent` has come to. */
interface Alternatives {
  isTaken: boolean;
  isCanvas: boolean;
  /** Whether one that was not taken would show something. */
  hasContent: boolean;
}

/** Contents that some versions of LibreOffice, or all, have no alternative for. */
export interface Untaken {
  /** How many have none that any version takes. */
  readonly withoutAlternative: number;
  /** How many have a canvas alone, which old versions do not take. */
  readonly canvasAlone: number;
}

/**
 * Visits what is shown. Of an element that is passed over only its beginning is visited, as if it was empty.
 *
 * @param prefix of WordprocessingML, with its colon.
 */
export function visitShown(xml: string, prefix: string, visitors: readonly MarkupVisitor[]): Untaken {
  const markup = new ShownMarkup(prefix, visitors);
  visitMarkup(xml, markup);
  return markup;
}

class ShownMarkup implements MarkupVisitor, Untaken {
  withoutAlternative = 0;
  canvasAlone = 0;
  readonly #visitors: readonly MarkupVisitor[];
  readonly #passedOver: ReadonlyMap<string, string>;
  readonly #contents: ReadonlyMap<string, string>;
  readonly #alternatives: Alternatives[] = [];
  /** How many elements are open from the one on that is passed over. */
  #skipped = 0;
  #isInAlternative = false;

  constructor(prefix: string, visitors: readonly MarkupVisitor[]) {
    this.#visitors = visitors;
    this.#passedOver = qualified(prefix, passedOver);
    this.#contents = qualified(prefix, contents);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    if (this.#skipped > 0) {
      if (!isEmpty) this.#skipped += 1;
      if (this.#isInAlternative && this.#contents.has(name)) this.#noteContent();
      return;
    }
    if (name === 'mc:AlternateContent' && !isEmpty) {
      this.#alternatives.push({ isTaken: false, isCanvas: false, hasContent: false });
    }
    const isAlternative = (name === 'mc:Choice' || name === 'mc:Fallback') && !this.#takes(name, attributes);
    const isPassedOver = isAlternative || this.#passedOver.has(name);
    for (const visitor of this.#visitors) visitor.open(name, attributes, isEmpty || isPassedOver, start, end);
    if (!isPassedOver || isEmpty) return;
    this.#skipped = 1;
    this.#isInAlternative = isAlternative;
  }

  close(name: string, start: number, end: number): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (name === 'mc:AlternateContent') {
      const closed = this.#alternatives.pop();
      if (closed?.hasContent && !closed.isTaken) this.withoutAlternative += 1;
      if (closed?.isCanvas && !closed.hasContent) this.canvasAlone += 1;
    }
    for (const visitor of this.#visitors) visitor.close(name, start, end);
  }

  text(xml: string, start: number, end: number): void {
    if (this.#skipped > 0) return;
    for (const visitor of this.#visitors) visitor.text?.(xml, start, end);
  }

  /** The first choice that is understood, or else the fallback. */
  #takes(name: string, attributes: string): boolean {
    const alternatives = this.#alternatives.at(-1);
    if (!alternatives || alternatives.isTaken) return false;
    const requires = name === 'mc:Choice' ? (attributeOf(attributes, 'Requires') ?? '') : undefined;
    const takes = requires === undefined || understood.has(requires);
    alternatives.isTaken = takes;
    alternatives.isCanvas = requires === CANVAS;
    return takes;
  }

  #noteContent(): void {
    const alternatives = this.#alternatives.at(-1);
    if (alternatives) alternatives.hasContent = true;
  }
}
