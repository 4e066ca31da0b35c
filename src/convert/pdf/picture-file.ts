/** A picture of a page as a file (PNG, ISO/IEC 15948), which may be anything: a document may have taken over what wrote it. */
import { crc32 } from 'node:zlib';
import type { TailReader } from '../../system/tail-reader.ts';

/** Size in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How a PNG begins. */
export const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Bytes of a chunk's length and type, and of its checksum. */
const [HEAD, CHECKSUM] = [8, 4];
const TYPE_AT = 4;
const HEADER_BYTES = 13;
const WINDOW_BYTES = 65_536;

/**
 * Checks that a file is a whole picture of a size: its header first, image data, its end last, and the checksum of each chunk.
 *
 * @throws Error saying what is missing or broken.
 */
export function assertPicture(reader: TailReader, size: PictureSize): void {
  if (!reader.read(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('the picture is no PNG');
  let position = SIGNATURE.length;
  let hasImage = false;
  for (let type = ''; type !== 'IEND'; ) {
    const head = reader.read(position, HEAD);
    if (head.length < HEAD) throw new Error('the picture is cut off');
    const isFirst = type === '';
    const length = head.readUInt32BE(0);
    type = head.toString('latin1', TYPE_AT);
    const end = position + HEAD + length;
    if (end + CHECKSUM > reader.size) throw new Error('the picture is cut off');
    if (isFirst !== (type === 'IHDR')) throw new Error('the header of the picture is not its first chunk');
    if (isFirst) assertHeader(reader.read(position + HEAD, length), size);
    hasImage ||= type === 'IDAT' && length > 0;
    if (checksum(reader, position + TYPE_AT, end) !== reader.read(end, CHECKSUM).readUInt32BE(0))
      throw new Error('a chunk of the picture has another checksum');
    position = end + CHECKSUM;
  }
  if (!hasImage) throw new Error('the picture has no image data');
  if (position !== reader.size) throw new Error('there is something after the end of the picture');
}

function assertHeader(header: Buffer, { width, height }: PictureSize): void {
  if (
    header.length !== HEADER_BYTES ||
    header.readUInt32BE(0) !== width ||
    header.readUInt32BE(TYPE_AT) !== height
  )
    throw new Error(`the picture is not ${width} × ${height} pixels`);
}

function checksum(reader: TailReader, start: number, end: number): number {
  let value = 0;
  for (let position = start; position < end; position += WINDOW_BYTES)
    value = crc32(reader.read(position, Math.min(WINDOW_BYTES, end - position)), value);
  return value;
}
