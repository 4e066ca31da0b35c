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

/** What a name means. */
interface Meaning {
  /** Who is told of the element. */
  readonly told: readonly MarkupVisitor[];
  readonly isPassedOver: boolean;
  readonly isContent: boolean;
  readonly isAlternative: boolean;
}

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
  readonly names = {
    has: (name: string) => {
      const { told, isPassedOver, isContent, isAlternative } = this.#meaningOf(name);
      return name === ALTERNATIVES || told.length > 0 || isPassedOver || isContent || isAlternative;
    },
  };
  readonly #visitors: readonly MarkupVisitor[];
  readonly #ofTexts: readonly MarkupVisitor[];
  readonly #meanings = new Map<string, Meaning>();
  readonly #passedOver: ReadonlyMap<string, string>;
  readonly #contents: ReadonlyMap<string, string>;
  readonly #alternatives: Alternatives[] = [];
  /** Depth of open elements below the skipped alternative, including it. */
  #skipped = 0;

  constructor(prefix: string, visitors: readonly MarkupVisitor[]) {
    this.#visitors = visitors;
    this.#ofTexts = visitors.filter(({ text }) => text);
    this.#passedOver = qualified(prefix, passedOver);
    this.#contents = qualified(prefix, contents);
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): boolean {
    const { told, isPassedOver, isContent, isAlternative } = this.#meaningOf(name);
    if (this.#skipped > 0) {
      if (!isEmpty) this.#skipped += 1;
      if (isContent) this.#noteContent();
      return false;
    }
    if (name === ALTERNATIVES && !isEmpty) this.#alternatives.push({ isTaken: false, hasContent: false });
    const isOther = isAlternative && !this.#takes(name, attributes);
    const isHidden = isEmpty || isOther || isPassedOver;
    for (const visitor of told) visitor.open(name, attributes, isHidden, start, end);
    if (isOther && !isEmpty) this.#skipped = 1;
    return isPassedOver;
  }

  close(name: string, start: number, end: number): void {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const { told, isPassedOver } = this.#meaningOf(name);
    if (isPassedOver) return;
    if (name === ALTERNATIVES) {
      const closed = this.#alternatives.pop();
      if (closed?.hasContent && !closed.isTaken) this.withoutAlternative += 1;
    }
    for (const visitor of told) visitor.close?.(name, start, end);
  }

  text(xml: string, start: number, end: number): void {
    if (this.#skipped > 0) return;
    for (const visitor of this.#ofTexts) visitor.text?.(xml, start, end);
  }

  #meaningOf(name: string): Meaning {
    const known = this.#meanings.get(name);
    if (known) return known;
    const meaning = {
      told: this.#visitors.filter(({ names }) => names?.has(name) ?? true),
      isPassedOver: this.#passedOver.has(name),
      isContent: this.#contents.has(name),
      isAlternative: alternatives.has(name),
    };
    if (this.#meanings.size < MAX_KNOWN) this.#meanings.set(name, meaning);
    return meaning;
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
