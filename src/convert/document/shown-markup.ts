/**
 * The markup of a story as LibreOffice shows it: without deletions, former properties, and alternatives that
 * LibreOffice does not choose (ISO/IEC 29500-3, 9.3).
 */
import { deletions, propertyChanges } from './change-elements.ts';
import { attributeOf, type MarkupVisitor, qualified, visitMarkup } from './markup.ts';

/** Elements with hidden content. */
const passedOver = [...deletions, ...propertyChanges];
/** Namespaces that LibreOffice understands in a choice, alone. */
const understood: ReadonlySet<string> = new Set(['wps', 'wpg', 'wpc', 'w14']);
/** What an alternative contains. */
const contents = ['drawing', 'pict', 'object', 't', 'tbl'];

/** Number of names that are remembered; documents have some hundred. */
const MAX_KNOWN = 8_192;

const ALTERNATIVES = 'mc:AlternateContent';
const alternatives: ReadonlySet<string> = new Set(['mc:Choice', 'mc:Fallback']);

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
  readonly names = { has: (name: string) => this.#isOwn(name) || this.#visitorsOf(name).length > 0 };
  readonly #visitors: readonly MarkupVisitor[];
  /** By name, who is told of the element. */
  readonly #told = new Map<string, readonly MarkupVisitor[]>();
  readonly #passedOver: ReadonlyMap<string, string>;
  readonly #contents: ReadonlyMap<string, string>;
  readonly #alternatives: Alternatives[] = [];
  /** Depth of open elements below the skipped alternative, including it. */
  #skipped = 0;

  constructor(prefix: string, visitors: readonly MarkupVisitor[]) {
    this.#visitors = visitors;
    this.#passedOver = qualified(prefix, passedOver);
    this.#contents = qualified(prefix, contents);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): boolean {
    if (this.#skipped > 0) {
      if (!isEmpty) this.#skipped += 1;
      if (this.#contents.has(name)) this.#noteContent();
      return false;
    }
    if (name === ALTERNATIVES && !isEmpty) this.#alternatives.push({ isTaken: false, hasContent: false });
    const isOther = alternatives.has(name) && !this.#takes(name, attributes);
    const isPassedOver = this.#passedOver.has(name);
    for (const visitor of this.#visitorsOf(name))
      visitor.open(name, attributes, isEmpty || isOther || isPassedOver, start, end);
    if (isOther && !isEmpty) this.#skipped = 1;
    return isPassedOver;
  }

  close(name: string, start: number, end: number): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (this.#passedOver.has(name)) return;
    if (name === ALTERNATIVES) {
      const closed = this.#alternatives.pop();
      if (closed?.hasContent && !closed.isTaken) this.withoutAlternative += 1;
    }
    for (const visitor of this.#visitorsOf(name)) visitor.close?.(name, start, end);
  }

  text(xml: string, start: number, end: number): void {
    if (this.#skipped > 0) return;
    for (const visitor of this.#visitors) visitor.text?.(xml, start, end);
  }

  #isOwn(name: string): boolean {
    return (
      name === ALTERNATIVES ||
      alternatives.has(name) ||
      this.#passedOver.has(name) ||
      this.#contents.has(name)
    );
  }

  #visitorsOf(name: string): readonly MarkupVisitor[] {
    const known = this.#told.get(name);
    if (known) return known;
    const told = this.#visitors.filter(({ names }) => names?.has(name) ?? true);
    if (this.#told.size < MAX_KNOWN) this.#told.set(name, told);
    return told;
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
