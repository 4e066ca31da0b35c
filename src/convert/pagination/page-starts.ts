/** Where the pages of a document begin, and where in its main part a page break can be written. */
import type { Section } from './sections.ts';

/** The properties of a paragraph, or the place for some. */
export interface PropertiesPlace {
  readonly start: number;
  readonly end: number;
  /** What is in them. */
  readonly content: string;
}

/** Where in the main part a page break can be written. */
export type BreakSite =
  | { readonly kind: 'paragraph'; readonly properties: PropertiesPlace }
  | {
      readonly kind: 'within-paragraph';
      readonly properties: PropertiesPlace;
      readonly start: number;
      readonly end: number;
      /** What is open there, from the outside in. */
      readonly open: readonly OpenElement[];
      /** Of the run that goes on behind it; empty where none does. */
      readonly runProperties: string;
    }
  | { readonly kind: 'row'; readonly start: number; readonly table: TableStart }
  /** By the first paragraph of its first cell. */
  | { readonly kind: 'table'; readonly properties: PropertiesPlace };

/** An element that has begun, and its start tag. */
export interface OpenElement {
  readonly name: string;
  readonly tag: string;
}

/** What a table begins with wherever it goes on. */
export interface TableStart {
  /** Its `w:tblPr` and `w:tblGrid`. */
  readonly properties: string;
  /** The rows that are repeated on each page. */
  readonly headerRows: readonly string[];
}

/**
 * Where a page begins: by a mark, or by a break of the document's own (`own`). An empty paragraph (`empty`) is where one
 * may begin that has no mark.
 */
export interface PageStart {
  readonly kind: 'mark' | 'own' | 'empty';
  /** Index of its section. */
  readonly section: number;
  /** Whether a page break can be written there. */
  readonly isBreakable: boolean;
}

/** A page start, and where in the main part it is. */
export interface LocatedStart extends PageStart {
  /** Where its first content begins in the main part; undefined where it has none. */
  readonly begin: number | undefined;
  /** Where the content before it ends; undefined where that is in the same paragraph. */
  readonly previousEnd: number | undefined;
  /** Undefined where no break can be written. */
  readonly site: BreakSite | undefined;
}

/** What a document says of its pages. */
export interface PageStarts {
  /** In the order of the document; the first page is not among them. */
  readonly starts: readonly PageStart[];
  readonly sections: readonly Section[];
}

/** Where in the main part it says so. */
export interface LocatedStarts extends PageStarts {
  readonly starts: readonly LocatedStart[];
  /** Where the document's last content ends. */
  readonly end: number | undefined;
}

/** What is left where nobody looks into the main part: it is small, and can be sent to another thread. */
export function withoutPlaces({ starts, sections }: LocatedStarts): PageStarts {
  return {
    starts: starts.map(({ kind, section, isBreakable }) => ({ kind, section, isBreakable })),
    sections,
  };
}

/** How many pages marks and the document's own breaks name; those that begin with an empty paragraph are not among them. */
export function namedPages({ starts }: PageStarts): number {
  return 1 + starts.filter(({ kind }) => kind !== 'empty').length;
}
