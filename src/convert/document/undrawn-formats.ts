/** Picture formats that LibreOffice up to 26.8 does not draw, recognised by their first bytes. */

export const undrawnFormats = ['eps', 'heic', 'avif', 'jpeg-2000', 'jpeg-xl'] as const;

export type UndrawnFormat = (typeof undrawnFormats)[number];

/** Brands of HEIF files (ISO/IEC 23008-12, annex B; AV1 Image File Format, 9). */
const brands: ReadonlyMap<string, UndrawnFormat> = new Map([
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].map(
    (brand) => [brand, 'heic'] as const,
  ),
  ...['avif', 'avis'].map((brand) => [brand, 'avif'] as const),
]);

/** @param head the first bytes of the picture, some hundred. */
export function undrawnFormat(head: Buffer): UndrawnFormat | undefined {
  const start = head.toString('latin1', 0, 12);
  // ISO/IEC 15444-1, annexes A.4.1 and I.5.1; ISO/IEC 18181-2, 9.1.
  if (start.startsWith('\xff\x4f\xff\x51') || start === '\0\0\0\x0cjP  \r\n\x87\n') return 'jpeg-2000';
  if (start.startsWith('\xff\x0a') || start === '\0\0\0\x0cJXL \r\n\x87\n') return 'jpeg-xl';
  if (start.startsWith('ftyp', 4)) return heifFormat(head);
  return isUndrawnEps(head) ? 'eps' : undefined;
}

/** The major brand, or, if that is the generic one, a more specific compatible brand (ISO/IEC 14496-12, 4.3). */
function heifFormat(head: Buffer): UndrawnFormat | undefined {
  const end = Math.min(head.length < 4 ? 0 : head.readUInt32BE(0), head.length);
  const names = [head.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) names.push(head.toString('latin1', at, at + 4));
  const formats = names.map((name) => brands.get(name));
  return formats.includes('avif') ? 'avif' : formats.find((format) => format !== undefined);
}

/** False for an EPS with a preview, which is drawn (Encapsulated PostScript File Format Specification 3.0, 5). */
function isUndrawnEps(head: Buffer): boolean {
  if (head.length >= 30 && head.readUInt32BE(0) === 0xc5d0d3c6) {
    // Lengths of the metafile and TIFF previews.
    return head.readUInt32LE(16) === 0 && head.readUInt32LE(24) === 0;
  }
  const text = head.toString('latin1');
  return text.startsWith('%!PS-Adobe') && text.includes('EPSF') && !text.includes('%%BeginPreview');
}
