/** The pages of a PDF (ISO 32000-1, 7.7.3). */
import { type PdfStructure, readObject, reference } from './structure.ts';

/**
 * The page count that the root of the page tree declares.
 *
 * @throws Error saying what is missing or broken.
 */
export function countPages(structure: PdfStructure): number {
  const pages = readObject(structure, reference(structure.catalog, 'Pages'));
  if (!/\/Type\s*\/Pages\b/.test(pages)) throw new Error('the root of the page tree is not a page tree node');
  const count = Number(/\/Count\s+(\d{1,9})\b/.exec(pages)?.[1] ?? 0);
  if (count === 0) throw new Error('the document has no pages');
  return count;
}

/** Most nodes of a page tree that are read to compare pages with Word's. */
export const MAX_PAGES = 10_000;

/** A page and the text of its object. */
export interface PdfPage {
  /** Number of its object. */
  readonly number: number;
  readonly text: string;
}

/**
 * The pages in order.
 *
 * @throws Error saying what is missing or broken, or if there are more nodes than allowed.
 */
export function readPages(structure: PdfStructure, maxNodes: number): PdfPage[] {
  return [...pagesOf(structure, maxNodes)];
}

function* pagesOf(structure: PdfStructure, maxNodes: number): Generator<PdfPage> {
  const nodes = [reference(structure.catalog, 'Pages')];
  for (let read = 0, number = nodes.pop(); number !== undefined; read += 1, number = nodes.pop()) {
    const text = readObject(structure, number);
    const kids = arrayIn(text, /\/Kids\s*\[/);
    if (kids === undefined) yield { number, text };
    else for (const kid of references(kids).reverse()) nodes.push(kid);
    if (read + nodes.length > maxNodes) throw new Error('there are too many pages');
  }
}

/** Width and height, in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** The most pages that a page can be looked for among. */
const MOST_PAGES = 1_000_000;
const boxes = [/\/CropBox\s*\[/, /\/MediaBox\s*\[/];
/** Characters of the longest box that is understood. */
const MAX_BOX = 200;

/**
 * The size of what a viewer shows of a page.
 *
 * @param page its number, from 1.
 * @throws Error saying what is missing or broken.
 */
export function readPageSize(structure: PdfStructure, page: number): PageSize {
  let number = 0;
  for (const { text } of pagesOf(structure, MOST_PAGES)) {
    number += 1;
    if (number === page) return sizeIn(text);
  }
  throw new Error('the page tree has fewer pages than it says');
}

function sizeIn(page: string): PageSize {
  const box = boxes.map((start) => arrayIn(page, start)).find((text) => text !== undefined) ?? '';
  const corners = box.length > MAX_BOX ? [] : box.trim().split(/\s+/).map(Number);
  const [left = 0, bottom = 0, right = 0, top = 0] = corners;
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)];
  const isSize = corners.length === 4 && width > 0 && height > 0 && width + height < Number.POSITIVE_INFINITY;
  if (!isSize) throw new Error('the page has no size');
  return { width, height };
}

/**
 * The text between the brackets of an array; undefined if there is none. Takes linear time.
 *
 * @param start matches the array's key and first bracket.
 */
export function arrayIn(text: string, start: RegExp): string | undefined {
  const match = start.exec(text);
  if (!match) return undefined;
  const begin = match.index + match[0].length;
  const end = text.indexOf(']', begin);
  return end < 0 ? undefined : text.slice(begin, end);
}

/** The object numbers that a text references. */
export function references(text: string): number[] {
  return [...text.matchAll(/(\d{1,9})\s+0\s+R/g)].map(([, number]) => Number(number));
}
