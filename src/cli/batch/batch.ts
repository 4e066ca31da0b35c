/** platen convert: documents in files become PDFs in files. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { RefusedPdf } from '../../convert/report/accepted.ts';
import { catalogue, OperatorError, PlatenError } from '../../errors.ts';
import type { ReadWarning } from '../../http/conversion/warnings-header.ts';
import { isNameLost, LOST_NAME } from '../local/documents.ts';
import { makeFolders } from '../local/folders.ts';
import { writeWhole } from '../local/whole-file.ts';
import { type BatchConverter, BatchFailure, type SizeLimit, tooLarge } from './converter.ts';
import type { BatchDocument } from './inputs.ts';

interface Converted {
  readonly result: 'converted';
  /** Path of the PDF. */
  readonly pdf: string;
  readonly pages: number;
  /** From when the document is read until its PDF is written. */
  readonly milliseconds: number;
  readonly warnings: readonly ReadWarning[];
}

interface Failed {
  readonly result: 'failed';
  /** Of the error catalogue. */
  readonly code: string;
  readonly message: string;
  /** The warnings for which `failOn` refused the PDF. */
  readonly warnings?: readonly ReadWarning[];
}

/** What became of a document. */
export type BatchResult = { readonly document: string } & (Converted | Failed);

/** What became of the documents of one PDF. */
export type CombinedResult = {
  /** Their paths, in their order. */
  readonly documents: readonly string[];
} & (
  | Converted
  | (Failed & {
      /** Which of them failed, counted from 0; undefined if it is about none, or all. */
      readonly file?: number;
    })
);

/** Numbers of documents and pages. */
export interface BatchSummary {
  converted: number;
  failed: number;
  /** Converted with warnings. */
  warned: number;
  /** Of the PDFs. */
  pages: number;
}

export const emptySummary = (): BatchSummary => ({
  converted: 0,
  failed: 0,
  warned: 0,
  pages: 0,
});

/** Counts a result. */
export function addTo(summary: BatchSummary, result: BatchResult | CombinedResult): void {
  if (result.result === 'failed') summary.failed += 1;
  else {
    const documents = 'documents' in result ? result.documents.length : 1;
    summary.converted += documents;
    summary.pages += result.pages;
    // A warning about a whole PDF is about no document more than about another.
    summary.warned += Math.min(warningsByName(result).length, documents);
  }
}

/** Warnings, and what they are about. */
export interface NamedWarnings {
  /** The path of a document, or of a PDF as a whole. */
  readonly name: string;
  readonly warnings: readonly ReadWarning[];
}

/** The warnings of a PDF by what they are about: the PDF as a whole, then the documents in their order. */
export function warningsByName(result: BatchResult | CombinedResult): NamedWarnings[] {
  if (result.result === 'failed' || result.warnings.length === 0) return [];
  if (!('documents' in result)) return [{ name: result.document, warnings: result.warnings }];
  const named = new Map<unknown, { name: string; warnings: ReadWarning[] }>();
  for (const warning of result.warnings) {
    const { file } = warning;
    const name = (typeof file === 'number' && result.documents[file]) || result.pdf;
    const entry = named.get(file) ?? { name, warnings: [] };
    entry.warnings.push(warning);
    named.set(file, entry);
  }
  return [...named].sort(([a], [b]) => Number(a ?? -1) - Number(b ?? -1)).map(([, each]) => each);
}

/**
 * Converts a document into its file, whose folder is made. A failure of any kind is a result.
 *
 * @param replaces whether it takes the place of a file that is there when it is made.
 * @throws the signal's reason.
 */
export async function convertFile(
  { path, output }: BatchDocument,
  converter: BatchConverter,
  signal: AbortSignal,
  replaces = true,
): Promise<BatchResult> {
  signal.throwIfAborted();
  const began = performance.now();
  try {
    const content = await readDocument(path, converter.limit);
    await makeFolders(dirname(output));
    const { pages, warnings } = await converter.convert(
      { content, name: basename(path) },
      (pdf) => writeWhole(output, pdf, replaces),
      signal,
    );
    const milliseconds = Math.round(performance.now() - began);
    return { document: path, result: 'converted', pdf: output, pages, milliseconds, warnings };
  } catch (error) {
    signal.throwIfAborted();
    return { document: path, result: 'failed', ...failureOf(error) };
  }
}

/** Statuses of failures that the document did not cause: unchanged, it may be converted later. */
const passing: readonly number[] = [401, 403, 409, 429, 500, 503];

/** Whether another attempt, much later, may end otherwise. */
export function mayPass(result: BatchResult): boolean {
  if (result.result === 'converted' || result.code === 'CONVERSION_FAILED') return false;
  return Object.entries(catalogue).some(
    ([code, { status }]) => code === result.code && passing.includes(status),
  );
}

/** A failure by the error catalogue. Any other error is of this machine, and its reason is for the person at the command. */
export function failureOf(error: unknown): Pick<Failed, 'code' | 'message' | 'warnings'> {
  if (error instanceof BatchFailure) {
    const { code, message, warnings } = error;
    return { code, message, ...(warnings && { warnings }) };
  }
  if (error instanceof PlatenError) {
    const isOurs = ['OVERLOADED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'].includes(error.code);
    const cause = isOurs && error.cause !== undefined ? `: ${reasonOf(error.cause)}` : '';
    const { warnings } = error instanceof RefusedPdf ? error : {};
    return { code: error.code, message: `${error.message}${cause}`, ...(warnings && { warnings }) };
  }
  return { code: 'INTERNAL_ERROR', message: reasonOf(error) };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws BatchFailure `MISSING_FILE` if it cannot be read. @throws PlatenError `FILE_TOO_LARGE` */
export async function readDocument(path: string, limit: SizeLimit): Promise<Buffer> {
  try {
    // Opening a named pipe would wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) throw new OperatorError('it is not a file');
      if (about.size > limit.bytes) throw tooLarge(limit);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    const message = isNameLost(path) ? LOST_NAME : `The document cannot be read: ${reasonOf(error)}`;
    throw new BatchFailure('MISSING_FILE', message, { cause: error });
  }
}
