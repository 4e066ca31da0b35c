/** Heads of pictures of any size, in the measured formats. */

type Picture = (width: number, height: number) => Buffer;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

function u16(value: number, big = false): Buffer {
  const bytes = Buffer.alloc(2);
  if (big) bytes.writeUInt16BE(value);
  else bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number, big = false): Buffer {
  const bytes = Buffer.alloc(4);
  if (big) bytes.writeUInt32BE(value);
  else bytes.writeUInt32LE(value);
  return bytes;
}

function tiff(big: boolean): Picture {
  return (width, height) => {
    const field = (tag: number, value: number) =>
      Buffer.concat([u16(tag, big), u16(4, big), u32(1, big), u32(value, big)]);
    const small = Buffer.concat([u16(2, big), field(256, 1), field(257, 1), u32(100, big)]);
    const large = Buffer.concat([u16(2, big), field(257, height), field(256, width), u32(0, big)]);
    const head = Buffer.concat([ascii(big ? 'MM\0*' : 'II*\0'), u32(20, big), Buffer.alloc(12)]);
    // The second page is the large one.
    return Buffer.concat([head, small, Buffer.alloc(100 - head.length - small.length), large]);
  };
}

export const pictures = {
  png: (width, height) =>
    Buffer.concat([
      ascii('\x89PNG\r\n\x1a\n'),
      u32(13, true),
      ascii('IHDR'),
      u32(width, true),
      u32(height, true),
    ]),
  /** With a segment, fill bytes and a marker without a segment before its frame. */
  jpeg: (width, height) =>
    Buffer.concat([
      ascii('\xff\xd8\xff\xe0\0\x06JFIF\xff\xff\xd0\xff\xc4\0\x04ab\xff\xc2\0\x0b\x08'),
      u16(height, true),
      u16(width, true),
      ascii('\x01\x01\x11\0'),
      ascii('\xff\xda\0\x02'),
    ]),
  /** The screen is small, but the second picture is not. */
  gif: (width, height) => {
    const image = (w: number, h: number) =>
      Buffer.concat([ascii(',\0\0\0\0'), u16(w), u16(h), ascii('\0\x02\x02aa\0')]);
    const screen = ascii('GIF89a\x01\0\x01\0\x80\0\0abcdef!\xf9\x04abcd\0');
    return Buffer.concat([screen, image(1, 1), image(width, height), ascii(';')]);
  },
  bmp: (width, height) =>
    Buffer.concat([ascii('BM'), Buffer.alloc(12), u32(40), u32(width), u32(-height >>> 0)]),
  'os2-bmp': (width, height) =>
    Buffer.concat([ascii('BM'), Buffer.alloc(12), u32(12), u16(width), u16(height), Buffer.alloc(8)]),
  tiff: tiff(false),
  'big-endian-tiff': tiff(true),
  webp: (width, height) =>
    Buffer.concat([
      ascii('RIFF'),
      u32(22),
      ascii('WEBPVP8 '),
      u32(10),
      Buffer.alloc(6),
      u16(width),
      u16(height),
    ]),
  'lossless-webp': (width, height) =>
    Buffer.concat([
      ascii('RIFF'),
      u32(22),
      ascii('WEBPVP8L'),
      u32(10),
      ascii('/'),
      u32(((height - 1) << 14) | (width - 1)),
      Buffer.alloc(5),
    ]),
  'extended-webp': (width, height) =>
    Buffer.concat([
      ascii('RIFF'),
      u32(22),
      ascii('WEBPVP8X'),
      u32(10),
      Buffer.alloc(4),
      u32(width - 1).subarray(0, 3),
      u32(height - 1).subarray(0, 3),
    ]),
} satisfies Record<string, Picture>;
