/** Stretches TrueType outlines (tables `glyf` and `loca`). */

const X_SHORT = 0x02;
const REPEATED = 0x08;
const X_SAME = 0x10;
const Y_SHORT = 0x04;
const Y_SAME = 0x20;

const WORDS = 0x1;
const ARE_OFFSETS = 0x2;
const ONE_SCALE = 0x8;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const FOUR_SCALES = 0x80;
const INSTRUCTIONS = 0x100;
const METRICS_OF_COMPONENT = 0x200;
/** Scales have 14 fractional bits. */
const ONE = 1 << 14;
const HEADER_BYTES = 10;

/**
 * Removes their hints, which would undo the change.
 *
 * @param {import('./sfnt.mjs').Face} face
 * @param {ReadonlyMap<number, number>} factors by glyph; the others look as they did, also those that have these as parts
 * @returns {{ glyf: Buffer, loca: Buffer, head: Buffer }} new tables; the last says how places are written in `loca`
 * @throws Error when the font has no such outlines
 */
export function stretchGlyphs({ tables }, factors) {
  const table = (/** @type {string} */ tag) => {
    const found = tables.get(tag);
    if (!found) throw new Error(`only outlines of TrueType can be stretched, and there is no ${tag}`);
    return found;
  };
  const [glyf, loca, head] = [table('glyf'), table('loca'), table('head')];
  const isLong = head.readInt16BE(50) === 1;
  const count = loca.length / (isLong ? 4 : 2) - 1;
  const place = (/** @type {number} */ glyph) =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  const outlines = Array.from({ length: count }, (_, glyph) => {
    const outline = glyf.subarray(place(glyph), place(glyph + 1));
    const factor = factors.get(glyph) ?? 1;
    const isComposite = outline.length > 0 && outline.readInt16BE(0) < 0;
    if (outline.length === 0 || (factor === 1 && !isComposite)) return outline;
    const stretched = isComposite ? composite(outline, factor, factors) : simple(outline, factor);
    return Buffer.concat([stretched, Buffer.alloc((4 - (stretched.length % 4)) % 4)]);
  });
  const places = Buffer.alloc(4 * (count + 1));
  let end = 0;
  outlines.forEach((outline, glyph) => {
    end += outline.length;
    places.writeUInt32BE(end, 4 * (glyph + 1));
  });
  const about = Buffer.from(head);
  about.writeInt16BE(1, 50);
  return { glyf: Buffer.concat(outlines), loca: places, head: about };
}

/**
 * @param {Buffer} outline
 * @param {number} factor
 * @returns {Buffer} the box around it, wider
 */
function header(outline, factor) {
  const box = Buffer.from(outline.subarray(0, HEADER_BYTES));
  for (const at of [2, 6]) box.writeInt16BE(Math.round(box.readInt16BE(at) * factor), at);
  return box;
}

/**
 * @param {Buffer} outline of points
 * @param {number} factor
 */
function simple(outline, factor) {
  const contours = outline.readInt16BE(0);
  const instructionsAt = HEADER_BYTES + 2 * contours;
  const points = contours === 0 ? 0 : outline.readUInt16BE(instructionsAt - 2) + 1;
  let at = instructionsAt + 2 + outline.readUInt16BE(instructionsAt);
  /** @type {number[]} */
  const flags = [];
  while (flags.length < points) {
    const flag = outline.readUInt8(at++);
    const times = (flag & REPEATED) === 0 ? 1 : 1 + outline.readUInt8(at++);
    for (let time = 0; time < times; time++) flags.push(flag & ~REPEATED);
  }
  const across = Buffer.alloc(2 * points);
  let x = 0;
  let before = 0;
  flags.forEach((flag, point) => {
    if (flag & X_SHORT) x += outline.readUInt8(at++) * (flag & X_SAME ? 1 : -1);
    else if ((flag & X_SAME) === 0) {
      x += outline.readInt16BE(at);
      at += 2;
    }
    const wide = Math.round(x * factor);
    across.writeInt16BE(wide - before, 2 * point);
    before = wide;
  });
  const bytes = flags.reduce((sum, flag) => sum + (flag & Y_SHORT ? 1 : flag & Y_SAME ? 0 : 2), 0);
  return Buffer.concat([
    header(outline, factor),
    outline.subarray(HEADER_BYTES, instructionsAt),
    Buffer.alloc(2),
    Buffer.from(flags.map((flag) => flag & ~(X_SHORT | X_SAME))),
    across,
    outline.subarray(at, at + bytes),
  ]);
}

/**
 * @param {Buffer} outline of other glyphs, which may be stretched themselves
 * @param {number} factor
 * @param {ReadonlyMap<number, number>} factors
 */
function composite(outline, factor, factors) {
  /** @type {Buffer[]} */
  const parts = [header(outline, factor)];
  let flags = MORE;
  for (let at = HEADER_BYTES; flags & MORE; ) {
    flags = outline.readUInt16BE(at);
    if ((flags & ARE_OFFSETS) === 0)
      throw new Error('a glyph whose parts hang on points cannot be stretched');
    const glyph = outline.readUInt16BE(at + 2);
    const isWide = (flags & WORDS) !== 0;
    const [x, y] = isWide
      ? [outline.readInt16BE(at + 4), outline.readInt16BE(at + 6)]
      : [outline.readInt8(at + 4), outline.readInt8(at + 5)];
    at += isWide ? 8 : 6;
    const count = flags & ONE_SCALE ? 1 : flags & TWO_SCALES ? 2 : flags & FOUR_SCALES ? 4 : 0;
    const scales = Array.from({ length: count }, (_, index) => outline.readInt16BE(at + 2 * index));
    at += 2 * count;
    const [xx = ONE, xy = 0, yx = 0, yy = ONE] =
      count === 4 ? scales : [scales[0], 0, 0, scales[1] ?? scales[0]];
    const own = factors.get(glyph) ?? 1;
    const part = Buffer.alloc(16);
    const kept = flags & ~(ONE_SCALE | TWO_SCALES | INSTRUCTIONS | METRICS_OF_COMPONENT);
    part.writeUInt16BE(kept | WORDS | FOUR_SCALES, 0);
    part.writeUInt16BE(glyph, 2);
    [x * factor, y, (xx * factor) / own, xy / own, yx * factor, yy].forEach((value, index) => {
      part.writeInt16BE(Math.round(value), 4 + 2 * index);
    });
    parts.push(part);
  }
  return Buffer.concat(parts);
}
