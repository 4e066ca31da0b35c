/** Font programs without outlines. */

/** A TrueType font of 1,000 units, whose glyphs from code 1 on have these widths. */
export function trueTypeFont(
  widths: readonly number[],
  encodings: readonly [number, number][] = [[1, 0]],
  { startsAtSymbols = false } = {},
): Buffer {
  const words = (...values: number[]) => {
    const buffer = Buffer.alloc(2 * values.length);
    for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, 2 * index);
    return buffer;
  };
  const head = Buffer.alloc(54);
  head.writeUInt16BE(1_000, 18);
  const hhea = Buffer.alloc(36);
  hhea.writeUInt16BE(widths.length + 1, 34);
  const codes = Buffer.alloc(256);
  for (const index of widths.keys()) codes[index + 1] = index + 1;
  const [first, last] = [0xf001, 0xf000 + widths.length];
  const segments = words(4, 32, 0, 4, 0, 0, 0, last, 0xffff, 0, first, 0xffff, 0x1000, 1, 0, 0);
  const table = startsAtSymbols ? segments : Buffer.concat([words(0, 262, 0), codes]);
  const start = 4 + 8 * encodings.length;
  const entries = encodings.map(([platform, encoding]) => words(platform, encoding, 0, start));
  const tables: Record<string, Buffer> = {
    cmap: Buffer.concat([words(0, encodings.length), ...entries, table]),
    head,
    hhea,
    hmtx: Buffer.concat([0, ...widths].map((width) => words(width, 0))),
    maxp: words(1, 0, widths.length + 1),
  };
  const names = Object.keys(tables);
  let offset = 12 + 16 * names.length;
  const directory = names.map((name) => {
    const entry = Buffer.alloc(16);
    entry.write(name, 'latin1');
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(tables[name]?.length ?? 0, 12);
    offset += tables[name]?.length ?? 0;
    return entry;
  });
  return Buffer.concat([words(1, 0, names.length, 0, 0, 0), ...directory, ...Object.values(tables)]);
}

/** A Type 1 font whose glyphs from code 1 on have these names and widths. */
export function type1Font(glyphs: Readonly<Record<string, number>>): Buffer {
  const names = Object.keys(glyphs);
  const encoding = names.map((name, index) => `dup ${index + 1} /${name} put\n`).join('');
  const clear = `%!FontType1-1.0: Test\n/FontMatrix [0.001 0 0 0.001 0 0] def\n/Encoding 256 array\n${encoding}currentfile eexec\n`;
  const programs = Object.entries({ '.notdef': 250, ...glyphs }).map(([name, width]) => {
    const code = encrypted(
      Buffer.from([0, 0, 0, 0, 139, 255, 0, 0, width >> 8, width & 0xff, 13, 14]),
      4_330,
    );
    return Buffer.concat([Buffer.from(`/${name} ${code.length} RD `), code, Buffer.from(' ND\n')]);
  });
  const start = Buffer.from(`\0\0\0\0/CharStrings ${programs.length} dict dup begin\n`);
  return Buffer.concat([Buffer.from(clear), encrypted(Buffer.concat([start, ...programs]), 55_665)]);
}

function encrypted(plain: Buffer, start: number): Buffer {
  let key = start;
  const cipher = Buffer.alloc(plain.length);
  for (const [index, byte] of plain.entries()) {
    const value = byte ^ (key >> 8);
    cipher[index] = value;
    key = ((value + key) * 52_845 + 22_719) & 0xffff;
  }
  return cipher;
}
