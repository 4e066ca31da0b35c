/** Edits paragraph properties as XML text. */
import { attributesIn } from './attributes.ts';
import { attributeOf } from './markup.ts';
import { CLOSE, ENTRY, KIND, nameAt, OPEN, readEntries, TEXT } from './markup-index.ts';
import { firstTag } from './tags.ts';

/** The order of the elements of `w:pPr` (ISO/IEC 29500-1, 17.3.1.26). */
const order = [
  ...['pStyle', 'keepNext', 'keepLines', 'pageBreakBefore', 'framePr', 'widowControl', 'numPr'],
  ...['suppressLineNumbers', 'pBdr', 'shd', 'tabs', 'suppressAutoHyphens', 'kinsoku', 'wordWrap'],
  ...['overflowPunct', 'topLinePunct', 'autoSpaceDE', 'autoSpaceDN', 'bidi', 'adjustRightInd'],
  ...['snapToGrid', 'spacing', 'ind', 'contextualSpacing', 'mirrorIndents', 'suppressOverlap', 'jc'],
  ...['textDirection', 'textAlignment', 'textboxTightWrap', 'outlineLvl', 'divId', 'cnfStyle', 'rPr'],
  ...['sectPr', 'pPrChange'],
];

const ranks: ReadonlyMap<string, number> = new Map(order.map((name, rank) => [name, rank]));

/** Direct children in this element content, by local name, as written. */
export function childrenOf(content: string, prefix: string): Map<string, string> {
  const children = new Map<string, string>();
  if (content === '') return children;
  let depth = 0;
  let child = 0;
  let name = '';
  readEntries(content, false, (block, length, names) => {
    for (let at = 0; at < length; at += ENTRY) {
      const [what = 0, start = 0, end = 0] = [block[at], block[at + 1], block[at + 2]];
      const kind = what & KIND;
      if (kind === TEXT) continue;
      if (depth === 0) {
        const written = nameAt(content, what, start, names);
        name = written.startsWith(prefix) ? written.slice(prefix.length) : written;
        child = start;
      }
      if (kind === OPEN) depth += 1;
      else if (kind === CLOSE) depth -= 1;
      if (depth === 0) children.set(name, content.slice(child, end));
    }
  });
  return children;
}

/** What is in an element. */
export function contentOf(element: string): string {
  return element.slice(element.indexOf('>') + 1, Math.max(0, element.lastIndexOf('<')));
}

/** Editable properties of a paragraph. */
export class ParagraphProperties {
  readonly #prefix: string;
  readonly #children: Map<string, string>;

  /** @param content of its `w:pPr`; empty if there is none. */
  constructor(content: string, prefix: string) {
    this.#prefix = prefix;
    this.#children = childrenOf(content, prefix);
  }

  /** @param written the `w:pPr`, empty if there is none. @returns undefined where it declares a namespace, which would be lost. */
  static of(written: string, prefix: string): ParagraphProperties | undefined {
    const isPlain = written === '' || /^<[^\s>]+\s*\/?>/.test(written);
    return isPlain ? new ParagraphProperties(contentOf(written), prefix) : undefined;
  }

  has(name: string): boolean {
    return this.#children.has(name);
  }

  /** The element, as written. */
  get(name: string): string | undefined {
    return this.#children.get(name);
  }

  /** An attribute of the element. */
  value(name: string, attribute = 'val'): string | undefined {
    return attributeOf(this.#attributes(name), this.#prefix + attribute);
  }

  remove(name: string): void {
    this.#children.delete(name);
  }

  /** Replaces the element of this name by one that has only these attributes. */
  set(name: string, attributes: Readonly<Record<string, string>> = {}): void {
    this.#children.set(name, this.#element(name, attributes));
  }

  /** Puts an element in the place of the one of this name. */
  put(name: string, element: string): void {
    this.#children.set(name, element);
  }

  /** Removes the paragraph from its list, including one that its style sets. */
  leaveList(): void {
    const tag = `${this.#prefix}numPr`;
    this.#children.set('numPr', `<${tag}>${this.#element('numId', { val: '0' })}</${tag}>`);
  }

  /** Sets and removes attributes of an element, and keeps its others. */
  merge(name: string, attributes: Readonly<Record<string, string>>, without: readonly string[] = []): void {
    const kept: Record<string, string> = {};
    for (const { name: written, value } of attributesIn(this.#attributes(name))) {
      const key = written.startsWith(this.#prefix) ? written.slice(this.#prefix.length) : written;
      if (!without.includes(key)) kept[key] = value.replaceAll('"', '&quot;');
    }
    this.set(name, { ...kept, ...attributes });
  }

  toString(): string {
    const rank = ([name]: readonly [string, string]) => ranks.get(name) ?? order.length;
    const content = [...this.#children].sort((a, b) => rank(a) - rank(b)).map(([, text]) => text);
    return `<${this.#prefix}pPr>${content.join('')}</${this.#prefix}pPr>`;
  }

  #attributes(name: string): string {
    const element = this.#children.get(name) ?? '';
    const written = this.#prefix + name;
    // Most are one tag.
    const isTag = element.endsWith('/>') && element.indexOf('>') === element.length - 1;
    if (isTag && element.startsWith(`<${written}`)) return element.slice(1 + written.length, -'/>'.length);
    return firstTag(element, written) ?? '';
  }

  #element(name: string, attributes: Readonly<Record<string, string>>): string {
    const written = Object.entries(attributes).map(
      ([key, value]) => ` ${key.includes(':') ? '' : this.#prefix}${key}="${value}"`,
    );
    return `<${this.#prefix}${name}${written.join('')}/>`;
  }
}
