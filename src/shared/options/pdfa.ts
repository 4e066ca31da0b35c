/** PDF/A (ISO 19005), in the parts and levels that LibreOffice writes. */

export const pdfaLevels = ['1b', '2b', '3b', '4'] as const;

/** Part of ISO 19005 and level of conformance: PDF/A-1b, -2b or -3b, or PDF/A-4, which has no levels. */
export type PdfaLevel = (typeof pdfaLevels)[number];

/** The part of ISO 19005, which is also LibreOffice's number for its PDF version. */
export function pdfaPart(level: PdfaLevel): number {
  return Number.parseInt(level, 10);
}
