/** Fields that neither LibreOffice nor a rule of the print view can work out. */
export const undrawnFields = [
  'field-eq',
  'field-listnum',
  'field-autonum',
  'field-barcode',
  /** One that depends on its page: the stored result is shown. */
  'field-page',
  /** The chapter in front of a page number. */
  'field-chapter',
] as const;

export type UndrawnField = (typeof undrawnFields)[number];
