/** Documents that grow: of each kind, one thing is repeated. What reads them must take time in proportion to their size. */
import { type ReportedParts, reportedDocx } from '../report-documents.ts';

export interface GrowingDocument {
  /** What is repeated in it. */
  readonly name: string;
  /** How many times in a document of some 100 kB. */
  readonly size: number;
  /** How often at most: more is refused. */
  readonly most?: number;
  readonly of: (size: number) => Buffer;
  /** How it is to be shown. */
  readonly shown?: {
    readonly changes?: 'original' | 'marked';
    readonly fields?: 'updated';
    readonly pageNumbers?: { readonly first: number; readonly total: number };
  };
}

/** The same text many times, or what a function makes of each index. */
export function many(count: number, unit: string | ((index: number) => string)): string {
  return typeof unit === 'string'
    ? unit.repeat(count)
    : Array.from({ length: count }, (_, index) => unit(index)).join('');
}

/** In groups of some: a paragraph, a table or an element may have no more of them. */
export function grouped(
  count: number,
  group: number,
  around: (inner: string, index: number) => string,
  unit: string | ((index: number) => string),
): string {
  const groups: string[] = [];
  for (let at = 0; at < count; at += group) {
    const own = typeof unit === 'string' ? unit : (index: number) => unit(at + index);
    groups.push(around(many(Math.min(group, count - at), own), at));
  }
  return groups.join('');
}

/** A kind whose repeated thing is in the body, between what stands around it. */
export function inBody(
  name: string,
  size: number,
  unit: string | ((index: number) => string),
  [before, behind]: readonly [string, string] = ['', ''],
  others: Omit<ReportedParts, 'body'> & Pick<GrowingDocument, 'most' | 'shown'> = {},
): GrowingDocument {
  const { most, shown, ...parts } = others;
  return {
    name,
    size,
    ...(most !== undefined && { most }),
    ...(shown && { shown }),
    of: (count) => reportedDocx({ body: before + many(count, unit) + behind, ...parts }),
  };
}

/** A kind whose repeated thing is in another part of the document. */
export function inParts(
  name: string,
  size: number,
  parts: (size: number) => ReportedParts,
  most?: number,
): GrowingDocument {
  return { name, size, ...(most !== undefined && { most }), of: (count) => reportedDocx(parts(count)) };
}

/** A paragraph with this content. */
export const paragraph = (inner: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${inner}</w:p>`;

/** A run with this text. */
export const textRun = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t>${text}</w:t></w:r>`;

/** A table with columns of these widths, in twips. */
export const table = (rows: string, widths: readonly number[] = [1_000], properties = ''): string =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${widths
    .map((width) => `<w:gridCol w:w="${width}"/>`)
    .join('')}</w:tblGrid>${rows}</w:tbl>`;
export const row = (cells: string, properties = ''): string =>
  `<w:tr>${properties === '' ? '' : `<w:trPr>${properties}</w:trPr>`}${cells}</w:tr>`;
export const cell = (inner: string, properties = ''): string =>
  `<w:tc>${properties === '' ? '' : `<w:tcPr>${properties}</w:tcPr>`}${inner}</w:tc>`;
