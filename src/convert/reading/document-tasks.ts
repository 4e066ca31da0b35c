/** Reading a document before the engine has it. */
import { readFile } from 'node:fs/promises';
import { serialize } from 'node:v8';
import { PlatenError } from '../../errors.ts';
import type {
  Attachment,
  ConversionOptions,
  FacturxProfile,
} from '../../shared/options/conversion-options.ts';
import { timeOf } from '../document/core-properties.ts';
import type { MarkedCells } from '../document/marked-cells.ts';
import { type DocumentMetadata, readMetadata } from '../document/metadata.ts';
import { hasAlignedSections, hasBlankPages } from '../document/sections.ts';
import { checkInvoice, largeInvoice, MAX_INVOICE_BYTES } from '../package/invoice.ts';
import { Allowance } from '../package/limits.ts';
import { hasMarks, namedPages } from '../pagination/page-starts.ts';
import type { NotedPagination, WordPagination } from '../pagination/word-pages.ts';
import { decryptFile } from '../preflight/decrypt-file.ts';
import { inspect } from '../preflight/inspection.ts';
import type { ShownOptions } from '../preflight/print-view.ts';
import type { Properties } from '../preflight/properties.ts';
import { eastAsianSettings } from '../rules/east-asian-settings.ts';
import type { Setup } from './setup.ts';

/** A task to read a package. */
export interface Inspection {
  /** Path of the upload. */
  readonly path: string;
  /** Path of the print view, which the task writes. */
  readonly target: string;
  /** Whose page breaks are requested; for Word's, the view has anchors where the pages begin. */
  readonly layout: ConversionOptions['layout'];
  /** Opens the package, if it is encrypted. */
  readonly password: string | undefined;
  /** The version of LibreOffice that the document is for; undefined if unknown. */
  readonly libreOffice: string | undefined;
  /** Replace the document's; none by default. */
  readonly properties: Properties | undefined;
  readonly shown: ShownOptions;
  readonly pdfa: ConversionOptions['pdfa'];
  /** The attachment that is to be an invoice. */
  readonly invoice: (Pick<Attachment, 'path' | 'bytes'> & { readonly profile: FacturxProfile }) | undefined;
}

/** What the service has to know of a document. */
export interface Inspected {
  readonly wordPages: NotedPagination;
  /** Whether its full-width punctuation may be compressed to fit one more character into a line. */
  readonly compressesPunctuation: boolean;
  /** Whether there is no gap between its East Asian letters and others. */
  readonly joinsScripts: boolean;
  /** It has tables of contents or indexes that LibreOffice is to fill. */
  readonly fillsIndexes: boolean;
  /** Something is to be filled in once its pages are known: page-fields.ts, section-alignment.ts. */
  readonly dependsOnPages: boolean;
  /** Whether to print the pages that stay blank before others. */
  readonly blankPages: boolean;
  /** Cells whose lines are to be drawn in the PDF. */
  readonly markedCells: readonly MarkedCells[];
  /** What the document says of its last change, in seconds since the epoch; see {@link timeOf}. */
  readonly time: number;
}

/**
 * Checks the upload, writes its print view, and checks the invoice that is to be attached. The rest of the result are the
 * {@link DocumentMetadata}, as a structured clone in bytes: only the verification of the PDF reads them, in such a process.
 *
 * @throws PlatenError `INVALID_FILE_TYPE`, `CORRUPTED_FILE`, `PASSWORD_PROTECTED`, `INVALID_PARAMETER`, `CONVERSION_FAILED`
 * for what no PDF/A may have, or `SERVICE_UNAVAILABLE`.
 */
export async function inspectDocument(
  { path, target, password, pdfa, invoice, ...options }: Inspection,
  { accepted, fonts, readingMs }: Setup,
): Promise<{ readonly result: Inspected; readonly rest: () => Promise<Buffer> }> {
  if (password !== undefined) await decryptFile(path, password);
  const inspected = await inspect(path, target, new Allowance(readingMs), accepted, { ...options, fonts });
  const { kept, wordPages, fields, markedCells } = inspected;
  if (invoice) await checkInvoiceFile(invoice);
  const read = () => readMetadata(kept, fonts);
  const early = pdfa === undefined ? undefined : read();
  if (early) assertArchivable(early);
  const { compressesPunctuation, joinsScripts } = eastAsianSettings(kept);
  const main = kept.text(kept.mainPart);
  return {
    result: {
      wordPages: noted(wordPages),
      compressesPunctuation,
      joinsScripts,
      fillsIndexes: fields.fillsIndexes,
      dependsOnPages: fields.hasPageFields || hasAlignedSections(main),
      blankPages: hasBlankPages(main),
      markedCells,
      time: timeOf(kept),
    },
    rest: async () => serialize(early ?? read()),
  };
}

async function checkInvoiceFile({ path, bytes, profile }: NonNullable<Inspection['invoice']>): Promise<void> {
  if (bytes > MAX_INVOICE_BYTES) throw largeInvoice();
  checkInvoice(await readFile(path), profile);
}

function noted(wordPages: WordPagination): NotedPagination {
  if (typeof wordPages === 'string') return wordPages;
  const { starts, pages } = wordPages;
  return { hasMarks: hasMarks(starts), named: namedPages(starts), pages, clone: serialize(wordPages) };
}

/**
 * LibreOffice copies PDF pictures unchanged, even into PDF/A, with transparency and without embedding their fonts.
 *
 * @throws PlatenError `CONVERSION_FAILED`
 */
function assertArchivable({ pdfPictures }: DocumentMetadata): void {
  if (pdfPictures === 0) return;
  throw new PlatenError('CONVERSION_FAILED', {
    message:
      'The document shows a PDF as a picture, which cannot be part of a PDF/A. Convert that picture to PNG, JPEG or SVG, or ' +
      'leave out pdfa.',
    reason: 'pdf-picture',
  });
}
