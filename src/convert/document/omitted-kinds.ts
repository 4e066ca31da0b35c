/** Kinds of content that a PDF lacks, or shows otherwise than Word. */
import { undrawnFormats } from './undrawn-formats.ts';

/** Fields that neither LibreOffice nor a rule of the print view can work out. */
const undrawnFields = [
  'field-eq',
  'field-listnum',
  'field-autonum',
  'field-barcode',
  /** One that depends on its page: the stored result is shown. */
  'field-page',
  /** The chapter in front of a page number. */
  'field-chapter',
] as const;

export const omittedKinds = [
  ...(['alt-chunk', 'subdocument', 'smartart', 'ole-object', 'missing-picture'] as const),
  ...undrawnFormats,
  'alternate-content',
  'damaged-part',
  'diagonal-border',
  'section-endnote',
  'number-format',
  ...undrawnFields,
] as const;

export type OmittedKind = (typeof omittedKinds)[number];
