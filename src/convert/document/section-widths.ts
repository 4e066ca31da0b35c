/** The room of the text of sections, and of the headers and footers that they refer to (ISO/IEC 29500-1, 17.6). */
import type { KeptParts } from './kept-parts.ts';
import { readPoints } from './lengths.ts';
import { linksOf } from './links.ts';
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from './markup.ts';

const TWIPS_PER_POINT = 20;
/** Word's default page, in twips. */
const PAGE = {
  width: 12_240,
  height: 15_840,
  left: 1_440,
  right: 1_440,
  top: 1_440,
  bottom: 1_440,
  header: 720,
  space: 720,
};
/** In twips. */
export const DEFAULT_TEXT_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** The elements that say it. */
export const widthElements: readonly string[] = ['pgSz', 'pgMar', 'cols'];

/** Reads the elements of a section. */
export class SectionWidth {
  readonly #prefix: string;
  #width = PAGE.width;
  #height = PAGE.height;
  #left = PAGE.left;
  #right = PAGE.right;
  #top = PAGE.top;
  #bottom = PAGE.bottom;
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
      this.#bottom = Math.abs(twips('bottom', PAGE.bottom));
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

  /** What objects may stand at, from the left edge of the page, by `relativeFrom`: where it begins and how wide it is, in twips. */
  get across(): Rooms {
    return roomsOf('left', 'right', { size: this.#width, before: this.#left, behind: this.#right });
  }

  /** The same from its top. */
  get down(): Rooms {
    return roomsOf('top', 'bottom', { size: this.#height, before: this.#top, behind: this.#bottom });
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

export type Rooms = Readonly<Record<string, readonly [start: number, size: number]>>;

function roomsOf(
  start: string,
  end: string,
  { size, before, behind }: { readonly size: number; readonly before: number; readonly behind: number },
): Rooms {
  return {
    page: [0, size],
    margin: [before, size - before - behind],
    [`${start}Margin`]: [0, before],
    [`${end}Margin`]: [size - behind, behind],
  };
}

/**
 * The section of each place in the main part, read in linear time.
 *
 * @returns a function to be asked for places in their order: undefined behind the last section.
 */
export function sectionsOf(xml: string): (place: number) => SectionWidth | undefined {
  const w = wordPrefixOf(xml);
  const sections: { readonly end: number; readonly section: SectionWidth }[] = [];
  let [paragraphs, depth] = [0, 0];
  /** The one whose elements are read, and the one that ends with this paragraph. */
  let section: SectionWidth | undefined;
  let ended: { readonly section: SectionWidth; readonly paragraph: number } | undefined;
  visitMarkup(xml, {
    names: qualified(w, ['p', 'sectPr', ...widthElements]),
    open(name, attributes, isEmpty) {
      if (name === `${w}p` && !isEmpty) paragraphs += 1;
      else if (name === `${w}sectPr` && !isEmpty) {
        // The properties before a tracked change stand in those after it.
        depth += 1;
        if (depth === 1) section = new SectionWidth(w);
      } else if (depth === 1) section?.read(name, attributes);
    },
    close(name, _start, end) {
      if (name === `${w}p`) {
        if (ended?.paragraph === paragraphs) {
          sections.push({ end, section: ended.section });
          ended = undefined;
        }
        paragraphs -= 1;
      } else if (name === `${w}sectPr`) {
        depth -= 1;
        if (depth > 0 || !section) return;
        if (paragraphs === 0) sections.push({ end, section });
        else ended = { section, paragraph: paragraphs };
        section = undefined;
      }
    },
  });
  let at = 0;
  return (place) => {
    while (place >= (sections[at]?.end ?? Number.POSITIVE_INFINITY)) at += 1;
    return sections[at]?.section;
  };
}

/** The section of each header and footer, by the name of its part: the first one that refers to it. */
export function headerSections(parts: KeptParts): ReadonlyMap<string, SectionWidth> {
  const main = parts.text(parts.mainPart);
  const targets = new Map(linksOf(parts, parts.mainPart).map(({ id, target }) => [id, target]));
  const sections = new Map<string, SectionWidth>();
  const w = wordPrefixOf(main);
  let section: SectionWidth | undefined;
  let references: string[] = [];
  const elements = ['sectPr', 'headerReference', 'footerReference', ...widthElements];
  visitMarkup(main, {
    names: qualified(w, elements),
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
