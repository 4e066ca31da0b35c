/** Completing and verifying the engine's output, and finding out what to say of it. */
import { closeSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { PlatenError } from '../../errors.ts';
import type { Attachment, Background, ConversionOptions } from '../../shared/options/conversion-options.ts';
import { sha256Of } from '../../system/file-digest.ts';
import { isFull } from '../../system/free-space.ts';
import type { TailReader } from '../../system/tail-reader.ts';
import type { MarkedCells } from '../document/marked-cells.ts';
import type { DocumentMetadata } from '../document/metadata.ts';
import { compressBitmap, hasBitmap } from '../pdf/bitmap.ts';
import { completePdf } from '../pdf/complete.ts';
import { verdictsOf } from '../pdf/conformance/verdict.ts';
import { PdfObjects } from '../pdf/objects/pdf-objects.ts';
import {
  changeOutput,
  openHeld,
  openOutput,
  outputFailure,
  withOutput,
  withPicture,
} from '../pdf/output-file.ts';
import { countPages, type PageSize, readPageSize } from '../pdf/pages.ts';
import { assertPicture, type PictureSize } from '../pdf/picture-file.ts';
import { freeLostObjects, hasLostObjects } from '../pdf/replace-objects.ts';
import { sketchText } from '../pdf/text.ts';
import { type VerifiedPdf, verifyFinished, verifyPdf } from '../pdf/verify.ts';
import { mayLackText, missingPercent } from '../report/missing-text.ts';
import { type MadePdf, reportOf } from '../report/report-of.ts';
import type { ConversionReport } from '../report/warnings.ts';
import type { TextCounts } from '../text/sketch.ts';
import type { Setup } from './setup.ts';

/** A page of the output in a folder, and what is there. */
export interface Measured {
  readonly pages: number;
  /** Undefined: there is no such page. */
  readonly size: PageSize | undefined;
}

/** A picture to verify. */
interface DrawnPicture extends PictureSize {
  readonly folder: string;
  readonly background: Background;
}

/** What is to be completed in a PDF. */
export interface Completion
  extends Pick<ConversionOptions, 'pdfa' | 'pdfua' | 'keywords' | 'facturx' | 'attachmentRelationship'> {
  /** It has the destinations that mark Word's pages. */
  readonly isAnchored: boolean;
  readonly attachments: readonly Attachment[] | undefined;
  /** Cells whose lines are to be drawn. */
  readonly markedCells: readonly MarkedCells[];
}

/** A PDF to verify. */
export interface Verification extends Pick<MadePdf, 'pagination' | 'isTagged' | 'missingLines'> {
  /** Folder of the engine's output. */
  readonly folder: string;
  /** What qpdf made of it, if it is delivered instead; the pages are as qpdf counted them. */
  readonly finished: { readonly folder: string; readonly pages: number } | undefined;
  /** The picture of a page, if that is delivered instead. */
  readonly picture: DrawnPicture | undefined;
  /** The document's, as the inspection returned them. */
  readonly metadata: Buffer;
  readonly options: ConversionOptions;
  /** The version of LibreOffice; undefined if unknown. */
  readonly libreOffice: string | undefined;
  /** Whether it becomes a part of another PDF, to which the verdict belongs. */
  readonly isPart: boolean;
}

/** Facts about the PDF that is delivered. */
export interface Verified {
  readonly pages: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Of the picture, if there is one. */
  readonly pictureSha256: string | undefined;
  readonly report: ConversionReport;
  /** Names of the rules by which the document was rewritten for the engine. */
  readonly rewrites: readonly string[];
  /** The document's title; undefined for none. */
  readonly title: string | undefined;
}

/** The page count of the output in a folder. @throws Error if it is missing or has an unexpected form. */
export async function countOutputPages({
  folder,
}: {
  readonly folder: string;
}): Promise<{ readonly result: number }> {
  const count = (reader: TailReader) => countPages(new PdfObjects(reader));
  return { result: withOutput(folder, count) };
}

/** Measures a page of the output in a folder, which is not verified yet. @throws PlatenError `CONVERSION_FAILED`. */
export async function measureOutputPage({
  folder,
  page,
}: {
  readonly folder: string;
  readonly page: number;
}): Promise<{ readonly result: Measured }> {
  const measure = (reader: TailReader): Measured => {
    const pdf = new PdfObjects(reader);
    const pages = countPages(pdf);
    return { pages, size: page > pages ? undefined : readPageSize(pdf, page) };
  };
  try {
    return { result: withOutput(folder, measure) };
  } catch (cause) {
    throw outputFailure(cause);
  }
}

/**
 * Changes the output in a folder.
 *
 * @returns how many diagonal lines in cells are missing.
 * @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE`
 */
export async function completeOutput({
  folder,
  completion,
}: {
  readonly folder: string;
  readonly completion: Completion;
}): Promise<{ readonly result: number }> {
  const { attachments, attachmentRelationship: relationship, facturx, pdfa, ...rest } = completion;
  const attached = attachments && { attachments, open: openHeld, relationship, facturx };
  try {
    return { result: changeOutput(folder, (fd) => completePdf(fd, { ...rest, pdfa, attached })) };
  } catch (cause) {
    throw outputFailure(cause);
  }
}

/** Verifies the PDF that is delivered, against the standards that were asked for, too. @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE` */
export async function verifyOutput(
  { folder, finished, picture, metadata: clone, options, libreOffice, isPart, ...made }: Verification,
  { standIns, fonts, characters }: Setup,
): Promise<{ readonly result: Verified }> {
  freeLost(folder);
  const fd = openVerifiable(folder);
  let delivered: number | undefined;
  try {
    const pdf = verifyPdf(fd, options.pdfa);
    delivered = finished && openVerifiable(finished.folder);
    const whole = delivered === undefined ? pdf : verifyFinished(delivered, finished?.pages, pdf);
    const sha256 = sha256Of(whole.reader);
    const pictureSha256 = picture && (await verifyPicture(picture));
    const metadata = deserialize(clone) as DocumentMetadata;
    // An updated table of contents has other entries.
    const hasAllText = options.pages === undefined && options.fields === undefined;
    const percent = hasAllText ? missingText(metadata.text, pdf) : undefined;
    const conformance = isPart ? undefined : verdictsOf(whole.reader, options);
    const known = { characters, standIns, fonts, libreOffice };
    const report = reportOf(metadata, { pdf, ...made, missingPercent: percent, conformance }, options, known);
    const { rewrites, title } = metadata;
    return { result: { pages: whole.pages, sha256, pictureSha256, report, rewrites, title } };
  } finally {
    closeSync(fd);
    if (delivered !== undefined) closeSync(delivered);
  }
}

/** What was not completed may refer to objects that are missing. @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE` */
function freeLost(folder: string): void {
  try {
    if (withOutput(folder, hasLostObjects)) changeOutput(folder, freeLostObjects);
  } catch (cause) {
    throw outputFailure(cause);
  }
}

/** In per cent; undefined if nothing is missing or it cannot be determined. */
function missingText(text: TextCounts, { objects, fonts }: VerifiedPdf): number | undefined {
  if (!fonts || !mayLackText(text)) return undefined;
  const sketch = sketchText(objects, fonts);
  return sketch && missingPercent(text, sketch);
}

/** @returns its SHA-256, in hexadecimal. @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE` */
async function verifyPicture({ folder, background, ...size }: DrawnPicture): Promise<string> {
  try {
    if (background === 'white' && hasBitmap(folder)) await compressBitmap(folder, size);
    return withPicture(folder, (reader) => {
      assertPicture(reader, size);
      return sha256Of(reader);
    });
  } catch (cause) {
    // Its program says nothing of a full disk, and ends as if all was well.
    throw isFull(folder) ? new PlatenError('SERVICE_UNAVAILABLE', { cause }) : outputFailure(cause);
  }
}

/** @returns the output in a folder, which the caller closes. @throws PlatenError `CONVERSION_FAILED`, `SERVICE_UNAVAILABLE` */
export function openVerifiable(folder: string): number {
  try {
    return openOutput(folder);
  } catch (error) {
    throw outputFailure(error);
  }
}
