/**
 * The markup of a story as LibreOffice shows it: without deletions, former properties, and alternatives that
 * LibreOffice does not choose (ISO/IEC 29500-3, 9.3).
 */
import { attributeOf, type MarkupVisitor, qualified, visitMarkup } from './markup.ts';

/** Elements with hidden content. */
const passedOver = [
  ...['del', 'moveFrom', 'rPrChange', 'pPrChange', 'sectPrChange'],
  ...['tblPrChange', 'tblPrExChange', 'trPrChange', 'tcPrChange'],
];
/** LibreOffice 25.2 chooses it; 7.4 chooses its fallback, which shows the same. */
const CANVAS = 'wpc';
/** Namespaces that LibreOffice understands in a choice, alone. */
const understood: ReadonlySet<string> = new Set(['wps', 'wpg', CANVAS, 'w14']);
/** What an alternative contains. */
const contents = ['drawing', 'pict', 'object', 't', 'tbl'];

/** State of an `mc:AlternateContent`. */
interface Alternatives {
  isTaken: boolean;
  isCanvas: boolean;
  /** Whether a skipped alternative would show something. */
  hasContent: boolean;
}

/** Content without an alternative that all versions of LibreOffice choose. */
export interface Untaken {
  /** Number without an alternative that any version chooses. */
  readonly withoutAlternative: number;
  /** Number with a canvas only, which old versions do not choose. */
  readonly canvasAlone: number;
}

/**
 * Visits visible markup. A skipped element is visited as if it was empty.
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
  /** Depth of open elements below the skipped one, including it. */
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

  /** The first choice that LibreOffice understands, otherwise the fallback. */
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
