/** The sections of a document: where each begins, and the room for text on its pages. */
import { readPoints } from './lengths.ts';
import { attributeOf, visitMarkup } from './markup.ts';
import type { Tag } from './tags.ts';

/** Lengths in points. */
export interface Section {
  /** Whether it begins a page of its own. */
  readonly beginsPage: boolean;
  readonly pageHeight: number;
  readonly top: number;
  readonly bottom: number;
  /** How far from the page's lower edge its footer is; 0 where it has none. */
  readonly footer: number;
  readonly columns: number;
  /** How far apart the lines of its grid are; 0 where it has none. */
  readonly gridStep: number;
}

/** What Word takes where a section says nothing: a Letter page with margins of an inch, in points. */
const DEFAULTS = { height: 792, margin: 72, edge: 36 } as const;

/** Types of grids that lines stand on. */
export const gridTypes: ReadonlySet<string | undefined> = new Set(['lines', 'linesAndChars', 'snapToChars']);

/** More than any document that people wrote. */
export const MAX_SECTIONS = 5_000;

/** The properties of a section: by the names of its elements, the first of each. */
export type SectionTags = ReadonlyMap<string, Tag>;

/** The properties of all sections, in their order; not what they were before a change. */
export function readSectionTags(xml: string, prefix: string): SectionTags[] {
  const own = `${prefix}sectPr`;
  const sections: Map<string, Tag>[] = [];
  let depth = 0;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      const section = sections.at(-1);
      const local = name.startsWith(prefix) ? name.slice(prefix.length) : name;
      if (depth === 0 && name === own) sections.push(new Map());
      else if (depth === 0) return;
      else if (depth === 1 && !section?.has(local))
        section?.set(local, { name, attributes, isEmpty, start, end });
      if (!isEmpty) depth += 1;
    },
    close() {
      if (depth > 0) depth -= 1;
    },
  });
  return sections;
}

/** The sections in their order, one at least; their number is bounded by the size of the part alone. */
export function readSections(xml: string, prefix: string): Section[] {
  let hasFooter = false;
  const sections = readSectionTags(xml, prefix).map((tags) => {
    // A section without a footer of its own has the one of the section before it.
    hasFooter ||= tags.has('footerReference');
    return readSection(tags, prefix, hasFooter);
  });
  return sections.length > 0 ? sections : [readSection(new Map(), prefix, false)];
}

function readSection(tags: SectionTags, prefix: string, hasFooter: boolean): Section {
  const value = (element: string, attribute: string) =>
    attributeOf(tags.get(element)?.attributes ?? '', prefix + attribute);
  const points = (element: string, attribute: string, otherwise: number) =>
    Math.abs(readPoints(value(element, attribute)) ?? otherwise);
  const type = value('type', 'val');
  return {
    beginsPage: type !== 'continuous' && type !== 'nextColumn',
    pageHeight: points('pgSz', 'h', DEFAULTS.height),
    top: points('pgMar', 'top', DEFAULTS.margin),
    bottom: points('pgMar', 'bottom', DEFAULTS.margin),
    footer: hasFooter ? points('pgMar', 'footer', DEFAULTS.edge) : 0,
    columns: Number(value('cols', 'num') ?? 1),
    gridStep: gridTypes.has(value('docGrid', 'type')) ? points('docGrid', 'linePitch', 0) : 0,
  };
}
