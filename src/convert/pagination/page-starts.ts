/** Where the pages of a document begin, and where in its main part a page break can be written. */
import type { Section } from '../document/sections.ts';

/** The properties of a paragraph, or the place to insert them. */
export interface PropertiesPlace {
  readonly start: number;
  readonly end: number;
  /** What is in them. */
  readonly content: string;
}

/** Where a paragraph begins a page, or goes on to another one. */
export type ParagraphSite =
  | { readonly kind: 'paragraph'; readonly properties: PropertiesPlace }
  | {
      readonly kind: 'within-paragraph';
      readonly properties: PropertiesPlace;
      readonly start: number;
      /** What is open there, from the outside in. */
      readonly open: readonly OpenElement[];
      /** Of the run that goes on behind it; empty where none does. */
      readonly runProperties: string;
    };

/** Between a row and the one above it. */
interface RowSite {
  readonly kind: 'row';
  readonly start: number;
  readonly table: TableStart;
}

/** Where in the main part a page break can be written. */
export type BreakSite =
  | ParagraphSite
  | RowSite
  /** Where a row continues on another page for the n-th time, by index. */
  | { readonly kind: 'within-row'; readonly row: RowPlace; readonly index: number }
  /** By the first paragraph of its first row. */
  | { readonly kind: 'table'; readonly row: RowPlace; readonly properties: PropertiesPlace };

/** An element that has begun, and its start tag. */
export interface OpenElement {
  readonly name: string;
  readonly tag: string;
}

/** What is repeated wherever a table continues. */
export interface TableStart {
  /** Its `w:tblPr` and `w:tblGrid`. */
  readonly properties: string;
  /** The rows that are repeated on each page. */
  readonly headerRows: readonly string[];
}

/** A row of a table. */
export interface RowPlace {
  readonly start: number;
  readonly end: number;
  /** Where its properties end. */
  readonly content: number;
  readonly cells: readonly CellPlace[];
  readonly table: TableStart;
}

export interface CellPlace {
  readonly start: number;
  /** Where its properties end, and where its content does. */
  readonly content: number;
  readonly contentEnd: number;
  readonly end: number;
  /** Where it goes on to another page, in order. */
  readonly cuts: readonly CellCut[];
}

/** Where the content of a cell goes on to another page. */
export interface CellCut {
  /** Where its paragraph begins, or the table in it that goes on there. */
  readonly block: number;
  /** Of a row in a table of the cell, if the cell goes on with that. Undefined where it cannot be divided. */
  readonly site: ParagraphSite | RowSite | undefined;
}

/**
 * Where a page begins: at a mark, or at a break of the document's own (`own`). At an empty paragraph (`empty`), a page may begin
 * without a mark.
 */
export interface PageStart {
  readonly kind: 'mark' | 'own' | 'empty';
  /** Index of its section. */
  readonly section: number;
  /** Index of the section that the content before it is in. */
  readonly sectionAbove: number;
  /** Whether a page break can be written there. */
  readonly isBreakable: boolean;
  /** Of an empty paragraph: whether nothing of it can be seen but its height. */
  readonly isBlank: boolean;
  /** Whether a drawing in front of the text is anchored above it, after the last page start that is not an empty paragraph. */
  readonly clearsDrawing: boolean;
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

/** Drops the positions in the main part. The rest is small, and can be sent to another process. */
export function withoutPlaces({ starts, sections }: LocatedStarts): PageStarts {
  return {
    starts: starts.map(({ kind, section, sectionAbove, isBreakable, isBlank, clearsDrawing }) => ({
      kind,
      section,
      sectionAbove,
      isBreakable,
      isBlank,
      clearsDrawing,
    })),
    sections,
  };
}

/** Page count by marks and the document's own breaks; pages that begin with an empty paragraph do not count. */
export function namedPages({ starts }: PageStarts): number {
  return 1 + starts.filter(({ kind }) => kind !== 'empty').length;
}

/** Whether Word noted where a page begins, other than at the document's own breaks. */
export function hasMarks({ starts }: PageStarts): boolean {
  return starts.some(({ kind }) => kind === 'mark');
}
