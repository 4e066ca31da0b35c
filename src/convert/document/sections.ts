/** The sections of a document: where each begins, and the room for text on its pages. */
import { readPoints } from './lengths.ts';
import { attributeOf } from './markup.ts';

/** Lengths in points. */
export interface Section {
  /** Whether it begins a page of its own. */
  readonly beginsPage: boolean;
  readonly pageHeight: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether it says so itself. */
  readonly hasMargins: boolean;
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

/** The sections in their order, one at least; their number is bounded by the size of the part alone. */
export function readSections(xml: string, prefix: string): Section[] {
  const sections: Section[] = [];
  const begin = new RegExp(`<${prefix}sectPr[\\s/>]`, 'g');
  let hasFooter = false;
  for (let match = begin.exec(xml); match; match = begin.exec(xml)) {
    const tagEnd = xml.indexOf('>', match.index);
    const isEmpty = xml.charAt(tagEnd - 1) === '/';
    const end = isEmpty ? tagEnd : xml.indexOf(`</${prefix}sectPr>`, tagEnd);
    if (tagEnd < 0 || end < 0 || sections.length > MAX_SECTIONS) break;
    const text = isEmpty ? '' : xml.slice(match.index, end);
    // A section without a footer of its own has the one of the section before it.
    hasFooter ||= text.includes(`<${prefix}footerReference`);
    sections.push(readSection(text, prefix, hasFooter));
    if (!isEmpty) begin.lastIndex = end;
  }
  return sections.length > 0 ? sections : [readSection('', prefix, false)];
}

function readSection(xml: string, prefix: string, hasFooter: boolean): Section {
  const value = (element: string, attribute: string) => {
    const tag = new RegExp(`<${prefix}${element}\\s[^<>]{0,500}`).exec(xml)?.[0] ?? '';
    return attributeOf(tag, prefix + attribute);
  };
  const points = (element: string, attribute: string, otherwise: number) =>
    Math.abs(readPoints(value(element, attribute)) ?? otherwise);
  const type = value('type', 'val');
  return {
    beginsPage: type !== 'continuous' && type !== 'nextColumn',
    pageHeight: points('pgSz', 'h', DEFAULTS.height),
    top: points('pgMar', 'top', DEFAULTS.margin),
    bottom: points('pgMar', 'bottom', DEFAULTS.margin),
    hasMargins: value('pgMar', 'bottom') !== undefined,
    footer: hasFooter ? points('pgMar', 'footer', DEFAULTS.edge) : 0,
    columns: Number(value('cols', 'num') ?? 1),
    gridStep: gridTypes.has(value('docGrid', 'type')) ? points('docGrid', 'linePitch', 0) : 0,
  };
}
