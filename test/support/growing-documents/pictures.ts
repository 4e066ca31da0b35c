/** Pictures whose headers have to be read to the end. */
import { gzipSync } from 'node:zlib';
import { docxLeadingTo } from '../documents.ts';
import type { GrowingDocument } from './growing-document.ts';

const picture = (name: string, size: number, of: (count: number) => Buffer): GrowingDocument => ({
  name,
  size,
  of: (count) => docxLeadingTo({ 'media/a.bin': 'image' }, { 'word/media/a.bin': of(count) }),
});
const bytes = (...text: readonly string[]) => Buffer.from(text.join(''), 'latin1');
const GIF = 'GIF89a\x01\x00\x01\x00\x00\x00\x00';

export const pictureKinds: readonly GrowingDocument[] = [
  picture('fill bytes of a JPEG', 40_000, (count) => bytes('\xff\xd8', '\xff'.repeat(count))),
  picture('segments of a JPEG', 20_000, (count) => bytes('\xff\xd8', '\xff\xe1\x00\x04ab'.repeat(count))),
  picture('markers of a JPEG', 20_000, (count) => bytes('\xff\xd8', '\xff\xd0'.repeat(count))),
  picture('extensions of a GIF', 20_000, (count) => bytes(GIF, '\x21\xf9\x00'.repeat(count))),
  picture('pictures of a GIF', 10_000, (count) =>
    bytes(GIF, '\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x00'.repeat(count)),
  ),
  picture('blocks of a GIF', 60_000, (count) => bytes(GIF, '\x21\xfe', '\x01a'.repeat(count), '\x00')),
  picture('links of an SVG', 1_500, (count) =>
    bytes('<svg>', '<image href="a" xlink:href="#b"/><a href="c"/>'.repeat(count), '</svg>'),
  ),
  picture('links of a compressed SVG', 1_500, (count) =>
    gzipSync(`<svg>${Array.from({ length: count }, (_, i) => `<image href="${i}"/>`).join('')}</svg>`),
  ),
  picture('skipped bytes of a TIFF', 100_000, (count) => bytes('II*\0\x08\0\0\0\x01\0', '\0'.repeat(count))),
];
