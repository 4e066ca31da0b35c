/** The sections of a document: their starts, and the text area of their pages. */
import { readPoints } from './lengths.ts';
import { isUnwritten, lackingFormats, writtenNumber } from './list-number-texts.ts';
import { attributeOf, qualified, visitMarkup, wordPrefixOf } from './markup.ts';
import type { Tag } from './tags.ts';

/** Lengths in points. */
export interface Section {
  /** Whether it begins on a new page. */
  readonly beginsPage: boolean;
  readonly pageHeight: number;
  readonly top: number;
  readonly bottom: number;
  /** Whether the section itself gives its margins. */
  readonly hasMargins: boolean;
  /** Distance of the footer from the page's lower edge; 0 without a footer. */
  readonly footer: number;
  readonly columns: number;
  /** Line distance of its grid; 0 without a grid. */
  readonly gridStep: number;
}

/** Word's defaults: a Letter page with margins of an inch, in points. */
const DEFAULTS = { height: 792, margin: 72, edge: 36 } as const;

/** Grid types that align lines. */
export const gridTypes: ReadonlySet<string | undefined> = new Set(['lines', 'linesAndChars', 'snapToChars']);

/** More than any real document has. */
export const MAX_SECTIONS = 5_000;

/** What is read of the properties of a section, by local names. */
const elements = [
  ...(['type', 'pgSz', 'pgMar', 'pgBorders', 'pgNumType', 'cols', 'docGrid', 'vAlign'] as const),
  ...(['headerReference', 'footerReference'] as const),
];
export type SectionElement = (typeof elements)[number];

/** The properties of a section by local name: the first of each. */
export type SectionTags = ReadonlyMap<SectionElement, Tag>;

/** The properties of all sections, in order, without those that tracked changes keep. */
export function readSectionTags(xml: string, prefix: string): SectionTags[] {
  const own = `${prefix}sectPr`;
  const names: ReadonlyMap<string, SectionElement> = qualified(prefix, elements);
  const sections: Map<SectionElement, Tag>[] = [];
  let depth = 0;
  visitMarkup(xml, {
    open(name, attributes, isEmpty, start, end) {
      if (depth === 0 && name === own) sections.push(new Map());
      else if (depth === 0) return;
      else if (depth === 1) {
        const section = sections.at(-1);
        const local = names.get(name);
        if (local && !section?.has(local)) section?.set(local, { name, attributes, isEmpty, start, end });
      }
      if (!isEmpty) depth += 1;
    },
    close() {
      if (depth > 0) depth -= 1;
    },
  });
  return sections;
}

const [ODD, EVEN] = ['odd', 'even'];
const sideOf: ReadonlyMap<string, string> = new Map([
  ['oddPage', ODD],
  ['evenPage', EVEN],
]);

/**
 * Whether a section begins on an odd or an even page (ISO/IEC 29500-1, 17.6.22), before which Word prints a blank page where it has
 * to, and LibreOffice adds such pages for no other reason. It does also where page numbers begin anew with one of another side, and
 * Word does not.
 *
 * @param xml the main part.
 */
export function hasBlankPages(xml: string): boolean {
  const prefix = wordPrefixOf(xml);
  const value = (tags: SectionTags, element: SectionElement, attribute: string) =>
    attributeOf(tags.get(element)?.attributes ?? '', prefix + attribute);
  const [, ...others] = readSectionTags(xml, prefix).map((tags) => {
    const start = value(tags, 'pgNumType', 'start');
    return {
      side: sideOf.get(value(tags, 'type', 'val') ?? ''),
      numberSide: start === undefined ? undefined : /[13579]$/.test(start) ? ODD : EVEN,
    };
  });
  return (
    others.some(({ side }) => side) &&
    others.every(({ side, numberSide }) => numberSide === undefined || numberSide === side)
  );
}

/** Vertical alignments that LibreOffice does not know (ISO/IEC 29500-1, 17.6.23); it knows no other than at the top. */
const ALIGNED = /^(?:center|bottom)$/;

/** Where the text of a section stands on its pages; undefined for at the top, and between both edges. */
export function alignmentOf(tags: SectionTags, prefix: string): string | undefined {
  const value = attributeOf(tags.get('vAlign')?.attributes ?? '', `${prefix}val`);
  return value !== undefined && ALIGNED.test(value) ? value : undefined;
}

/** Whether the text of a section stands in the middle or at the bottom of its pages. @param xml the main part. */
export function hasAlignedSections(xml: string): boolean {
  const prefix = wordPrefixOf(xml);
  // Most documents with alignments have only those of cells.
  if (!xml.includes(`${prefix}vAlign`)) return false;
  return readSectionTags(xml, prefix).some((tags) => alignmentOf(tags, prefix) !== undefined);
}

/**
 * Whether page numbers of a section have the number of their chapter in front.
 *
 * @param xml the main part.
 */
export function hasChapters(xml: string): boolean {
  if (!xml.includes('chapStyle')) return false;
  const prefix = wordPrefixOf(xml);
  return readSectionTags(xml, prefix).some((tags) =>
    /^[1-9]$/.test(attributeOf(tags.get('pgNumType')?.attributes ?? '', `${prefix}chapStyle`) ?? ''),
  );
}

/** The format of a section's page numbers; digits for one that nobody can write. */
export function pageFormat(tags: SectionTags, prefix: string): string {
  const format = writtenFormat(tags, prefix);
  return isUnwritten(1, format) ? 'decimal' : format;
}

function writtenFormat(tags: SectionTags, prefix: string): string {
  return attributeOf(tags.get('pgNumType')?.attributes ?? '', `${prefix}fmt`) ?? 'decimal';
}

/** Whether page numbers of a section are to have another format than digits. @param xml the main part. */
export function hasPageFormats(xml: string): boolean {
  if (!xml.includes('pgNumType')) return false;
  const prefix = wordPrefixOf(xml);
  return readSectionTags(xml, prefix).some((tags) => writtenFormat(tags, prefix) !== 'decimal');
}

/** Whether page numbers have digits in place of their format. @param xml the main part. */
export function hasUnwrittenPages(xml: string): boolean {
  if (!xml.includes('pgNumType')) return false;
  const prefix = wordPrefixOf(xml);
  const sections = readSectionTags(xml, prefix);
  return (
    sections.some((tags) => isUnwritten(1, writtenFormat(tags, prefix))) ||
    (sections.some((tags) => lackingFormats.has(pageFormat(tags, prefix))) && !lacksPageFormat(xml))
  );
}

/**
 * Whether LibreOffice lacks the format of some page numbers, and all of them can be written.
 *
 * @param xml the main part.
 */
export function lacksPageFormat(xml: string): boolean {
  const prefix = wordPrefixOf(xml);
  if (![...lackingFormats].some((format) => xml.includes(format))) return false;
  const formats = readSectionTags(xml, prefix).map((tags) => pageFormat(tags, prefix));
  return (
    formats.some((format) => lackingFormats.has(format)) &&
    formats.every((format) => writtenNumber(1, format) !== undefined)
  );
}

/** The sections in order, at least one; only the size of the part bounds their number. */
export function readSections(xml: string, prefix: string): Section[] {
  let hasFooter = false;
  const sections = readSectionTags(xml, prefix).map((tags) => {
    // A section without a footer inherits that of the previous section.
    hasFooter ||= tags.has('footerReference');
    return readSection(tags, prefix, hasFooter);
  });
  return sections.length > 0 ? sections : [readSection(new Map(), prefix, false)];
}

function readSection(tags: SectionTags, prefix: string, hasFooter: boolean): Section {
  const value = (element: SectionElement, attribute: string) =>
    attributeOf(tags.get(element)?.attributes ?? '', prefix + attribute);
  const points = (element: SectionElement, attribute: string, otherwise: number) =>
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
