/** The room of the text of sections, and of the headers and footers that they refer to (ISO/IEC 29500-1, 17.6). */
import type { KeptParts } from './kept-parts.ts';
import { readPoints } from './lengths.ts';
import { linksOf } from './links.ts';
import { attributeOf, isOn, prefixOf, visitMarkup, WORD_NAMESPACE } from './markup.ts';

const TWIPS_PER_POINT = 20;
/** Word's default page, in twips. */
const PAGE = {
  width: 12_240,
  height: 15_840,
  left: 1_440,
  right: 1_440,
  top: 1_440,
  header: 720,
  space: 720,
};
/** In twips. */
export const DEFAULT_TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** Reads the elements of a section. */
export class SectionWidth {
  readonly #prefix: string;
  #width = PAGE.width;
  #height = PAGE.height;
  #left = PAGE.left;
  #right = PAGE.right;
  #top = PAGE.top;
  #header = PAGE.header;
  #columns = 1;
  #space = PAGE.space;
  #isEqual = true;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** @param name of an element of the section, as written. */
  read(name: string, attributes: string): void {
    const w = this.#prefix;
    const twips = (key: string, otherwise: number) =>
      (readPoints(attributeOf(attributes, w + key)) ?? otherwise / TWIPS_PER_POINT) * TWIPS_PER_POINT;
    if (name === `${w}pgSz`) {
      this.#width = twips('w', PAGE.width);
      this.#height = twips('h', PAGE.height);
    } else if (name === `${w}pgMar`) {
      this.#left = twips('left', PAGE.left) + twips('gutter', 0);
      this.#right = twips('right', PAGE.right);
      this.#top = Math.abs(twips('top', PAGE.top));
      this.#header = twips('header', PAGE.header);
    } else if (name === `${w}cols`) {
      this.#columns = Number(/^[1-9]\d?$/.exec(attributeOf(attributes, `${w}num`) ?? '') ?? 1);
      this.#space = twips('space', PAGE.space);
      this.#isEqual = isOn(attributes, `${w}equalWidth`);
    }
  }

  /** Of the page, and of the margin left of the text, in twips. */
  get page(): number {
    return this.#width;
  }

  get height(): number {
    return this.#height;
  }

  get left(): number {
    return this.#left;
  }

  /** From the top of the page to the text, and to the header, in twips. */
  get top(): number {
    return this.#top;
  }

  get header(): number {
    return this.#header;
  }

  /** Of each column, in twips; undefined where they differ. */
  get column(): number | undefined {
    if (this.#columns === 1) return this.twips;
    const spaces = (this.#columns - 1) * this.#space;
    return this.#isEqual ? Math.round((this.twips - spaces) / this.#columns) : undefined;
  }

  /** Of the text between the margins, in all columns. */
  get twips(): number {
    return Math.round(this.#width - this.#left - this.#right);
  }
}

/** The section of each header and footer, by the name of its part: the first one that refers to it. */
export function headerSections(parts: KeptParts): ReadonlyMap<string, SectionWidth> {
  const main = parts.text(parts.mainPart);
  const targets = new Map(linksOf(parts, parts.mainPart).map(({ id, target }) => [id, target]));
  const sections = new Map<string, SectionWidth>();
  const w = prefixOf(main, WORD_NAMESPACE) ?? 'w:';
  let section: SectionWidth | undefined;
  let references: string[] = [];
  visitMarkup(main, {
    open(name, attributes, isEmpty) {
      if (name === `${w}sectPr`) section = isEmpty ? undefined : new SectionWidth(w);
      else if (name === `${w}headerReference` || name === `${w}footerReference`) {
        const target = targets.get(attributeOf(attributes, 'r:id') ?? '');
        if (target !== undefined) references.push(target);
      } else section?.read(name, attributes);
    },
    close(name) {
      if (name !== `${w}sectPr` || !section) return;
      for (const part of references) if (!sections.has(part)) sections.set(part, section);
      references = [];
      section = undefined;
    },
  });
  return sections;
}
