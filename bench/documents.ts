/** The documents of the benchmark, built the same for every way to convert them. */
import { docx, imageDocx } from '../test/support/documents.ts';

export interface BenchDocument {
  readonly name: string;
  readonly content: Buffer;
  /** Pages of its PDF. */
  readonly pages: number;
}

const sentence =
  'The quick brown fox jumps over the lazy dog while the printer warms up and waits for its next page. ';

export function onePage(): BenchDocument {
  return { name: 'one page', content: docx({ paragraphs: prose(8) }), pages: 1 };
}

/** One page of prose, ten pages of it, and pages full of photographs. */
export function benchDocuments(): BenchDocument[] {
  return [
    onePage(),
    { name: 'ten pages', content: docx({ paragraphs: prose(8), pages: 10 }), pages: 10 },
    { name: 'image-heavy', content: imageDocx(6, 600), pages: 0 },
  ];
}

function prose(paragraphs: number): string[] {
  return Array.from({ length: paragraphs }, (_, index) => `${index + 1}. ${sentence.repeat(4)}`);
}
