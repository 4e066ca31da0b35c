/** The results of a run of the fidelity benchmark: the form of its JSON. */
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
  /** Two halves of the documents: one to tune with, and one to verify the rules with. */
  readonly halves: Readonly<Record<Half, Overall>>;
  /** By name. */
  readonly documents: readonly DocumentResult[];
  /** Pairs that cannot be compared. */
  readonly leftOut: readonly LeftOut[];
  readonly failures: readonly Failure[];
}

type Half = 'tune' | 'believe';

export interface DocumentResult extends Layout {
  readonly name: string;
  readonly fonts: {
    /** Fonts of the DOCX. */
    readonly wanted: readonly WantedFont[];
    /** Fonts of Word's PDF. */
    readonly word: readonly PdfFont[];
    readonly ours: readonly PdfFont[];
  };
  /** Fonts of our PDF. */
  readonly missingGlyphs: readonly MissingGlyphs[];
  /** Similarity of each page. */
  readonly likeness: readonly PageLikeness[];
  /** Mean of the pages' similarities. */
  readonly similarity: number;
  /** Mean of how alike the letters of the words on the same page are. */
  readonly letters: number;
  /** Where ours first differs. */
  readonly divergence: Divergence;
  /** The service's report on the conversion. */
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

/** Means over the measured documents; shares from 0 to 1. */
export interface Overall {
  readonly documents: number;
  /** Share of the documents with Word's page count. */
  readonly pages: number;
  readonly flow: number;
  readonly place: number;
  readonly similarity: number;
  readonly letters: number;
  /** Total number of characters without a glyph. */
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
    letters: mean(({ letters }) => letters),
    missingGlyphs: documents.reduce((sum, document) => sum + missingGlyphCount(document), 0),
  };
}

export function overallHalves(documents: readonly DocumentResult[]): Record<Half, Overall> {
  const of = (half: Half) => overall(documents.filter(({ name }) => halfOf(name) === half));
  return { tune: of('tune'), believe: of('believe') };
}

/** Depends on its name only, so that a document stays in its half when others change. */
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
