/** What one run of the fidelity benchmark found: the shape of its JSON. */
import { createHash } from 'node:crypto';
import type { ConversionAccount } from '../service.ts';
import type { Divergence } from './divergence.ts';
import type { WantedFont } from './docx-fonts.ts';
import type { PdfFont } from './fonts.ts';
import type { MissingGlyphs } from './glyphs.ts';
import type { Layout } from './layout.ts';
import type { PageLikeness } from './pages.ts';

export interface FidelityResults {
  readonly libreOffice: string;
  readonly at: string;
  readonly overall: Overall;
  /** Half of the documents, to tune with, and the others, which say whether it holds for documents it was not tuned on. */
  readonly halves: Readonly<Record<Half, Overall>>;
  /** By name. */
  readonly documents: readonly DocumentResult[];
  /** Pairs that say nothing of our PDFs, which are not counted. */
  readonly leftOut: readonly LeftOut[];
  readonly failures: readonly Failure[];
}

export type Half = 'tune' | 'believe';

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
  /** Where ours begins to differ. */
  readonly divergence: Divergence;
  /** What the service says of the conversion. */
  readonly account: ConversionAccount;
}

export interface LeftOut {
  readonly name: string;
  readonly reason: string;
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

export function overallHalves(documents: readonly DocumentResult[]): Record<Half, Overall> {
  const of = (half: Half) => overall(documents.filter(({ name }) => halfOf(name) === half));
  return { tune: of('tune'), believe: of('believe') };
}

/** By its name alone, so that a document stays in its half when others come and go. */
export function halfOf(name: string): Half {
  const hash = createHash('sha256').update(name).digest();
  return (hash.at(-1) ?? 0) % 2 === 0 ? 'tune' : 'believe';
}

export function missingGlyphCount({ missingGlyphs }: DocumentResult): number {
  return missingGlyphs.reduce((sum, { count }) => sum + count, 0);
}

/** 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
