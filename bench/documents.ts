/** The documents of the benchmark, the same for all ways of conversion. */
import { docx, illustratedDocx, imageDocx } from '../test/support/documents.ts';

export interface BenchDocument {
  readonly name: string;
  readonly content: Buffer;
  /** It takes a good part of a second, so it is measured fewer times. */
  readonly heavy: boolean;
}

const PARAGRAPHS_OF_PAGE = 10;
const sentence =
  'The quick brown fox jumps over the lazy dog while the printer warms up and waits for its next page. ';

export function onePage(): BenchDocument {
  return { name: 'one page', content: docx({ paragraphs: prose(8) }), heavy: false };
}

/** About so many pages full of prose. */
export function manyPages(pages: number): Buffer {
  return docx({ paragraphs: prose(PARAGRAPHS_OF_PAGE * pages) });
}

/** One page of prose, ten pages, 46 pages of prose and pictures, and pages full of photographs. */
export function benchDocuments(): BenchDocument[] {
  return [
    onePage(),
    { name: 'ten pages', content: docx({ paragraphs: prose(8), pages: 10 }), heavy: false },
    { name: '46 pages with pictures', content: illustratedDocx(46, prose(6), 320), heavy: true },
    { name: 'image-heavy', content: imageDocx(6, 600), heavy: true },
  ];
}

function prose(paragraphs: number): string[] {
  return Array.from({ length: paragraphs }, (_, index) => `${index + 1}. ${sentence.repeat(4)}`);
}
