/** Combining PDFs that the engine wrote. */
import { closeSync, renameSync, rmSync } from 'node:fs';
import type { Attachment, ConversionOptions } from '../../shared/options/conversion-options.ts';
import { sha256Of } from '../../system/file-digest.ts';
import { type CombinedPart, type CombinedPdf, combinePdfs } from '../pdf/combine/combine.ts';
import { type Conformance, verdictsOf } from '../pdf/conformance/verdict.ts';
import { openHeld, outputFailure } from '../pdf/output-file.ts';
import { verifyFinished, verifyPdf } from '../pdf/verify.ts';
import { openVerifiable } from './output-tasks.ts';

/** PDFs to combine. */
export interface Combination
  extends Pick<ConversionOptions, 'pdfa' | 'pdfua' | 'bookmarks' | 'facturx' | 'attachmentRelationship'> {
  /** In order. */
  readonly parts: readonly CombinedPart[];
  /** Path of the PDF to write; one that is there is replaced. */
  readonly out: string;
  /** Title of the whole; by default the first part's. */
  readonly title: string | undefined;
  /** What is to be attached to the whole. */
  readonly attachments: readonly Attachment[] | undefined;
}

/** What is known of a whole that is delivered as it is. */
export interface VerifiedWhole {
  /** In hexadecimal. */
  readonly sha256: string;
  /** Of the standards that were asked for. */
  readonly conformance: readonly Conformance[];
}

/** Facts about the whole. */
export type Combined = CombinedPdf & VerifiedWhole;

/** Writes one PDF of many, and verifies it. @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE` */
export async function combineOutputs({
  parts,
  out,
  pdfua,
  attachments,
  attachmentRelationship: relationship,
  facturx,
  ...options
}: Combination): Promise<{ readonly result: Combined }> {
  // A process that is killed meanwhile leaves no half of a PDF in its place.
  const draft = `${out}.draft`;
  try {
    rmSync(draft, { force: true });
    const attached = attachments && { attachments, open: openHeld, relationship, facturx };
    const whole = { ...options, pdfa: options.pdfa, pdfua: pdfua ?? false, attached };
    const combined = combinePdfs(parts, draft, whole);
    renameSync(draft, out);
    return { result: { ...combined, ...verified(out, { pdfa: options.pdfa, pdfua }) } };
  } catch (cause) {
    throw outputFailure(cause);
  }
}

function verified(path: string, standards: Pick<Combination, 'pdfa' | 'pdfua'>): VerifiedWhole {
  const fd = openHeld(path);
  try {
    const { reader } = verifyPdf(fd, standards.pdfa);
    return { sha256: sha256Of(reader), conformance: verdictsOf(reader, standards) };
  } finally {
    closeSync(fd);
  }
}

/** A PDF of many that qpdf has worked on, and the standards that it must keep. */
export interface Whole extends Pick<ConversionOptions, 'pdfa' | 'pdfua'> {
  /** Folder of the PDF before. */
  readonly folder: string;
  /** What qpdf made of it; the pages are as qpdf counted them. */
  readonly finished: { readonly folder: string; readonly pages: number };
}

/** Verifies the PDF that is delivered. @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE` */
export async function verifyWhole({
  folder,
  finished,
  ...standards
}: Whole): Promise<{ readonly result: VerifiedWhole }> {
  const fd = openVerifiable(folder);
  let delivered: number | undefined;
  try {
    delivered = openVerifiable(finished.folder);
    const { reader } = verifyFinished(delivered, finished.pages, verifyPdf(fd));
    return { result: { sha256: sha256Of(reader), conformance: verdictsOf(reader, standards) } };
  } finally {
    closeSync(fd);
    if (delivered !== undefined) closeSync(delivered);
  }
}
