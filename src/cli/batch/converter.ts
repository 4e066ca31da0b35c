/** What converts the documents of a batch: this machine, or a service. */
import type { Readable } from 'node:stream';
import { PlatenError } from '../../errors.ts';
import { inMegabytes } from '../../http/conversion/form-body.ts';
import type { ReadWarning } from '../../http/conversion/warnings-header.ts';

/** What is known of a PDF. */
export interface MadePdf {
  readonly pages: number;
  readonly warnings: readonly ReadWarning[];
}

/** A document as it was read. */
export interface ReadDocument {
  readonly content: Buffer;
  /** Its file name. */
  readonly name: string;
}

/** The most that a document may have with its attachments. */
export interface SizeLimit {
  readonly bytes: number;
  /** Who set that limit. */
  readonly setBy: 'MAX_FILE_MB' | 'the service';
}

export interface BatchConverter {
  readonly limit: SizeLimit;

  /**
   * @param keep is given the PDF; it may be called again, with the whole PDF, where the first broke off.
   * @throws BatchFailure, PlatenError, what `keep` throws; the signal's reason.
   */
  convert(
    document: ReadDocument,
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf>;

  /**
   * Makes one PDF of several documents, in their order. The warnings say in `file` which one they are about, from 0.
   *
   * @throws as {@link convert}; of a failure that is about one of them, `file` says which.
   */
  combine(
    documents: readonly ReadDocument[],
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf>;

  /** Ends it. */
  close(): Promise<void>;
}

/** `FILE_TOO_LARGE` in the words of a command. */
export function tooLarge({ bytes, setBy }: SizeLimit, what = 'The document is'): PlatenError {
  return new PlatenError('FILE_TOO_LARGE', {
    message: `${what} larger than ${inMegabytes(bytes)} MB, the most that ${setBy} allows.`,
  });
}

interface BatchFailureOptions extends ErrorOptions {
  readonly warnings?: readonly ReadWarning[] | undefined;
  readonly file?: number | undefined;
}

/** Why a document has no PDF, by a service of any version. */
export class BatchFailure extends Error {
  override readonly name = 'BatchFailure';
  /** Of the error catalogue. */
  readonly code: string;
  /** The warnings for which `failOn` refused the PDF. */
  readonly warnings: readonly ReadWarning[] | undefined;
  /** Which of several documents it is about, counted from 0. */
  readonly file: number | undefined;

  constructor(code: string, message: string, { warnings, file, ...options }: BatchFailureOptions = {}) {
    super(message, options);
    this.code = code;
    this.warnings = warnings;
    this.file = file;
  }
}
