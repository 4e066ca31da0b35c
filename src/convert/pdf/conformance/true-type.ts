/** TrueType font programs (ISO/IEC 14496-22): their tables `cmap` and `hmtx`. */
import type { FontProgram } from './font-program.ts';

type Lookup = (code: number) => number;

/** Microsoft's symbols start here. */
const SYMBOLS = 0xf000;

/** @throws Error if it cannot be read. */
export function readTrueType(data: Buffer): FontProgram {
  const tables = new Map<string, Buffer>();
  for (let index = 0; index < data.readUInt16BE(4); index += 1) {
    const entry = data.subarray(12 + 16 * index);
    const [offset, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
    tables.set(entry.toString('latin1', 0, 4), data.subarray(offset, offset + length));
  }
  const table = (name: string): Buffer => {
    const found = tables.get(name);
    if (!found) throw new Error(`the font program has no table ${name}`);
    return found;
  };
  const unitsPerEm = table('head').readUInt16BE(18);
  const glyphs = table('maxp').readUInt16BE(4);
  const metrics = table('hhea').readUInt16BE(34);
  const widths = table('hmtx');
  const advance = (glyph: number): number =>
    (widths.readUInt16BE(4 * Math.min(glyph, metrics - 1)) * 1000) / unitsPerEm;
  const maps = tables.has('cmap') ? codeMaps(table('cmap')) : [];
  return {
    glyphNames: undefined,
    codeTables: maps.map(({ platform, encoding }) => [platform, encoding]),
    glyph(code) {
      for (const { platform, encoding, lookup } of maps) {
        const codes = platform === 3 && encoding === 0 ? [SYMBOLS + code, code] : [code];
        const glyph = codes.map(lookup).find((found) => found > 0 && found < glyphs);
        if (glyph !== undefined) return { width: advance(glyph) };
      }
      return undefined;
    },
  };
}

function codeMaps(cmap: Buffer): { platform: number; encoding: number; lookup: Lookup }[] {
  return Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => {
    const entry = cmap.subarray(4 + 8 * index);
    const lookup = lookupOf(cmap.subarray(entry.readUInt32BE(4)));
    return { platform: entry.readUInt16BE(0), encoding: entry.readUInt16BE(2), lookup };
  });
}

function lookupOf(table: Buffer): Lookup {
  const format = table.readUInt16BE(0);
  if (format === 0) return (code) => (code < 256 ? table.readUInt8(6 + code) : 0);
  if (format === 4) return segments(table);
  if (format === 6) {
    const [first, count] = [table.readUInt16BE(6), table.readUInt16BE(8)];
    return (code) =>
      code >= first && code < first + count ? table.readUInt16BE(10 + 2 * (code - first)) : 0;
  }
  throw new Error(`the font program has codes in format ${format}`);
}

function segments(table: Buffer): Lookup {
  const size = table.readUInt16BE(6);
  const [ends, starts] = [14, 16 + size];
  return (code) => {
    for (let at = 0; at < size; at += 2) {
      if (code > table.readUInt16BE(ends + at)) continue;
      const start = table.readUInt16BE(starts + at);
      if (code < start) return 0;
      const delta = table.readUInt16BE(starts + size + at);
      const offsetAt = starts + 2 * size + at;
      const offset = table.readUInt16BE(offsetAt);
      if (offset === 0) return (code + delta) & 0xffff;
      const glyph = table.readUInt16BE(offsetAt + offset + 2 * (code - start));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}
