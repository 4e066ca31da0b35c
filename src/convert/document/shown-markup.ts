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
/** Namespaces that LibreOffice understands in a choice, alone. */
const understood: ReadonlySet<string> = new Set(['wps', 'wpg', 'wpc', 'w14']);
/** What an alternative contains. */
const contents = ['drawing', 'pict', 'object', 't', 'tbl'];

/** State of an `mc:AlternateContent`. */
interface Alternatives {
  isTaken: boolean;
  /** Whether a skipped alternative would show something. */
  hasContent: boolean;
}

/**
 * Visits visible markup. A skipped element is visited as if it was empty.
 *
 * @param prefix of WordprocessingML, with its colon.
 * @returns the number of contents without an alternative that LibreOffice chooses.
 */
export function visitShown(xml: string, prefix: string, visitors: readonly MarkupVisitor[]): number {
  const markup = new ShownMarkup(prefix, visitors);
  visitMarkup(xml, markup);
  return markup.withoutAlternative;
}

class ShownMarkup implements MarkupVisitor {
  withoutAlternative = 0;
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
      this.#alternatives.push({ isTaken: false, hasContent: false });
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
    return takes;
  }

  #noteContent(): void {
    const alternatives = this.#alternatives.at(-1);
    if (alternatives) alternatives.hasContent = true;
  }
}
