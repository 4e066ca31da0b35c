/** Reads the sizes of pictures from their headers, in pieces; nothing is decoded and little is kept. */
import { MAX_PIXELS } from './limits.ts';
import { beyondLimits } from './refusal.ts';

/** A reader requests bytes, a skip, or a skip over a chain of GIF blocks, or over the fill bytes of a JPEG. */
type Request = { readonly take: number } | { readonly skip: number } | 'skip blocks' | 'skip fill bytes';
type Reader = Generator<Request, void, Buffer>;

const MAX_GARBAGE_BYTES = 65_536;
const MAX_TIFF_FIELDS = 4_096;
const MAX_TIFF_PAGES = 16;

/** A picture format: its first bytes, and the reader of its sizes. */
const formats: readonly (readonly [string, () => Reader])[] = [
  ['\x89PNG\r\n\x1a\n', readPng],
  ['\xff\xd8', readJpeg],
  ['GIF8', readGif],
  ['BM', readBmp],
  ['II*\0', readTiff],
  ['MM\0*', readTiff],
  ['RIFF', readWebp],
];

const NOTHING: Buffer = Buffer.alloc(0);

/** Finds the sizes in a picture that is written to it. */
export class ImageScanner {
  readonly #reader: Reader;
  #request: IteratorResult<Request, void>;
  #pending: Buffer = NOTHING;
  #toSkip = 0;

  private constructor(reader: Reader) {
    this.#reader = reader;
    this.#request = reader.next(this.#pending);
  }

  /** Undefined if `head` is not the beginning of a known picture format. */
  static for(head: Buffer): ImageScanner | undefined {
    const start = head.toString('latin1', 0, 8);
    const format = formats.find(([signature]) => start.startsWith(signature));
    return format && new ImageScanner(format[1]());
  }

  /** @throws PlatenError `CORRUPTED_FILE` if the picture has too many pixels. */
  write(piece: Buffer): void {
    const bytes = this.#pending.length > 0 ? Buffer.concat([this.#pending, piece]) : piece;
    this.#pending = NOTHING;
    for (let at = 0; !this.#request.done; ) {
      const request = this.#request.value;
      const end = this.#use(request, bytes, at);
      if (end === undefined) return;
      const isTaken = typeof request === 'object' && 'take' in request;
      this.#request = this.#reader.next(isTaken ? bytes.subarray(at, end) : NOTHING);
      at = end;
    }
  }

  /** Where the bytes end that complete the request; undefined if it needs more, in which case the rest is stored. */
  #use(request: Request, bytes: Buffer, at: number): number | undefined {
    if (request === 'skip blocks') return this.#useBlocks(bytes, at);
    if (request === 'skip fill bytes') return fillEnd(bytes, at);
    if ('take' in request) {
      if (at + request.take <= bytes.length) return at + request.take;
      this.#pending = Buffer.from(bytes.subarray(at));
      return undefined;
    }
    const left = this.#toSkip > 0 ? this.#toSkip : request.skip;
    this.#toSkip = Math.max(0, at + left - bytes.length);
    return at + left <= bytes.length ? at + left : undefined;
  }

  /** Each block is a length byte and that many bytes; the last block is empty. */
  #useBlocks(bytes: Buffer, start: number): number | undefined {
    let at = start + this.#toSkip;
    for (; at < bytes.length; at += 1 + (bytes[at] ?? 0)) {
      if (bytes[at] !== 0) continue;
      this.#toSkip = 0;
      return at + 1;
    }
    this.#toSkip = at - bytes.length;
    return undefined;
  }
}

function assertPixels(width: number, height: number): void {
  if (width * height <= MAX_PIXELS) return;
  throw beyondLimits('pixels', `has a picture of more than ${MAX_PIXELS / 1_000_000} megapixels`);
}

/** Where the fill bytes end; undefined if the piece does before. */
function fillEnd(bytes: Buffer, start: number): number | undefined {
  let at = start;
  while (bytes[at] === 0xff) at += 1;
  return at < bytes.length ? at : undefined;
}

function* take(length: number): Generator<Request, Buffer, Buffer> {
  return yield { take: length };
}

function* skip(length: number): Reader {
  if (length > 0) yield { skip: length };
}

/** PNG specification 11.2.1: the header is the first chunk. */
function* readPng(): Reader {
  const head = yield* take(24);
  assertPixels(head.readUInt32BE(16), head.readUInt32BE(20));
}

/** ITU-T T.81, annex B: the frame's header is one of the segments before the first scan. */
function* readJpeg(): Reader {
  yield* skip(2);
  for (let garbage = 0; garbage < MAX_GARBAGE_BYTES; garbage += 1) {
    if ((yield* take(1))[0] !== 0xff) continue;
    yield 'skip fill bytes';
    const marker = (yield* take(1))[0] ?? 0;
    // Stuffed zeroes, and markers without a segment.
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    if (marker === 0xd9 || marker === 0xda) return;
    const length = (yield* take(2)).readUInt16BE(0);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (!isFrame) {
      yield* skip(length - 2);
      continue;
    }
    const frame = yield* take(5);
    assertPixels(frame.readUInt16BE(3), frame.readUInt16BE(1));
    yield* skip(length - 7);
  }
}

/** GIF89a specification: the screen, and each picture on it. */
function* readGif(): Reader {
  const screen = yield* take(13);
  assertPixels(screen.readUInt16LE(6), screen.readUInt16LE(8));
  yield* skip(colourTableBytes(screen[10] ?? 0));
  for (;;) {
    const introducer = (yield* take(1))[0];
    if (introducer === 0x2c) {
      const picture = yield* take(9);
      assertPixels(picture.readUInt16LE(4), picture.readUInt16LE(6));
      yield* skip(colourTableBytes(picture[8] ?? 0));
    } else if (introducer !== 0x21) return;
    // The label of an extension, or the code size of a picture.
    yield* skip(1);
    yield 'skip blocks';
  }
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** BITMAPCOREHEADER has 16 bits for a side, all later headers 32; a negative height is upside down. */
function* readBmp(): Reader {
  const head = yield* take(26);
  if (head.readUInt32LE(14) === 12) assertPixels(head.readUInt16LE(18), head.readUInt16LE(20));
  else assertPixels(Math.abs(head.readInt32LE(18)), Math.abs(head.readInt32LE(22)));
}

/** TIFF 6.0, section 2: a linked list of directories, followed only forward in the file. */
function* readTiff(): Reader {
  const head = yield* take(8);
  const little = head[0] === 0x49;
  const short = (bytes: Buffer, at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (bytes: Buffer, at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  let position = 8;
  let next = long(head, 4);
  for (let page = 0; page < MAX_TIFF_PAGES && next >= position; page += 1) {
    yield* skip(next - position);
    const count = Math.min(short(yield* take(2), 0), MAX_TIFF_FIELDS);
    const fields = yield* take(count * 12 + 4);
    const sides = new Map<number, number>();
    for (let at = 0; at < count * 12; at += 12) {
      const isShort = short(fields, at + 2) === 3;
      sides.set(short(fields, at), isShort ? short(fields, at + 8) : long(fields, at + 8));
    }
    // ImageWidth and ImageLength.
    assertPixels(sides.get(256) ?? 0, sides.get(257) ?? 0);
    position = next + 2 + fields.length;
    next = long(fields, count * 12);
  }
}

/** RFC 9649, section 2: lossy, lossless or extended. */
function* readWebp(): Reader {
  const head = yield* take(30);
  const format = head.toString('latin1', 12, 16);
  if (format === 'VP8X') assertPixels(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
  if (format === 'VP8 ') assertPixels(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
  if (format === 'VP8L') {
    const sides = head.readUInt32LE(21);
    assertPixels((sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1);
  }
}
