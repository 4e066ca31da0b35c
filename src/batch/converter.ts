/** What converts the documents of a batch: this machine, or a service. */
import type { Readable } from 'node:stream';
import type { Warning } from '../convert/report/warnings.ts';

/** A warning, with its text for people. */
export type ExplainedWarning = { readonly code: string; readonly message: string } & Omit<
  Partial<Warning>,
  'code'
>;

/** What is known of a PDF. */
export interface MadePdf {
  readonly pages: number;
  readonly warnings: readonly ExplainedWarning[];
}

/** A document as it was read. */
export interface ReadDocument {
  readonly content: Buffer;
  /** Its file name. */
  readonly name: string;
}

export interface BatchConverter {
  /** Largest document, in bytes. */
  readonly maxBytes: number;

  /**
   * @param keep is given the PDF; it may be called again, with the whole PDF, where the first broke off.
   * @throws BatchFailure, PlatenError, what `keep` throws; the signal's reason.
   */
  convert(
    document: ReadDocument,
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf>;

  /** Ends it. */
  close(): Promise<void>;
}

/** Why a document has no PDF, by a service of any version. */
export class BatchFailure extends Error {
  override readonly name = 'BatchFailure';
  /** Of the error catalogue. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
