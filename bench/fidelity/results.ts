/** What one run of the fidelity benchmark found: the shape of its JSON. */
import type { WantedFont } from './docx-fonts.ts';
import type { PdfFont } from './fonts.ts';
import type { MissingGlyphs } from './glyphs.ts';
import type { Layout } from './layout.ts';
import type { PageLikeness } from './pages.ts';

export interface FidelityResults {
  readonly libreOffice: string;
  readonly at: string;
  readonly overall: Overall;
  /** By name. */
  readonly documents: readonly DocumentResult[];
  readonly failures: readonly Failure[];
}

export interface DocumentResult extends Layout {
  readonly name: string;
  readonly fonts: {
    /** What the DOCX asks for. */
    readonly wanted: readonly WantedFont[];
    /** What Word's PDF has. */
    readonly word: readonly PdfFont[];
    readonly ours: readonly PdfFont[];
  };
  /** In our PDF. */
  readonly missingGlyphs: readonly MissingGlyphs[];
  /** How alike each page looks. */
  readonly likeness: readonly PageLikeness[];
  /** Mean of the pages' similarities. */
  readonly similarity: number;
}

/** A document that could not be measured. */
export interface Failure {
  readonly name: string;
  readonly error: string;
}

/** Means over the documents that could be measured; shares from 0 to 1. */
export interface Overall {
  readonly documents: number;
  /** Share of the documents that have as many pages as in Word. */
  readonly pages: number;
  readonly flow: number;
  readonly place: number;
  readonly similarity: number;
  /** Characters without a glyph in all documents together. */
  readonly missingGlyphs: number;
}

export function overall(documents: readonly DocumentResult[]): Overall {
  const mean = (figure: (document: DocumentResult) => number) => meanOf(documents.map(figure));
  return {
    documents: documents.length,
    pages: mean(({ pages }) => (pages.same ? 1 : 0)),
    flow: mean(({ flow }) => flow),
    place: mean(({ place }) => place),
    similarity: mean(({ similarity }) => similarity),
    missingGlyphs: documents.reduce((sum, document) => sum + missingGlyphCount(document), 0),
  };
}

export function missingGlyphCount({ missingGlyphs }: DocumentResult): number {
  return missingGlyphs.reduce((sum, { count }) => sum + count, 0);
}

/** 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
